"""The screens are sound: looking at everything finds the same as looking only at what the screens let through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lintpickle.boundaries.names import BoundaryNames
from lintpickle.call_graph import named_calls
from lintpickle.call_graph.named_calls import NamedCalls
from lintpickle.facts.methods import ReadMethod
from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.read import read_facts, read_member
from lintpickle.facts.records import BlockFacts, FunctionFacts
from lintpickle.interpreter import root_frames
from lintpickle.parsing.members import Member
from lintpickle.parsing.outline import Block
from lintpickle.payload import heuristics, made_transforms, shipped_by_kind
from lintpickle.payload.by_kind import ByKind
from lintpickle.payload.interest import Interest
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.marks import ALL_MARKS, Mark
from lintpickle.prefilter.screen import Screen
from lintpickle.prefilter.words import Lexicon, Words
from lintpickle.program.file_survey import FileSurvey
from lintpickle.program.module import Module
from lintpickle.resolution.reachable_names import NameReach
from lintpickle.resolution.star_imports import StarImports

from .programs import EACH_IN_TURN, found, in_turn, lint, programs

_EVERY_MARK = frozenset(Mark(form) for form in ALL_MARKS)
_FINDS_ALL = re.compile("")


def _yes(*_: object) -> bool:
    return True


def _no(*_: object) -> bool:
    return False


def _every_plot(words: Words, lexicon: Lexicon, blocks: tuple[Block, ...]) -> list[Block]:
    return [block for block in blocks if not block.bare]


def _every_method(methods: Mapping[str, FunctionFacts], pattern: re.Pattern[str], code: str) -> Iterator[FunctionFacts]:
    return iter(methods.values())


def _facts_of_all(module: Module) -> Iterator[BlockFacts]:
    found = (module.facts_of(block) for block in module.outline.blocks)
    return (facts for facts in found if facts is not None)


def _every_caller(self: NamedCalls, words: Words, form: str, pattern: re.Pattern[str], paths: object) -> Iterator[Any]:
    for module in self._first_party:
        for facts in _facts_of_all(module):
            yield from self._activations.in_block(module, facts, pattern)


OFF: dict[str, list[tuple[Any, str, object]]] = {
    "files": [
        (Screen, "matters", _yes),
        (FileSurvey, "mentioned", lambda _, words: frozenset(words)),
    ],
    "plots": [(Words, "plots_in", _every_plot)],
    "methods": [(root_frames, "methods_holding", _every_method)],
    "boundaries": [
        (BoundaryNames, "in_block", lambda *_: frozenset({""})),
        (BoundaryNames, "may_be_one", _yes),
    ],
    "payload": [(shipped_by_kind, "_is_wanted", _yes), (Interest, "in_block", _yes), (Interest, "in_class", _yes)],
    "kinds": [(Linker, "may_be_of_kind", _yes)],
    "marks": [(FileFacts, "marks", lambda *_: _EVERY_MARK)],
    "judged elsewhere": [(ByKind, "is_judged_itself", _no)],
    "stars": [(StarImports, "binding", lambda self, module, name: list(module.outline.stars))],
    "starts": [(NameReach, "reaches", _yes)],
    "probable": [
        *((heuristics, name, _yes) for name in vars(heuristics) if name.startswith("_may_")),
        (heuristics, "INNER_CLASS", _FINDS_ALL),
        *((made_transforms, name, _yes) for name in vars(made_transforms) if name.startswith("_may_")),
        (made_transforms, "_TRANSFORMS", Words([""])),
    ],
    "callers": [
        (NamedCalls, "_finding", _every_caller),
        (named_calls, "_written", lambda names, form: ""),
        (named_calls, "_may_bear", _yes),
    ],
}
"""What stands in for each screen so that it lets everything through."""


def switch_off(screens: Mapping[str, list[tuple[Any, str, object]]], monkeypatch: pytest.MonkeyPatch) -> None:
    for replacements in screens.values():
        for owner, name, replacement in replacements:
            monkeypatch.setattr(owner, name, replacement)


@pytest.mark.parametrize("program", EACH_IN_TURN)
def test_without_any_screen_the_diagnostics_are_the_same(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screened = found(program)
    switch_off(OFF, monkeypatch)
    assert lint(program) == screened


@pytest.mark.parametrize("screen", OFF)
def test_without_one_screen_the_diagnostics_are_the_same(screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one screen leaves out must not depend on what another has let through."""
    screened = [found(program) for program in in_turn()]
    switch_off({screen: OFF[screen]}, monkeypatch)
    assert [lint(program) for program in in_turn()] == screened


def test_the_screens_do_save_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were they to let everything through, the tests above would prove nothing."""
    some = programs()[::10]
    parsed: list[Block] = []
    methods: list[Member] = []

    def reading(
        code: str, block: Block, members: tuple[Member, ...], read: Callable[[Member], ReadMethod]
    ) -> BlockFacts | None:
        parsed.append(block)
        return read_facts(code, block, members, read)

    def reading_member(code: str, class_name: str, member: Member) -> ReadMethod:
        methods.append(member)
        return read_member(code, class_name, member)

    monkeypatch.setattr("lintpickle.facts.read.read_facts", reading)
    monkeypatch.setattr("lintpickle.facts.read.read_member", reading_member)
    for program in some:
        lint(program)
    screened = len(parsed), len(methods)
    parsed.clear()
    methods.clear()
    switch_off(OFF, monkeypatch)
    for program in some:
        lint(program)
    assert screened[0] < len(parsed)
    assert screened[1] < len(methods)
