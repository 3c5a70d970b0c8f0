"""The app and its server, without a browser."""

import gc
import os
import re
import runpy
import socket
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from sda_hf.cli import main
from sda_hf.demo import server
from sda_hf.errors import InputValueError

SPACE = Path(__file__).parents[2] / "recipes" / "space"
NEEDED = "the playground needs gradio: pip install 'sda-hf[demo]'"


def test_without_gradio_one_line_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("sys.argv", ["sda-hf", "play"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err == f"error: {NEEDED}\n"


def test_a_port_in_use():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputValueError, match=f"cannot listen at 127.0.0.1, port {port} .*a free --port"):
            server.listening("127.0.0.1", port)


def test_an_address_of_another_machine():
    with pytest.raises(InputValueError, match="cannot listen at 192.0.2.1, .*an address of this machine as --host"):
        server.listening("192.0.2.1", None)


def test_the_next_free_port(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(server, "FIRST_PORT", taken.getsockname()[1])
        with server.listening("127.0.0.1", None) as found:
            assert found.getsockname()[1] > taken.getsockname()[1]
        monkeypatch.setattr(server, "PORTS", 1)
        with pytest.raises(InputValueError, match="no port from .* is free: give another --port"):
            server.listening("127.0.0.1", None)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # those of gradio
def test_the_environment_stays_as_it_is_and_nothing_is_loaded_from_elsewhere(monkeypatch):
    pytest.importorskip("gradio", reason=NEEDED)
    from sda_hf.demo.app import TELEMETRY, page_options, playground

    monkeypatch.delenv(TELEMETRY)
    before = dict(os.environ)
    built = playground(before="me/mine", folders=False)
    assert dict(os.environ) == before
    assert built.analytics_enabled is False
    assert page_options()["theme"]._stylesheets == []
    shown = [block["props"].get("value") for block in built.config["components"]]
    assert "me/mine" in shown
    gc.collect()  # gradio leaves event loops open; the warning about them belongs to this test


def test_the_metadata_of_the_space():
    _, header, page = (SPACE / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    metadata = yaml.safe_load(header)
    assert metadata["sdk"] == "gradio"
    assert (SPACE / metadata["app_file"]).is_file()
    assert len(metadata["short_description"]) <= 60  # the Hub refuses longer ones
    assert page.strip().startswith(f"# {metadata['title']}")
    project = (SPACE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    needed = re.search(r'^demo = \[\n  "(gradio.*)",\n\]', project, flags=re.MULTILINE)[1]
    assert Requirement(needed).specifier.contains(metadata["sdk_version"])
    assert (SPACE / "requirements.txt").read_text(encoding="utf-8") == "sda-hf[demo]\n"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # those of gradio
def test_the_space_is_the_same_app():
    pytest.importorskip("gradio", reason=NEEDED)
    built = runpy.run_path(str(SPACE / "app.py"))["demo"]
    labels = [block["props"].get("label") for block in built.config["components"]]
    assert {"Sentence", "Before", "After"} <= set(labels)
    assert "Hub id of a model" in [block["props"].get("info") for block in built.config["components"]]
    gc.collect()  # as above
