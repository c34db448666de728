"""Payload by kind that holds other payload by kind: what is wrong is reported once, where it stands."""

from __future__ import annotations

from textwrap import dedent

import pytest

from lintpickle.diagnostics import Diagnostic
from lintpickle.payload.by_kind import ByKind
from tests.support import lint_library, marks

INNER = """\
from torch import nn
from torch.utils.data import Dataset


class Inner(nn.Module):
    def __init__(self, act=None, parts=()):
        super().__init__()
        self.act = act
        self.parts = parts
        {}


"""
LAMBDA = "self.hidden = lambda x: x"


def found(outer: str, inner: str = "self.n = 1", base: str = "nn.Module") -> list[Diagnostic]:
    """What is found where a class of a base holds an `Inner` by the given statements of its `__init__`."""
    body = "".join(f"        {row}\n" for row in dedent(outer).splitlines())
    text = f"{INNER.format(inner)}class Outer({base}):\n    def __init__(self, fs=None):\n{body}"
    return list(lint_library(text).diagnostics)


def lines(diagnostics: list[Diagnostic]) -> list[tuple[str, str]]:
    """The code of each, with the class in which it is."""
    return [(d.code, "Inner" if d.location.start.row < 13 else "Outer") for d in diagnostics]


def told(diagnostics: list[Diagnostic]) -> list[tuple[str, tuple[str, ...]]]:
    """The message of each, with its trail."""
    return [(d.message, tuple(step.message for step in d.trail)) for d in diagnostics]


HOLDING = {
    "plain": "self.inner = Inner()",
    "with constants": "self.inner = Inner('relu', [1, (2, 3)])",
    "with classes": "self.inner = Inner(nn.ReLU, Inner)",
    "a list": "self.inner = [Inner(), Inner()]",
    "a module list": "self.inner = nn.ModuleList([Inner() for _ in range(3)])",
    "a sequence": "self.inner = nn.Sequential(Inner(), Inner())",
    "a name first": "inner = Inner()\nself.inner = inner",
    "one of two": "self.inner = Inner() if fs else None",
    "nested": "self.inner = nn.Sequential(Inner(), nn.Sequential(Inner()))",
    "within": "self.inner = Inner(parts=[Inner()])",
}


@pytest.mark.parametrize("name", HOLDING)
def test_what_the_inner_class_holds_is_reported_there_alone(name: str) -> None:
    diagnostics = found(HOLDING[name], LAMBDA)
    assert lines(diagnostics) == [("LP102", "Inner")]
    (diagnostic,) = diagnostics
    assert diagnostic.trail[0].message.startswith("Inner is an nn.Module"), "the shortest way to it"


@pytest.mark.parametrize("name", HOLDING)
def test_a_dataset_is_followed_to_the_end(name: str) -> None:
    assert lines(found(HOLDING[name], LAMBDA, "Dataset")) == [("LP102", "Inner")]


@pytest.mark.parametrize("name", HOLDING)
def test_nothing_wrong(name: str) -> None:
    assert found(HOLDING[name]) == []


PASSED = {
    "positional": "self.inner = Inner(lambda x: x)",
    "by name": "self.inner = Inner(act=lambda x: x)",
    "in a list": "self.inner = Inner(parts=[1, lambda x: x])",
    "in a dict": "self.inner = Inner(parts={'a': [lambda x: x]})",
    "by a name": "act = lambda x: x\nself.inner = Inner(act)",
    "beside a constant": "self.inner = Inner('a', (1, lambda x: x))",
    "in an inner one": "self.inner = Inner(parts=[Inner(lambda x: x)])",
    "in a module list": "self.inner = nn.ModuleList([Inner(lambda x: x) for _ in range(3)])",
    "in a sequence": "self.inner = nn.Sequential(Inner(), Inner(lambda x: x))",
    "stored by a name": "inner = Inner()\ninner.act = lambda x: x\nself.inner = inner",
    "stored later by a name": "inner = Inner()\nself.inner = inner\ninner.other = lambda x: x",
    "whatever it is given": "self.inner = Inner(lambda x: x if fs else None)",
}


@pytest.mark.parametrize("name", PASSED)
def test_what_the_outer_class_puts_in_is_found(name: str) -> None:
    assert lines(found(PASSED[name])) == [("LP102", "Outer")]


@pytest.mark.xfail(reason="stores on an attribute of an attribute are not followed", strict=True)
def test_what_is_stored_on_an_attribute() -> None:
    outer = "self.inner = Inner()\nself.inner.act = lambda x: x"
    assert lines(found(outer)) == [("LP102", "Outer")]


@pytest.mark.parametrize("name", PASSED)
def test_both(name: str) -> None:
    assert lines(found(PASSED[name], LAMBDA)) == [("LP102", "Inner"), ("LP102", "Outer")]


@pytest.mark.parametrize("outer", [*HOLDING.values(), *PASSED.values()])
@pytest.mark.parametrize("inner", ["self.n = 1", LAMBDA])
def test_following_everything_finds_no_more(outer: str, inner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pruned = told(found(outer, inner))
    monkeypatch.setattr(ByKind, "is_judged_itself", lambda *_: False)
    assert told(found(outer, inner)) == pruned


REGISTERED = """\
from mmdet.datasets import DATASETS


@DATASETS.register_module()
class Batches(object):
    def __init__(self, rows):
        self.rows = rows
        self.convert = lambda row: row + 1

    def __len__(self):
        return len(self.rows)

    def {method}(self, *index):
        return self.convert(self.rows[0])
"""


@pytest.mark.parametrize(
    ("method", "fires"), [("__getitem__", True), ("__iter__", True), ("get_dataloader", False), ("__next__", False)]
)
def test_a_registered_class_is_a_dataset_if_a_loader_gets_something_from_it(method: str, fires: bool) -> None:
    found = [row for row, code in marks(REGISTERED.format(method=method)) if code == "LP102"]
    assert found == [8] * fires


def test_so_may_one_be_with_a_base_that_is_not_read() -> None:
    text = REGISTERED.format(method="rest").replace("(object)", "(CustomDataset)")
    text = text.replace("import DATASETS", "import DATASETS, CustomDataset")
    assert (8, "LP102") in marks(text)


@pytest.mark.parametrize(
    ("name", "workers", "fires"),
    [
        ("MockRows", 0, False),
        ("_FakeRows", 0, False),
        ("RowsMock", 0, False),
        ("Rows", 0, True),
        ("FakedRows", 0, True),
        ("MockRows", 2, True),
    ],
)
def test_a_class_that_stands_in_for_another_is_likely_only_where_it_is_loaded(
    name: str, workers: int, fires: bool
) -> None:
    loaded = f"{name}([1])" if workers else "other"
    text = (
        "import threading\nfrom torch.utils.data import DataLoader, Dataset\n\n\n"
        f"class {name}(Dataset):\n    def __init__(self, rows):\n        self.rows = rows\n"
        "        self.lock = threading.Lock()\n\n    def __len__(self):\n        return 1\n\n"
        "    def __getitem__(self, index):\n        return self.rows[index]\n\n\n"
        f"def load(other):\n    return list(DataLoader({loaded}, num_workers=2))\n"
    )
    assert ("LP111" in [code for _, code in marks(text)]) is fires
