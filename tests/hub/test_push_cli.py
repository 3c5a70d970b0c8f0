"""The command `push`: what it prints, and the exit code and the one line of a fault."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sda_hf import cli

from .server import HubServer

ROOT = Path(__file__).parents[2]
AGAIN = "nothing was lost: pushing again finishes it"
# The command line with waits that are short.
SHORT = "import sda_hf.hub.faults as f; f.WAITS = (0.1, 0.1, 0.1, 0.1); from sda_hf.cli import main; main()"


@pytest.fixture
def run(tmp_path):
    """The folder of a finished run; nobody loads the model here."""
    folder = tmp_path / "run"
    folder.mkdir()
    texts = {"README.md": "---\nlicense: mit\n---\n", "recipe.yaml": "output: /home/me/run\n"}
    texts |= {"metrics.json": '{"after": {}}', "modules.json": "[]", "versions.json": "{}"}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "model.safetensors").write_bytes(bytes(50_000))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    yield folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.fixture
def push(monkeypatch, capsys):
    """Calls the command in this process: exit code, what it printed, and its lines of errors."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["sda-hf", "push", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return left.value.code, out, re.findall("error: .*", err)  # the client may leave a progress bar on its line

    return call


def in_a_process(server, home, *arguments, token, start=("-m", "sda_hf")):
    command = [sys.executable, *start, "push", *map(str, arguments)]
    environment = server.environment(home, token=token)
    return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)


# -- what it prints -----------------------------------------------------------------------------------


def test_what_it_prints(hub, run, push):
    page = f"{hub.url}/me/name"
    assert push(run, "--repo-id", "me/name") == (0, f"Created: {page}\n", [])
    assert push(run, "--repo-id", "me/name") == (0, f"Nothing has changed: {page}\n", [])
    assert push(run, "--repo-id", "me/name", "--revision", "v2") == (0, f"Nothing has changed: {page}/tree/v2\n", [])
    text = (run / "README.md").read_bytes()
    (run / "README.md").write_bytes(text + b"# More\n")
    assert push(run, "--repo-id", "me/name", "--create-pr") == (0, f"Pull request: {page}/discussions/1\n", [])
    assert push(run, "--repo-id", "me/name") == (0, f"Updated: {page}\n", [])
    (run / "README.md").write_bytes(text)
    assert push(run, "--repo-id", "me/other", "--private") == (0, f"Created: {hub.url}/me/other\n", [])
    assert [hub.repos[name].private for name in ("me/name", "me/other")] == [False, True]
    assert hub.repos["me/name"].files()["recipe.yaml"] == b"output: run\n"


def test_faults_are_one_line(hub, run, push, waits):
    assert push(run, "--repo-id", "name") == (
        2, "", ["error: repository 'name' has no owner: give one, as me/name"],
    )  # fmt: skip
    assert push(run / "none", "--repo-id", "me/name")[::2] == (
        2, [f"error: {run / 'none'} is no folder: give that of a finished run or of a saved model"],
    )  # fmt: skip
    hub.fail("PUT", "/lfs/", status=500, times=6)
    code, out, lines = push(run, "--repo-id", "me/name")
    assert (code, out, len(lines)) == (2, "", 1)
    assert lines[0].startswith(f"error: uploading {run} to me/name failed: the Hub answered 500: Internal Error")
    assert lines[0].endswith(AGAIN)
    assert push(run, "--repo-id", "me/name") == (0, f"Updated: {hub.url}/me/name\n", [])


def test_a_repository_is_asked_for(hub, run, push):
    assert push(run)[0] == 2
    assert hub.requests == []


# -- processes of their own ---------------------------------------------------------------------------


def test_it_works_in_a_process(hub_server, run, tmp_path):
    done = in_a_process(hub_server, tmp_path / "home", run, "--repo-id", "me/name", token=hub_server.write_token)
    assert (done.returncode, done.stdout) == (0, f"Created: {hub_server.url}/me/name\n"), done.stderr
    assert hub_server.write_token not in done.stderr
    assert set(hub_server.repos["me/name"].files()) == {path.name for path in run.iterdir()}


def test_no_token(hub_server, run, tmp_path):
    done = in_a_process(hub_server, tmp_path / "home", run, "--repo-id", "me/name", token=None)
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", "error: no token for the Hub: log in with `hf auth login`, or set HF_TOKEN\n",
    )  # fmt: skip
    assert hub_server.requests == []


def test_a_wrong_token(hub_server, run, tmp_path):
    done = in_a_process(hub_server, tmp_path / "home", run, "--repo-id", "me/name", token="hf_secret")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: looking for me/name failed: the Hub answered 401: Invalid credentials")
    assert done.stderr.count("\n") == 1
    assert "hf_secret" not in done.stderr


def test_the_server_is_gone(run, tmp_path):
    with HubServer() as server:
        pass
    done = in_a_process(server, tmp_path / "home", run, "--repo-id", "me/name", token="hf_secret", start=("-c", SHORT))
    assert (done.returncode, done.stdout) == (2, "")
    *tries, error = done.stderr.splitlines()
    assert error.startswith("error: looking for me/name failed: the connection to 127.0.0.1 failed: ")
    assert error.endswith(f": try again later; {AGAIN}")
    assert len(tries) == 4
    assert all(line.endswith(": next try in 0.1 s") for line in tries)
    assert "hf_secret" not in done.stderr
