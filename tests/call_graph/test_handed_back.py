"""What is done to an object through the result of a call that was given it and gives it back: it is the same object."""

from __future__ import annotations

import pytest

from tests.support import marks

PLAN = """\
from multiprocessing import Pool


class Stage:
    def __init__(self, name):
        self.name = name
        self.tests = []
        self.hook = None

    def keep(self, test):
        self.tests.append(test)
        return self


class Plan:
    def __init__(self):
        self.stages = []
        self.drafts = {{}}

    def register(self, stage):
        self.stages.append(stage)
        return stage

    def draft(self, stage):
        self.stages.append(stage)
        return Stage(stage.name + "-draft")

    def any_of(self, stage):
        self.stages.append(stage)
        return self.drafts.get(stage.name, Stage("other")) if self.drafts else stage


def named(stage, name):
    stage.name = name
    return stage


def is_even(number):
    return number % 2 == 0


def with_odd(stage):
    stage.keep(lambda n: n % 2 == 1)


def run(stage):
    return [n for n in range(10) if all(test(n) for test in stage.tests)]


def main():
    plan = Plan()
{body}
    with Pool(2) as pool:
        print(pool.map(run, plan.stages))
{after}

if __name__ == "__main__":
    main()
"""
IN_SCRIPT = PLAN.replace("def main():\n", 'if __name__ == "__main__":\n').replace(
    '\n\nif __name__ == "__main__":\n    main()\n', "\n"
)


def _found(body: str, after: str = "", program: str = PLAN) -> list[str]:
    return [code for _, code in marks(program.format(body=body, after=after))]


@pytest.mark.parametrize("program", [pytest.param(PLAN, id="main"), pytest.param(IN_SCRIPT, id="script")])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "    first = plan.register(Stage('even'))\n    first.keep(lambda n: n % 2 == 0)", id="call of a method"
        ),
        pytest.param("    first = plan.register(Stage('even'))\n    first.hook = lambda n: n", id="store"),
        pytest.param("    plan.register(Stage('even')).keep(lambda n: n % 2 == 0)", id="chain"),
        pytest.param(
            "    for name in ('even', 'odd'):\n        stage = plan.register(Stage(name))\n        with_odd(stage)",
            id="given to a function",
        ),
        pytest.param(
            "    stage = Stage('even')\n    same = named(plan.register(stage), 'odd')\n    same.keep(lambda n: n)",
            id="given back twice",
        ),
    ],
)
def test_is_done_to_the_object_itself(body: str, program: str) -> None:
    assert _found(body, program=program) == ["LP102"]


@pytest.mark.parametrize(
    ("body", "after"),
    [
        pytest.param(
            "    first = plan.register(Stage('even'))\n    first.keep(is_even)", "", id="a function of the module"
        ),
        pytest.param(
            "    first = plan.draft(Stage('even'))\n    first.keep(lambda n: n)", "", id="another object is given"
        ),
        pytest.param(
            "    first = plan.register(Stage('even'))",
            "    first.keep(lambda n: n % 2 == 0)\n    print(run(first))\n",
            id="done when the pool has ended",
        ),
        pytest.param(
            "    first = named(Stage('even'), 'odd')\n    first.keep(lambda n: n)\n    plan.register(Stage('other'))",
            "    print(run(first))\n",
            id="an object that stays",
        ),
        pytest.param(
            "    first = plan.any_of(Stage('even'))\n    first.keep(lambda n: n)", "", id="gap: one of several objects"
        ),
    ],
)
def test_is_not_done_to_what_ships(body: str, after: str) -> None:
    assert _found(body, after) == []


def test_nodes_of_a_tree_that_a_function_builds_by_calling_itself() -> None:
    program = """\
import weakref
from concurrent.futures import ProcessPoolExecutor


class Node:
    def __init__(self, name):
        self.name = name
        self.children = []
        self._up = None

    def add(self, child):
        child._up = weakref.ref(self)
        self.children.append(child)
        return child


def grow(node, depth):
    for _ in range(2) if depth else ():
        grow(node.add(Node("inner")), depth - 1)
    return node


def clades(tree):
    for child in tree.children:
        yield from child.children


def name_of(node):
    return node.name


def main():
    tree = grow(Node("root"), 4)
    with ProcessPoolExecutor() as executor:
        print(list(executor.map(name_of, clades(tree))))


if __name__ == "__main__":
    main()
"""
    assert [code for _, code in marks(program)] == ["LP116"]
    fine = program.replace("        child._up = weakref.ref(self)\n", "        child._up = self\n")
    assert marks(fine) == []
