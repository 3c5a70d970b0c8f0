import pytest

from sda_hf.errors import InputValueError
from sda_hf.registry import AUGMENTERS, Registry


def test_duplicate_and_unknown_names():
    registry = Registry("gadget", "sda_hf")
    registry.register("one")(1)
    with pytest.raises(ValueError, match="gadget 'one' is registered already, as 1"):
        registry.register("one")(2)
    with pytest.raises(InputValueError, match="unknown gadget 'onne': did you mean 'one'\\? Known: one"):
        registry.get("onne")
    with pytest.raises(InputValueError, match=r"2 is not a registered gadget: decorate it with @register\(name\)"):
        registry.name_of(2)
    assert "one" in registry
    assert list(registry) == ["one"]


def test_a_registry_loads_its_package_when_asked():
    assert "negation" in AUGMENTERS
    assert AUGMENTERS.name_of(AUGMENTERS.get("negation")) == "negation"
