"""What a rule must declare, so that no prefilter hides from it what it is about: without it, the rule does not load."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from lintpickle.rules import all_rules
from lintpickle.rules.authoring import LAMBDA, PRODUCT, VIEW, Hazard, Rule
from tests.support import marks


def _hook(self: Rule, shown: object, linker: object) -> Iterable[Hazard]:
    return ()


def rule(*hooks: str, **declared: Any) -> type[Rule]:
    """A rule with these hooks that declares just this."""
    body: dict[str, Any] = {"code": "LP199", "name": "toy-rule", **dict.fromkeys(hooks, _hook), **declared}
    return type("ToyRule", (Rule,), body)


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: rule("crossing"), r"test_base.ToyRule: the hook `crossing` needs `marks`: the forms that can be"),
        (lambda: rule("crossing", marks=frozenset({"lamdba"})), "no mark 'lamdba'; the marks are called, generator, "),
        (lambda: rule("class_"), "the hook `class_` needs `words`: substrings"),
        (lambda: rule("function"), "the hook `function` needs `words`"),
        (lambda: rule("module"), "the hook `module` needs `words`; `frozenset"),
        (lambda: rule("class_", words=frozenset({"a"}), class_words=frozenset()), "the hook `class_` needs `words`"),
        (lambda: rule("class_", words=frozenset({"a"}), class_words=frozenset({"b"})), r"\['b'\] must be in `words`"),
        (lambda: rule("boundary", function_words=frozenset({"a"})), "words for the hook `function`, which it does not"),
        (lambda: rule("boundary", class_kinds=frozenset({"dataset"})), "`class_kinds` are for the hook `class_`"),
        (lambda: rule(code="LP1"), "the code 'LP1' must be LP and three digits"),
        (lambda: rule(name="ToyRule"), "needs a `name` in kebab-case"),
    ],
)
def test_a_rule_that_would_be_blind_does_not_load(make: Callable[[], type[Rule]], fault: str) -> None:
    with pytest.raises(TypeError, match=fault):
        make()


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(TypeError, match=r"`crossing` needs.*; the hook `class_` needs"):
        rule("crossing", "class_")


@pytest.mark.parametrize(
    "declared",
    [
        {"hooks": ("crossing",), "marks": frozenset({LAMBDA})},
        {"hooks": ("crossing",), "marks": frozenset()},
        {"hooks": ("module",), "words": frozenset()},
        {"hooks": ("worker", "boundary")},
        {"hooks": ("class_", "function"), "words": frozenset({"a", "b"}), "class_words": frozenset({"a"})},
    ],
)
def test_what_is_enough(declared: dict[str, Any]) -> None:
    hooks = declared.pop("hooks")
    assert rule(*hooks, **declared).hooks() == hooks


def test_a_rule_on_forms_needs_no_words() -> None:
    made = rule("class_", "function", marks=frozenset({LAMBDA, VIEW}))
    assert made.words == {"lambda", "keys", "values", "items"}
    assert rule("module", marks=frozenset({LAMBDA})).words == {"lambda"}
    assert rule("crossing", marks=frozenset({LAMBDA})).words == frozenset()


def test_what_names_mean_has_no_words() -> None:
    with pytest.raises(TypeError, match="the hook `function` needs `words`"):
        rule("function", marks=frozenset({LAMBDA, PRODUCT}))


def test_what_a_base_of_rules_declares_counts() -> None:
    base = type("Base", (Rule,), {"marks": frozenset({LAMBDA}), "crossing": _hook})
    assert type("ToyRule", (base,), {"code": "LP199", "name": "toy-rule"})


def test_every_rule_but_those_of_the_engine_has_a_hook() -> None:
    assert {each.code for each in all_rules() if not each.hooks()} == {"LP901", "LP902", "LP903"}


HEAD = """\
from torch.utils.data import Dataset

double = lambda x: 2 * x
"""
CLASS = """

class {name}(Dataset):
    def __init__(self):
        self.change = double

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.change(index)
"""


@pytest.mark.parametrize(("names", "row"), [(["One"], 8), (["One", "Two"], 3)])
def test_what_several_places_lead_to_is_reported_at_its_definition(names: list[str], row: int) -> None:
    text = HEAD + "".join(CLASS.format(name=name) for name in names)
    assert marks(text) == [(row, "LP102")]
