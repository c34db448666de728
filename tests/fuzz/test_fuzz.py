"""A short run of the fuzzer, the same each time; `python -m tools.fuzz` runs as long as wanted."""

from __future__ import annotations

import ast
import warnings

import pytest

from tests.fuzz import programs
from tests.fuzz.running import KINDS, run
from tests.server.conftest import need_module

SEEDS = {"bodies": 40, "mutants": 30, "notebooks": 20, "settings": 30, "sessions": 4}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_unforeseen_happens(kind: str) -> None:
    if kind == "sessions":
        need_module("pygls")
    for seed in range(SEEDS[kind]):
        run(kind, seed)


def test_the_same_seed_gives_the_same() -> None:
    assert all(make(7) == make(7) for make in KINDS.values())


def test_a_fair_part_of_the_programs_is_python() -> None:
    good = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(200):
            try:
                ast.parse(programs.body(seed))
            except (SyntaxError, ValueError):
                continue
            good += 1
    assert good >= 30
