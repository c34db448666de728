"""What is known of unpickling: which globals do harm, what `torch.load(weights_only=True)` of each torch takes, and
what calls make. It is read from the TOML files of this package: one `torch-<version>.toml` for each torch that was
measured."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from lintpickle import disk
from lintpickle.toml_text import read_toml

_HERE = Path(__file__).parent


class AllowList(Struct, frozen=True):
    """What the restricted unpickler of one torch takes: `globals` by their paths, opcodes by their names in
    `pickletools`. Nothing of the modules `blocked` can be allowed."""

    torch: str
    blocked: frozenset[str]
    opcodes: frozenset[str]
    globals: frozenset[str]


class Makers(Struct, frozen=True):
    """What calls make; see `makers.toml`."""

    classes: frozenset[str]
    plain: frozenset[str]
    dtypes: dict[str, str]

    def dtype_class(self, code: str) -> str | None:
        """The class of a NumPy dtype of that code ("f8", "U12"); None if it is not known."""
        code = code.lstrip("<>=|")
        return self.dtypes.get(code) or self.dtypes.get(code[:1])

    def is_class(self, path: str) -> bool:
        """Whether a global is a class, as far as its name tells."""
        return path in self.classes or path.rpartition(".")[2].lstrip("_")[:1].isupper()


@cache
def allow_lists() -> tuple[AllowList, ...]:
    """The allow-lists of all torch versions that were measured, the newest first."""
    found = []
    for path in _HERE.glob("torch-*.toml"):
        table = _table(path.name)
        found.append(
            AllowList(
                table["torch"], frozenset(table["blocked"]), frozenset(table["opcodes"]), frozenset(table["globals"])
            )
        )
    return tuple(sorted(found, key=lambda each: [int(part) for part in each.torch.split(".")], reverse=True))


@cache
def makers() -> Makers:
    """What calls make."""
    table = _table("makers.toml")
    return Makers(frozenset(table["classes"]), frozenset(table["plain"]), table["dtypes"])


def harm(path: str) -> str | None:
    """What calling a global does besides making an object ("runs a program or changes the system"); None if it is not
    known to do anything."""
    exact, below = _dangers()
    if path in exact:
        return exact[path]
    head = path.rpartition(".")[0]
    while head:
        if head in below:
            return below[head]
        head = head.rpartition(".")[0]
    return None


@cache
def _dangers() -> tuple[dict[str, str], dict[str, str]]:
    exact: dict[str, str] = {}
    below: dict[str, str] = {}
    for row in _table("dangers.toml")["danger"]:
        for name in row["names"]:
            if name.endswith(".*"):
                below[name[:-2]] = row["does"]
            else:
                exact[name] = row["does"]
    return exact, below


def _table(name: str) -> dict[str, Any]:
    return read_toml(disk.text(_HERE / name))
