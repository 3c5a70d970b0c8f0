"""What a run is: a YAML file, validated into frozen sections."""

from sda_hf.training.recipe.sections import (
    POOLINGS,
    Build,
    Data,
    Evaluation,
    Hub,
    Model,
    Recipe,
    Training,
)

__all__ = ["POOLINGS", "Build", "Data", "Evaluation", "Hub", "Model", "Recipe", "Training"]
