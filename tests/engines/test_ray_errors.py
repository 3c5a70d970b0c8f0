"""What Ray raises when a worker fails is told as what went wrong; no cluster is needed to know."""

import errno
import re

import pytest

from sda_hf.engines.job import JobFolder
from sda_hf.engines.ray_job import fixable
from sda_hf.errors import InputValueError
from sda_hf.files import DiskFullError
from sda_hf.files.folders import folder_of

exceptions = pytest.importorskip("ray.exceptions", reason="Ray is not installed: pip install sda-hf[ray]")


def raised(cause):
    """What the driver gets when a task raises."""
    error = exceptions.RayTaskError(
        "write", "Traceback (most recent call last):\n", cause, "ray::write", 1, "127.0.0.1"
    )
    return error.as_instanceof_cause()


@pytest.mark.parametrize("cause", [DiskFullError("cannot write part-000003.jsonl"), InputValueError("no column")])
def test_an_error_to_fix_is_told_without_the_traceback(tmp_path, cause):
    error = raised(cause)
    assert isinstance(error, type(cause))
    assert str(error) != str(cause)
    assert fixable(error, JobFolder(folder_of(tmp_path), ".jsonl")) is cause


def test_a_disk_that_is_full_for_ray_itself(tmp_path):
    found = fixable(raised(OSError(errno.ENOSPC, "No space left")), JobFolder(folder_of(tmp_path), ".jsonl"))
    assert isinstance(found, DiskFullError)
    assert re.fullmatch(rf"cannot write to {tmp_path}: .*No space left: free some space, then try again", str(found))


def test_other_errors_stay_as_they_are(tmp_path):
    assert fixable(raised(ZeroDivisionError("by zero")), JobFolder(folder_of(tmp_path), ".jsonl")) is None
