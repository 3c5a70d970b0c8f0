"""Errors of the library in the words of the command line: options are named as the user types them."""

from __future__ import annotations

import re

FIELDS = "coverage|language|sentences|seed|parser|on_skip|num_proc|copies"
# What the library says, and what the command line says instead; those of the fields only where they are options.
OF_FILES = ((re.compile(r": save the file as UTF-8$"), ": name its encoding with --encoding"),)
OF_FIELDS = ((re.compile(rf"(?:\b[A-Z]\w+: )?(?<![\w-])({FIELDS})=(?=\S)"), lambda found: f"{_option(found[1])} "),)
ALWAYS = (
    (re.compile(r"\(overwrite=True, --overwrite\)"), "(--overwrite)"),
    (re.compile(r"\b(check|with) column$"), r"\1 --column"),
    (re.compile(r"\bsafe_csv is for\b"), "--safe-csv is for"),
    (re.compile(r"^override (?=')"), "--set "),
    (re.compile(r"^seeds (?=')"), "--seeds "),
    (re.compile(r"^grid(?=:| ')"), "--grid"),
    (re.compile(r"\b(set|omit) data_dir\b"), r"\1 --data-dir"),
    (re.compile(r"^(aggregate|tasks) is "), r"--\1 is "),
    (re.compile(r"^resume and overwrite contradict each other"), "--resume and --overwrite contradict each other"),
    (re.compile(r"\bor resume or overwrite the run in it$"), "or --resume or --overwrite the run in it"),
)
# Commands whose options have the names of fields; in those of recipes, the fields are keys.
WITH_FIELDS = ("augment", "explain", "augmenters")


def in_option_names(message: str, command: str) -> str:
    """Return the message of an error with the options of the command line in the place of arguments.

    Args:
        message: the message.
        command: the command that failed.

    Example:
        >>> in_option_names("Negation: coverage='ful' is not allowed: give one of 'sound', 'full'", "augment")
        "--coverage 'ful' is not allowed: give one of 'sound', 'full'"
        >>> in_option_names("augmentation: Negation: coverage='ful' is not allowed", "train")
        "augmentation: Negation: coverage='ful' is not allowed"
    """
    of_files, of_fields = command == "augment", command in WITH_FIELDS
    for pattern, replacement in (*ALWAYS, *(OF_FILES if of_files else ()), *(OF_FIELDS if of_fields else ())):
        message = pattern.sub(replacement, message)
    return message


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"
