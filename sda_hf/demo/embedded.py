"""Models that the playground knows by name, without a download: those of the quickstart, and an adapter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.files.packaged import recipe_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

UNTRAINED = "quickstart, untrained"
TRAINED = "quickstart, trained"
# The model that the adapter is for comes from the Hub.
BASE = "sentence-transformers/all-MiniLM-L6-v2"
ADAPTER = "sees_not"
QUICKSTART = Path(__file__).with_name("quickstart")
SEED = 0  # of the quickstart, too


def load_model(name: str) -> SentenceTransformer:
    """Load one of the models above, or any other from its folder or from the Hub.

    Args:
        name: a name of this module, a folder or a Hub id.

    Raises:
        InputError: as in `load_encoder`.
    """
    if name == UNTRAINED:
        return _untrained(load_encoder(QUICKSTART))
    places = {TRAINED: QUICKSTART, ADAPTER: recipe_folder() / ADAPTER}
    return load_encoder(places.get(name, name))


def _untrained(model: SentenceTransformer) -> SentenceTransformer:
    """Give a model the random weights with which its training began, as `training.encoder.build` makes them."""
    import torch
    from transformers import AutoModel

    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        start = AutoModel.from_config(model[0].auto_model.config)
    torch.nn.init.zeros_(start.embeddings.position_embeddings.weight)
    torch.nn.init.zeros_(start.embeddings.token_type_embeddings.weight)
    model[0].auto_model.load_state_dict(start.state_dict())
    return model.eval()
