"""Recipes that a stranger may have written, and what the command line says about them."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from sda_hf import losses
from sda_hf.cli import main
from sda_hf.training.recipe import Data, Recipe, Training
from sda_hf.training.trainer_arguments import training_arguments

LEAST = "model: m\ndata: {files: a.txt}\n"
ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{new}: &{new} {{<<: [{','.join([f'*{old}'] * 9)}]}}\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
RECIPES = {
    "empty": ("", "a recipe must be a mapping of keys to values, not NoneType"),
    "a list": ("- a", "a recipe must be a mapping of keys to values, not list"),
    "an alias bomb": (ALIASES, "line 5: not valid YAML: more than 10,000 values"),
    "a merge bomb": (MERGES, "line 5: not valid YAML: more than 10,000 values"),
    "a list in itself": ("a: &a [*a]", "line 1: not valid YAML: the anchor 'a' contains itself"),
    "a mapping in itself": ("a: &a {b: *a}", "line 1: not valid YAML: the anchor 'a' contains itself"),
    "a merge of itself": ("a: &a {<<: *a}", "line 1: not valid YAML: the anchor 'a' contains itself"),
    "an alias of nothing": ("a: *b", "found undefined alias"),
    "a list as a key": ("? [a]\n: b", "line 1: not valid YAML: a key is a list or a mapping, not a string"),
    "a mapping as a key": ("? {a: 1}\n: b", "line 1: not valid YAML: a key is a list or a mapping"),
    "a number as a key": (LEAST + "3: x", "unknown recipe key '3'"),
    "a date as a key": (LEAST + "2020-01-01: x", "unknown recipe key '2020-01-01'"),
    "null as a key": (LEAST + "loss: {name: x, ~: 1}", "loss: the key None is not a string"),
    "an integer of 5,000 digits": ("a: " + "9" * 5000, "line 1: not valid YAML: an integer of too many digits"),
    "an integer of 4,000 digits": ("a: " + "9" * 4000, "line 1: not valid YAML: an integer of more than 64 bits"),
    "hexadecimal digits": ("a: 0x" + "f" * 9000, "line 1: not valid YAML: an integer of more than 64 bits"),
    "base 60": ("a: 1" + ":59" * 30_000, "line 1: not valid YAML: an integer of more than 64 bits"),
    "base 60 with a fraction": ("a: 1" + ":59" * 400 + ".5", "not valid YAML: int too large to convert to float"),
    "the month 13": ("a: 2020-13-45", "line 1: not valid YAML: month must be in 1..12"),
    "the hour 25": ("a: 2020-01-01T25:00:00", "line 1: not valid YAML: hour must be in 0..23"),
    "a Python object": ("a: !!python/object/apply:os.system [ls]", "the tag '.*os.system' is not allowed"),
    "a Python name": ("a: !!python/name:os.system", "the tag '.*os.system' is not allowed"),
    "an integer of nothing": ("a: !!int ''", "the tag 'tag:yaml.org,2002:int' is not allowed"),
    "a timestamp of nothing": ("a: !!timestamp x", "the tag 'tag:yaml.org,2002:timestamp' is not allowed"),
    "a set": ("a: !!set {b, c}", "the tag 'tag:yaml.org,2002:set' is not allowed"),
    "binary": ("a: !!binary x", "the tag 'tag:yaml.org,2002:binary' is not allowed"),
    "a tag too long": ("a: !" + "x" * 90_000, r"the tag '!x+\.\.\. is not allowed"),
    "100,000 lists": ("[" * 100_000, "line 1: not valid YAML: nested more than 32 levels deep"),
    "lists in a key": ("a: " + "[" * 50_000, "line 1: not valid YAML: nested more than 32 levels deep"),
    "mappings in mappings": ("{a: " * 20_000, "line 1: not valid YAML: nested more than 32 levels deep"),
    "items in items": ("- " * 40_000, "line 1: not valid YAML: nested more than 32 levels deep"),
    "indented ever deeper": ("".join(" " * i + "a:\n" for i in range(400)), "nested more than 32 levels deep"),
    "a lone surrogate": ('a: "\\ud800"', "line 1: not valid YAML: a string with a lone surrogate"),
    "NUL": ('a: "\\0"', "line 1: not valid YAML: a string with NUL"),
    "a raw NUL": ("a: \0", "not valid YAML: unacceptable character #x0000"),
    "an escape": ("\x1b[2J: 1", "not valid YAML: unacceptable character #x001b"),
    "a string of 90,000 characters": ("a: " + "x" * 90_000, "a string of 90,000 characters, more than 10,000"),
    "a file of 50 MB": ("#" * 50_000_000, "cannot be read: larger than 100,000 bytes"),
    "30,000 values": ("[" + "1," * 30_000 + "]", "more than 10,000 values"),
    "a duplicate key": ("a: 1\na: 2", "line 2: not valid YAML: duplicate key 'a'"),
    "two documents": ("a: 1\n---\nb: 2", "expected a single document"),
    "another version of YAML": ("%YAML 9.9\n---\na: 1", "found incompatible YAML document"),
    "tabs": ("\t" * 50_000, "found character .* that cannot start any token"),
    "a name that is a list": (LEAST + "augmentation: {name: []}", "augmentation: needs a `name`"),
    "a loss whose name is a list": (LEAST + "loss: {name: []}", "loss: needs a `name`"),
    "an augmentation that is a list": (LEAST + "augmentation: [negation]", "augmentation: .* is not a mapping"),
    "a date in a loss": (LEAST + "loss: {name: x, margin: 2020-01-01}", "loss.margin: .* is not a string, number"),
    "NaN": (LEAST + "training: {learning_rate: .nan}", "training.learning_rate: nan is not a finite number"),
    "inf": (LEAST + "training: {weight_decay: .inf}", "training.weight_decay: inf is not a finite number"),
    "1e999": (LEAST + "training: {epochs: 1e999}", "training.epochs: inf is not a finite number"),
    "-2": (LEAST + "training: {batch_size: -2}", "training.batch_size: -2 is out of range: it must be at least 1"),
    "10^18 layers": ("model: {build: {layers: 1000000000000000000}}\ndata: {files: a}", "model.build.layers: 1000000"),
    "a width of 10^12": ("model: {build: {hidden_size: 1000000000000}}\ndata: {files: a}", "model.build.hidden_size: "),
    "a vocabulary of 10^15": ("model: {build: {vocab_size: 1000000000000000}}\ndata: {files: a}", "model.build.vocab"),
    "an unknown key of 9,000 letters": (LEAST + f"? {'k' * 9000}\n: 1", r"unknown recipe key 'k+\.\.\.: "),
    "a parser that is a module": (LEAST + "augmentation: {name: negation, parser: this.x}", "'this.x', which is not"),
    "a parser that is a path": (
        LEAST + "augmentation: {name: negation, parser: pipelines/x}",
        "'pipelines/x', which is a path",
    ),
    "a parser deep inside": (
        LEAST + "augmentation: {name: triplets, negative: {name: one-of, augmenters: [{name: x, parser: os.path}]}}",
        "augmentation: the configuration names the parser 'os.path', which is not installed: .*--trust-parser",
    ),
}
BYTES = {
    "latin-1": (b"model: caf\xe9", r"cannot be read: not a UTF-8 text file \(byte 11\)"),
    "UTF-16": ("model: m".encode("utf-16"), "cannot be read: not a UTF-8 text file"),
    "an archive": (b"PK\x03\x04\xff\xfe", "cannot be read: not a UTF-8 text file"),
}


@pytest.mark.parametrize(("text", "line"), RECIPES.values(), ids=RECIPES)
def test_recipes(tmp_path, text, line, refused):
    (tmp_path / "r.yaml").write_text(text, encoding="utf-8")
    with refused(line):
        Recipe.load(tmp_path / "r.yaml")


@pytest.mark.parametrize(("content", "line"), BYTES.values(), ids=BYTES)
def test_bytes(tmp_path, content, line, refused):
    (tmp_path / "r.yaml").write_bytes(content)
    with refused(line):
        Recipe.load(tmp_path / "r.yaml")


LOSSES = {
    "no name": ({}, "a loss's config needs a name, which is a string; got NoneType: None"),
    "a name that is a list": ({"name": []}, r"which is a string; got list: \[\]"),
    "an unknown name": ({"name": "os.system"}, "unknown loss 'os.system'"),
    "an unknown argument": ({"name": "nt-xent", "code": 1}, "unknown NTXentLoss argument 'code'"),
    "temperature NaN": ({"name": "nt-xent", "temperature": float("nan")}, "temperature"),
    "temperature -2": ({"name": "nt-xent", "temperature": -2}, "temperature"),
    "margin a list": ({"name": "margin-negation-infonce", "margin": [1]}, "margin"),
    "another library's: a list": (
        {"name": "multiple-negatives-ranking", "scale": []},
        "multiple-negatives-ranking: '>'",
    ),
    "another library's: -1": ({"name": "multiple-negatives-ranking", "scale": -1}, "ranking: Scale must be a positive"),
    "another library's: unhashable": (
        {"name": "multiple-negatives-ranking", "directions": [[]]},
        "ranking: unhashable",
    ),
}
ARGUMENTS = [
    ("accelerator_config", "", "No such file or directory"),
    ("accelerator_config", "x" * 1000, "File name too long"),
    ("accelerator_config", 2**62, "fd is greater than maximum"),
    ("optim", [], "is not a valid OptimizerNames"),
    ("hub_token", "hf_abc", "use the recipe's own key for it"),
    ("__class__", 1, "unknown recipe key 'training.arguments.__class__'"),
]


@pytest.mark.parametrize(("config", "line"), LOSSES.values(), ids=LOSSES)
def test_losses(config, line, refused):
    with refused(line):
        losses.from_config(torch.nn.Identity(), config)


@pytest.mark.parametrize(("name", "value", "line"), ARGUMENTS)
def test_training_arguments(tmp_path, name, value, line, refused):
    recipe = Recipe(model="m", data=Data(files=["a.txt"]), training=Training(arguments={name: value}))
    with refused(line):
        training_arguments(recipe, tmp_path, None)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/dev/zero", "cannot be read: larger than 100,000 bytes"),
        ("a\0b", "no such recipe file"),
        ("x" * 300, "no such recipe file"),
        (".", "cannot be read: Is a directory"),
    ],
)
def test_paths(path, line, refused):
    with refused(line):
        Recipe.load(path)


@pytest.mark.parametrize(
    "override", ["training.seed=" + "9" * 5000, "data=&a [*a]", "loss={? [a] : b}", "model=" + "[" * 90_000]
)
def test_overrides(tmp_path, override, refused):
    (tmp_path / "r.yaml").write_text(LEAST)
    with refused("not valid YAML: (an integer of|the anchor 'a' contains|a key is a list|nested more than 32)"):
        Recipe.load(tmp_path / "r.yaml", [override])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["train", "bomb.yaml"], "bomb.yaml, line 5: not valid YAML: more than 10,000 values"),
        (["train", "deep.yaml"], "deep.yaml, line 1: not valid YAML: nested more than 32 levels deep"),
        (["train", "parser.yaml"], "parser.yaml: augmentation: the configuration names the parser 'this.x'"),
        (["train", "parser.yaml", "--trust-parser"], "'this.x' is not the name of a spaCy package"),
        (["sweep", "parser.yaml", "--grid", "loss.margin=0.1", "--trust-parser"], "'this.x' is not the name of a"),
        (["train", "/dev/zero"], "/dev/zero: cannot be read: larger than 100,000 bytes"),
        (["augment", "in.txt", "out.txt", "--augmenter", "negation", "--parser", "this.x"], "'this.x' is not the name"),
        (["augment", "in.txt", "out.txt", "--augmenter", "one-of"], "OneOf needs at least one augmenter"),
        (["augment", "in.txt", "out.txt", "--augmenter", "triplets"], "triplets needs 'positive'"),
        (["augment", "in.txt", "out.txt", "--augmenter", "x" * 9000], "unknown augmenter 'x"),
        (["augment", "in.txt", "out.txt", "--augmenter", "negation", "--seed", "9" * 30], "an integer of more than 64"),
    ],
)
def test_the_command_line(tmp_path, monkeypatch, capsys, arguments, line):
    (tmp_path / "bomb.yaml").write_text(ALIASES)
    (tmp_path / "deep.yaml").write_text("[" * 50_000)
    (tmp_path / "parser.yaml").write_text(LEAST + "augmentation: {name: negation, parser: this.x}\n")
    (tmp_path / "in.txt").write_text("He left.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["sda-hf", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    errors = capsys.readouterr().err
    assert ended.value.code == 2
    assert line in errors
    assert errors.count("\n") == 1
    assert len(errors) < 1500


def test_nothing_is_imported_by_a_recipe(tmp_path):
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "r.yaml").write_text(LEAST + "augmentation: {name: negation, parser: trap.x}\n")
    code = "import sda_hf.cli, sys; sys.argv = ['sda-hf', 'train', 'r.yaml', '--trust-parser']; sda_hf.cli.main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "parser 'trap.x' is not the name of a spaCy package" in done.stderr
    assert "Traceback" not in done.stderr
