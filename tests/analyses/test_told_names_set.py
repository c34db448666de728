"""LP208 where code sets attributes of a module under names that it is told, as workers start."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

LIMITS = """\
RETRIES = 3
PAUSE = 0.5
ORDER = ["first", "last"]
"""
FETCH = """\
import limits


def fetch(page):
    return [page] * limits.RETRIES
"""
OVERRIDES = """\
import contextlib
import limits


@contextlib.contextmanager
def override(**values):
    before = {name: getattr(limits, name) for name in values}
    for name, value in values.items():
        setattr(limits, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(limits, name, value)


@contextlib.contextmanager
def patched(target, name, value):
    old = getattr(target, name)
    setattr(target, name, value)
    yield
    setattr(target, name, old)


def configure(values):
    for name, value in values.items():
        setattr(limits, name, value)


class Profile:
    def __init__(self, title, **changes):
        self.title = title
        self.changes = changes
        self.before = {}

    def __enter__(self):
        for name, value in self.changes.items():
            self.before[name] = getattr(limits, name)
            setattr(limits, name, value)
        return self

    def __exit__(self, *error):
        for name, value in self.before.items():
            setattr(limits, name, value)

    @contextlib.contextmanager
    def active(self):
        before = dict(vars(limits))
        for name, value in self.changes.items():
            setattr(limits, name, value)
        yield
        for name in self.changes:
            setattr(limits, name, before[name])


class Label:
    def __init__(self, **changes):
        self.changes = changes

    def apply(self, target):
        for name, value in self.changes.items():
            setattr(target, name, value)
"""
MAIN = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

import limits
from fetch import fetch
from overrides import Label, Profile, configure, override, patched


class Page:
    pass


def main(pages):
    page = Page()
    {body}


if __name__ == "__main__":
    main([1, 2])
"""
MAPS = "print(pool.map(fetch, pages))"

AFTERWARDS = f"with mp.Pool(2) as pool:\n    {MAPS}"


def _found(tmp_path: Path, body: str) -> list[str]:
    main = MAIN.format(body=body.replace("\n", "\n    "))
    for name, text in {"limits": LIMITS, "fetch": FETCH, "overrides": OVERRIDES, "main": main}.items():
        (tmp_path / f"{name}.py").write_text(text)
    return [each.code for each in lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics]


@pytest.mark.parametrize(
    "body",
    [
        f"with override(RETRIES=5), mp.Pool(2) as pool:\n    {MAPS}",
        f"with override(RETRIES=5, PAUSE=1):\n    with mp.Pool(2) as pool:\n        {MAPS}",
        f"with ProcessPoolExecutor(2) as pool, override(**{{'RETRIES': 5}}):\n    {MAPS}",
        f"with patched(limits, 'RETRIES', 5), mp.Pool(2) as pool:\n    {MAPS}",
        f"with Profile('slow', RETRIES=5), mp.Pool(2) as pool:\n    {MAPS}",
        f"slow = Profile('slow', RETRIES=5)\nwith slow.active(), mp.Pool(2) as pool:\n    {MAPS}",
        f"for profile in [Profile('fast'), Profile('slow', RETRIES=5)]:\n"
        f"    with profile.active():\n        with mp.Pool(2) as pool:\n            {MAPS}",
        f"configure({{'RETRIES': 5}})\nwith mp.Pool(2) as pool:\n    {MAPS}",
        f"configure(dict(RETRIES=5))\nwith mp.Pool(2) as pool:\n    {MAPS}",
    ],
)
def test_names_that_are_told_while_workers_start(tmp_path: Path, body: str) -> None:
    assert _found(tmp_path, body) == ["LP208"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"with override(PAUSE=1), mp.Pool(2) as pool:\n    {MAPS}", id="another name"),
        pytest.param(f"with override(RETRIES=5):\n    fetch(1)\n{AFTERWARDS}", id="left before"),
        pytest.param(f"with Profile('a', RETRIES=5):\n    fetch(1)\n{AFTERWARDS}", id="exited before"),
        pytest.param(
            f"slow = Profile('slow', RETRIES=5)\nwith slow.active():\n    fetch(1)\n{AFTERWARDS}",
            id="left by a method",
        ),
        pytest.param(f"with patched(page, 'RETRIES', 5), mp.Pool(2) as pool:\n    {MAPS}", id="of another thing"),
        pytest.param(f"with patched(limits, 'PAUSE', 5), mp.Pool(2) as pool:\n    {MAPS}", id="another text"),
        pytest.param("with override(RETRIES=5):\n    print(list(map(fetch, pages)))", id="no workers"),
        pytest.param(f"Profile('slow', RETRIES=5)\nwith mp.Pool(2) as pool:\n    {MAPS}", id="never entered"),
        pytest.param(f"Label(RETRIES=5).apply(page)\nwith mp.Pool(2) as pool:\n    {MAPS}", id="on an object"),
        pytest.param(f"with mp.Pool(2) as pool:\n    {MAPS}\nconfigure({{'RETRIES': 5}})", id="afterwards"),
        pytest.param(f"configure({{'PAUSE': 5}})\nwith mp.Pool(2) as pool:\n    {MAPS}", id="another key"),
        pytest.param(
            f"with mp.Pool(2, configure, ({{'RETRIES': 5}},)) as pool:\n    {MAPS}", id="workers are told as well"
        ),
        # gap: an object that has the names gets the module from its caller
        pytest.param(f"Label(RETRIES=5).apply(limits)\nwith mp.Pool(2) as pool:\n    {MAPS}", id="on what it is given"),
    ],
)
def test_names_that_workers_do_not_miss(tmp_path: Path, body: str) -> None:
    assert _found(tmp_path, body) == []
