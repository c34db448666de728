"""What `migrate` says of lookups in workers: of what main alone has added, filled or put somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.settings import SettingsResolver

TABLE = """\
import multiprocessing
from unittest import mock

RATES = {{"eu": 1}}


def price(region):
    {use}


def run():
    with multiprocessing.Pool(2) as pool:
        print(pool.map(price, ["eu", "us"]))


def main():
    {change}
    {run}


if __name__ == "__main__":
    main()
"""

SINGLE = """\
import multiprocessing


class Store:
    _instance = None

    def __init__(self):
        self.rates = {{}}
        self.known = {{}}

    @classmethod
    def instance(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def load(self, rows):
        for name, rate in rows:
            self.rates[name] = rate

    def rate(self, name):
        if name not in self.known:
            self.known[name] = len(name)
        {use}


def price(name):
    return Store.instance().rate(name)


def main():
    Store.instance().load([("eu", 2)])
    with multiprocessing.Pool(2) as pool:
        print(pool.map(price, ["eu"]))


if __name__ == "__main__":
    main()
"""

QUEUE = """\
import multiprocessing
import queue

TASKS = multiprocessing.Queue()


def work(name):
    {take}


def main():
    {put}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, ["eu", "us"]))


if __name__ == "__main__":
    main()
"""


def errors(folder: Path, code: str) -> set[str | None]:
    """How the findings end."""
    (folder / "main.py").write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return {finding.diagnostic.error for each in found for finding in each.findings}


@pytest.mark.parametrize(
    "change",
    [
        'RATES["us"] = 3',
        'RATES.update({"us": 3})',
        "RATES.update(us=3)",
        'RATES.setdefault("us", 3)',
    ],
)
def test_a_key_that_main_alone_adds_is_missing(tmp_path: Path, change: str) -> None:
    assert errors(tmp_path, TABLE.format(use="return RATES[region]", change=change, run="run()")) == {"KeyError"}


@pytest.mark.parametrize("given", ['{"us": 3}', "us=3", 'values={"us": 3}'])
@pytest.mark.parametrize(("use", "error"), [("RATES[region]", "KeyError"), ('RATES["us"]', "KeyError: 'us'")])
def test_a_key_that_a_mock_adds_is_missing(tmp_path: Path, given: str, use: str, error: str) -> None:
    change = f"with mock.patch.dict(RATES, {given}):"
    assert errors(tmp_path, TABLE.format(use=f"return {use}", change=change, run="    run()")) == {error}


@pytest.mark.parametrize(
    ("use", "change"),
    [
        ("return RATES[region]", 'RATES["eu"] = 3'),  # The key is there, with another value.
        ("return RATES[region]", 'RATES.update({"us": 3, "eu": 4})'),
        ("return RATES.get(region, 1)", 'RATES["us"] = 3'),
        ("return RATES[region] if region in RATES else 1", 'RATES["us"] = 3'),
        ("return RATES[region] * len(RATES)", 'RATES["us"] = 3'),
        ("try:\n        return RATES[region]\n    except KeyError:\n        return 1", 'RATES["us"] = 3'),
        ('return RATES["eu"] + len(sorted(RATES))', 'RATES["us"] = 3'),
    ],
)
def test_what_goes_on_without_the_key_is_silent(tmp_path: Path, use: str, change: str) -> None:
    assert errors(tmp_path, TABLE.format(use=use, change=change, run="run()")) <= {None}


def test_a_mock_that_clears_first_is_silent(tmp_path: Path) -> None:
    change = 'with mock.patch.dict(RATES, {"us": 3}, clear=True):'
    assert errors(tmp_path, TABLE.format(use="return RATES[region]", change=change, run="    run()")) == {None}


def test_an_item_of_a_singleton_that_main_alone_fills_is_missing(tmp_path: Path) -> None:
    assert errors(tmp_path, SINGLE.format(use="return self.rates[name]")) == {"KeyError"}


@pytest.mark.parametrize(
    "use", ["return self.rates.get(name, 1)", "return self.rates[name] if name in self.rates else self.known[name]"]
)
def test_a_singleton_that_gives_a_default_is_silent(tmp_path: Path, use: str) -> None:
    assert errors(tmp_path, SINGLE.format(use=use)) == {None}


@pytest.mark.parametrize("take", ["TASKS.get_nowait()", "TASKS.get(block=False)", "TASKS.get(timeout=1)"])
def test_a_queue_of_its_own_is_empty(tmp_path: Path, take: str) -> None:
    assert errors(tmp_path, QUEUE.format(take=f"return {take}", put="TASKS.put(1)")) == {"_queue.Empty"}


@pytest.mark.parametrize(
    "take",
    [
        "try:\n        return TASKS.get_nowait()\n    except queue.Empty:\n        return None",
        "try:\n        return TASKS.get(timeout=1)\n    except Exception:\n        return None",
        "if not TASKS.empty():\n        return TASKS.get_nowait()",
        "TASKS.put(name)\n    return TASKS.get_nowait()",
    ],
)
def test_a_worker_that_is_ready_for_an_empty_queue_is_silent(tmp_path: Path, take: str) -> None:
    assert errors(tmp_path, QUEUE.format(take=take, put="TASKS.put(1)")) == {None}


def test_a_queue_that_nobody_fills_is_empty_under_fork_as_well(tmp_path: Path) -> None:
    assert errors(tmp_path, QUEUE.format(take="return TASKS.get_nowait()", put="pass")) <= {None}
