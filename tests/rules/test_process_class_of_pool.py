"""LP258: process-class-of-pool."""

from __future__ import annotations

import textwrap

import pytest

from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP258"


PROGRAM = """\
import multiprocessing as mp
import multiprocessing.pool
from multiprocessing import context
from multiprocessing.pool import Pool, ThreadPool
class Worker(mp.Process):
    daemon = False
{pool}
pool = Own(2)
"""


def of(pool: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(pool=pool)) if code == "LP258"]


@pytest.mark.parametrize(
    "pool",
    [
        pytest.param("class Own(mp.pool.Pool):\n    Process = Worker", id="a class of the program"),
        pytest.param("class Own(Pool):\n    Process = mp.Process", id="that of multiprocessing"),
        pytest.param("class Own(Pool):\n    Process = context.SpawnProcess", id="that of a context"),
        pytest.param("class Own(Pool):\n    class Process(mp.Process):\n        daemon = False", id="in the body"),
        pytest.param("class Base(Pool):\n    pass\nclass Own(Base):\n    Process = Worker", id="derived again"),
    ],
)
def test_a_class_that_gets_the_context(pool: str) -> None:
    assert of(pool) == ["LP258"]


@pytest.mark.parametrize(
    "pool",
    [
        pytest.param(
            "class Own(Pool):\n    @staticmethod\n    def Process(ctx, *args, **kwds):\n        return Worker(**kwds)",
            id="a static method",
        ),
        pytest.param("class Own(Pool):\n    Process = staticmethod(make)", id="a function"),
        pytest.param("class Own(Pool):\n    Process = lambda self, ctx, **given: Worker(**given)", id="a lambda"),
        pytest.param(
            "class Context(type(mp.get_context())):\n    Process = Worker\n"
            "class Own(Pool):\n    def __init__(self, n):\n        super().__init__(n, context=Context())",
            id="the class of a context",
        ),
        pytest.param("class Own(ThreadPool):\n    Process = Worker", id="threads"),
        pytest.param("class Own:\n    Process = Worker", id="no pool"),
        pytest.param(
            "class Own(Pool):\n    Process = Worker\n    def _repopulate_pool(self):\n        self.fill()",
            id="own start of workers",
        ),
        pytest.param(
            "class Own(Pool):\n    if OLD:\n        Process = Worker\n    else:\n"
            "        Process = staticmethod(lambda ctx, **given: Worker(**given))",
            id="another one for new Pythons",
        ),
    ],
)
def test_what_takes_the_context(pool: str) -> None:
    assert of(pool) == []


@pytest.mark.parametrize(
    ("use", "confidence"),
    [
        pytest.param("with Own(2) as pool:\n    pool.map(print, [1])", "likely", id="made"),
        pytest.param("class Other(Own):\n    pass", "likely", id="derived from"),
        pytest.param("start(Own, 2)", "likely", id="passed on"),
        pytest.param('"""For `Own` see there."""', "possible", id="only named in a text"),
    ],
)
def test_a_pool_that_nothing_makes(use: str, confidence: str) -> None:
    text = PROGRAM.replace("pool = Own(2)\n", use).format(pool="class Own(Pool):\n    Process = Worker")
    found = [each for each in lint(text, pedantic=True).diagnostics if each.code == "LP258"]
    assert [each.confidence.value for each in found] == [confidence]


LOCAL = """\
import multiprocessing.pool
from multiprocessing import Process


def main(rows):
    from multiprocessing.pool import Pool, ThreadPool

    class Worker(Process):
        daemon = False

    {pool}

    with Own(2) as pool:
        return pool.map(print, rows)
"""


@pytest.mark.parametrize(
    ("pool", "is_found"),
    [
        ("class Own(multiprocessing.pool.Pool):\n        Process = Worker", True),
        ("class Own(Pool):\n        Process = Worker", True),
        ("if rows:\n        class Own(Pool):\n            Process = Worker", True),
        ("class Own(ThreadPool):\n        Process = Worker", False),
        ("class Own(Pool):\n        Process = staticmethod(lambda ctx, **given: Worker(**given))", False),
        ("class Own(Pool):\n        pass", False),
    ],
)
def test_a_pool_that_a_function_defines(pool: str, is_found: bool) -> None:
    assert ("LP258" in [code for _, code in marks(LOCAL.format(pool=pool))]) is is_found


def test_a_pool_that_a_nested_function_or_a_method_defines() -> None:
    method = "class Job:\n    def run(self, rows):\n        def inner():\n" + textwrap.indent(
        LOCAL.partition("def main(rows):\n")[2].format(pool="class Own(Pool):\n        Process = Worker"), "        "
    )
    found = marks("from multiprocessing import Process\n" + method)
    assert [code for _, code in found if code == "LP258"] == ["LP258"]
