"""`--pedantic`: an object of a class that nothing is made to ship, which its program only uses, is not told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_PROGRAM = """\
import sys
import threading
from collections import deque
{imports}


class Meter:
    \"\"\"Counts; what a meter counts it says.\"\"\"

    def __init__(self, name):
        self.name = name
        self.count = 0
        self._lock = threading.Lock()
        {kept}

    def add(self, number):
        with self._lock:
            self.count += number
        return self.count
{top}

def main():
    {body}


if __name__ == "__main__":
    main()
"""


def _codes(folder: Path, body: str, top: str = "", imports: str = "", kept: str = "pass") -> list[str]:
    (folder / "count.py").write_text(_PROGRAM.format(body=body, top=top, imports=imports, kept=kept))
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"pedantic": True})
    return [each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics]


POOL = "with Pool(2) as pool:\n        print(pool.map({}, [1, 2]))"
DUMMY = "from multiprocessing.dummy import Pool"
JOBLIB = "from joblib import Parallel, delayed"


@pytest.mark.parametrize(
    "given",
    [
        {"body": "meter = Meter('a')\n    print(meter.add(1), meter.name)"},
        {"body": "print(Meter('a').add(1))"},
        {"body": f"meter = Meter('a')\n    {POOL.format('meter.add')}", "imports": DUMMY},
        {"body": "meter = Meter('a')\n    print(show(meter))", "top": "\n\ndef show(meter):\n    return meter.count\n"},
        {"body": "print(meter.add(1))", "top": "\n\nmeter = Meter('a')  # the meter\n"},
        {
            "body": POOL.format("work"),
            "imports": "from multiprocessing import Pool",
            "top": "\n\nmeter = Meter('a')\n\n\ndef work(number):\n    return meter.add(number)\n",
        },
        {
            "body": "def work(number):\n        meter = Meter('a')\n        return meter.add(number)\n"
            "    print(Parallel(n_jobs=2)(delayed(work)(number) for number in (1, 2)))",
            "imports": JOBLIB,
            "kept": "self.round = lambda number: number // 10",
        },
    ],
)
def test_what_stays_where_it_is_made(given: dict[str, str], tmp_path: Path) -> None:
    assert _codes(tmp_path, **given) == []


@pytest.mark.parametrize(
    "given",
    [
        {"body": f"meter = Meter('a')\n    {POOL.format('meter.add')}", "imports": "from multiprocessing import Pool"},
        {"body": "meter = Meter('a')\n    sys.modules['a'].send(meter)"},
        {"body": "print(make())", "top": "\n\ndef make():\n    return Meter('a')\n"},
        {"body": "meters = deque()\n    meters.append(Meter('a'))"},
        {"body": "kind = Meter\n    print(kind('a'))"},
        {"body": "print(meters)", "top": "\n\nmeter = Meter('a')\nmeters = [meter]\n"},
        {"body": "print(sys.argv)"},
    ],
)
def test_what_something_may_get(given: dict[str, str], tmp_path: Path) -> None:
    assert "LP111" in _codes(tmp_path, **given)


def test_what_a_distribution_offers(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "counting"\nversion = "1"\n')
    assert "LP111" in _codes(tmp_path, "print(Meter('a').add(1))")


_FETCHER = (
    "\n\nclass Fetcher:\n    def __init__(self, meter):\n        self.meter = meter\n        self.seen = []\n\n"
    "    def fetch(self, key):\n        self.seen.append(key)\n        return self.meter.add(key)\n"
)
_FETCH = "fetcher = Fetcher(Meter('a'))\n    meters = [fetcher.meter]\n    {}\n    print(meters)"
_THREADS = "with ThreadPool(2) as pool:\n        print(pool.map(fetcher.fetch, range(9)))"


@pytest.mark.parametrize(
    ("body", "imports"),
    [
        (_THREADS, "from multiprocessing.pool import ThreadPool"),
        (_THREADS, "import argparse, json\nfrom multiprocessing.pool import (\n    ThreadPool,\n)"),
        (
            "with ThreadPoolExecutor(2) as pool:\n        print(list(pool.map(fetcher.fetch, range(9))))",
            "from concurrent.futures import ThreadPoolExecutor, as_completed",
        ),
    ],
)
def test_a_script_that_works_in_threads(body: str, imports: str, tmp_path: Path) -> None:
    given = {"body": _FETCH.format(body), "top": _FETCHER, "imports": imports}
    assert _codes(tmp_path, **given) == []


@pytest.mark.parametrize(
    "imports",
    [
        "from multiprocessing.pool import ThreadPool, Pool",
        "from multiprocessing.pool import ThreadPool\nimport multiprocessing as mp",
        "from multiprocessing.pool import ThreadPool\nimport os, pickle",
        "from multiprocessing.pool import ThreadPool\nfrom storing import store",
        "from multiprocessing.pool import ThreadPool\nfrom copy import deepcopy",
        "from joblib.pool import ThreadPool",
    ],
)
def test_a_script_that_may_pickle_too(imports: str, tmp_path: Path) -> None:
    given = {"body": _FETCH.format(_THREADS), "top": _FETCHER, "imports": imports}
    assert "LP111" in _codes(tmp_path, **given)


def test_threads_in_a_module_that_others_import(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("from count import Meter\n")
    given = {"body": _FETCH.format(_THREADS), "top": _FETCHER, "imports": "from multiprocessing.pool import ThreadPool"}
    assert "LP111" in _codes(tmp_path, **given)
