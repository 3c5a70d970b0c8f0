from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest
import torch
from conftest_sentences import SENTENCES  # placeholder
