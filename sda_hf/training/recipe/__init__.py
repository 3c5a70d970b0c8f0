"""What a run is: a YAML file, validated into frozen sections."""

from sda_hf.training.recipe.recipe import Recipe
from sda_hf.training.recipe.sections import (
    POOLINGS,
    Build,
    Data,
    Evaluation,
    Hub,
    Lora,
    Model,
    Training,
    TrainingSet,
)

__all__ = ["POOLINGS", "Build", "Data", "Evaluation", "Hub", "Lora", "Model", "Recipe", "Training", "TrainingSet"]
