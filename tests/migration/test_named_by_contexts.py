"""Objects of a module that a context manager gives to the name behind `as`: what is stored on the name is stored on
them. Measured with CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

OPTIONS = """\
import contextlib
import copy
from dataclasses import dataclass, field


@dataclass
class Options:
    half_life: float = 24.0
    boosts: dict = field(default_factory=dict)
    locked: bool = True

    @contextlib.contextmanager
    def unlocked(self):
        self.locked = False
        yield self

    @contextlib.contextmanager
    def copied(self):
        yield copy.copy(self)


_options = Options()


def current():
    return _options


@contextlib.contextmanager
def editing():
    _options.locked = False
    try:
        yield _options
    finally:
        _options.locked = True


@contextlib.contextmanager
def edited(options):
    yield options


@contextlib.contextmanager
def trying():
    yield Options()


class Editing:
    def __enter__(self):
        return _options

    def __exit__(self, *error):
        pass


class Trying:
    half_life = 1.0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass
"""
MAIN = """\
from concurrent.futures import ProcessPoolExecutor

import options


def score(age):
    return 0.5 ** (age / options.current().half_life), options.current().boosts


def main():
    {change}
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(score, [1, 2])))


if __name__ == "__main__":
    main()
"""


def said(folder: Path, change: str) -> Verdict:
    (folder / "options.py").write_text(OPTIONS, encoding="utf-8")
    return worst(migrated(folder, MAIN.format(change=change)))


@pytest.mark.parametrize(
    "change",
    [
        "with options.editing() as opts:\n        opts.half_life = 3.0",
        "with options.editing() as opts:\n        opts.boosts['robots'] = 2.0",
        "with options.editing() as opts:\n        opts.boosts.update(robots=2.0)",
        "with options.editing() as opts:\n        opts.boosts = {word: 2.0 for word in ('robots', 'rust')}",
        "with options.Editing() as opts:\n        opts.half_life = 3.0",
        "with options._options.unlocked() as opts:\n        opts.half_life = 3.0",
        "with options.edited(options._options) as opts:\n        opts.half_life = 3.0",
    ],
)
def test_what_is_stored_on_the_name_is_missed(change: str, tmp_path: Path) -> None:
    assert said(tmp_path, change) is Verdict.CHANGES


@pytest.mark.parametrize(
    "change",
    [
        "with options.trying() as opts:\n        opts.half_life = 3.0",
        "with options.Trying() as opts:\n        opts.half_life = 3.0",
        "with options._options.copied() as opts:\n        opts.half_life = 3.0",
        "with options.edited(options.Options()) as opts:\n        opts.half_life = 3.0",
        "with options.editing() as opts:\n        print(opts.half_life)",
        "editor = options.Editing()\n    editor.half_life = 3.0",
        "with options.editing() as opts:\n        opts.locked = False",  # No worker reads that.
    ],
)
def test_what_is_stored_on_others_is_not(change: str, tmp_path: Path) -> None:
    assert said(tmp_path, change) is Verdict.READY
