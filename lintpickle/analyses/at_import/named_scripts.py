"""Files that a program runs as scripts, in processes of their own, as its commands say; and those that it imports by
names which it puts together."""

from __future__ import annotations

import os
import re

from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_LOADING = Words({"import_module", "__import__", "spec_from_file_location", "SourceFileLoader", "run_path"})
_LOADS_BY_NAME = re.compile(
    r"\b(?:import_module|__import__)\(\s*(?![\"'][\w.]+[\"']\s*[,)])|\b(?:spec_from_file_location|SourceFileLoader|run_path)\("
)
_OF_SCRIPTS = re.compile(
    r"^#!|\bargv\b|\bargparse\b|\b__name__\b|\b(?:click|typer|fire|hydra|absl|docopt)\b", re.MULTILINE
)


def is_run_by_name(module: Module, linker: Linker) -> bool:
    """Whether a command in the text of another module runs a file: `["coverage", "run", "-m", "tests.programs.pool"]`,
    `[sys.executable, "programs/pool.py"]`."""
    stem = os.path.splitext(os.path.basename(module.path))[0]
    form = _commands(stem)
    inside = f"/{module.path.replace(os.sep, '/')}"
    for path, text in linker.first_party.texts_naming(Words({stem}), module.path, form):
        for found in form.finditer(text) if path != module.path else ():
            named = found["module"].replace(".", "/") + ".py" if found["module"] else found["file"].lstrip("./")
            if inside.endswith(f"/{named}"):
                return True
    return False


def is_loaded_by_name(module: Module, linker: Linker) -> bool:
    """Whether a module of a package may be one of those that the program imports by names which it puts together
    (`import_module(f"presets.{name}")`): nothing in it is what scripts have."""
    package = module.name.rpartition(".")[0]
    if not package or linker.program.find(package, module) is None or _OF_SCRIPTS.search(module.code):
        return False
    return linker.first_party.is_anywhere(_LOADING, module.path, _LOADS_BY_NAME)


def _commands(stem: str) -> re.Pattern[str]:
    """What runs a file of that name, by the name of its module or by its path."""
    name = re.escape(stem)
    by_name = rf"[\"'\s]-m[\"',\s]+(?P<module>(?:\w+\.)*{name})(?=[\"'\s])"
    by_path = rf"(?:\bsys\.executable\b|[\"']python[\d.]*\b)[^\])}}]{{0,200}}?(?P<file>[\w./-]*\b{name}\.py)(?=[\"'\s])"
    return re.compile(f"{by_name}|{by_path}")
