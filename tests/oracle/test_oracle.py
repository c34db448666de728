"""The oracle's programs, and what lintpickle says of a sample of them. Nothing is run here: what they do is known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest

from . import truth
from .composing import Choice, compose
from .covering import drawn, sample
from .marking import Mark, marks
from .matrix import PAGE, kept, page
from .parts import BOUNDARIES, CARRIERS, HAZARDS, PLACES
from .twins import TWINS

pytestmark = pytest.mark.xdist_group("oracle")  # All tests share the sample.

EVERY = 61
"""One in so many programs is judged here."""


@pytest.fixture(scope="module")
def choices() -> list[Choice]:
    return sample()


@pytest.fixture(scope="module")
def judged(choices: list[Choice]) -> Sequence[Mark]:
    return list(marks(choices[::EVERY], jobs=1))


def test_there_are_enough_parts() -> None:
    assert len(HAZARDS) >= 45
    assert len(CARRIERS) >= 90
    assert len(BOUNDARIES) >= 30
    assert len(PLACES) >= 15
    assert len(TWINS) >= 10


def test_every_part_occurs_and_every_hazard_meets_nearly_every_carrier(choices: list[Choice]) -> None:
    assert {choice.hazard for choice in choices} == set(HAZARDS)
    assert {choice.carrier for choice in choices} == set(CARRIERS)
    assert {choice.boundary for choice in choices} == set(BOUNDARIES)
    assert {choice.twin for choice in choices} == set(TWINS)
    met = {(choice.hazard, choice.carrier) for choice in choices}
    assert len(met) >= 0.98 * len(HAZARDS) * len(CARRIERS)


def test_the_sample_is_the_same_each_time(choices: list[Choice]) -> None:
    assert list(islice(drawn(), 200)) == choices[:200]


def test_programs_are_python(choices: list[Choice]) -> None:
    for choice in choices[::EVERY]:
        for path, text in compose(choice).files.items():
            if path.endswith(".py"):
                compile(text, path, "exec")


def test_what_nearly_all_programs_do_is_known(choices: list[Choice]) -> None:
    known = truth.known()
    here = [compose(choice).digest in known for choice in choices[::EVERY]]
    assert sum(here) >= 0.98 * len(here), "run `python -m tests.oracle run` where torch is installed"


def test_as_much_is_found_as_the_page_says(judged: Sequence[Mark]) -> None:
    figures = kept()
    hazards = [mark for mark in judged if mark.fails]
    found = sum(bool(mark.default) for mark in hazards) / len(hazards)
    assert found >= figures.all.found / figures.all.fails - 0.07


def test_no_more_is_flagged_than_the_page_says(judged: Sequence[Mark]) -> None:
    figures = kept()
    fine = [mark for mark in judged if not mark.fails]
    flagged = sum(bool(mark.default) for mark in fine) / len(fine)
    assert flagged <= figures.all.flagged / figures.all.fine + 0.1


def test_the_page_shows_the_figures() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(kept())
