"""Train the quickstart, and write its model into the package, where the playground finds it.

python recipes/space/make_model.py
"""

import shutil
import tempfile
from pathlib import Path

from sentence_transformers import SentenceTransformer

from sda_hf import evaluation
from sda_hf.demo.embedded import QUICKSTART, TRAINED, UNTRAINED, load_model
from sda_hf.evaluation.encoder.loading import load_encoder
from sda_hf.files.packaged import recipe_folder
from sda_hf.training.recipe import Recipe
from sda_hf.training.runner import run

PAIRS = recipe_folder() / "quickstart" / "pairs.tsv"
PAGE = """# The model of the quickstart

What `sda-hf train quickstart` gives with the seed 0, in half precision: the default of the playground. It is small,
trained for a minute on 1,412 sentences, and shows how training works; it is not a good encoder.

| Spearman \u00d7 100 on the test pairs of the recipe | |
|---|---:|
| before training: the random weights of the seed, which are not stored but drawn again | {before:.2f} |
| after training, in the run | {trained:.2f} |
| after training, from this folder | {after:.2f} |

The sentences were written for this project. Licence: Apache-2.0. Written by `recipes/space/make_model.py`.
"""


def write(trained: str | Path, folder: Path) -> None:
    """Write the model of a run with weights in half precision.

    Args:
        trained: the folder of the run.
        folder: the folder to write; replaced if it is there.
    """
    model = SentenceTransformer(str(trained))
    model.half()
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(str(folder), create_model_card=False)
    config = folder / "config.json"
    # Read as it is, and computed with in single precision.
    config.write_text(config.read_text(encoding="utf-8").replace('"float16"', '"float32"'), encoding="utf-8")


def score(model: SentenceTransformer) -> float:
    """Return the score on the test pairs of the recipe."""
    return evaluation.evaluate(model, [PAIRS])["pairs"]["spearman"]


def main() -> None:
    """Train, write and measure."""
    with tempfile.TemporaryDirectory() as place:
        output = Path(place) / "run"
        run(Recipe.load("quickstart"), output)
        write(output, QUICKSTART)
        trained = score(load_encoder(output))
    page = PAGE.format(before=score(load_model(UNTRAINED)), trained=trained, after=score(load_model(TRAINED)))
    (QUICKSTART / "README.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
