"""Having workers repeat what the main process did: what is written, and what must be left alone, and why."""

from __future__ import annotations

import pytest

from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.initializers import initializer_for

_HEAD = "import multiprocessing\nimport sys\nfrom decimal import getcontext\n\nTABLE = {}\nLIMIT = None\n\n\n"
_WORK = "def work(key):\n    return TABLE, LIMIT, key\n\n\n"


def repeated(text: str, made: str) -> str | None:
    """`text` after workers repeat the statement that begins with `made` for the first time in a function."""
    found = initializer_for(
        text,
        text.index(f"    {made}") + 4,
        lambda path: path in ("decimal.getcontext().prec", "sys.setrecursionlimit"),
        lambda path: path == "decimal.getcontext().prec",
    )
    return apply_edits(text, found.edits) if found is not None else None


def program(main: str, above: str = "") -> str:
    """A program whose function `main` has these lines."""
    body = "\n".join(f"    {line}" if line else "" for line in main.splitlines())
    return f"{_HEAD}{_WORK}{above}def main(limit=3):\n{body}\n\n\nif __name__ == '__main__':\n    main()\n"


_POOL = "with multiprocessing.Pool(2) as pool:\n    pool.map(work, 'ab')"


@pytest.mark.parametrize(
    ("main", "made", "definition", "passed"),
    [
        pytest.param(
            f"global LIMIT\nLIMIT = 5\n{_POOL}",
            "LIMIT = 5",
            "def _init_worker():\n    global LIMIT\n    LIMIT = 5\n",
            "Pool(2, initializer=_init_worker)",
            id="a constant for a global",
        ),
        pytest.param(
            f"TABLE['a'] = 1\nTABLE['b'] = 2\n{_POOL}",
            "TABLE['a']",
            "def _init_worker():\n    TABLE['a'] = 1\n    TABLE['b'] = 2\n",
            "Pool(2, initializer=_init_worker)",
            id="all that changes the same container",
        ),
        pytest.param(
            f"getcontext().prec = limit\n{_POOL}",
            "getcontext().prec",
            "def _init_worker(limit):\n    getcontext().prec = limit\n",
            "Pool(2, initializer=_init_worker, initargs=(limit,))",
            id="a simple local value is sent",
        ),
        pytest.param(
            "sys.setrecursionlimit(5000)\n" + _POOL.replace("Pool(2)", "Pool()"),
            "sys.setrecursionlimit",
            "def _init_worker():\n    sys.setrecursionlimit(5000)\n",
            "Pool(initializer=_init_worker)",
            id="a call without arguments gets its first one",
        ),
        pytest.param(
            "TABLE.update(a=1)\nfrom torch.utils.data import DataLoader\nDataLoader('ab', num_workers=1)",
            "TABLE.update",
            "def _init_worker(worker_id):\n    TABLE.update(a=1)\n",
            "DataLoader('ab', num_workers=1, worker_init_fn=_init_worker)",
            id="a loader calls it with the worker's number",
        ),
    ],
)
def test_workers_repeat_the_statement(main: str, made: str, definition: str, passed: str) -> None:
    after = repeated(program(main), made)
    assert after is not None
    assert definition in after
    assert passed in after
    compile(after, "example.py", "exec")


def test_a_function_that_sets_it_is_passed_itself() -> None:
    above = "def set_limit(value):\n    global LIMIT\n    LIMIT = value\n\n\n"
    after = repeated(program(f"set_limit(5)\n{_POOL}", above), "set_limit(5)")
    assert after is not None
    assert "Pool(2, initializer=set_limit, initargs=(5,))" in after
    assert "_init_worker" not in after


def test_an_initializer_for_nothing_else_is_extended() -> None:
    above = "def start():\n    print('worker')\n\n\n"
    after = repeated(program(f"TABLE['a'] = 1\n{_POOL.replace('2', '2, initializer=start')}", above), "TABLE['a']")
    assert after is not None
    assert "def start():\n    print('worker')\n    TABLE['a'] = 1\n" in after


def test_an_initializer_that_sets_one_of_the_same_globals_is_not_extended() -> None:
    own = "def set_up(limit):\n    global LIMIT\n    LIMIT = limit\n\n\n"
    configure = "def configure(limit, deep):\n    global LIMIT, DEEP\n    LIMIT = limit\n    DEEP = deep\n\n\n"
    other = configure.replace("LIMIT, DEEP", "DEEP").replace("    LIMIT = limit\n", "")
    start = _POOL.replace("Pool(2)", "Pool(2, initializer=set_up, initargs=(3,))")
    main = f"configure(3, True)\n{start}"
    assert repeated(program(main, configure + own), "configure(3, True)") is None
    assert repeated(program(main, other + own), "configure(3, True)") is not None


def test_what_is_repeated_already_is_not_repeated_again() -> None:
    once = repeated(program(f"TABLE['a'] = 1\n{_POOL}"), "TABLE['a']")
    assert once is not None
    assert once.count("initializer=") == 1
    assert once.count("TABLE['a'] = 1") == 2


@pytest.mark.parametrize(
    ("main", "made"),
    [
        pytest.param(f"if limit:\n    TABLE['a'] = 1\n{_POOL}", "TABLE['a']", id="it may not have run"),
        pytest.param(f"{_POOL}\nTABLE['a'] = 1", "TABLE['a']", id="it runs after the workers have started"),
        pytest.param(f"TABLE['a'] = input()\n{_POOL}", "TABLE['a']", id="the value is not the same elsewhere"),
        pytest.param(f"TABLE['a'] = open('f')\n{_POOL}", "TABLE['a']", id="a handle cannot be repeated"),
        pytest.param(f"TABLE.pop('a')\n{_POOL}", "TABLE.pop", id="it fails when it is done twice"),
        pytest.param(f"TABLE['a'] = 1\nTABLE.pop('a')\n{_POOL}", "TABLE['a']", id="something else changes it back"),
        pytest.param(f"rows = []\nTABLE['a'] = rows\n{_POOL}", "TABLE['a']", id="a local object would be a copy"),
        pytest.param(f"TABLE['a'] = 1\n{_POOL}\n{_POOL}", "TABLE['a']", id="two places start workers"),
        pytest.param(
            f"TABLE['a'] = 1\n{_POOL}\nmultiprocessing.Process(target=work).start()",
            "TABLE['a']",
            id="a process has no initializer",
        ),
        pytest.param(
            f"options = {{}}\nTABLE['a'] = 1\n{_POOL.replace('2', '2, **options')}",
            "TABLE['a']",
            id="an initializer may be among the options",
        ),
        pytest.param(
            f"TABLE['a'] = 1\n{_POOL.replace('2', '2, initializer=print')}",
            "TABLE['a']",
            id="another initializer is there",
        ),
    ],
)
def test_what_is_not_exact_is_left_alone(main: str, made: str) -> None:
    assert repeated(program(main), made) is None


def test_what_runs_at_import_starts_no_workers_twice() -> None:
    text = f"{_HEAD}{_WORK}if True:\n    TABLE['a'] = 1\nmultiprocessing.Pool(2)\n"
    assert repeated(text, "TABLE['a']") is None
