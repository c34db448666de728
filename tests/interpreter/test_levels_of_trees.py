"""What is done to an object as an item of a list that a loop binds anew: a tree that is built level by level."""

from __future__ import annotations

import pytest

from tests.support import marks

TREE = """\
import weakref
from concurrent.futures import ProcessPoolExecutor


class Node:
    def __init__(self, name):
        self.name = name
        self.children = []
        self._parent = None

    def attach(self, child):
        child._parent = weakref.ref(self)
        self.children.append(child)
        return child

    def add(self, child):
        self.children.append(child)
        return child


def build(levels, fanout, other, is_deep=True):
    root = Node("root")
{body}
    return root


def cost(node):
    return len(node.name)


def main():
    with ProcessPoolExecutor() as executor:
        print(list(executor.map(cost, build(3, 3, Node("x")).children)))


if __name__ == "__main__":
    main()
"""
LEVELS = "    layer = [root]\n    for level in range(levels):\n"


def _found(body: str) -> list[tuple[int, str]]:
    return [each for each in marks(TREE.format(body=body)) if each[1] == "LP116"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    root.attach(Node('a'))", id="the root itself"),
        pytest.param(
            f"{LEVELS}        layer = [each.attach(Node(f'{{k}}')) for each in layer for k in range(fanout)]",
            id="a comprehension",
        ),
        pytest.param(
            f"{LEVELS}        following = []\n        for each in layer:\n"
            "            following.append(each.attach(Node('a')))\n        layer = following",
            id="a loop",
        ),
        pytest.param(
            "    layer = [root] if is_deep else []\n    for each in layer:\n        each.attach(Node('a'))",
            id="a choice",
        ),
    ],
)
def test_parents_of_nodes_of_a_level(body: str) -> None:
    assert _found(body) == [(12, "LP116")]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{LEVELS}        layer = [each.add(Node('a')) for each in layer]", id="another method"),
        pytest.param(
            "    layer = [root]\n    layer = [other]\n    for level in range(levels):\n"
            "        layer = [each.attach(Node('a')) for each in layer]",
            id="another object",
        ),
        pytest.param(
            f"{LEVELS}        others = [each.attach(Node('a')) for each in other.children]\n        layer = [root]",
            id="another list",
        ),
        pytest.param(
            f"{LEVELS}        layer = [each.add(Node('a')) for each in layer]\n        layer[0].name = 'b'",
            id="a plain attribute",
        ),
        # gap: what is taken out of a list to which a loop adds.
        pytest.param(
            "    waiting = [root]\n    while waiting:\n        each = waiting.pop()\n"
            "        waiting.append(each.attach(Node('a')))",
            id="popped",
        ),
    ],
)
def test_nodes_that_keep_no_parent(body: str) -> None:
    assert _found(body) == []


def test_a_node_that_leaves_out_its_parent() -> None:
    hook = (
        "    def __getstate__(self):\n        return {'name': self.name, 'children': self.children}\n\n    def attach"
    )
    body = f"{LEVELS}        layer = [each.attach(Node('a')) for each in layer]"
    text = TREE.format(body=body).replace("    def attach", hook)
    assert [each for each in marks(text) if each[1] == "LP116"] == []
