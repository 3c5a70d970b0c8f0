"""Install `recipes/` as the package `sda_hf.recipes`, so that recipes run by name without a checkout.

Everything else is in pyproject.toml and setup.cfg, which cannot add a folder from elsewhere to the packages they find.
"""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["sda_hf*"]), "sda_hf.recipes"],
    package_dir={"sda_hf.recipes": "recipes"},
)
