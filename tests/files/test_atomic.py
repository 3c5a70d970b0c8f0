"""Files and folders that appear whole or not at all, and what killed processes leave."""

import dataclasses
import logging
import os
import subprocess
import sys

import pytest

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.files import DiskFullError, Owner, check_target, new_folder, part_beside, replacing, write_whole
from sda_hf.files.owners import _host

ME = Owner.this_process()


def part(folder, name, owner):
    path = folder / f".{name}.{owner.pid}-{owner.start}@{owner.host}.0123abcd.part"
    path.write_text("half")
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


# -- who owns it -----------------------------------------------------------------------------------


def test_a_running_process_is_alive_and_one_of_another_host_may_be():
    assert not ME.is_dead
    assert not Owner(os.getppid(), "", _host()).is_dead
    assert not Owner(2**22 + 1, "1", "another-host").is_dead


def test_an_ended_process_is_dead_even_before_its_parent_asks_and_when_its_number_is_used_again():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = dataclasses.replace(ME, pid=process.pid, start="")
    assert not owner.is_dead
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert owner.is_dead
    process.communicate()
    assert owner.is_dead
    assert dataclasses.replace(ME, start="1").is_dead


# -- what killed processes left --------------------------------------------------------------------


def test_the_next_write_removes_what_dead_processes_left_and_says_so(tmp_path, caplog):
    dead = dataclasses.replace(ME, start="1")
    left = part(tmp_path, "a.txt", dead)
    kept = [
        part(tmp_path, "a.txt", ME),
        part(tmp_path, "a.txt", dataclasses.replace(dead, host="another-host")),
        part(tmp_path, "b.txt", dead),
    ]
    with caplog.at_level(logging.WARNING):
        write_whole(tmp_path / "a.txt", "whole")
    assert names(tmp_path) == sorted(["a.txt", *(path.name for path in kept)])
    assert [record.getMessage() for record in caplog.records] == [
        f"removed {left}, which process {ME.pid} on {ME.host} left unfinished"
    ]


def test_folders_that_dead_processes_left_go_as_well(tmp_path):
    old = tmp_path / f".notes.{ME.pid}-1@{ME.host}.0123abcd.part"
    (old / "inner").mkdir(parents=True)
    part(tmp_path, old.name, dataclasses.replace(ME, start="1"))
    with new_folder(tmp_path / "notes") as folder:
        write_whole(folder / "a.txt", "whole")
    assert names(tmp_path) == ["notes"]


def test_names_as_long_as_file_systems_take_them(tmp_path):
    name = "é" * 127
    write_whole(tmp_path / name, "whole")
    assert names(tmp_path) == [name]
    assert len(os.fsencode(part_beside(tmp_path / name).name)) < 255


# -- never over what is there ----------------------------------------------------------------------


def test_a_file_that_appears_in_the_meantime_stays(tmp_path):
    path = tmp_path / "a.txt"
    context = replacing(path, overwrite=False)
    context.__enter__().write_text("ours")
    path.write_text("theirs")
    with pytest.raises(InputFileError, match=r"a\.txt already exists"):
        context.__exit__(None, None, None)
    assert path.read_text() == "theirs"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_a_new_file_leaves_nothing_beside_it(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError))
    with replacing(tmp_path / "a.txt", overwrite=False) as temporary:
        temporary.write_text("ours")
    assert names(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").stat().st_nlink == 1
    with pytest.raises(InputFileError, match="already exists"), replacing(tmp_path / "a.txt", False) as temporary:
        temporary.write_text("again")
    assert (tmp_path / "a.txt").read_text() == "ours"


def test_targets_that_are_refused_before_any_work(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("mine")
    (tmp_path / "soft.txt").symlink_to(source)
    os.link(source, tmp_path / "hard.txt")
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling.txt").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe.txt")
    for spelling in ("in.txt", "soft.txt", "hard.txt", "folder/../in.txt"):
        with pytest.raises(InputValueError, match="is the input itself, which is not overwritten"):
            check_target(tmp_path / spelling, overwrite=True, source=source)
    with pytest.raises(InputFileError, match=r"dangling\.txt already exists"):
        check_target(tmp_path / "dangling.txt", overwrite=False)
    with pytest.raises(InputFileError, match=r"pipe\.txt is not a regular file"):
        check_target(tmp_path / "pipe.txt", overwrite=True)
    with pytest.raises(InputValueError, match="folder is a folder"):
        check_target(tmp_path / "folder", overwrite=True)
    assert source.read_text() == "mine"


# -- permissions and room --------------------------------------------------------------------------


def test_files_get_the_permissions_of_new_ones(tmp_path, umask):
    with replacing(tmp_path / "a.txt") as temporary:
        temporary.touch(mode=0o600)
    with new_folder(tmp_path / "notes") as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "b.txt").touch(mode=0o600)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "notes" / "inner" / "b.txt").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "notes").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("write: (os error 28)")])
def test_a_full_disk_is_one_error_for_files_and_folders(tmp_path, error):
    (tmp_path / "a.txt").write_text("old")
    for context in (replacing(tmp_path / "a.txt"), new_folder(tmp_path / "notes")):
        with pytest.raises(DiskFullError, match="No space left on device: free some space, then try again"), context:
            raise error
    assert names(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"
