"""Start methods that a program sets: what would happen under another one is not told."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from tests.support import lint_files, marks

_DRAWS = """\
import multiprocessing
from multiprocessing import Pool, get_start_method, set_start_method

import numpy as np

{sets}


def draw(row):
    return row + np.random.uniform()


def main():
    with Pool(4) as pool:
        print(pool.map(draw, range(100)))
        print(np.random.uniform())


if __name__ == "__main__":
    main()
"""


def _is_forked(sets: str) -> bool:
    return any(code == "LP309" for _, code in marks(_DRAWS.format(sets=sets)))


@pytest.mark.parametrize(
    "sets",
    [
        "set_start_method('spawn')",
        "if get_start_method() != 'spawn':\n    set_start_method('spawn', force=True)",
        "if get_start_method(allow_none=True) is None:\n    set_start_method('forkserver')",
        "if multiprocessing.get_start_method() == 'fork':\n    multiprocessing.set_start_method('spawn', force=True)",
        "if (\n get_start_method() != 'spawn'\n and os.environ.get('DOC') != '1'\n):\n    set_start_method('spawn')",
    ],
)
def test_that_which_is_set_whatever_was_before(sets: str) -> None:
    assert not _is_forked(sets)
    tried = f"try:\n{indent(sets, '    ')}\nexcept RuntimeError:\n    print('set before')"
    assert not _is_forked(tried)


@pytest.mark.parametrize(
    "sets",
    [
        "",
        "if input():\n    set_start_method('spawn')",
        "if get_start_method() != 'spawn' and input():\n    set_start_method('spawn', force=True)",
        "if get_start_method() != 'fork':\n    set_start_method('fork', force=True)",
        "if get_start_method() != 'spawn':\n    print('forked')\nif input():\n    set_start_method('spawn')",
    ],
)
def test_that_which_may_not_be_set(sets: str) -> None:
    assert _is_forked(sets)


_LIBRARY = """\
{pin}
SETTINGS = None


def configure(value):
    global SETTINGS
    SETTINGS = value


def work(number):
    return SETTINGS["scale"] * number
"""
_SCRIPT = """\
import multiprocessing as mp

import library
{imports}

def main():
    {pin}
    library.configure({{"scale": 2}})
    with mp.Pool(2) as pool:
        print(pool.map(library.work, [1, 2]))


if __name__ == "__main__":
    {guarded}
    main()
"""
_PIN = "mp.set_start_method('fork')"
_PINNED = _SCRIPT.format(imports="", pin=_PIN, guarded="pass")


def _is_missed(folder: Path, **files: str) -> bool:
    """Whether workers that the script `second` starts are said to miss a global."""
    found = lint_files(folder, {f"{name}.py": text for name, text in files.items()})
    places = [hop.location.path for each in found if each.code == "LP208" for hop in each.trail]
    return any(place.endswith("second.py") for place in places)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(_PINNED, id="in the main function"),
        pytest.param(_SCRIPT.format(imports="", pin="pass", guarded=_PIN), id="under the main guard"),
    ],
)
def test_another_script_does_not_set_it(tmp_path: Path, first: str) -> None:
    second = _SCRIPT.format(imports="", pin="pass", guarded="pass")
    assert _is_missed(tmp_path, library=_LIBRARY.format(pin=""), first=first, second=second)


@pytest.mark.parametrize(
    ("imports", "pin", "guarded"),
    [("", _PIN, "pass"), ("", "pass", _PIN), ("import first", "pass", "pass"), ("import third", "pass", "pass")],
)
def test_the_script_sets_it_or_what_it_imports(tmp_path: Path, imports: str, pin: str, guarded: str) -> None:
    second = _SCRIPT.format(imports=imports, pin=pin, guarded=guarded)
    library, third = _LIBRARY.format(pin=""), "def run():\n    import first\n    first.main()\n"
    assert not _is_missed(tmp_path, library=library, first=_PINNED, third=third, second=second)


def test_a_script_that_the_other_one_imports(tmp_path: Path) -> None:
    first = _SCRIPT.format(imports="import second", pin=_PIN, guarded="pass")
    second = _SCRIPT.format(imports="", pin="pass", guarded="pass")
    assert not _is_missed(tmp_path, library=_LIBRARY.format(pin=""), first=first, second=second)


@pytest.mark.parametrize("pin", ["import multiprocessing as mp\nmp.set_start_method('fork')", "import settings"])
def test_a_library_that_sets_it_at_import(tmp_path: Path, pin: str) -> None:
    second = _SCRIPT.format(imports="", pin="pass", guarded="pass")
    settings = f"import multiprocessing as mp\n{_PIN}\n"
    assert not _is_missed(tmp_path, library=_LIBRARY.format(pin=pin), settings=settings, second=second)


def test_workers_that_a_library_starts_for_two_scripts(tmp_path: Path) -> None:
    starts = "\n\ndef start():\n    with mp.Pool(2) as pool:\n        print(pool.map(work, [1, 2]))\n"
    library = f"import multiprocessing as mp\n{_LIBRARY.format(pin='')}{starts}"
    script = "import multiprocessing as mp\nimport library\n\n\ndef main():\n    {}\n    library.configure({{}})\n"
    script += "    library.start()\n\n\nif __name__ == '__main__':\n    main()\n"
    files = {"first": script.format(_PIN), "second": script.format("pass")}
    assert not _is_missed(tmp_path, library=library, **files)  # gap: the second one sets no method
