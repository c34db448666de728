"""LP503: what is put into a container after it was made, by whatever made it."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Diagnostic
from tests.support import lint

_TEXT = """\
from collections import OrderedDict
from copy import copy, deepcopy
from dataclasses import dataclass

import torch


@dataclass
class Settings:
    rate: float = 0.1


def fill(table, settings):
    table["settings"] = settings


def count(table, settings):
    print(len(table), settings)


def save(objects, step, settings):
    {made}
    {fill}
    torch.save(saved, "last.pt")


def main(net):
    save({{"net": net}}, 3, Settings())
    return torch.load("last.pt")
"""
_STATES = "{name: each.state_dict() for name, each in objects.items()}"


def _found(made: str, fill: str) -> list[Diagnostic]:
    text = _TEXT.format(made=f"saved = {made}", fill=fill)
    return [each for each in lint(text).diagnostics if each.code == "LP503"]


@pytest.mark.parametrize(
    "made",
    [
        "{}",
        _STATES,
        "dict()",
        "dict(step=step)",
        "dict((name, each.state_dict()) for name, each in objects.items())",
        "dict(zip(objects, [1]))",
        "dict.fromkeys(objects, 0)",
        "OrderedDict()",
        f"{{**{_STATES}}}",
        f"copy({_STATES})",
        f"deepcopy({_STATES})",
        f"{_STATES}.copy()",
        f"{_STATES} | {{'step': step}}",
        "objects['net'].state_dict()",
    ],
)
@pytest.mark.parametrize(
    ("fill", "fires"),
    [
        ("saved['settings'] = settings", True),
        ("saved.update({'settings': settings})", True),
        ("saved.update(settings=settings)", True),
        ("saved['rate'] = settings.rate", False),
    ],
)
def test_a_dict_is_filled(made: str, fill: str, fires: bool) -> None:
    assert bool(_found(made, fill)) is fires


@pytest.mark.parametrize("made", ["{}", _STATES, "dict(step=step)"])
@pytest.mark.parametrize(
    ("fill", "fires"),
    [
        ("saved |= {'settings': settings}", True),
        ("saved.setdefault('settings', settings)", True),
        ("saved.setdefault('more', {})['settings'] = settings", True),
        ("saved.setdefault('more', []).append(settings)", True),
        ("fill(saved, settings)", True),
        ("count(saved, settings)", False),
    ],
)
def test_other_ways_to_fill_it(made: str, fill: str, fires: bool) -> None:
    assert bool(_found(made, fill)) is fires


@pytest.mark.parametrize(
    "made",
    ["[each.state_dict() for each in objects.values()]", "list()", "list(objects)", "sorted(objects)", "[step][:]"],
)
@pytest.mark.parametrize(
    ("fill", "fires"),
    [
        ("saved.append(settings)", True),
        ("saved.extend([settings])", True),
        ("saved += [settings]", True),
        ("saved.insert(0, settings)", True),
        ("saved.append(settings.rate)", False),
    ],
)
def test_a_list_is_filled(made: str, fill: str, fires: bool) -> None:
    assert bool(_found(made, fill)) is fires


@pytest.mark.parametrize(
    ("made", "fires"),
    [
        ("dict(zip(['step', 'settings'], [step, settings]))", True),
        ("dict(sorted({'step': step, 'settings': settings}.items()))", True),
        ("dict(zip(['step', 'rate'], [step, settings.rate]))", False),
    ],
)
def test_a_dict_is_made_of_what_an_iterator_gives(made: str, fires: bool) -> None:
    assert bool(_found(made, "pass")) is fires


def test_a_value_from_a_caller_is_reported_where_it_is_put_in() -> None:
    assert [each.location.start.row for each in _found("{}", "saved['settings'] = settings")] == [23]


def test_what_is_filled_after_it_was_put_into_another() -> None:
    fill = (
        "inner = {}; saved['inner'] = inner; inner['settings'] = settings"  # gap: `saved` holds what `inner` was then
    )
    assert not _found("{}", fill)
