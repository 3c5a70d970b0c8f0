"""What the tests of the Hub share: a Hub on this machine, and this process as its client."""

import time
import types
import warnings

import pytest

from .server import HubServer


@pytest.fixture(scope="session")
def running_server():
    server = HubServer()
    yield server
    server.stop()


@pytest.fixture
def hub_server(running_server):
    """The server alone, empty, for clients in processes of their own."""
    running_server.reset()
    running_server.start()
    yield running_server
    assert running_server.errors == []


@pytest.fixture
def hub(hub_server, tmp_path, monkeypatch):
    """The server as the Hub of this process's libraries, with their caches in the test's folder.

    They read their settings at import, so it is the settings that are replaced; none of their functions is.
    """
    import datasets
    import huggingface_hub
    import transformers
    from huggingface_hub import constants, utils

    home = tmp_path / "hf-home"
    for name, value in {**hub_server.proxies, "HF_TOKEN": hub_server.write_token}.items():
        monkeypatch.setenv(name, value)
    values = {
        "ENDPOINT": hub_server.url,
        "HUGGINGFACE_CO_URL_TEMPLATE": hub_server.url + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_OFFLINE": False,
        "HF_HUB_DISABLE_XET": True,
        "HF_HUB_DISABLE_TELEMETRY": True,
        "HF_HUB_CACHE": str(home / "hub"),
        "HF_TOKEN_PATH": str(home / "token"),
        "HF_STORED_TOKENS_PATH": str(home / "stored_tokens"),
        "AGENT_HARNESSES_PATH": str(home / ".agent_harnesses.json"),
    }
    for name, value in values.items():
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setattr(huggingface_hub.hf_api.api, "endpoint", hub_server.url)
    monkeypatch.setattr(transformers.utils.hub, "_hf_api", None)  # made for the endpoint at its first use
    values = {
        "HF_ENDPOINT": hub_server.url,
        "HUB_DATASETS_URL": hub_server.url + "/datasets/{repo_id}/resolve/{revision}/{path}",
        "HF_HUB_OFFLINE": False,
        "HF_DATASETS_OFFLINE": False,
        "HF_UPDATE_DOWNLOAD_COUNTS": False,
        "HF_DATASETS_CACHE": home / "datasets",
        "HF_MODULES_CACHE": home / "modules",
    }
    for name, value in values.items():
        monkeypatch.setattr(datasets.config, name, value)
    # The session keeps the proxies, and the file system what it found at an address.
    utils.close_session()
    huggingface_hub.HfFileSystem.clear_instance_cache()
    with warnings.catch_warnings():
        # The plain upload of huggingface_hub 2.4 calls httpx2 in a deprecated way.
        warnings.filterwarnings("ignore", "Use 'content=", DeprecationWarning)
        yield hub_server
    utils.close_session()
    huggingface_hub.HfFileSystem.clear_instance_cache()


@pytest.fixture
def waits(monkeypatch):
    """The seconds that we or the client would have waited before a retry; nobody waits."""
    from huggingface_hub import file_download
    from huggingface_hub.utils import _http

    found = []
    clock = types.SimpleNamespace(sleep=found.append, time=time.time, monotonic=time.monotonic)
    monkeypatch.setattr(_http, "time", clock)
    monkeypatch.setattr(file_download, "time", clock)
    monkeypatch.setattr("sda_hf.hub.retries.time", clock)
    return found
