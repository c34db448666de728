"""Attributes that calls put on an object under names that they are told: `toolbox.register("run", task, 3)`."""

from __future__ import annotations

import pytest

from tests.support import marks

OWN = """\
class Toolbox:
    def register(self, alias, function, *args, **kargs):
        task = partial(function, *args, **kargs)
        setattr(self, alias, task)
"""
OF_LIBRARY = "from deap.base import Toolbox\n"
PLAIN = """\
class Toolbox:
    def register(self, alias, function):
        print(alias, function)
"""
HEAD = """\
from functools import partial
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


def double(item):
    return item * 2


"""
IN_FUNCTION = """

def main(items):
    toolbox = Toolbox()
    with Pool(2) as pool, ThreadPool(2) as threads:
        {first}
        print(list({use}))


if __name__ == "__main__":
    main([1, 2])
"""
AT_MODULE_LEVEL = """

toolbox = Toolbox()
toolbox.register("task", lambda item: item)


def main(items):
    print(list({use}))


if __name__ == "__main__":
    pool, threads = Pool(2), ThreadPool(2)
    {first}
    main([1, 2])
"""
GIVEN = """

def evolve(toolbox, items):
    return list({use})


def main(items):
    toolbox = Toolbox()
    with Pool(2) as pool, ThreadPool(2) as threads:
        {first}
        print(evolve(toolbox, items))


if __name__ == "__main__":
    main([1, 2])
"""
TASK = 'toolbox.register("task", lambda item: item)'
MAP = 'toolbox.register("map", pool.map)'


def _codes(kind: str, form: str, first: str, use: str) -> list[str]:
    return [code for _, code in marks(HEAD + kind + form.format(first=first, use=use))]


@pytest.mark.parametrize("kind", [OWN, OF_LIBRARY])
@pytest.mark.parametrize(
    ("form", "first", "use"),
    [
        (IN_FUNCTION, TASK, "pool.map(toolbox.task, items)"),
        (IN_FUNCTION, 'toolbox.register("task", double, lambda: 1)', "pool.map(toolbox.task, items)"),
        (IN_FUNCTION, 'toolbox.register("task", double, key=lambda: 1)', "pool.map(toolbox.task, items)"),
        (IN_FUNCTION, f"{MAP}; {TASK}", "toolbox.map(toolbox.task, items)"),
        (IN_FUNCTION, MAP, "toolbox.map(lambda item: item, items)"),
        (IN_FUNCTION, 'toolbox.register("each", pool.imap)', "toolbox.each(lambda item: item, items)"),
        (IN_FUNCTION, 'toolbox.register("map", pool.map, chunksize=2)', "toolbox.map(lambda item: item, items)"),
        (GIVEN, f"{MAP}; {TASK}", "toolbox.map(toolbox.task, items)"),
        (AT_MODULE_LEVEL, MAP, "toolbox.map(toolbox.task, items)"),
    ],
)
def test_a_lambda_that_is_sent(kind: str, form: str, first: str, use: str) -> None:
    assert _codes(kind, form, first, use) == ["LP201"]


@pytest.mark.parametrize("kind", [OWN, OF_LIBRARY])
@pytest.mark.parametrize(
    ("form", "first", "use"),
    [
        (IN_FUNCTION, 'toolbox.register("task", double)', "pool.map(toolbox.task, items)"),
        (IN_FUNCTION, TASK, "threads.map(toolbox.task, items)"),
        (IN_FUNCTION, f'toolbox.register("map", threads.map); {TASK}', "toolbox.map(toolbox.task, items)"),
        (IN_FUNCTION, f'toolbox.register("map", map); {TASK}', "toolbox.map(toolbox.task, items)"),
        (
            IN_FUNCTION,
            f'{MAP}; toolbox.register("task", double); toolbox.register("other", lambda: 1)',
            "toolbox.map(toolbox.task, items)",
        ),
        (GIVEN, f'toolbox.register("map", threads.map); {TASK}', "toolbox.map(toolbox.task, items)"),
        (AT_MODULE_LEVEL, 'toolbox.register("map", threads.map)', "toolbox.map(toolbox.task, items)"),
        (AT_MODULE_LEVEL, MAP, "toolbox.map(double, items)"),
    ],
)
def test_what_is_not_sent_or_can_be(kind: str, form: str, first: str, use: str) -> None:
    assert _codes(kind, form, first, use) == []


@pytest.mark.parametrize("form", [IN_FUNCTION, GIVEN])
def test_a_method_that_keeps_nothing(form: str) -> None:
    assert _codes(PLAIN, form, f"{MAP}; {TASK}", "toolbox.map(toolbox.task, items)") == []


def test_what_a_function_registers_on_an_object_of_the_module() -> None:
    first = f"with Pool(2) as pool:\n        {MAP}\n        print(list(toolbox.map(toolbox.task, items)))"
    text = HEAD + AT_MODULE_LEVEL.format(first="pass", use="items").replace("print(list(items))", first)
    for kind in (f"{OF_LIBRARY}", f"{OWN}\n\n"):
        own = text.replace("\n\n\ntoolbox", f"\n\n\n{kind}toolbox")
        assert [code for _, code in marks(own)] == ["LP201"]
        assert marks(own.replace("pool.map)", "map)")) == []
