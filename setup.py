"""The packages: `recipes/` is installed as `sda_hf/recipes`, so that recipes run by name without a checkout."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["sda_hf*"]), "sda_hf.recipes"],
    package_dir={"sda_hf.recipes": "recipes"},
)
