"""Methods of an object that surely nothing calls: others override them, and what only these call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_COMPUTED = re.compile(r"getattr\(\s*\w+\s*,\s*(?![\"'])")
"""Code that gets a method by a name which is computed."""


class NeverRunMethods:
    """The methods that nothing calls of an object, whose classes are `line` (its own one first), and of which the
    functions `run` are seen to run."""

    def __init__(self, line: Sequence[ClassValue], run: Iterable[Site], linker: Linker) -> None:
        self._line = line
        self._run = tuple(run)
        self._linker = linker
        self._never = self._overridden()
        named_at_run_time = any(
            _COMPUTED.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in line
        )
        while not named_at_run_time and (more := self._only_named_there()):
            self._never.update(more)

    def __contains__(self, method: FunctionFacts) -> bool:
        return id(method) in self._never

    def _methods(self) -> list[tuple[ClassValue, FunctionFacts]]:
        return [(owner, each) for owner in self._line for each in owner.facts.methods.values()]

    def _overridden(self) -> dict[int, Site]:
        """The methods in the place of which a class before defines one, and that nothing here names by their class or
        by `super()`."""
        first: dict[str, FunctionFacts] = {}
        found, names = dict[int, Site](), dict[int, str]()
        for owner, method in self._methods():
            if first.setdefault(method.name, method) is not method:
                found[id(method)], names[id(method)] = Site(owner.module, method.span), method.name
        around = [*(Site(each.module, each.facts.span) for each in self._line), *self._run]
        classes = "|".join(re.escape(each.facts.name) for each in self._line)
        while alive := [
            key for key in found if _is_named_in(around, rf"(?:\)|\b(?:{classes}))\s*\.\s*{names[key]}\b", found)
        ]:
            for key in alive:
                del found[key]
        return found

    def _only_named_there(self) -> dict[int, Site]:
        """More of them: those that the program names, and nowhere else than in such methods."""
        found = dict[int, Site]()
        for owner, method in self._methods():
            if id(method) in self._never or method.name.startswith("__") or method.decorators:
                continue
            form = rf"\.\s*{method.name}\b|[\"']{method.name}[\"']"
            naming = self._linker.first_party.naming_in_text(Words({method.name}), owner.module.path, re.compile(form))
            modules = [Site(each, Span(0, len(each.code))) for each in {*naming, owner.module}]
            is_named = _is_named_in(self._never.values(), form, {})
            if is_named and not self._is_named_beside(modules, form):
                found[id(method)] = Site(owner.module, method.span)
        return found

    def _is_named_beside(self, modules: Iterable[Site], form: str) -> bool:
        """Whether text of a form occurs other than in methods that never run, and than of the own object of a class
        that is none of these: `self.read()`."""
        own = [Site(each.module, each.facts.span) for each in self._line]
        return _is_named_in(own, form, self._never) or _is_named_in(modules, rf"(?<!\bself)(?:{form})", self._never)


def _is_named_in(sites: Iterable[Site], form: str, never: dict[int, Site]) -> bool:
    """Whether text of a form occurs in one of the places, other than in methods that never run."""
    for site in sites:
        left_out = [each.span for each in never.values() if each.module is site.module]
        places = (each.start() for each in re.compile(form).finditer(site.module.code, site.span.start, site.span.end))
        if any(not any(span.start <= place < span.end for span in left_out) for place in places):
            return True
    return False
