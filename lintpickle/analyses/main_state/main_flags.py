"""Flags of absl that only the main process parses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.at_import.import_time import functions_of, outside_comments
from lintpickle.analyses.main_state.main_attributes import Mention, is_read, mentions, names_with_attributes
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_FLAGS = "absl.flags.FLAGS"
_ABSL = Words({"absl"})
_PARSES = re.compile(r"\b(?:app\.run|FLAGS|mark_as_parsed|parse_flags_with_usage)\(")
_ERROR = "absl.flags._exceptions.UnparsedFlagAccessError: Trying to access flag --{} before flags were parsed."


def flags_parsed(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Mention, Setting]]:
    """The flags that the functions of workers read without that workers parse any, each once; the first one stands for
    all but for those who move to another start method."""
    asker = code.root.site.module.path
    if not linker.first_party.is_anywhere(_ABSL, asker):
        return
    if any(_parses(each) for each in code.functions):
        return
    told: set[str] = set()
    for function in code.functions:
        names = [name for name in names_with_attributes(function) if _is_flags(name, function.module, linker)]
        for mention in mentions(function) if names and function.module.first_party else ():
            is_new = mention.name in names and mention.attribute not in told
            is_call = function.module.code.startswith("(", mention.span.end)
            if is_new and not is_call and is_read(mention, function):
                told.add(mention.attribute)
                error = _ERROR.format(mention.attribute)
                parsers = of_the_program(_parsers(code, linker), code, linker)
                setting = set_by(parsers, Met(error, "parsed", error), linker, asker)
                if setting is not None:
                    yield function, mention, setting
                    if linker.moving_to is None:
                        return


def _is_flags(name: str, module: Module, linker: Linker) -> bool:
    if path_called(ast.Name(name, ast.Load()), module) == _FLAGS:
        return True
    last = name.rpartition(".")[2]
    homes = (home for home, _ in linker.own_places.of_name(module, name) if home.first_party)
    return any(path_called(ast.Name(last, ast.Load()), home) == _FLAGS for home in homes)


def _parses(function: WorkerFunction) -> bool:
    span = function.facts.span
    return _PARSES.search(function.module.code, span.start, span.end) is not None


def _parsers(code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    """Where the program parses the flags."""
    asker = code.root.site.module.path
    for module in linker.first_party.naming_in_text(_ABSL, asker, _PARSES):
        for facts in functions_of(module, _PARSES, lambda facts: True):
            place = outside_comments(_PARSES, module.code, facts.span.start, facts.span.end)
            if place is not None:
                yield setter_at(module, facts, place, linker, asker)
