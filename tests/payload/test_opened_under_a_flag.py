"""Objects that open a handle under a flag and close it again under the same one. Each program is run for the truth."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType

import pytest

from tests.support import marks

PROGRAM = """\
import sqlite3
from multiprocessing import Pool


class Store:
    def __init__(self, path, keep=True):
        self.path = path
        self.keep = keep
        self.connection = None
        self.names = None

    def open(self):
        self.connection = sqlite3.connect(self.path)

    def close(self):
        self.connection.close()
        self.connection = None

    def read(self, verbose=False):
{body}


def names_in(store):
    return store.names


def main(paths):
    stores = []
    for path in paths:
        store = Store(path)
        store.read()
        stores.append(store)
    with Pool() as pool:
        print(pool.map(names_in, stores))


if __name__ == "__main__":
    main([":memory:"])
"""

CLOSED = {
    "the same flag": """\
closed = self.connection is None
if closed:
    self.open()
self.names = list(self.connection.execute("select 1"))
if closed:
    self.close()
""",
    "a part of the same test": """\
closed = self.connection is None
if closed and self.keep:
    self.open()
print(self.names)
if closed:
    self.close()
""",
    "the same branch without the flag": """\
opened = self.connection is not None
if not opened:
    self.open()
if not opened:
    self.close()
""",
    "both branches": """\
closed = self.connection is None
if closed:
    self.open()
else:
    print("open")
if not closed:
    print("stays open")
else:
    self.close()
""",
}
OPEN = {
    "another flag": """\
closed = self.connection is None
if closed:
    self.open()
if verbose:
    self.close()
""",
    "the flag is set again": """\
closed = self.connection is None
if closed:
    self.open()
closed = self.names is not None
if closed:
    self.close()
""",
    "a part of the flag's test more": """\
closed = self.connection is None
if closed:
    self.open()
if closed and verbose:
    self.close()
""",
    "an attribute that opening changes": """\
if self.connection is None:
    self.open()
if self.connection is None:
    self.close()
""",
    "the other branch": """\
closed = self.connection is None
if closed:
    self.open()
if not closed:
    self.close()
""",
    "never closed": """\
closed = self.connection is None
if closed:
    self.open()
""",
}


def _program(body: str) -> str:
    return PROGRAM.format(body="".join(f"        {line}\n" for line in body.splitlines()))


def _crosses(program: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    module = ModuleType("stores")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(program, module.__dict__)
    store = module.Store(":memory:")
    store.read()
    try:
        pickle.dumps(store)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("body", CLOSED.values(), ids=CLOSED)
def test_what_is_closed_again(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program(body)
    assert _crosses(program, monkeypatch)
    assert marks(program) == []


@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN)
def test_what_stays_open(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program(body)
    assert not _crosses(program, monkeypatch)
    assert [code for _, code in marks(program)] == ["LP110"]
