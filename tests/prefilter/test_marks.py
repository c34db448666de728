"""What is left out by the words in a text holds no marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.facts.of_file import FileFacts
from lintpickle.parsing.syntax import BrokenSyntax
from lintpickle.prefilter.forms import LAMBDA
from lintpickle.prefilter.glance import may_hold_marks
from lintpickle.prefilter.marks import IMPORTED, Vocabulary
from lintpickle.source.document import read_document
from tests.parsing.test_blocks import OTHERS, STANDARD_LIBRARY, _texts

from ..facts.shapes import SOURCES, document

CATALOG = load_catalog(())
VOCABULARY = Vocabulary(
    CATALOG.hazard_calls(), CATALOG.hazard_values(), CATALOG.boundary_words(), namers=CATALOG.naming_calls()
)
HEAD = "from torch.nn import functional as F\n\n\nclass Held:\n    def __init__(self, x):\n        "


def _facts(text: str) -> FileFacts:
    return FileFacts(document(text), VOCABULARY)


def _wrongly_left_out(facts: FileFacts) -> list[str]:
    return [
        facts.text(block)
        for block in facts.outline.blocks
        if block.classes
        and facts.marks(block)
        and not may_hold_marks(facts.text(block), VOCABULARY, facts.outline, lambda form, name: True)
    ]


@pytest.mark.parametrize("paths", [SOURCES, STANDARD_LIBRARY, OTHERS], ids=["ours", "standard library", "installed"])
def test_nothing_with_marks_is_left_out(paths: list[Path]) -> None:
    found: list[str] = []
    for text in _texts(paths):
        try:
            found += _wrongly_left_out(_facts(text))
        except BrokenSyntax:
            continue
    assert found == []


def test_many_classes_are_left_out() -> None:
    """Were few of them, it would not pay to ask. Here, names mean something if they are lambdas or imported."""
    answers = []
    for path in SOURCES:
        try:
            facts = _facts(read_document(path).code)
        except BrokenSyntax:
            continue
        outline = facts.outline

        def leads(form: str, name: str, lambdas: frozenset[str] = outline.lambdas) -> bool:
            return form == LAMBDA and name in lambdas

        answers += [
            may_hold_marks(facts.text(block), VOCABULARY, facts.outline, leads)
            for block in outline.blocks
            if block.is_class and len(facts.text(block)) < 2_000
        ]
    assert len(answers) > 100
    assert answers.count(False) > 0.3 * len(answers)


HELD = {
    "a lambda": "self.f = lambda: x",
    "a view": "self.f = x.keys()",
    "a view on the next row": "self.f = (x\n            .items())",
    "a generator": "self.f = (each for each in x)",
    "a generator on rows": "self.f = (\n            each\n            for each in x\n        )",
    "a generator in a list": "self.f = [1, (each for each in x), 2]",
    "a generator in a comprehension": "self.f = [(each for each in some) for some in x]",
    "a generator in a dict": "self.f = {'a': (each for each in x)}",
    "a generator as an argument": "self.f = made(each for each in x)",
    "a generator behind a string": "self.f = made('[', (each for each in x))",
    "a generator in a loop": "for y in x: self.f = (each for each in y)",
    "yield": "yield x",
    "a local function": "def f(): pass\n        self.f = f",
    "a local async function": "async def f(): pass\n        self.f = f",
    "a local class": "class C: pass\n        self.f = C()",
    "a call": "self.f = open(x)",
    "a call of a call": "self.f = x().open()",
    "a call with a space": "self.f = open (x)",
    "a local import": "from threading import Lock as L\n        self.f = L()",
    "what is imported there": "from .made import f\n        self.f = f",
    "an imported name": "self.f = F",
    "an imported name in a list": "self.f = [F, 1]",
    "an imported name at the end of a row": "self.f = F\n        self.g = 1",
    "a value": "import os\n        self.f = os.environ",
    "an imported name in front of a bracket": "self.f = F\n        (self.g, self.h) = x",
    "a generator in the head of a loop": "for y in [(each for each in x)]:\n            self.f = y",
    "a view behind a backslash": "self.f = x.\\\n            keys()",
    "a name in brackets that is called": "self.f = (open)(x)",
}


PLAIN = {
    "words of a docstring": '"""for each: import a lambda, (x for y in open()) or x.keys()"""\n        self.f = 1',
    "words of a comment": "self.f = 1  # for each (x for x in y): import it, it's a lambda",
    "words of a string": "self.f = 'yield \\' lambda' + \"open() # for\"",
    "a hazard's name, of a library's own": "self.f = F.open(x)",
    "a value's name, of a library's own": "self.f = F.environ",
    "a bracket behind a keyword": "return (x) if (x) else not (x)",
    "a comprehension": "self.f = F.g([x for x in y])",
    "a comprehension behind a string": "self.f = F.g('(', [x for x in y])",
}


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", PLAIN)
def test_plain_code_is_left_out(name: str, end: str) -> None:
    facts = _facts(f"{HEAD}{PLAIN[name]}\n".replace("\n", end))
    (block,) = (block for block in facts.outline.blocks if block.classes)
    assert not may_hold_marks(facts.text(block), VOCABULARY, facts.outline, lambda form, name: False)


def _is_left_out(text: str, end: str = "\n") -> bool:
    facts = _facts(text.replace("\n", end))
    (block,) = (block for block in facts.outline.blocks if block.classes)
    assert facts.marks(block), "there is something to be found"
    return not may_hold_marks(
        facts.text(block), VOCABULARY, facts.outline, lambda form, name: (form, name) == (IMPORTED, "F")
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", HELD)
def test_every_form(name: str, end: str) -> None:
    assert not _is_left_out(f"{HEAD}{HELD[name]}\n", end)


def test_a_local_function_between_lone_carriage_returns() -> None:
    assert not _is_left_out(f"{HEAD}{HELD['a local function']}\n", "\r")
