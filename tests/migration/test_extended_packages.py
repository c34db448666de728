"""Packages that the main process extends by other folders: workers that are not forked import from the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver
from tests.support import changed
from tests.trees import write

_PACKAGE = """\
import importlib


def extend(folder):
    __path__.append(str(folder))


def load(kind):
    return importlib.import_module(f"{__name__}.{kind}").extract
"""
_MAIN = """\
import importlib
import multiprocessing
import sys

import readers


def work(document):
    return readers.load(document[0])(document[1])


def main(folder, documents):
    readers.extend(folder)
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, documents))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main(sys.argv[1], [sys.argv[2:]])
"""
_LOAD = "readers.load(document[0])(document[1])"
_EXTEND = "readers.extend(folder)"


def said(folder: Path, main: str, package: str = _PACKAGE) -> Verdict:
    files = {
        "main.py": main,
        "readers/__init__.py": package,
        "readers/plain.py": "def extract(text):\n    return text\n",
    }
    write(folder, files)
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "3.14"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.14").boundaries
    return next((each.verdict for each in found if each.verdict is not Verdict.READY), Verdict.READY)


@pytest.mark.parametrize(
    ("main", "package"),
    [
        pytest.param(_MAIN, _PACKAGE, id="by a function of the package"),
        pytest.param(changed(_MAIN, (_EXTEND, "readers.__path__.insert(0, folder)")), _PACKAGE, id="from outside"),
        pytest.param(changed(_MAIN, (_EXTEND, "readers.__path__ += [folder]")), _PACKAGE, id="by an assignment"),
        pytest.param(
            changed(_MAIN, (_LOAD, 'importlib.import_module("readers." + document[0]).extract()')),
            _PACKAGE,
            id="imported from outside",
        ),
        pytest.param(
            changed(_MAIN, (_LOAD, 'importlib.import_module("." + document[0], "readers").extract()')),
            _PACKAGE,
            id="relative",
        ),
        pytest.param(
            changed(_MAIN, ("    return readers.load", "    from readers import scans\n    return scans.load")),
            _PACKAGE,
            id="by a statement",
        ),
    ],
)
def test_workers_do_not_find_it(main: str, package: str, tmp_path: Path) -> None:
    assert said(tmp_path, main, package) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("main", "package"),
    [
        pytest.param(changed(_MAIN, (_EXTEND, "print(folder)")), _PACKAGE, id="nothing extends it"),
        pytest.param(
            changed(_MAIN, ("    return readers", "    readers.extend('more')\n    return readers")),
            _PACKAGE,
            id="workers do so, too",
        ),
        pytest.param(
            changed(_MAIN, (_EXTEND, "print(folder)")),
            f'{_PACKAGE}\n\nextend("more")\n',
            id="as it is imported",
        ),
        pytest.param(
            changed(
                _MAIN, (f"    return {_LOAD}", "    from readers import plain\n    return plain.extract(document)")
            ),
            _PACKAGE,
            id="it is in the folder of the package",
        ),
        pytest.param(
            changed(_MAIN, (_LOAD, 'importlib.import_module("readers.plain").extract(document)')),
            _PACKAGE,
            id="by its name, in the folder of the package",
        ),
    ],
)
def test_workers_find_it(main: str, package: str, tmp_path: Path) -> None:
    assert said(tmp_path, main, package) is Verdict.READY


def test_who_is_ready_for_it_goes_on(tmp_path: Path) -> None:
    package = changed(
        _PACKAGE,
        (
            '    return importlib.import_module(f"{__name__}.{kind}").extract',
            '    try:\n        return importlib.import_module(f"{__name__}.{kind}").extract\n'
            "    except ImportError:\n        return str",
        ),
    )
    assert said(tmp_path, _MAIN, package) is Verdict.CHANGES
