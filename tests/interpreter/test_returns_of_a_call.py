"""What a call gives: the returns that its arguments exclude are not followed."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.loading import HEAD
from tests.support import lint

MAKERS = """\
class Scale:
    def __call__(self, x):
        return x


def by_name(kind):
    if kind == "scale":
        return Scale()
    return lambda x: x


def by_default(kind="scale"):
    if kind == "scale":
        return Scale()
    return lambda x: x


def by_chain(kind):
    if kind == "scale":
        return Scale()
    elif kind in ("none", "off"):
        return len
    elif kind is None:
        return None
    return lambda x: x


def set_before(kind):
    plain = lambda x: x
    if kind == "scale":
        return Scale()
    return plain


def by_type(given):
    if isinstance(given, str):
        return given
    if isinstance(given, list):
        return [by_type(each) for each in given]
    return (each for each in given)


class Maker:
    def __init__(self, fast):
        self.fast = fast

    def make(self):
        if self.fast:
            return Scale()
        return lambda x: x


def count(kind):
    if kind == "scale":
        return
    return lambda x: x


"""
SILENT = [
    'by_name("scale")',
    "by_default()",
    'by_chain("scale")',
    'by_chain("off")',
    "by_chain(None)",
    'set_before("scale")',
    'by_type("a")',
    'by_type(["a", "b"])',
    "Maker(True).make()",
    'count("scale")',
]
REPORTED = [
    'by_name("other")',
    "by_name(NAME)",
    "by_name(kind)",
    'by_default("other")',
    'by_chain("other")',
    "by_chain(kind)",
    'set_before("other")',
    "by_type((1, 2))",
    "by_type([(1, 2)])",
    "Maker(False).make()",
    'count("other")',
]


def _found(made: str) -> list[Confidence]:
    text = f"{HEAD}{MAKERS}def main(kind):\n    pickle.dumps({made})\n\n\nNAME = len(HEAD)\n"
    return [each.confidence for each in lint(text).diagnostics if each.code in ("LP102", "LP112")]


@pytest.mark.parametrize("made", SILENT)
def test_what_the_arguments_of_a_call_exclude_is_not_given(made: str) -> None:
    assert _found(made) == []


@pytest.mark.parametrize("made", REPORTED)
def test_what_a_call_may_give_is_followed(made: str) -> None:
    assert len(_found(made)) == 1


def test_the_only_return_that_is_left_is_certain() -> None:
    assert _found('by_name("other")') == [Confidence.CERTAIN]
    assert _found("by_name(kind)") == [Confidence.LIKELY]


READERS = """\
import json
import tomllib
import yaml


def build(config):
    if isinstance(config, tuple):
        return (build(each) for each in config)
    if isinstance(config, list):
        return [build(each) for each in config]
    if callable(config):
        return lambda: config()
    if isinstance(config, dict):
        return {key: build(each) for key, each in config.items()}
    return config


def read(path):
    with open(path) as file:
        return json.load(file)


"""


@pytest.mark.parametrize(
    ("given", "is_found"),
    [
        ('json.loads("[]")', False),
        ('read("a.json")', False),
        ('read("a.json")["models"]', False),
        ('read("a.json").get("models")', False),
        ('{"a": read("a.json")}', False),
        ('yaml.safe_load("a: 1")', False),
        ('tomllib.loads("a = 1")', False),
        ('json.loads("[]", object_hook=Hook)', True),
        ('json.loads("[]", **options)', True),
        ('pickle.load("a.pkl")', True),
        ("(1, 2)", True),
        ("[(1, 2)]", True),
        ("options", True),
    ],
)
def test_what_documents_say_has_no_tuples_and_no_functions(given: str, is_found: bool) -> None:
    text = f"{HEAD}{READERS}def main(options, Hook):\n    pickle.dumps(build({given}))\n"
    assert bool([each.code for each in lint(text).diagnostics]) is is_found


def test_a_view_of_what_a_document_says_is_still_a_view() -> None:
    text = f"{HEAD}{READERS}def main():\n    pickle.dumps(read('a.json').keys())\n"
    assert [each.code for each in lint(text).diagnostics] == ["LP101"]


@pytest.mark.parametrize(
    ("chosen", "is_found"),
    [
        ("random.choice([len, lambda x: x])", True),
        ("random.sample([len, lambda x: x], 1)", True),
        ("random.sample([len, lambda x: x], 1)[0]", True),
        ("random.choices([len, lambda x: x], k=2)", True),
        ("random.choice([len, abs])", False),
        ("random.sample([1, 2], 1)", False),
        ("random.random()", False),
    ],
)
def test_what_is_drawn_from_values_is_one_of_them(chosen: str, is_found: bool) -> None:
    text = f"{HEAD}import random\n\n\ndef main():\n    pickle.dumps({chosen})\n"
    assert [each.code for each in lint(text).diagnostics] == (["LP102"] if is_found else [])
