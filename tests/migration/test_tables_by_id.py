"""Tables by the ids of objects that cross with these objects: in a worker that is not forked, these have other ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated
from tests.support import changed

_OBJECT = """\
import multiprocessing


class Node:
    def __init__(self, label):
        self.label = label


class Layout:
    def __init__(self):
        self._where = {}

    def place(self, nodes):
        for number, node in enumerate(nodes):
            self._where[id(node)] = number

    def position(self, node):
        return self._where[id(node)]


def render(nodes, layout):
    for node in nodes:
        print(node.label, layout.position(node))


def main():
    nodes = [Node("a"), Node("b")]
    layout = Layout()
    layout.place(nodes)
    worker = multiprocessing.Process(target=render, args=(nodes, layout))
    worker.start()
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
_DICT = """\
import multiprocessing


def render(nodes, where):
    for node in nodes:
        print(node, where[id(node)])


def main():
    nodes = [["a"], ["b"]]
    where = {id(node): number for number, node in enumerate(nodes)}
    worker = multiprocessing.Process(target=render, args=(nodes, where))
    worker.start()
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def said(folder: Path, program: str) -> Verdict:
    [found] = migrated(folder, program=program).boundaries
    return found.verdict


@pytest.mark.parametrize(
    ("program", "verdict"),
    [
        pytest.param(_OBJECT, Verdict.BREAKS, id="of an object"),
        pytest.param(
            changed(_OBJECT, ("return self._where[id(node)]", "key = id(node)\n        return self._where[key]")),
            Verdict.BREAKS,
            id="by a variable",
        ),
        pytest.param(
            changed(_OBJECT, ("return self._where[id(node)]", "return self._where.get(id(node))")),
            Verdict.CHANGES,
            id="with a default",
        ),
        pytest.param(
            changed(
                _OBJECT,
                ("self._where = {}", "self._where = set()"),
                ("self._where[id(node)] = number", "self._where.add(id(node))"),
                ("self._where[id(node)]", "id(node) in self._where"),
            ),
            Verdict.CHANGES,
            id="in a set",
        ),
        pytest.param(_DICT, Verdict.BREAKS, id="a dict that is passed"),
        pytest.param(
            changed(
                _DICT,
                (
                    "{id(node): number for number, node in enumerate(nodes)}",
                    "{}\n    for node in nodes:\n        where[id(node)] = node[0]",
                ),
            ),
            Verdict.BREAKS,
            id="a dict that is filled and passed",
        ),
    ],
)
def test_what_is_looked_up_by_its_id(program: str, verdict: Verdict, tmp_path: Path) -> None:
    assert said(tmp_path, program) is verdict


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            changed(_OBJECT, ("        print(node.label", "        layout.place(nodes)\n        print(node.label")),
            id="workers fill it, too",
        ),
        pytest.param(changed(_OBJECT, ("[id(node)]", "[node.label]")), id="by a name"),
        pytest.param(
            changed(_OBJECT, ("print(node.label, layout.position(node))", "print(node.label, layout)")),
            id="not looked up there",
        ),
        pytest.param(
            changed(
                _DICT,
                (
                    "    for node in nodes:\n        print",
                    "    where = {id(node): 1 for node in nodes}\n    for node in nodes:\n        print",
                ),
            ),
            id="workers make their own",
        ),
    ],
)
def test_nothing_is_said(program: str, tmp_path: Path) -> None:
    assert said(tmp_path, program) is Verdict.READY


def test_of_a_class_that_fills_it_again_it_is_not_known(tmp_path: Path) -> None:
    hook = "    def __setstate__(self, state):\n        self._where = {}\n        self.place(state['nodes'])\n\n"
    program = changed(_OBJECT, ("    def position", f"{hook}    def position"))
    assert said(tmp_path, program) is not Verdict.BREAKS
