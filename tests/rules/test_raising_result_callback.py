"""LP325: raising-result-callback."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP325"


PROGRAM = """\
import multiprocessing, os, sys
from multiprocessing.pool import ThreadPool
def task(number):
    return number
def raises(result):
    print(result)
    raise ValueError(result)
def again(error):
    raise error
def exits(error):
    print(error)
    sys.exit(1)
def raises_if(result):
    if result is None:
        raise ValueError(result)
def returns_first(result):
    if result:
        return
    raise ValueError(result)
def catches(result):
    try:
        raise ValueError(result)
    except ValueError:
        print(result)
def ends(error):
    os._exit(1)
def kills(error):
    os.kill(os.getpid(), 9)
    raise error
def abstract(result):
    raise NotImplementedError
class Progress:
    def __init__(self, total=None):
        self.total = total
        self.last = None
        self.done = 0
    def fail(self, error):
        raise error
    def share(self, result):
        self.done += 1
        print(self.done / self.total)
    def share_if(self, result):
        if self.total is not None:
            print(self.done / self.total)
    def add(self, result):
        self.last = result
        print(self.last + 1)
def main():
    with multiprocessing.Pool() as pool, ThreadPool() as threads:
        {call}.get()
if __name__ == "__main__":
    main()
"""


def of(call: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(call=call)) if code == "LP325"]


@pytest.mark.parametrize(
    "call",
    [
        "pool.apply_async(task, (1,), callback=raises)",
        "pool.apply_async(task, (1,), {{}}, raises)",
        "pool.apply_async(task, (1,), callback=print, error_callback=again)",
        "pool.apply_async(task, (1,), error_callback=exits)",
        "pool.map_async(task, [1], callback=raises)",
        "pool.starmap_async(task, [(1,)], error_callback=Progress().fail)",
        "pool.apply_async(task, (1,), callback=Progress().share)",
    ],
)
def test_callbacks_that_always_raise(call: str) -> None:
    assert of(call.replace("{{}}", "{}")) == ["LP325"]


@pytest.mark.parametrize(
    "call",
    [
        "pool.apply_async(task, (1,))",
        "pool.apply_async(task, (1,), callback=print)",
        "pool.apply_async(task, (1,), callback=raises_if)",
        "pool.apply_async(task, (1,), callback=returns_first)",
        "pool.apply_async(task, (1,), callback=catches)",
        "pool.apply_async(task, (1,), error_callback=ends)",
        "pool.apply_async(task, (1,), error_callback=kills)",
        "pool.apply_async(task, (1,), callback=abstract)",
        "pool.apply_async(raises, (1,))",
        "pool.apply_async(task, (1,), callback=Progress(3).share)",
        "pool.apply_async(task, (1,), callback=Progress().share_if)",
        "pool.apply_async(task, (1,), callback=Progress().add)",
        "pool.apply_async(task, (1,), callback=raises if sys.argv else None)",
        "threads.apply_async(task, (1,), callback=raises)",
    ],
)
def test_callbacks_that_may_be_fine(call: str) -> None:
    assert of(call) == []


def test_a_lambda_that_exits() -> None:
    assert of("pool.apply_async(task, (1,), error_callback=lambda error: sys.exit(1))") == []  # gap: no lambda is read
