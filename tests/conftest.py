"""Shared by all tests: nothing reaches out, and what is cached goes into a folder of the session."""

import os
import tempfile

CACHE = tempfile.TemporaryDirectory(prefix="sda-hf-tests-")
# Before any Hugging Face library is imported: they read these at import.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HOME"] = CACHE.name
