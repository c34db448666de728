"""A loader that has no workers unless the user asks for some is only possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.trees import write

_LOADING = """\
from torch.utils.data import DataLoader


def load(rows, args):
    return DataLoader(rows, num_workers=args.num_workers, collate_fn=lambda batch: batch)
"""
_MAIN = """\
import argparse

from loading import load


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument({option})
    args = parser.parse_args()
    {more}
    for batch in load([1, 2, 3], args):
        print(batch)


if __name__ == "__main__":
    main()
"""


def _found(option: str, more: str, folder: Path, is_pedantic: bool = False) -> list[tuple[str, str]]:
    write(folder, {"loading.py": _LOADING, "main.py": _MAIN.format(option=option, more=more)})
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"pedantic": is_pedantic})
    found = lint_paths([str(folder)], resolver=resolver).diagnostics
    return [(each.code, each.confidence.value) for each in found if each.code == "LP201"]


@pytest.mark.parametrize(
    "option",
    [
        '"--num_workers", type=int, default=0',
        '"--num-workers", default=0, type=int, help="processes that load"',
        '"-j", "--num_workers", type=int, default=0',
    ],
)
def test_an_option_that_is_0_by_default(option: str, tmp_path: Path) -> None:
    assert _found(option, "print(args)", tmp_path) == []
    assert _found(option, "print(args)", tmp_path, is_pedantic=True) == [("LP201", "possible")]


@pytest.mark.parametrize(
    ("option", "more"),
    [
        ('"--num_workers", type=int, default=2', "print(args)"),
        ('"--num_workers", type=int', "print(args)"),
        ('"--num_workers", type=int, default=count()', "print(args)"),
        ('"--num_workers", type=int, default=0', "args.num_workers = 4"),
        ('"--num_workers", type=int, default=0', "args = argparse.Namespace(num_workers=4)"),
        ('"--num_workers", type=int, default=0', "print({'num_workers': 4})"),
        ('"--num_workers", type=int, default=0', "print('usage: main.py --num_workers 4')"),
        ('"--num_workers", type=int, default=0', "parser.add_argument('--num_workers', default=1)"),
    ],
)
def test_an_option_that_may_be_another_number(option: str, more: str, tmp_path: Path) -> None:
    assert _found(option, more, tmp_path) != []
