"""What every hostile input gets: one line that says what is wrong, soon."""

from __future__ import annotations

import time
from contextlib import contextmanager

import pytest
import spacy  # noqa: F401 - slow to import: the time of the first test is not its fault

from sda_hf.errors import InputError

SECONDS = 2  # of processor time
LONGEST_LINE = 1500  # characters


@pytest.fixture
def refused():
    """A context that wants one short line about the input, within two seconds of processor time."""

    @contextmanager
    def check(match):
        began = time.process_time()
        with pytest.raises(InputError, match=match) as raised:
            yield
        assert time.process_time() - began < SECONDS
        line = str(raised.value)
        assert "\n" not in line
        assert len(line) < LONGEST_LINE

    return check
