"""Make the adapter in this folder: the mean of several runs of sees_not.yaml, compressed to a low rank.

    sda-hf train sees_not --set model=MODEL --seeds 0,1,2
    python recipes/sees_not/make_adapter.py MODEL outputs/sees_not/seed-0 outputs/sees_not/seed-1 ... --output FOLDER

The mean of weights that were trained with different seeds is often better than each of them (Wortsman et al., Model
soups, ICML 2022). What changed in each linear layer is then replaced by its best approximation of the given rank, from
its singular value decomposition. Needs peft.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from peft import LoraConfig
from sentence_transformers import SentenceTransformer
from torch import Tensor

CONFIG = "adapter_config.json"


def main() -> None:
    """Write the adapter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the model before training")
    parser.add_argument("runs", nargs="+", help="the models after training")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--base", help="the name of the model in the adapter's configuration; default: MODEL")
    parser.add_argument("--output", type=Path, required=True, help="a new folder")
    given = parser.parse_args()
    if given.output.exists():
        parser.error(f"--output {given.output} exists already: give another folder, or remove it")
    model = SentenceTransformer(given.model, device="cpu")
    means = mean_weights([SentenceTransformer(run, device="cpu") for run in given.runs])
    model.add_adapter(
        LoraConfig(r=given.rank, lora_alpha=given.rank, lora_dropout=0.0, target_modules="all-linear")  # scaled by 1
    )
    compress(model, means, given.rank)
    model[0].auto_model.save_pretrained(given.output)
    config = json.loads((given.output / CONFIG).read_text(encoding="utf-8"))
    config["base_model_name_or_path"] = given.base or given.model
    (given.output / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def mean_weights(models: list[SentenceTransformer]) -> dict[str, Tensor]:
    """Return the mean of the weights of several models, by name."""
    states = [dict(model.named_parameters()) for model in models]
    return {name: torch.stack([state[name].detach().double() for state in states]).mean(0) for name in states[0]}


def compress(model: SentenceTransformer, trained: dict[str, Tensor], rank: int) -> None:
    """Set the adapter of a model so that its linear layers come as close to the trained ones as the rank allows."""
    parameters = dict(model.named_parameters())
    for name, before in parameters.items():
        if not name.endswith(".base_layer.weight"):
            continue
        layer = name.removesuffix(".base_layer.weight")
        left, values, right = torch.linalg.svd(trained[f"{layer}.weight"] - before.detach().double())
        roots = values[:rank].sqrt()
        parameters[f"{layer}.lora_B.default.weight"].data = (left[:, :rank] * roots).to(before)
        parameters[f"{layer}.lora_A.default.weight"].data = (roots[:, None] * right[:rank]).to(before)


if __name__ == "__main__":
    main()
