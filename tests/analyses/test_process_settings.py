"""Which settings count as made: those of contexts that the program enters."""

from __future__ import annotations

import pytest

from tests.support import lint

CLASS = """\
import csv
import multiprocessing as mp


class LongFields:
    def __enter__(self):
        self.old = csv.field_size_limit(10 ** 9)

    def __exit__(self, *error):
        csv.field_size_limit(self.old)
"""

FUNCTION = """\
import contextlib
import csv
import multiprocessing as mp


@contextlib.contextmanager
def LongFields():
    old = csv.field_size_limit(10 ** 9)
    yield
    csv.field_size_limit(old)
"""

PROGRAM = """

def rows(text):
    return list(csv.reader([text]))


def run():
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(rows, ["a,b"]))


def main():
    {}


if __name__ == "__main__":
    main()
"""

TOLD = {("LP211", "_csv.Error: field larger than field limit (131072)")}


def found(code: str) -> set[tuple[str, str | None]]:
    return {(each.code, each.error) for each in lint(code).diagnostics if each.code == "LP211"}


@pytest.mark.parametrize("manager", [CLASS, FUNCTION])
def test_a_context_that_nobody_enters_sets_nothing(manager: str) -> None:
    assert found(manager + PROGRAM.format("run()")) == set()


def test_its_own_header_does_not_make_one() -> None:
    derived = CLASS.replace("class LongFields:", "class LongFields(contextlib.AbstractContextManager):")
    assert found("import contextlib\n" + derived + PROGRAM.format("run()")) == set()


@pytest.mark.parametrize(
    "entering",
    [
        "with LongFields(): run()",
        "manager = LongFields()\n    with manager: run()",
        "LongFields().__enter__()\n    run()",
        "stack = contextlib.ExitStack()\n    stack.enter_context(LongFields())\n    run()",
        "manager = {'long': LongFields}['long']\n    with manager(): run()",
    ],
)
def test_a_context_that_is_entered_does(entering: str) -> None:
    assert found("import contextlib\n" + CLASS + PROGRAM.format(entering)) == TOLD


def test_a_function_that_is_entered_does() -> None:
    assert found(FUNCTION + PROGRAM.format("with LongFields(): run()")) == TOLD


def test_a_class_that_derives_from_it_may_be_entered() -> None:
    derived = CLASS + "\n\nclass LongRows(LongFields):\n    pass\n"
    assert found(derived + PROGRAM.format("manager = LongRows()\n    manager.__enter__()\n    run()")) == TOLD


DIALECTS = """\
import csv
import multiprocessing as mp


def rows(text):
    return list({reading})


def main():
    csv.register_dialect("semicolons", delimiter=";")
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(rows, ["a;b"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "reading",
    [
        'csv.reader([text], "semicolons")',
        'csv.reader([text], dialect="semicolons")',
        'csv.DictReader([text], ["a"], dialect="semicolons")',
        "csv.reader([text], text[:3])",
    ],
)
def test_a_dialect_that_main_alone_registers_is_unknown(reading: str) -> None:
    assert found(DIALECTS.format(reading=reading)) == {("LP211", "_csv.Error: unknown dialect")}


@pytest.mark.parametrize(
    "reading",
    [
        "csv.reader([text])",
        'csv.reader([text], "excel")',
        'csv.reader([text], delimiter=";")',
        'csv.DictReader([text], ["a", "b"])',
        'csv.DictReader([text], dialect="excel-tab")',
    ],
)
def test_what_asks_for_no_dialect_of_its_own_needs_none(reading: str) -> None:
    assert found(DIALECTS.format(reading=reading)) == set()


ARRAYS = """\
import multiprocessing as mp

{imports}


def spectrum(seed):
    {use}


def main():
    numpy.seterr(all="raise")
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(spectrum, [1, 2]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("use", "row"),
    [
        ("values = seed.load()\n    return values / values.sum()", 8),
        ("values = seed.load()\n    total = values.sum()\n    part = values / total\n    return numpy.log(part)", 8),
    ],
)
def test_reckoning_with_a_sum_depends_on_how_numpy_treats_errors(use: str, row: int) -> None:
    diagnostics = lint(ARRAYS.format(imports="import numpy", use=use)).diagnostics
    assert [each.location.start.row for each in diagnostics if each.code == "LP211"] == [row]


@pytest.mark.parametrize(
    "use",
    [
        "return seed.load().sum()",  # Nothing is divided.
        "with numpy.errstate(all='raise'):\n        return seed / seed.sum()",
        "return seed / sum([seed])",
    ],
)
def test_a_sum_alone_does_not(use: str) -> None:
    assert found(ARRAYS.format(imports="import numpy", use=use)) == set()


LOADER_IN_PROCESS = """\
import logging

import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        if index % 2:
            logging.info("%d is odd", index)
        return index


def set_up(number):
    logging.basicConfig(level=logging.INFO)


def train(rank, epochs):
    {}


if __name__ == "__main__":
    mp.spawn(train, nprocs=2, args=(4,))
"""


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("set_up(0)\n    for batch in DataLoader(Images(), num_workers=2):\n        print(batch)", [13]),
        (
            "logging.basicConfig(level=logging.INFO)\n    loader = DataLoader(Images(), num_workers=2)\n"
            "    for batch in loader:\n        print(batch)",
            [13],
        ),
        ("set_up(0)\n    for batch in DataLoader(Images(), num_workers=2, worker_init_fn=set_up):\n        pass", []),
        ("set_up(0)\n    for batch in DataLoader(Images()):\n        print(batch)", []),
        ("logging.basicConfig(level=logging.INFO)\n    logging.info('epochs: %d', epochs)", []),
    ],
)
def test_a_process_that_starts_loaders_is_the_main_process_of_their_workers(body: str, rows: list[int]) -> None:
    diagnostics = lint(LOADER_IN_PROCESS.format(body)).diagnostics
    assert [each.location.start.row for each in diagnostics if each.code == "LP211"] == rows


AROUND = """\
import multiprocessing as mp
import torch
def work(number):
    {before}
        print(torch.mm(torch.zeros(number, 1), torch.zeros(1, number)))
def main():
    {around}
        process = mp.Process(target=work, args=(1,))
        process.start()
        process.join()
if __name__ == "__main__":
    main()
"""
CONTEXTS_OF_TORCH = [
    "with torch.autocast('cpu'):",
    "with torch.amp.autocast('cpu'):",
]  # gap: `with torch.device('meta'):`


@pytest.mark.parametrize("context", CONTEXTS_OF_TORCH)
def test_workers_are_not_in_the_contexts_of_torch_around_their_start(context: str) -> None:
    diagnostics = lint(AROUND.format(before="if number:", around=context), pedantic=True).diagnostics
    assert [each.location.start.row for each in diagnostics if each.code == "LP211"] == [5]


@pytest.mark.parametrize("context", CONTEXTS_OF_TORCH)
def test_a_context_of_torch_that_workers_enter_themselves(context: str) -> None:
    diagnostics = lint(AROUND.format(before=context, around=context), pedantic=True).diagnostics
    assert [each for each in diagnostics if each.code == "LP211"] == []
