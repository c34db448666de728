"""What is read of an expression is what it really is, or unknown: never something that stands in for it."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from lintpickle.facts.values import Choice, Constant, Data, Expr, Unfollowed, options_of
from tests.support import lint, marks

from .shapes import facts_of


def value_of(expression: str, before: str = "") -> Expr:
    """What a function returns that runs some lines and returns the expression."""
    lines = "".join(f"    {line}\n" for line in before.splitlines())
    facts = facts_of(f"def f(p):\n{lines}    return {expression}\n")
    block = facts.facts_of(facts.outline.blocks[0])
    assert block is not None
    (returned,) = block.functions["f"].returns
    return returned


CONSTANTS = [
    *("0.0", "0.5", "1e-3", "1_000.5", "2j", "1.5e3j", "7", "1_000", "0x_ff", "0b11", "0o17"),
    *("-1", "+2", "-0.0", "-2.5", "-1j", "--3", "True", "None", "..."),
    *("''", '"a"', 'b"a"', r'r"\d"', '"""a"""', r'"a\n"', """'a'"b\""""),
]


@pytest.mark.parametrize("expression", CONSTANTS)
def test_constants_are_what_python_says(expression: str) -> None:
    value = value_of(expression)
    assert isinstance(value, Constant)
    expected = eval(expression)
    assert (type(value.value), repr(value.value)) == (type(expected), repr(expected))


@pytest.mark.parametrize("expression", ["not None", "not 'a'", "not 0.0"])
def test_what_not_makes_of_a_constant(expression: str) -> None:
    value = value_of(expression)
    assert isinstance(value, Constant)
    assert value.value is eval(expression)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ('f"a{p}"', "str"),
        ('f"a" "b"', "str"),
        ('"%s" % p', "str"),
        ("p is None", "bool"),
        ("p not in (1, 2)", "bool"),
        ("not p", "bool"),
        ("9" * 5000, "int"),
    ],
)
def test_data_whose_value_is_not_known(expression: str, kind: str) -> None:
    value = value_of(expression)
    assert isinstance(value, Data)
    assert value.kind == kind


@pytest.mark.parametrize("expression", ["p == 0", "0 < p is None", "-p", "~1", "p % 2", "p // 1"])
def test_what_is_not_known_at_all(expression: str) -> None:
    assert type(value_of(expression)) is Expr


LEFT_EARLY = """\
workers = 0
for each in p:
    if each:
        workers = 4
        break
"""
ROUND_AGAIN = """\
workers = 0
found = []
for each in p:
    found.append(workers)
    workers = 4
"""
LESS = """\
workers = 4
workers -= 4
"""


def test_a_value_that_a_loop_had_when_it_was_left() -> None:
    values = options_of(value_of("workers", LEFT_EARLY))
    assert {each.value for each in values if isinstance(each, Constant)} == {0, 4}


def test_more_values_than_are_told_are_not_all_of_them() -> None:
    lines = "x = 0\n" + "".join(f"if p == {n}:\n    x = {n}\n" for n in range(1, 12))
    value = value_of("x", lines)
    assert isinstance(value, Choice)
    assert [each.limit for each in value.options if isinstance(each, Unfollowed)] == ["choices"]


HEAD = """\
import os
import sys

from torch.utils.data import DataLoader


"""


def found(body: str) -> list[str]:
    return [code for _, code in marks(HEAD + body)]


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("def f(d):\n    return DataLoader(d, num_workers=0, timeout=0.0)\n", []),
        ("def f(d):\n    return DataLoader(d, num_workers=0, timeout=1e-3)\n", ["LP403"]),
        ("def f(d):\n    return DataLoader(d, num_workers=-0, timeout=30)\n", ["LP403"]),
        ("def f(d, s):\n    return DataLoader(d, sampler=s(), shuffle=not d)\n", []),
        ("def f(d, p):\n    return DataLoader(d, persistent_workers=p > 0)\n", []),
        ("def f(d, p):\n    return DataLoader(d, persistent_workers=p is not None)\n", []),
        ("def f(d, p):\n    return DataLoader(d, persistent_workers=not False)\n", ["LP403"]),
    ],
)
def test_arguments_of_loaders(body: str, codes: list[str]) -> None:
    assert found(body) == codes


WORKERS = """\
def workers(options):
    if options.debug:
        return 0
{}

def build(dataset, options):
    return DataLoader(dataset, num_workers=workers(options), timeout=30)
"""


@pytest.mark.parametrize(
    ("rest", "codes"),
    [
        ("    return options.workers\n", []),
        ("    return int(options.workers)\n", []),
        ("", []),
        ("    return 0\n", ["LP403"]),
        ("    sys.exit('no')\n", ["LP403"]),
        ("    while True:\n        print(options)\n", ["LP403"]),
        ("    while True:\n        break\n", []),
    ],
)
def test_what_else_a_function_may_give(rest: str, codes: list[str]) -> None:
    assert found(WORKERS.format(rest)) == codes


LOOPS = """\
def build(dataset, sizes):
    workers = 0
    for size in sizes:
        {}
    return loader
"""


@pytest.mark.parametrize(
    ("inside", "codes"),
    [
        ("loader = DataLoader(dataset, size, num_workers=workers, timeout=30); workers = 4", []),
        ("loader = DataLoader(dataset, size, num_workers=workers, timeout=30); workers += 4", []),
        ("loader = DataLoader(dataset, size, num_workers=workers, timeout=30); size = 4", ["LP403"]),
    ],
)
def test_what_a_loop_brings_back_to_its_beginning(inside: str, codes: list[str]) -> None:
    assert found(LOOPS.format(inside)) == codes


LAST = """\
from torch.utils.data import DataLoader, Dataset


class Words(Dataset):
    def __init__(self):
        steps = [str.lower, lambda text: text.strip()]
        self.step = steps[{}]

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.step("a")


def main():
    for batch in DataLoader(Words(), num_workers=2):
        print(batch)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("index", "codes"), [("-1", ["LP102"]), ("-2", []), ("1", ["LP102"]), ("0", [])])
def test_items_counted_from_the_end(index: str, codes: list[str]) -> None:
    assert [code for _, code in marks(LAST.format(index))] == codes


NAMED = """\
import threading

from torch.utils.data import DataLoader, Dataset


class Words(Dataset):
    def __init__(self, names):
        for name in names:
            setattr(self, f"lock_{{name}}", threading.Lock())

    def __getstate__(self):
        state = self.__dict__.copy()
        state["names"] = None
{}        return state

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index


def main(names):
    for batch in DataLoader(Words(names), num_workers=2):
        print(batch)
"""


def test_an_attribute_with_a_name_that_is_put_together() -> None:
    kept = NAMED.replace("    def __getstate__(self):\n", "    def state(self):\n").format("")
    assert [code for _, code in marks(kept)] == ["LP111"]
    dropped = NAMED.format('        for name in self.names:\n            del state[f"lock_{name}"]\n')
    assert [code for _, code in marks(dropped)] == []


CONTEXT = """\
import multiprocessing
import sys


def run(jobs):
    context = multiprocessing.get_context({})
    process = context.Process(target=lambda: jobs)
    process.start()
"""


@pytest.mark.parametrize(
    ("method", "codes"),
    [
        ('"fork"', []),
        ('"spawn"', ["LP201"]),
        ('"fork" if jobs else "spawn"', ["LP201"]),
        ('"spawn" if jobs else "fork"', ["LP201"]),
    ],
)
def test_a_start_method_that_is_one_of_two(method: str, codes: list[str]) -> None:
    assert [code for _, code in marks(CONTEXT.format(method))] == codes


OPTIONS = """\
from torch.utils.data import DataLoader


class Words:
    def __init__(self):
        self.step = lambda text: text

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index


def batches(workers, dataset):
    for batch in DataLoader(dataset, num_workers=workers):
        print(batch)


def main(fast):
    options = {}
    batches(dataset=Words(), **options)


if __name__ == "__main__":
    main(True)
"""


@pytest.mark.parametrize(
    ("options", "confidences"),
    [
        ('{"workers": 2}', [Confidence.CERTAIN]),
        ('{"workers": 0}', []),
        ('{"workers": 2} if fast else {"workers": 0}', [Confidence.LIKELY]),
        ('{"workers": 0} if fast else {"workers": 2}', [Confidence.LIKELY]),
    ],
)
def test_keywords_of_one_of_two_mappings(options: str, confidences: list[Confidence]) -> None:
    found = lint(OPTIONS.replace("options = {}", f"options = {options}")).diagnostics
    assert [each.confidence for each in found if each.code == "LP102"] == confidences
