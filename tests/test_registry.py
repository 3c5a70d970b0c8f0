import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sda_hf.errors import InputValueError
from sda_hf.registry import AUGMENTERS, Registry

GUIDE = (Path(__file__).parents[1] / "recipes" / "guides" / "write-an-augmenter.md").read_text(encoding="utf-8")


def test_duplicate_and_unknown_names():
    registry = Registry("gadget", "sda_hf")
    registry.register("one")(1)
    with pytest.raises(ValueError, match="gadget 'one' is already registered, as 1"):
        registry.register("one")(2)
    with pytest.raises(InputValueError, match="unknown gadget 'onne': did you mean 'one'\\? Known: one"):
        registry.get("onne")
    with pytest.raises(InputValueError, match=r"2 is not a registered gadget: decorate it with @register\(name\)"):
        registry.name_of(2)
    assert "one" in registry
    assert list(registry) == ["one"]


def test_a_class_that_is_defined_again_replaces_itself():
    registry = Registry("gadget", "sda_hf")
    first, again, other = (type(name, (), {}) for name in ("Gadget", "Gadget", "Other"))
    registry.register("one")(first)
    registry.register("one")(again)
    assert registry.get("one") is again
    with pytest.raises(ValueError, match="gadget 'one' is already registered, as <class '.*Gadget'>"):
        registry.register("one")(other)


def test_a_registry_loads_its_package_when_asked():
    assert "negation" in AUGMENTERS
    assert AUGMENTERS.name_of(AUGMENTERS.get("negation")) == "negation"


# -- other packages ------------------------------------------------------------------------------


def install(folder, name, entry_points, **modules):
    """A distribution with entry points and modules, as an installer lays it out."""
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def run(folder, *command):
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, cwd=folder
    )


LOSS = """
import sda_hf, torch
@sda_hf.losses.register("nothing")
class Nothing(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
"""
LOOK_UPS = """
import sys
import sda_hf
from sda_hf.registry import AUGMENTERS, LOSSES

assert "number-words" in AUGMENTERS and "negation" in AUGMENTERS and AUGMENTERS.get("negation")
assert not {"my_package", "my_losses"} & set(sys.modules)
words = sda_hf.Augmenter.from_config({"name": "number-words", "seed": 3})
print(words.augment(["We waited 2 hours."]), words.get_config_dict()["seed"])
assert "my_losses" not in sys.modules
print(type(sda_hf.losses.from_config(None, {"name": "nothing"})).__name__)
"""


def test_the_package_of_the_guide_adds_an_augmenter_by_its_entry_point(tmp_path):
    code = next(block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "NumberWords" in block)
    toml = next(block for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL) if "entry-points" in block)
    group, point = re.fullmatch(r'\[project\.entry-points\."(.*)"\]\n(.*)\n', toml).groups()
    points = f"[{group}]\n{point.replace(chr(34), '')}\n[sda_hf.losses]\nnothing = my_losses:Nothing\n"
    install(tmp_path, "my-package", points, my_package=code, my_losses=LOSS)
    done = run(tmp_path, "-c", LOOK_UPS)
    assert (done.stdout, done.stderr) == ("['We waited two hours.'] 3\nNothing\n", "")
    (tmp_path / "in.txt").write_text("We waited 2 hours.\n", encoding="utf-8")
    done = run(tmp_path, "-m", "sda_hf", "augment", "in.txt", "out.txt", "--augmenter", "number-words")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "We waited two hours.\n"


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("no_such_module:Thing", "cannot be loaded (ModuleNotFoundError: No module named 'no_such_module'): update or"),
        ("broken:Thing", "cannot be loaded (ZeroDivisionError: division by zero): update or uninstall that package"),
        ("plain:Thing", "is not registered under that name: decorate it with @register('thing')"),
    ],
)
def test_a_broken_plug_in_is_named(tmp_path, value, error):
    install(
        tmp_path,
        "bad-package",
        f"[sda_hf.augmenters]\nthing = {value}\n",
        broken="1 / 0",
        plain="class Thing: pass",
    )
    code = "import sda_hf; sda_hf.from_config({'name': 'negation'}); sda_hf.from_config({'name': 'thing'})"
    last = run(tmp_path, "-c", code).stderr.splitlines()[-1]
    origin = f"augmenter 'thing': the entry point 'thing = {value}' (sda_hf.augmenters) of bad-package 1.0"
    assert last.startswith(f"sda_hf.errors.PluginError: {origin} {error}")


def test_two_packages_with_one_name_are_named(tmp_path):
    for name in ("one", "two"):
        install(tmp_path, name, f"[sda_hf.augmenters]\nthing = {name}:Thing\n")
    last = run(tmp_path, "-c", "import sda_hf; sda_hf.from_config({'name': 'thing'})").stderr.splitlines()[-1]
    assert last.endswith(
        "PluginError: augmenter 'thing' is added by one 1.0 and two 1.0: uninstall all but one of them"
    )


SCRIPT = """
from datasets import Dataset
{code}
if __name__ == "__main__":
    rows = Dataset.from_dict({{"text": ["We waited 2 hours.", "It rains."]}})
    print(rows.map(NumberWords(), batched=True, num_proc=2)["positive"][:])
"""


def test_an_augmenter_of_a_script_works_in_several_processes(tmp_path):
    code = next(block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "NumberWords" in block)
    (tmp_path / "script.py").write_text(SCRIPT.format(code=code), encoding="utf-8")
    done = run(tmp_path, "script.py")
    assert done.stdout == "['We waited two hours.', 'It rains.']\n", done.stderr
