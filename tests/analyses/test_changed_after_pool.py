"""LP210: a module-level object that the main process changes after it has made the pool."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Diagnostic, StartMethod
from tests.support import lint

_LITERAL = 'RULES = {"base": 2}\n'
_ASSIGNED = 'RULES = {}\nRULES["base"] = 2\n'
_DECORATED = """\
RULES = {}


def rule(name):
    def wrap(function):
        RULES[name] = function
        return function

    return wrap


@rule("base")
def base(item):
    return 2 * item
"""
_PROGRAM = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

FILLED

def apply_rules(item):
    return [RULES, item]


KEPTdef main():
    MAIN


if __name__ == "__main__":
    main()
"""
_KEPT = """\
class Service:
    def __init__(self):
        self.pool = POOL

    def start_campaign(self, name, value):
        RULES[name] = value

    def quote(self, items):
        return self.pool.map(apply_rules, items)


"""
_MAIN = """\
service = Service()
print(service.quote(range(4)))
service.start_campaign("summer", 1)
print(service.quote(range(4)))"""
_PLAIN = """\
with POOL as pool:
    print(pool.map(apply_rules, range(4)))
    RULES["summer"] = 1
    print(pool.map(apply_rules, range(4)))"""


def _found(filled: str = _LITERAL, main: str = _MAIN, pool: str = "Pool(2)") -> list[Diagnostic]:
    text = _PROGRAM.replace("FILLED", filled).replace("KEPT", _KEPT if "Service" in main else "")
    text = text.replace("MAIN", main.replace("\n", "\n    ")).replace("POOL", pool)
    return [each for each in lint(text).diagnostics if each.code == "LP210"]


@pytest.mark.parametrize("filled", [_LITERAL, _ASSIGNED, _DECORATED])
@pytest.mark.parametrize("main", [_MAIN, _PLAIN])
@pytest.mark.parametrize("pool", ["Pool(2)", "multiprocessing.get_context('fork').Pool(2)"])
def test_changed_after_the_pool_is_made(filled: str, main: str, pool: str) -> None:
    (found,) = _found(filled, main, pool)
    assert "after the pool has been made: the workers, forked ones too, still have it as it was" in found.message
    assert StartMethod.FORK in found.start_methods
    assert found.help == "pass it as an argument, or make the pool after the change"
    assert found.fix is None


_BEFORE = 'RULES["summer"] = 1\nwith POOL as pool:\n    print(pool.map(apply_rules, range(4)))'
_AFTER = 'with POOL as pool:\n    print(pool.map(apply_rules, range(4)))\nRULES["summer"] = 1'
_PERHAPS = 'with POOL as pool:\n    if input():\n        RULES["a"] = 1\n    print(pool.map(apply_rules, range(4)))'
_ANEW = """\
for name in ("a", "b"):
    with POOL as pool:
        print(pool.map(apply_rules, range(4)))
    RULES[name] = 1"""


@pytest.mark.parametrize(
    ("main", "pool"),
    [
        (_BEFORE, "Pool(2)"),
        (_AFTER, "Pool(2)"),
        (_ANEW, "Pool(2)"),
        (_PLAIN, "ProcessPoolExecutor(2)"),
        (_PLAIN, "Pool(2, maxtasksperchild=1)"),
        (_PLAIN.replace("    print(pool.map(apply_rules, range(4)))", "    print(pool.map(len, ['']))"), "Pool(2)"),
    ],
)
def test_a_forked_worker_may_have_it(main: str, pool: str) -> None:
    assert not any(StartMethod.FORK in each.start_methods for each in _found(main=main, pool=pool))


@pytest.mark.parametrize("main", [_BEFORE, _AFTER, _ANEW])
def test_nothing_is_said_of_workers_that_are_forked_later(main: str) -> None:
    assert not _found(main=main, pool="multiprocessing.get_context('fork').Pool(2)")


_READ_ONLY = "with POOL as pool:\n    print(pool.map(apply_rules, range(4)))"
_AT_IMPORT_ALONE = [
    _LITERAL,
    _ASSIGNED,
    _DECORATED,
    _DECORATED + '\n\n@rule("bulk")\ndef bulk(item):\n    return item\n',
]


@pytest.mark.parametrize("filled", _AT_IMPORT_ALONE)
def test_a_registry_that_is_filled_at_import_alone(filled: str) -> None:
    assert not _found(filled, _READ_ONLY)


def test_a_decorator_that_main_uses_too() -> None:
    assert not _found(_DECORATED, 'rule("late")(base)\n' + _READ_ONLY)  # gap: that one, workers lack


_TRACE = """\
import contextlib
import contextvars
import multiprocessing

_name = contextvars.ContextVar("name", default="-")


@contextlib.contextmanager
def trace(name):
    token = _name.set(name)
    try:
        yield
    finally:
        _name.reset(token)


def page(number):
    return f"{_name.get()} {number}"


class Renderer:
    def __init__(self):
        self.pool = multiprocessing.Pool(2)

    def render(self, name):
        RENDER


def main():
    renderer = Renderer()
    print(renderer.render("report"))


if __name__ == "__main__":
    main()
"""
_WITHIN = "with trace(name):\n            return self.pool.map(page, range(4))"
_BEHIND = "pages = self.pool.map(page, range(4))\n        with trace(name):\n            return pages"
_WITH_POOL = "with trace(name), multiprocessing.Pool(2) as pool:\n            return pool.map(page, range(4))"


@pytest.mark.parametrize(("render", "is_late"), [(_WITHIN, True), (_BEHIND, False), (_WITH_POOL, False)])
def test_set_by_the_function_that_gives_tasks_to_a_pool_made_before(render: str, is_late: bool) -> None:
    found = [each for each in lint(_TRACE.replace("RENDER", render)).diagnostics if each.code == "LP210"]
    assert any(StartMethod.FORK in each.start_methods for each in found) is is_late
