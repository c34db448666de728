"""What a project's files say about the libraries that it uses, and the scripts that its installation makes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from lintpickle import disk

_Version: TypeAlias = tuple[int, ...]
_FILES = re.compile(
    r"pyproject\.toml|setup\.py|setup\.cfg|(?:.*[_-])?requirements.*\.txt|(?:.*[_-])?environment.*\.ya?ml"
)
_FOLDER = "requirements"
_TABLE = re.compile(r"(?m)^\[+(?!\[*[^\]\n]*(?:project|dependenc))[^\]\n]+\]+[ \t]*\n(?:(?!\[).*(?:\n|\Z))*")
"""A table of `pyproject.toml` that lists no requirements."""
_CONDA = re.compile(r"(?m)^[ \t]*-[ \t]*(?:[\w-]+::)?(?P<name>[\w.-]+)[ \t]*(?P<clause>[=<>~!].*|$)")
"""A requirement of an environment of conda, or of pip in one; a single `=` pins a version."""
_CONDA_NAMES = {"pytorch": "torch"}
"""What conda calls libraries otherwise."""
_CLAUSE = re.compile(r"(===?|~=|!=|<=?|>=?)\s*v?(\d+(?:\.\d+)*)")
_NAMES_SCRIPTS = "scripts"
_BUILDING = ("pyproject.toml", "setup.py", "setup.cfg")
_SCRIPT = re.compile(r"=\s*[\"']?\s*([\w.]+:[\w.]+)")
"""What an entry point names, as each of these files writes it: `tool = tool.cli:run`."""
_COMMENT = re.compile(r"(?m)(?:^|\s)#.*$")


class Declared:
    """The requirements and scripts of the project in a folder, read once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[tuple[str, _Version], bool] = {}

    def is_before(self, library: str, version: _Version) -> bool:
        """Whether the project requires a library, and every requirement demands a version before the given one."""
        key = (library, version)
        if key not in self._known:
            found = [_is_bounded(clauses, version) for text in self._texts for clauses in _clauses(library, text)]
            self._known[key] = bool(found) and all(found)
        return self._known[key]

    def is_script(self, module: str, function: str) -> bool:
        """Whether a script of the project, or a program that it extends, begins with a function of a module."""
        return f"{module}:{function}" in self._scripts

    def begins_scripts(self, package: str) -> bool:
        """Whether a script of the project begins in a module of a package at the top, or in that itself."""
        return any(re.split(r"[.:]", script, maxsplit=1)[0] == package for script in self._scripts)

    @cached_property
    def _scripts(self) -> frozenset[str]:
        texts = (_COMMENT.sub("", _text(os.path.join(self._root, name))) for name in _BUILDING)
        return frozenset(found for text in texts if _NAMES_SCRIPTS in text for found in _SCRIPT.findall(text))

    @property
    def _texts(self) -> Iterator[str]:
        for folder in (self._root, os.path.join(self._root, _FOLDER)):
            for name in sorted(_names(folder)):
                if _FILES.fullmatch(name) or (folder != self._root and name.endswith(".txt")):
                    text = _COMMENT.sub("", _text(os.path.join(folder, name)))
                    is_conda = name.endswith((".yml", ".yaml"))
                    yield _as_pip(text) if is_conda else _TABLE.sub("", text) if name.endswith(".toml") else text


def _as_pip(environment: str) -> str:
    """The pinned requirements of a conda environment as those of pip. What has no version may be a channel."""
    found = ((each["name"], each["clause"]) for each in _CONDA.finditer(environment) if each["clause"])
    return "\n".join(f"{_CONDA_NAMES.get(name, name)}{re.sub('^=(?!=)', '==', clause)}" for name, clause in found)


def _clauses(library: str, text: str) -> Iterator[str]:
    """The version clauses of each requirement of a library; empty for a requirement without one."""
    name = rf"(?im)(?:^[ \t]*|['\"]){re.escape(library)}\b(?![\w.-])(?:\[[^\]]*\])?"
    clauses = r"(?:===?|~=|!=|<=?|>=?)[^'\"\n;]*"
    for found in re.finditer(rf"{name}[ \t]*(?:=[ \t]*['\"])?(?P<clauses>{clauses}|(?=['\";]|$))", text):
        yield found["clauses"]


def _is_bounded(clauses: str, version: _Version) -> bool:
    return any(_is_below(operator, _numbers(number), version) for operator, number in _CLAUSE.findall(clauses))


def _is_below(operator: str, number: _Version, version: _Version) -> bool:
    """Whether all versions that a clause allows come before a version."""
    match operator:
        case "<":
            return number <= version
        case "<=" | "==" | "===":
            return number < version
        case "~=":
            return len(number) > 1 and (*number[:-2], number[-2] + 1) <= version
        case _:
            return False


def _numbers(text: str) -> _Version:
    return tuple(map(int, text.split(".")))


def _names(folder: str) -> list[str]:
    try:
        return disk.names(folder)
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        return disk.text(path, errors="replace")
    except OSError:
        return ""
