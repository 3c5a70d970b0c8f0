"""The command `push`: what it prints, and the exit code and the one line of a failure."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sda_hf import cli

ROOT = Path(__file__).parents[2]


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
    return folder


@pytest.fixture
def push(monkeypatch, capsys):
    """Call the command in this process: exit code, what it printed, and its error lines."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["sda-hf", "push", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return left.value.code, out, re.findall("error: .*", err)  # the client may leave a progress bar on its line

    return call


def test_what_it_prints(hub, run, push):
    page = f"{hub.url}/me/name"
    assert push(run, "--repo-id", "me/name") == (0, f"Created: {page}\n", [])
    assert push(run, "--repo-id", "me/name") == (0, f"Nothing has changed: {page}\n", [])
    assert push(run, "--repo-id", "me/name", "--revision", "v2") == (0, f"Nothing has changed: {page}/tree/v2\n", [])
    (run / "README.md").write_text("---\nlicense: mit\n---\n# More\n")
    assert push(run, "--repo-id", "me/name", "--create-pr") == (0, f"Pull request: {page}/discussions/1\n", [])
    assert push(run, "--repo-id", "me/name") == (0, f"Updated: {page}\n", [])
    assert push(run, "--repo-id", "me/other", "--private") == (0, f"Created: {hub.url}/me/other\n", [])
    assert [hub.repos[name].private for name in ("me/name", "me/other")] == [False, True]
    assert hub.repos["me/name"].files()["recipe.yaml"] == b"output: run\n"


def test_failures_are_one_line(hub, run, push, waits, monkeypatch):
    assert push(run, "--repo-id", "name") == (
        2, "", ["error: repository 'name' has no owner: write it as me/name"],
    )  # fmt: skip
    assert push(run / "none", "--repo-id", "me/name")[::2] == (
        2, [f"error: {run / 'none'} is not a folder: give that of a finished run or of a saved model"],
    )  # fmt: skip
    hub.fail("PUT", "/lfs/", status=500, times=6)
    code, out, (line,) = push(run, "--repo-id", "me/name")
    assert (code, out) == (2, "")
    assert line.startswith(f"error: uploading {run} to me/name failed: the Hub answered 500: Internal Error")
    assert line.endswith("nothing was lost, and pushing again completes it")
    hub.stop()
    code, out, (line,) = push(run, "--repo-id", "me/name")
    assert (code, out) == (2, "")
    assert line.startswith("error: preparing the repository me/name failed: no connection to the Hub: ")
    hub.start()
    assert push(run, "--repo-id", "me/name") == (0, f"Updated: {hub.url}/me/name\n", [])
    monkeypatch.delenv("HF_TOKEN")
    assert push(run, "--repo-id", "me/name") == (
        2, "", ["error: no Hub token: log in with `hf auth login`, or set HF_TOKEN"],
    )  # fmt: skip


def test_a_repository_is_required(hub, run, push):
    assert push(run)[0] == 2
    assert hub.requests == []


@pytest.mark.slow
def test_a_process_of_its_own_shows_no_token(hub_server, run, tmp_path):
    def call(token):
        command = [sys.executable, "-m", "sda_hf", "push", str(run), "--repo-id", "me/name"]
        environment = hub_server.environment(tmp_path / "home", token=token) | {"PYTHONPATH": str(ROOT)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)

    done = call("hf_secret")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: preparing the repository me/name failed: the Hub answered 401: Invalid")
    assert done.stderr.count("\n") == 1
    assert "hf_secret" not in done.stderr
    done = call(hub_server.write_token)
    assert (done.returncode, done.stdout) == (0, f"Created: {hub_server.url}/me/name\n"), done.stderr
    assert hub_server.write_token not in done.stderr
    assert set(hub_server.repos["me/name"].files()) == {path.name for path in run.iterdir()}
