"""LP208: what the workers of another script begin with calls a function of its own, even if this one has another by
the same name. Measured with CPython 3.11 under spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

BOOK = """\
_book = None


def open_book(name):
    global _book
    _book = {"green": ("blue", name)}
"""
MIX = """\


def mix(colour):
    return _book.get(colour, ())
"""
PROGRAM = """\
import multiprocessing as mp

{start}

def main():
    open_book("basic")
    with mp.Pool(2{given}) as pool:
        print(pool.map(mix, ["green", "red"]))


if __name__ == "__main__":
    main()
"""
ALONE = PROGRAM.format(start=f"{BOOK}{MIX}", given="")
BEGIN = "\n\ndef begin(name):\n    open_book(name)\n"
BESIDE = {
    "as itself": PROGRAM.format(start=f"{BOOK}{MIX}", given=', open_book, ("basic",)'),
    "by its name": PROGRAM.format(start=f"{BOOK}{MIX}", given=', initializer=open_book, initargs=("basic",)'),
    "called": PROGRAM.format(start=f"{BOOK}{MIX}{BEGIN}", given=', initializer=begin, initargs=("basic",)'),
}
IMPORTING = "from paints import open_book, mix\n"
OPTIONS = 'OPTIONS = {"initializer": begin, "initargs": ("basic",)}\n'


def _codes(folder: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    for name, text in files.items():
        (folder / name).write_text(text)
    resolver = SettingsResolver(cwd=folder, isolated=True)
    found = lint_paths([str(folder)], resolver=resolver).diagnostics
    return [(each.code, Path(each.location.path).name) for each in found]


@pytest.mark.parametrize("beside", [pytest.param(text, id=name) for name, text in BESIDE.items()])
def test_a_script_beside_it_has_its_own(tmp_path: Path, beside: str) -> None:
    assert _codes(tmp_path, {"mix_paint.py": ALONE, "mix_dough.py": beside}) == [("LP208", "mix_paint.py")]


@pytest.mark.parametrize("beside", [pytest.param(text, id=name) for name, text in BESIDE.items()])
def test_workers_with_their_own_initializer(tmp_path: Path, beside: str) -> None:
    assert _codes(tmp_path, {"mix_dough.py": beside}) == []


@pytest.mark.parametrize(
    "begin",
    [
        pytest.param("from paints import open_book\n\n\ndef begin(name):\n    open_book(name)\n", id="function"),
        pytest.param("import paints\n\n\ndef begin(name):\n    paints.open_book(name)\n", id="module"),
        pytest.param(
            "import paints\n\n\ndef open_book(name):\n    paints.open_book(name)\n\n\nbegin = open_book\n",
            id="same name",
        ),
        pytest.param("def begin(name):\n    from paints import open_book\n    open_book(name)\n", id="in a function"),
    ],
)
def test_initializers_of_modules_that_import_it(tmp_path: Path, begin: str) -> None:
    """The options of the pool are not followed (a service has read them), but the initializer is named in them."""
    start = f"{IMPORTING}from options import OPTIONS\nfrom service import merged\n"
    main = PROGRAM.format(start=start, given=", **merged(OPTIONS)")
    files = {"paints.py": BOOK + MIX, "options.py": f"{begin}\n\n{OPTIONS}", "main.py": main}
    assert _codes(tmp_path, files) == []
