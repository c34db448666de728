"""Variables of the environment that a function sets for the names that it is given, and that a module reads at import.
Measured with CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import contextlib
import multiprocessing as mp
import os

MOST = int(os.environ.get("EXPORT_MOST", "100"))


def place({given}):
    {put}


@contextlib.contextmanager
def placed({given}):
    saved = dict(os.environ)
    {put}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)


def export(number):
    {first}
    return min(number, MOST)


def run():
    with mp.Pool(2) as pool:
        print(pool.map(export, [1, 200]))


def main():
    {main}


if __name__ == "__main__":
    main()
"""
FORM = {
    "given": "**values",
    "put": "os.environ.update({key: str(value) for key, value in values.items()})",
    "first": "pass",
    "main": "with placed(EXPORT_MOST=5):\n        run()",
}
CALLED = "place(EXPORT_MOST=5)\n    run()"


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"main": CALLED},
        {"put": "os.environ.update(values)", "main": 'place(EXPORT_MOST="5")\n    run()'},
        {"put": "os.environ.update(**values)", "main": 'place(EXPORT_MOST="5")\n    run()'},
        {"put": "os.environ |= values", "main": 'place(OTHER="6", EXPORT_MOST="5")\n    run()'},
        {"put": "os.environ |= {key: str(values[key]) for key in values}", "main": CALLED},
        {"put": "for key, value in values.items():\n        os.environ[key] = str(value)", "main": CALLED},
        {"given": "values", "main": 'place({"EXPORT_MOST": 5})\n    run()'},
        {"given": "values", "main": "place(dict(EXPORT_MOST=5))\n    run()"},
        {"given": "values", "main": 'values = {"EXPORT_MOST": 5}\n    place(values)\n    run()'},
    ],
)
def test_what_is_set_for_the_names_that_are_given(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(**{**FORM, **changed}))) is Verdict.CHANGES


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"main": "run()"}, id="nobody calls it"),
        pytest.param({"main": "with placed(OTHER=5):\n        run()"}, id="another name"),
        pytest.param({"main": "run()\n    place(EXPORT_MOST=5)"}, id="after the workers"),
        pytest.param({"put": "print(values)"}, id="nothing is put there"),
        pytest.param({"put": "os.environ.update({str(len(values)): 'x'})"}, id="under another name"),
        pytest.param({"put": "dict().update(values)"}, id="elsewhere"),
    ],
)
def test_what_is_not_set(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(**{**FORM, **changed}))) is Verdict.READY
