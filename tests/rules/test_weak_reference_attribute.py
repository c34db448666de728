"""LP116: weak-reference-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP116"


_TREE = """
import weakref
from multiprocessing import Pool


class Node:
    def __init__(self, name, parent=None):
        self.name = name
        self.children = []
        self.table = {{}}
        self.parent = {parent}
        if parent is not None:
            {put}


def build(levels):
    root = Node("root")
    stack = [(root, levels)]
    while stack:
        node, left = stack.pop()
        if left:
            stack.append((Node("child", node), left - 1))
    return root


def depth(node):
    return len(node.children)


def main():
    root = build(3)
    with Pool(2) as pool:
        print(pool.{call})
"""
_WEAK = "weakref.ref(parent) if parent is not None else None"


@pytest.mark.parametrize(
    ("parent", "put", "call", "fires"),
    [
        (_WEAK, "parent.children.append(self)", "map(depth, root.children)", True),
        (_WEAK, "parent.children.append(self)", "apply(depth, (root,))", True),
        (_WEAK, "parent.table[name] = self", "apply(depth, (root,))", True),
        ("parent", "parent.children.append(self)", "map(depth, root.children)", False),
        (_WEAK, "parent.children.append(self)", "map(depth, [root.name])", False),
    ],
)
def test_nodes_that_put_themselves_into_their_parents(parent: str, put: str, call: str, fires: bool) -> None:
    text = _TREE.format(parent=parent, put=put, call=call)
    assert ("LP116" in [code for _, code in marks(text)]) is fires


GROWN = """\
import weakref
from concurrent.futures import ProcessPoolExecutor


class Node:
    def __init__(self):
        self.children = []
        self.up = None

    def add(self, child):
        child.up = weakref.ref(self)
        self.children.append(child)
        return child


def grow(node, depth):
    for _ in range(2 if depth else 0):
        grow(node.add(Node()), depth - 1)
    return node


def clades(tree):
    for child in tree.children:
        yield {given}


def count(node):
    return len(node.children)


def main():
    tree = grow(Node(), 4)
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(count, clades(tree))))


if __name__ == "__main__":
    main()
"""


def test_what_a_generator_takes_from_a_tree() -> None:
    assert [code for _, code in marks(GROWN.format(given="child"))] == ["LP116"]
    assert marks(GROWN.format(given="len(child.children)")) == []
    assert [code for _, code in marks(GROWN.replace("yield {given}", "yield from child.children"))] == ["LP116"]
