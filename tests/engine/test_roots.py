"""The roots of projects, by the paths that the user names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_PARALLEL = """\
import multiprocessing as mp


def parmap(function, items):
    for item in items:
        mp.Process(target=call, args=(function, item)).start()


def call(function, item):
    function(item)
"""
_SCRIPT = """\
from common.parallel import parmap


def main():
    def handle(item):
        print(item)

    parmap(handle, [1, 2])


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("named", ["../tree", "../other/../tree", ".././tree/", "{absolute}"])
def test_a_tree_is_the_same_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    tree = tmp_path / "tree"
    (tmp_path / "other").mkdir()
    (tree / "common").mkdir(parents=True)
    (tree / "scripts").mkdir()
    (tree / "common/parallel.py").write_text(_PARALLEL)
    (tree / "scripts/draw.py").write_text(_SCRIPT)
    monkeypatch.chdir(tmp_path / "other")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path / "other")
    (found,) = lint_paths([named.format(absolute=tree)], resolver=resolver).diagnostics
    assert (found.code, found.location.start.row) == ("LP103", 8)
