"""Models of Django that workers import before anything has set Django up there.

Measured with Django 5.2 on CPython 3.11: a module that defines a model, or imports those of `django.contrib`, raises
`AppRegistryNotReady` unless `django.setup()` has run. `manage.py` runs it, under its main guard, for the command.
A worker that is not forked imports the module of the function that it is sent, also if the function uses no model;
with `initializer=django.setup` it works. The variable with the name of the settings does go along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import FunctionValue, Site, is_none
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_IMPORTS_COMMANDS = re.compile(r"^(?:from django\.core\.management\b.*\bimport\b.*Command)", re.MULTILINE)
"""What stands in a file with a command of `manage.py`, or what such commands derive from."""
_IMPORTS_MODELS = re.compile(r"^from django\.(?:contrib\.gis\.)?db import (?:.*\b)?models\b", re.MULTILINE)
_DEFINES_MODEL = re.compile(r"^class \w+\([^()]*\bmodels\.Model\b[^()]*\)", re.MULTILINE)
_CONTRIBUTED = re.compile(
    r"^from django\.contrib\.(?:admin|auth|contenttypes|flatpages|gis|redirects|sessions|sites)\.models import .*",
    re.MULTILINE,
)
_SETS_UP = re.compile(r"\bsetup\(|\bget_[aw]sgi_application\(")
_RUNNING = Words({"execute_from_command_line"})


def models_met(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Site]]:
    """The functions that a command of Django sends to workers which do not set it up, each with the first model that
    importing its module leads to."""
    boundary = code.boundary
    if boundary is None or not _is_of_command(code) or _may_be_set_up(boundary, linker):
        return
    for function in code.functions:
        model = _first_model(function, linker) if function.entry and function.module.first_party else None
        if model is not None:
            yield function, model


def _is_of_command(code: WorkerCode) -> bool:
    return any(site.module.has(_IMPORTS_COMMANDS) for site in code.way)


def _may_be_set_up(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the workers may begin by setting Django up, or the script that they import does."""
    asker = boundary.site.module.path
    if linker.first_party.is_anywhere(_RUNNING, asker, _SETS_UP):
        return True
    for maker in linker.boundaries.starting.with_its_maker(boundary):
        if maker.open:
            return True
        for traced in maker.value(INITIALIZER, linker.evaluator):
            match traced.value:
                case FunctionValue(module=module) if not module.has(_SETS_UP):
                    pass
                case value if not is_none(value):
                    return True
    return False


def _first_model(function: WorkerFunction, linker: Linker) -> Site | None:
    imported = imported_with([function.module], linker)
    if any(module.has(_SETS_UP) for module in imported):
        return None
    for module in imported:
        form = _DEFINES_MODEL if module.has(_IMPORTS_MODELS) else _CONTRIBUTED
        found = form.search(module.code)
        if found is not None:
            return Site(module, Span(*found.span()))
    return None
