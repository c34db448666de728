"""LP208: globals that setters of properties bind."""

from __future__ import annotations

import pytest

from tests.support import lint, marks

TEXT = """\
import multiprocessing as mp

{above}


class Model:
    def __init__(self, size):
        self._is_shared = False
        self.size = size

    @property
    def size(self):
        return _size.value

    @size.setter
    def size(self, size):
        if self._is_shared:
            global _size
            {binds}
        else:
            self._own = size

    {method}

    def train(self):
        self._is_shared = True
        self.share()
        with mp.Pool(2) as pool:
            return pool.map(count, [1, 2])


class Other:
    def __init__(self, size):
        self.size = size


def count(number):
    {read}


{below}


if __name__ == "__main__":
    Model(3).train()
"""
BINDS = "_size = mp.Value('i', size, lock=False)"
SHARE = "def share(self):\n        self.size = 3"
READ = "return number + _size.value"


def _text(binds: str = BINDS, method: str = SHARE, read: str = READ, above: str = "", below: str = "") -> str:
    return TEXT.format(binds=binds, method=method, read=read, above=above, below=below)


def _is_found(**parts: str) -> bool:
    return [code for _, code in marks(_text(**parts))] == ["LP208"]


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"method": "def share(self):\n        self.size = self.size"},
        {"binds": f"if '_size' not in globals():\n                {BINDS}\n            _size.value = size"},
        {"above": "_size = None"},
        {"method": f"{SHARE}\n\n    def drop(self):\n        global _size\n        del _size"},
    ],
    ids=["a value", "its own", "made once", "None at import", "deleted later"],
)
def test_a_global_that_the_setter_of_a_property_binds(parts: dict[str, str]) -> None:
    assert _is_found(**parts)


def test_what_is_said_of_it() -> None:
    (found,) = lint(_text()).diagnostics
    assert "set only by the setter of `size`, which no worker calls" in found.message


@pytest.mark.parametrize(
    "parts",
    [
        {"read": "model = Model(3)\n    model._is_shared = True\n    model.size = 2\n    return _size.value"},
        {"read": "model = Model(3)\n    model.share()\n    return _size.value"},
        {"below": "MODEL = Model(3)\nMODEL._is_shared = True\nMODEL.size = 3"},
        {"below": "Model(3).share()"},
        {"binds": "self._own = size"},
        {"read": "return number"},
        {"above": "_size = mp.Value('i', 1)"},
    ],
    ids=[
        "workers store on it",
        "workers call what does",
        "stored at import",
        "called at import",
        "nothing is bound",
        "not read",
        "made at import",
    ],
)
def test_globals_that_workers_have_too(parts: dict[str, str]) -> None:
    assert not _is_found(**parts)
