"""LP307: cuda-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP307"


_PROGRAM = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import torch


def best():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def work(rank):
    {worker}


def prepare(args):
    {main}


def main(args):
    prepare(args)
    {start}


if __name__ == "__main__":
    main(None)
"""
_PROCESS = "multiprocessing.Process(target=work, args=(0,)).start()"
_MOVE, _NAMED = "torch.zeros(rank).cuda()", "print(torch.cuda.get_device_name(0))"


def _found(worker: str, main: str, start: str = _PROCESS, pedantic: bool = False) -> list[str]:
    text = _PROGRAM.format(worker=worker, main=main, start=start)
    found = lint(text, pedantic=pedantic).diagnostics
    return [each.message for each in found if each.code == "LP307"]


@pytest.mark.parametrize(
    ("worker", "main", "start"),
    [
        (_MOVE, _NAMED, _PROCESS),
        (_MOVE, "if torch.cuda.is_available(): " + _NAMED, _PROCESS),
        (_MOVE, "torch.cuda.is_available()", _PROCESS),
        ("torch.cuda.set_device(rank)", "torch.ones(2, device=best())", _PROCESS),
        ("torch.zeros(rank).to(best())", "torch.ones(2, device='cuda:0')", _PROCESS),
        (_MOVE, _NAMED, "multiprocessing.Pool(2).map(work, range(2))"),
        (_MOVE, _NAMED, "ProcessPoolExecutor().submit(work, 1)"),
        (_MOVE, _NAMED, "multiprocessing.get_context('fork').Process(target=work, args=(0,)).start()"),
    ],
)
def test_cuda_in_a_worker_that_is_forked_after_the_main_process_has_used_it(worker: str, main: str, start: str) -> None:
    assert len(_found(worker, main, start)) == 1


def test_the_message_says_what_the_main_process_does() -> None:
    assert [each.partition(": ")[0] for each in _found(_MOVE, _NAMED)] == [
        "`torch.zeros(rank).cuda()` runs in forked workers, before whose start the main process runs "
        "`torch.cuda.get_device_name(0)`"
    ]


@pytest.mark.parametrize(
    ("worker", "main", "start"),
    [
        pytest.param(_MOVE, "pass", _PROCESS, id="main uses no GPU"),
        pytest.param("torch.zeros(rank)", _NAMED, _PROCESS, id="the worker uses none"),
        pytest.param("print(torch.cuda.is_available())", _NAMED, _PROCESS, id="the worker only asks"),
        pytest.param(_MOVE, "print(torch.cuda.device_count())", _PROCESS, id="counted by the manager"),
        pytest.param(_MOVE, "torch.cuda.manual_seed(1)", _PROCESS, id="a seed waits for CUDA"),
        pytest.param(_MOVE, _NAMED, _PROCESS.replace("Process", "get_context('spawn').Process"), id="spawned"),
        pytest.param(_MOVE, "pass", f"{_PROCESS}\n    {_NAMED}", id="after the start"),
        pytest.param(_MOVE, "if False: " + _NAMED, _PROCESS, id="never done"),
    ],
)
def test_workers_that_may_use_cuda(worker: str, main: str, start: str) -> None:
    assert _found(worker, main, start, pedantic=True) == []


def test_an_undecided_condition_makes_it_only_possible() -> None:
    main = "if input() == 'y': " + _NAMED
    assert (_found(_MOVE, main), len(_found(_MOVE, main, pedantic=True))) == ([], 1)


def test_a_question_that_leaves_the_driver_alone() -> None:
    main = "import os; os.environ['PYTORCH_NVML_BASED_CUDA_CHECK'] = '1'; torch.cuda.is_available()"
    assert _found(_MOVE, main, pedantic=True) == []
