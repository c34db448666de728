"""The calls in the program's text by which something of a given name can be called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TypeVar

from msgspec.structs import replace

from lintpickle.call_graph.iterating import found_once
from lintpickle.facts.methods import functions_in
from lintpickle.facts.records import BlockFacts, Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, ending_name
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.limits import CALLERS
from lintpickle.prefilter.words import Words, alone
from lintpickle.program.cuts import Cuts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Survey

_Item = TypeVar("_Item")
CLASS_CALL = rf"{alone('{0}')}(?<!class {{0}})"
CONSTRUCTOR_CALL = rf"{CLASS_CALL}|{alone('__init__')}(?=\s*\()"
FUNCTION_CALL = rf"{alone('{0}')}(?<!def {{0}})"
METHOD_CALL = r"\.\s*{0}\b"
OBJECT_CALL = rf"{alone('{0}')}(?=\s*\()"
"""The forms in which a name is called."""
PASSED = rf"{alone('{0}')}(?=\s*[,)])"
"""The form in which a name is passed to a call."""
CALLED_BY = MappingProxyType({"submit": "run_in_executor"})
"""Methods that a library calls, each with the library's method that is called instead."""
_FORMS = (CLASS_CALL, CONSTRUCTOR_CALL, FUNCTION_CALL, METHOD_CALL, OBJECT_CALL, PASSED)
_SURVEYS = {form: f"calls {form}" for form in _FORMS}
"""The names of the surveys for these forms."""


class NamedCalls:
    """Finds them in the modules of the program that are first-party. `asker` is the path of the module being judged."""

    def __init__(self, first_party: FirstPartyModules, roots: RootFrames) -> None:
        self._first_party = first_party
        self._activations = roots
        self._forms: dict[tuple[frozenset[str], str], tuple[Words, re.Pattern[str]]] = {}
        self._mentions: dict[tuple[frozenset[str], str], Iterator[RootFrame]] = {}

    def of_method(self, name: str, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls of whatever method has that name, each with the enclosing function."""
        for caller in self.mentioning(frozenset({name}), METHOD_CALL, asker):
            for event in caller.function.events:
                if isinstance(event, Called) and getattr(event.call.function, "name", None) == name:
                    yield caller, event

    def mentioning(self, names: frozenset[str], form: str, asker: str) -> Iterator[RootFrame]:
        """The functions of parsed blocks in which one of the names stands in a form (`CLASS_CALL`,
        `CONSTRUCTOR_CALL`, `FUNCTION_CALL`, `METHOD_CALL`, `OBJECT_CALL`, `PASSED`). Many scripts have a `main`: what
        was found once, as far as it was asked for, is not sought again."""
        words, pattern = self._sought(names, form)
        paths = self._first_party.which(words, asker, pattern)
        # This module asks too, though others may have before.
        self._first_party.surveying(_SURVEYS[form], words, asker)
        return found_once(self._mentions, (names, form), lambda: self._finding(words, form, pattern, paths))

    def _sought(self, names: frozenset[str], form: str) -> tuple[Words, re.Pattern[str]]:
        if (names, form) not in self._forms:
            self._forms[names, form] = Words(names), re.compile(_written(names, form))
        return self._forms[names, form]

    def _finding(
        self, words: Words, form: str, pattern: re.Pattern[str], paths: Collection[str]
    ) -> Iterator[RootFrame]:
        for module in self._first_party.modules(paths):
            is_noted = False
            for facts in _blocks_naming(words, pattern, module):
                if _may_call(words.all, form, facts, pattern, module):
                    if not is_noted:
                        self._first_party.note(_SURVEYS[form], words, module.path)
                        is_noted = True
                    yield from self._activations.in_block(module, facts, pattern)


def first_callers(found: Iterator[_Item], cuts: Cuts) -> Iterator[_Item]:
    """What calls lead to, up to the limit, which is noted when it is reached."""
    yield from islice(found, CALLERS.most - 1)
    for last in islice(found, 1):
        yield last
        cuts.note(CALLERS)


def surveys() -> dict[str, Survey]:
    """The surveys that are asked for here (see `Program.surveys`): whether a module may call what has one of the
    names."""
    return {name: partial(_calls_in, form) for form, name in _SURVEYS.items()}


def _calls_in(form: str, module: Module, names: tuple[str, ...]) -> bool:
    words, pattern = Words(names), re.compile(_written(names, form))
    return any(_may_call(words.all, form, facts, pattern, module) for facts in _blocks_naming(words, pattern, module))


def _written(names: Iterable[str], form: str) -> str:
    return "|".join(form.format(re.escape(name)) for name in sorted(names))


def _blocks_naming(words: Words, pattern: re.Pattern[str], module: Module) -> Iterator[BlockFacts]:
    for block in words.plots_in(module.lexicon, module.outline.blocks):
        is_named = pattern.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_named else None
        if facts is not None:
            yield facts


def _may_call(names: frozenset[str], form: str, block: BlockFacts, pattern: re.Pattern[str], module: Module) -> bool:
    functions = functions_in(block, pattern, module.code)
    if form == PASSED:
        return any(True for function in functions for _ in passes_of(names, function))
    return any(True for function in functions for _ in calls_of(names, function, module))


def calls_of(names: frozenset[str], function: FunctionFacts, module: Module) -> Iterator[Called]:
    """The calls in a function by which something of one of the names can be called."""
    stored = {event.attribute for event in function.events if isinstance(event, Store)}
    for event in function.events:
        if isinstance(event, Called) and _may_bear(event.call.function, names | stored, module):
            yield event


def as_method_call(event: Called) -> Called:
    """A call; for `loop.run_in_executor(executor, f, …)`, that of `executor.submit`, which it makes (as asyncio of
    CPython 3.10 to 3.14 does)."""
    match event.call:
        case Call(span=span, function=Attribute(name=name), arguments=(executor, *given)) if (
            name in CALLED_BY.values() and given and not executor.star and executor.keyword is None
        ):
            submit = Attribute(executor.value.span, executor.value, "submit")
            return replace(event, call=Call(span, submit, tuple(given)))
        case _:
            return event


def passes_of(names: frozenset[str], function: FunctionFacts) -> Iterator[Called]:
    """The calls in a function that are given something of one of the names."""
    for event in function.events:
        if isinstance(event, Called) and any(ending_name(each.value) in names for each in event.call.arguments):
            yield event


def _may_bear(function: Expr, names: frozenset[str], module: Module) -> bool:
    """Whether what is called, by its form, can be something of one of the names."""
    match function:
        case Attribute(name=name):
            return name in names or name == "__init__"
        case Name(name=name):
            if imported := module.outline.importing(name):
                return name in names or any(each.name in names for each in imported)
            blocks = module.outline.binding(name)
            return name in names or not all(block.classes or block.defines_function for block in blocks)
        case _:
            return True
