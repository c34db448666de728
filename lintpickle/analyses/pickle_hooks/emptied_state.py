"""Attributes that arrive empty in a worker, because the hooks of their class send nothing for them, though the main
process has filled them. For `migrate`: where an object is inherited, it keeps what it has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of, outside_comments
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, plain_ancestors
from lintpickle.analyses.main_state.main_setters import Met, Setting, is_mentioned, of_the_program, set_by, setter_at
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.hook_runs import Fate
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_SENDING, _ARRIVING, _MAKING = "__getstate__", "__setstate__", "__init__"
_NAME = "<name>"
EMPTY_CONTAINER = (
    r"\{\s*\}|\[\s*\]|(?:\w+\.)*(?:dict|list|set|tuple|OrderedDict|Counter|deque)\(\s*\)"
    r"|(?:\w+\.)*defaultdict\(\s*\w+\s*\)"
)
"""How a container is written that has nothing in it."""
_EMPTY = rf"(?P<empty>None\b|{EMPTY_CONTAINER})\s*(?=[,)}}\n#;]|\Z)"
_SENT = rf"""["']?\b{_NAME}\b["']?\s*(?:\]\s*=(?!=)|[:=](?!=))\s*{_EMPTY}"""
"""How `__getstate__` gives an attribute another value: `state["name"] = {}`, `{**vars(self), "name": []}`."""
_STORED = rf"\bself\s*\.\s*{_NAME}\s*(?::[^=\n]+)?=(?!=)\s*{_EMPTY}"
_RESTORED = rf"""\.\s*{_NAME}\b|["']{_NAME}["']"""
_MADE_ANEW = re.compile(r"\bself\s*\.\s*__init__\s*\(")
_FILLS = (
    rf"\.\s*{_NAME}\s*(?:(?:\[[^\n]*\]\s*)?(?:[-+*/|&]|//|\*\*)?=(?!=)"
    r"|\.\s*(?:append|appendleft|add|update|setdefault|extend|insert)\s*\()"
)
_READS = rf"\.\s*{_NAME}\b(?!\s*=[^=])"


class Emptied(Struct, frozen=True):
    """An attribute of a class that arrives empty, or as None: what stands at `by` sees to that, and gives it `left`."""

    class_: ClassValue
    attribute: str
    left: str
    by: Site


class EmptyRead(Struct, frozen=True):
    """A read of such an attribute by what runs in a worker."""

    emptied: Emptied
    function: WorkerFunction
    span: Span


def emptied_read(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[tuple[EmptyRead, Setting]]:
    """The attributes of a class that workers read and find empty, each once, with how the main process fills them."""
    asker = code.root.site.module.path
    for emptied in emptied_attributes(class_, linker):
        read = first_read(emptied.attribute, code) if is_mentioned(emptied.attribute, code, linker) else None
        if read is None or emptied.left == "None":  # A worker that finds None may be meant to.
            continue
        form = _of(_FILLS, emptied.attribute)
        setters = [
            setter_at(module, facts, place, linker, asker)
            for module in linker.first_party.naming_in_text(Words({emptied.attribute}), asker, form)
            for facts in functions_of(module, form, lambda facts: facts.name not in CONSTRUCTION)
            if (place := _own_place(form, facts, module)) is not None
        ]
        met = Met(f"there it is `{emptied.left}`", "filled")
        setting = set_by(of_the_program(setters, code, linker), met, linker, asker)
        if setting is not None:
            yield EmptyRead(emptied, *read), setting


def emptied_attributes(class_: ClassValue, linker: Linker) -> Iterator[Emptied]:
    """The attributes that the hooks of a class send empty or as None, or make anew without anything in them."""
    classes = linker.classes
    sending, arriving = (classes.find_method(class_, name) for name in (_SENDING, _ARRIVING))
    line = plain_ancestors(class_, classes)
    if sending is None or line is None or defines(line, *REDUCERS, "__getattr__", "__getattribute__"):
        return
    instance = linker.activations.instance(class_)
    shipped = Shipped(instance, linker.evaluator)
    for name in dict.fromkeys(held.attribute for held in classes.states.state(instance) if held.direct):
        fate = shipped.fate(name)
        if fate is Fate.REPLACED and (arriving is None or not _holds(_RESTORED, name, *arriving)):
            found, hook = _search(_SENT, name, *sending), sending
        elif fate is Fate.LEFT_OUT and arriving is not None:
            making = classes.find_method(class_, _MAKING)
            hook = making if is_made_anew(*arriving) and making is not None else arriving
            found = _search(_STORED, name, *hook)
        else:
            continue
        if found is not None:
            yield Emptied(class_, name, found["empty"], Site(hook[0].module, Span(*found.span())))


def is_made_anew(owner: ClassValue, method: FunctionFacts) -> bool:
    """Whether a `__setstate__` calls the `__init__` of its object."""
    return _MADE_ANEW.search(_text(owner, method)) is not None


def _of(form: str, name: str) -> re.Pattern[str]:
    return re.compile(form.replace(_NAME, re.escape(name)))


def _search(form: str, name: str, owner: ClassValue, method: FunctionFacts) -> re.Match[str] | None:
    return _of(form, name).search(owner.module.code, method.span.start, method.span.end)


def _holds(form: str, name: str, owner: ClassValue, method: FunctionFacts) -> bool:
    return _search(form, name, owner, method) is not None


def _text(owner: ClassValue, method: FunctionFacts) -> str:
    return owner.module.code[method.span.start : method.span.end]


def _own_place(form: re.Pattern[str], facts: FunctionFacts, module: Module) -> Span | None:
    found = outside_comments(form, module.code, facts.span.start, facts.span.end)
    return found if found is not None and owns(facts, found.start) else None


def first_read(attribute: str, code: WorkerCode) -> tuple[WorkerFunction, Span] | None:
    """Where workers first read an attribute of that name."""
    form = _of(_READS, attribute)
    for function in code.functions:
        span = function.facts.span
        found = outside_comments(form, function.module.code, span.start, span.end)
        if found is not None and function.facts.name not in CONSTRUCTION:
            return function, found
    return None
