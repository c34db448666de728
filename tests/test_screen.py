"""The screens are sound: looking at everything finds the same as looking only at what the screens let through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lintpickle.diagnostics import Diagnostic
from lintpickle.facts.methods import ReadMethod
from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.read import read_facts, read_member
from lintpickle.facts.records import FunctionFacts, RoomFacts
from lintpickle.project import activations, callers, probable
from lintpickle.project.boundary_names import BoundaryNames
from lintpickle.project.by_kind import ByKind
from lintpickle.project.callers import Callers
from lintpickle.project.interest import Interest
from lintpickle.project.link import Linker
from lintpickle.project.reach import Reach
from lintpickle.project.stars import Stars
from lintpickle.project.survey import Survey
from lintpickle.source.marks import ALL_MARKS, Mark
from lintpickle.source.members import Member
from lintpickle.source.outline import Plot
from lintpickle.source.screen import Screen
from lintpickle.source.words import Lexicon, Words

from .programs import lint, programs
from .support import marks

_EVERY_MARK = frozenset(Mark(form) for form in ALL_MARKS)
_FINDS_ALL = re.compile("")


def _yes(*_: object) -> bool:
    return True


def _no(*_: object) -> bool:
    return False


def _every_plot(words: Words, lexicon: Lexicon, plots: tuple[Plot, ...]) -> list[Plot]:
    return [plot for plot in plots if not plot.bare]


def _every_method(methods: Mapping[str, FunctionFacts], pattern: re.Pattern[str], code: str) -> Iterator[FunctionFacts]:
    return iter(methods.values())


OFF: dict[str, list[tuple[Any, str, object]]] = {
    "files": [
        (Screen, "matters", _yes),
        (Survey, "mentioned", lambda _, words: frozenset(words)),
    ],
    "plots": [(Words, "plots_in", _every_plot)],
    "methods": [(activations, "methods_holding", _every_method)],
    "boundaries": [
        (BoundaryNames, "in_plot", lambda *_: frozenset({""})),
        (BoundaryNames, "may_be_one", _yes),
    ],
    "payload": [(Linker, "_is_wanted", _yes), (Interest, "in_plot", _yes), (Interest, "in_class", _yes)],
    "kinds": [(Linker, "may_be_of_kind", _yes)],
    "marks": [(FileFacts, "marks", lambda *_: _EVERY_MARK)],
    "judged elsewhere": [(ByKind, "is_judged_itself", _no)],
    "stars": [(Stars, "binding", lambda self, module, name: list(module.outline.stars))],
    "starts": [(Reach, "reaches", _yes)],
    "probable": [
        *((probable, name, _yes) for name in vars(probable) if name.startswith("_may_")),
        (probable, "INNER_CLASS", _FINDS_ALL),
        (probable, "_TRANSFORMS", Words([""])),
    ],
    "callers": [
        (Callers, "_modules_naming", lambda self, *_: list(self._own)),
        *((callers, form, "(?:{0})?") for form in ("_CLASS", "_FUNCTION", "_METHOD")),
        (callers, "_may_bear", _yes),
    ],
}
"""What stands in for each screen so that it lets everything through."""


def _switch_off(screens: Mapping[str, list[tuple[Any, str, object]]], monkeypatch: pytest.MonkeyPatch) -> None:
    for replacements in screens.values():
        for owner, name, replacement in replacements:
            monkeypatch.setattr(owner, name, replacement)


@cache
def _screened(program: Path) -> tuple[Diagnostic, ...]:
    """What is found with all screens: to be asked for before any is switched off."""
    return lint(program)


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_without_any_screen_the_diagnostics_are_the_same(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screened = _screened(program)
    _switch_off(OFF, monkeypatch)
    assert lint(program) == screened


@pytest.mark.parametrize("screen", OFF)
def test_without_one_screen_the_diagnostics_are_the_same(screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one screen leaves out must not depend on what another has let through."""
    screened = [_screened(program) for program in programs()]
    _switch_off({screen: OFF[screen]}, monkeypatch)
    assert [lint(program) for program in programs()] == screened


MADE = {
    "of a base": "Mod.build(self)\n\ndef build(self):\n    self.f = lambda x: x",
    "on rows": "(self\n        .build())\n\ndef build(self):\n    self.f = lambda x: x",
    "a property": "self.g = self.build\n\n@property\ndef build(self):\n    return lambda x: x",
    "several at once": "self.f, self.g = make(), 1",
    "an object": "self.h = Holder()",
    "a local object": "h = Holder()\n    self.h = h",
    "a lambda of the module": "self.f = LAMBDA",
    "static, by the name of the class": "self.f = Mod.build()\n\n@staticmethod\ndef build():\n    return lambda x: x",
    "static, by the class": "self.f = self.__class__.build()\n\n@staticmethod\ndef build():\n    return lambda x: x",
    "by another name": "me = self\n    me.build()\n\ndef build(self):\n    self.f = lambda x: x",
    "the instance is called": "self.f = self()\n\ndef __call__(self):\n    return lambda x: x",
    "a method by a name": "build = self.build\n    build()\n\ndef build(self):\n    self.f = lambda x: x",
    "a method that is given": (
        "self.f = self.pick()()\n\ndef pick(self):\n    return self.build\n\ndef build(self):\n    return lambda x: x"
    ),
    "behind a backslash": "self.\\\n        build()\n\ndef build(self):\n    self.f = lambda x: x",
    "behind a comment": "(self  # c\n        .build())\n\ndef build(self):\n    self.f = lambda x: x",
    "in brackets": "(self).build()\n\ndef build(self):\n    self.f = lambda x: x",
    "by condition": "self.f = make() if self else None",
    "or": "self.f = self.x or make()",
    "annotated": "self.f: object = make()",
    "a walrus": "if f := make():\n        self.f = f",
    "appended": "self.f = []\n    self.f.append(make())",
    "an item": "self.f = {}\n    self.f['a'] = make()",
    "a comprehension": "self.f = [make() for x in 'ab']",
    "setattr": "setattr(self, 'f', make())",
    "a value of the module": "self.f = VALUE",
    "an item of the module": "self.f = ITEMS['a']",
    "a lock of the module": "self.f = LOCK",
}
LOST = {
    "a method of a local object": "h = Holder()\n    self.f = h.made()",
    "a method of an attribute": "self.h = Other()\n    self.f = self.h.made()",
}
"""What the screen leaves out although it is there to be found."""
AROUND = """\
import threading

from torch import nn

LAMBDA = lambda: 1
ITEMS = {"a": lambda: 1}
LOCK = threading.Lock()


class Holder:
    def __init__(self):
        self.f = lambda: 1

    def made(self):
        return lambda: 1


class Other:
    def made(self):
        return lambda: 1


def make():
    return lambda: 1


VALUE = make()


class Mod(nn.Module):
    def __init__(self):
"""


def _is_found(body: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    text = AROUND + "".join(f"    {row}\n" for row in f"    {body}".splitlines())
    screened = marks(text)
    _switch_off(OFF, monkeypatch)
    everything = marks(text)
    assert everything, "there is something to be found"
    return screened == everything


@pytest.mark.parametrize("name", MADE)
def test_what_construction_runs_is_let_through(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_found(MADE[name], monkeypatch)


@pytest.mark.xfail(reason="the screen does not see it", strict=True)
@pytest.mark.parametrize("name", LOST)
def test_what_the_screen_leaves_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_found(LOST[name], monkeypatch)


def test_the_screens_do_save_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were they to let everything through, the tests above would prove nothing."""
    rooms: list[Plot] = []
    methods: list[Member] = []

    def reading(
        code: str, plot: Plot, members: tuple[Member, ...], read: Callable[[Member], ReadMethod]
    ) -> RoomFacts | None:
        rooms.append(plot)
        return read_facts(code, plot, members, read)

    def reading_member(code: str, class_name: str, member: Member) -> ReadMethod:
        methods.append(member)
        return read_member(code, class_name, member)

    monkeypatch.setattr("lintpickle.facts.read.read_facts", reading)
    monkeypatch.setattr("lintpickle.facts.read.read_member", reading_member)
    for program in programs():
        lint(program)
    screened = len(rooms), len(methods)
    rooms.clear()
    methods.clear()
    _switch_off(OFF, monkeypatch)
    for program in programs():
        lint(program)
    assert screened[0] < len(rooms)
    assert screened[1] < len(methods)
