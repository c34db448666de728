"""LP210: methods that the main process replaces in a class whose objects cross to workers."""

from __future__ import annotations

import pytest

from tests.support import marks

_PROGRAM = """\
import contextlib
import queue
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from unittest import mock


class Store:
    def put(self, name):
        return len(name)


class Other(Store):
    def put(self, name):
        return 0


def pretend(self, name):
    return -1


def save(store, name):
    return {used}


@contextlib.contextmanager
def dry_run():
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(Store, "put", pretend))
        yield


def main():
    store = Store()
    {changed}
        with ProcessPoolExecutor(2, mp_context=get_context("{start_method}")) as pool:
            print(list(pool.map({given})))


if __name__ == "__main__":
    main()
"""


def _found(
    changed: str,
    used: str = "store.put(name)",
    given: str = "partial(save, store), ['a', 'b']",
    start_method: str = "spawn",
) -> list[str]:
    text = _PROGRAM.format(changed=changed, used=used, given=given, start_method=start_method)
    return [code for _, code in marks(text) if code == "LP210"]


_PATCHED = "with mock.patch.object(Store, 'put', pretend):"
_STORED = "Store.put = pretend\n    if store:"


@pytest.mark.parametrize(
    "changed",
    [
        _PATCHED,
        _STORED,
        "with dry_run():",
        "with contextlib.ExitStack() as stack:\n        stack.enter_context(mock.patch.object(Store, 'put', pretend))",
    ],
)
@pytest.mark.parametrize("given", ["partial(save, store), ['a', 'b']", "save, [store, store], ['a', 'b']"])
def test_workers_call_the_method_on_an_object_that_crosses(changed: str, given: str) -> None:
    assert _found(changed, given=given) == ["LP210"]


@pytest.mark.parametrize(
    "changes",
    [
        {"start_method": "fork"},
        {"used": "len(name)"},
        {"used": "queue.Queue().put(name)"},
        {"given": "partial(save, Other()), ['a', 'b']"},
        # Measured with CPython 3.11: main sends `pretend` by its name, which the object in the worker does not have.
        {"given": "store.put, ['a', 'b']"},
    ],
)
@pytest.mark.parametrize("changed", [_PATCHED, _STORED])
def test_workers_do_not_call_it_on_one_or_have_what_replaces_it(changed: str, changes: dict[str, str]) -> None:
    assert _found(changed, **changes) == []


@pytest.mark.parametrize("changed", ["if store:", "with mock.patch.object(Other, 'put', pretend):"])
def test_nothing_replaces_it(changed: str) -> None:
    assert _found(changed) == []
