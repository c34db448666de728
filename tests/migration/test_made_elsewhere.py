"""What `migrate` says of the nodes of a tree, which put themselves into one another: what they are given is what all
calls give that make some. The programs were run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp
import sys
import somelib


class Node:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.kids = name, parent, []
        if parent is not None:
            parent.kids.append(self)


def build(name):
    root = Node("root")
    for each in ("src", "doc"):
        middle = Node(each, root)
        Node({given}, middle)
    return root


def count(node):
    print(len(node.kids))


def main():
    root = build({name})
    process = mp.Process(target=count, args=(root,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("given", ["'a'", "each + '1'", "len(each)", "f'{each}.txt'", "name"])
@pytest.mark.parametrize("name", ["'n'", "sys.argv[1]"])
def test_they_are_given_data(given: str, name: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(given=given, name=name))) is Verdict.READY


@pytest.mark.parametrize(("given", "name"), [("somelib.find(each)", "'n'"), ("name", "somelib.find(1)")])
def test_they_are_given_what_is_not_known(given: str, name: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(given=given, name=name))) is Verdict.CANNOT_TELL


@pytest.mark.parametrize("given", ["lambda: each", "open(each)"])
def test_they_are_given_what_does_not_pickle(given: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CODE.format(given=given, name="'n'"))) is not Verdict.READY
