"""Calls that make a setting, and change nothing of what workers depend on."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import logging
import multiprocessing
import tempfile
import warnings

import torch


class Odd(RuntimeWarning):
    pass


def work(value):
    {uses}
    return value


def configure(path=None):
    logging.basicConfig(filename=path)


def main():
    before = tempfile.gettempdir()
    {sets}
    process = multiprocessing.Process(target=work, args=(1,))
    {between}
    process.start()
    {after}
    process.join()


if __name__ == "__main__":
    main()
"""


def _found(uses: str, sets: str = "pass", between: str = "pass", after: str = "pass") -> list[str]:
    text = PROGRAM.format(uses=uses, sets=sets, between=between, after=after)
    return [code for _, code in marks(text) if code == "LP211"]


WARNS = 'warnings.warn("no rows")'
MAKES = "print(torch.zeros(value))"
WRITES = "tempfile.mkstemp()"
LOGS = 'logging.warning("slow")'


@pytest.mark.parametrize(
    ("sets", "uses"),
    [
        ("torch.set_default_dtype(torch.float32)", MAKES),
        ("torch.set_default_device('cpu')", MAKES),
        ("torch.set_default_tensor_type(torch.FloatTensor)", MAKES),
        ("torch.set_default_dtype(torch.get_default_dtype())", MAKES),
        ("tempfile.tempdir = None", WRITES),
        ("tempfile.tempdir = before", WRITES),
        ("tempfile.tempdir = tempfile.tempdir", WRITES),
        ("warnings.simplefilter('ignore', DeprecationWarning)", WARNS),
        ("warnings.filterwarnings('ignore', category=DeprecationWarning)", WARNS),
        ("warnings.simplefilter('ignore', UserWarning)", 'warnings.warn("old", FutureWarning)'),
        ("warnings.simplefilter('ignore', UserWarning)", 'warnings.warn(FutureWarning("old"))'),
        ("configure()", LOGS),
        ("configure(None)", LOGS),
    ],
)
def test_what_is_so_anyway(sets: str, uses: str) -> None:
    assert _found(uses, sets) == []


@pytest.mark.parametrize(
    ("sets", "uses"),
    [
        ("torch.set_default_dtype(torch.float64)", MAKES),
        ("torch.set_default_device('cuda')", MAKES),
        ("torch.set_default_device(before)", MAKES),
        ("tempfile.tempdir = tempfile.mkdtemp()", WRITES),
        ("tempfile.tempdir = input()", WRITES),
        ("warnings.simplefilter('ignore')", WARNS),
        ("warnings.simplefilter('ignore', Warning)", WARNS),
        ("warnings.simplefilter('ignore', Odd)", WARNS),
        ("warnings.filterwarnings('ignore', '', UserWarning)", WARNS),
        ("warnings.simplefilter('error', RuntimeWarning)", 'warnings.warn("odd", Odd)'),
        (
            "warnings.simplefilter('ignore', DeprecationWarning)",
            f'{WARNS}\n    warnings.warn("old", DeprecationWarning)',
        ),
        ("configure('run.log')", LOGS),
        ("configure(input())", LOGS),
    ],
)
def test_what_only_the_main_process_has(sets: str, uses: str) -> None:
    assert _found(uses, sets) == ["LP211"]


@pytest.mark.parametrize(
    ("where", "fires"), [("sets", True), ("between", True), ("after", False)], ids=["before", "until", "after"]
)
def test_what_main_sets_when_the_workers_run(where: str, fires: bool) -> None:
    made = {where: "torch.set_default_dtype(torch.float64)"}
    assert _found(MAKES, **made) == (["LP211"] if fires else [])


def test_what_main_sets_in_a_loop_is_set_before_the_next_start() -> None:
    body = "for _ in range(2):\n        multiprocessing.Process(target=work, args=(1,)).start()\n        "
    assert _found(MAKES, f"{body}torch.set_default_dtype(torch.float64)") == ["LP211"]
