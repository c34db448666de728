"""LP217: async-worker-function."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes

GUARD = "if __name__ == '__main__':\n    main()\n"
FUNCTION = "async def work(x=1):\n    return x\n"
METHOD = "class A:\n    async def work(self, x):\n        return x\n"


class TestPage(PageTests):
    code = "LP217"


@pytest.mark.parametrize(
    ("made", "passed"),
    [
        (FUNCTION, "mp.Pool(2).apply_async(work, (1,))"),
        (FUNCTION, "mp.Pool(2).imap_unordered(work, [1])"),
        (FUNCTION, "mp.Pool(2, initializer=work)"),
        (FUNCTION, "ProcessPoolExecutor(2).map(work, [1])"),
        (FUNCTION, "mp.Process(target=work, args=(1,))"),
        (FUNCTION, "DataLoader([1], num_workers=2, collate_fn=work)"),
        (FUNCTION.replace("return", "yield"), "mp.Pool(2).map(work, [1])"),
        (METHOD, "mp.Process(target=A().work, args=(1,))"),
        (METHOD, "ProcessPoolExecutor(2).submit(A().work, 1)"),
    ],
)
def test_what_is_passed(made: str, passed: str) -> None:
    assert codes(f"{made}def main():\n    {passed}\n{GUARD}") == ["LP217"]


@pytest.mark.parametrize(
    ("made", "passed"),
    [
        (FUNCTION, "ThreadPoolExecutor(2).map(work, [1])"),
        (FUNCTION, "DataLoader([1], collate_fn=work)"),
        (FUNCTION, "mp.Process(target=print, args=(work,))"),
        (f"{FUNCTION}import asyncio\ndef run(x):\n    return asyncio.run(work(x))\n", "mp.Pool(2).map(run, [1])"),
        (f"from library import synchronous\n@synchronous\n{FUNCTION}", "mp.Pool(2).map(work, [1])"),
        (f"{METHOD}    def run(self, x):\n        return 1\n", "mp.Process(target=A().run, args=(1,))"),
    ],
)
def test_what_is_not_called_as_it_is(made: str, passed: str) -> None:
    assert codes(f"{made}def main():\n    {passed}\n{GUARD}") == []
