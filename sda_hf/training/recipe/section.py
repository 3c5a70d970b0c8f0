"""The base of all sections of a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError
from typing_extensions import Self

from sda_hf.training.recipe.messages import input_error


def listed(value: Any) -> Any:
    """Take a lone value as a list of one."""
    return (value,) if isinstance(value, (str, Mapping)) else tuple(value) if isinstance(value, list) else value


def filled(value: Any) -> Any:
    """Take a section that is left empty as one with nothing but defaults."""
    return {} if value is None else value


class Section(BaseModel):
    """A part of a recipe, validated when it is made.

    Example:
        >>> from sda_hf.training.recipe import Training
        >>> Training(batch_size=0)
        Traceback (most recent call last):
        sda_hf.errors.InputValueError: training.batch_size: 0 is out of range: it must be at least 1
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    place: ClassVar[str] = ""
    # The recipe, where misplaced keys are looked up.
    root: ClassVar[type[BaseModel]] = BaseModel

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise input_error(error, type(self), self.place, self.root) from None

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, validated like a new section.

        Raises:
            InputError: as for a new section.
        """
        return type(self)(**{**{name: getattr(self, name) for name in self.model_fields_set}, **changes})

    def to_dict(self) -> dict[str, Any]:
        """Return the section as a JSON-native mapping."""
        return self.model_dump(mode="json")
