"""LP210: functions that a patch replaces while workers run, which have the original."""

from __future__ import annotations

import pytest

from tests.support import marks

BEGINNING = """\
import contextlib
import multiprocessing as mp
from unittest import mock
from unittest.mock import patch
def latest(symbol):
    return 1.0
def work(symbol):
    return latest(symbol)
def run():
    with mp.get_context("spawn").Pool(2) as pool:
        return pool.map(work, ["a", "b"])
class Portfolio:
    def value(self):
        with mp.get_context("spawn").Pool(2) as pool:
            return pool.map(work, ["a", "b"])
"""


def found(text: str) -> list[str]:
    return [code for _, code in marks(BEGINNING + text) if code == "LP210"]


HOLDING = {
    "a context": "def main():\n    with mock.patch('example.latest', return_value=5.0):\n        {}\n",
    "a text of the script": "def main():\n    with patch('__main__.latest', lambda symbol: 5.0):\n        {}\n",
    "several": "def main():\n    with patch('os.getcwd'), patch('example.latest', return_value=5.0):\n        {}\n",
    "a decorator": "@patch('example.latest', lambda symbol: 5.0)\ndef main():\n    {}\n",
    "a stack": (
        "def main():\n    with contextlib.ExitStack() as stack:\n"
        "        stack.enter_context(patch('example.latest', return_value=5.0))\n        {}\n"
    ),
    "begun and ended": (
        "def main():\n    patcher = patch('example.latest', return_value=5.0)\n    patcher.start()\n    {}\n"
        "    patcher.stop()\n"
    ),
    "a manager of its own": (
        "class Offline:\n    def __enter__(self):\n        self.stack = contextlib.ExitStack()\n"
        "        self.stack.enter_context(patch('example.latest', lambda symbol: 5.0))\n        return self\n"
        "    def __exit__(self, *failed):\n        self.stack.close()\n"
        "def main():\n    with Offline():\n        {}\n"
    ),
    "a manager that begins and ends it": (
        "class Offline:\n    def __enter__(self):\n        self.patcher = patch('example.latest', lambda symbol: 5.0)\n"
        "        self.patcher.start()\n    def __exit__(self, *failed):\n        self.patcher.stop()\n"
        "def main():\n    with contextlib.ExitStack() as stack:\n        stack.enter_context(Offline())\n        {}\n"
    ),
    "a generator": (
        "@contextlib.contextmanager\ndef offline():\n    with patch('example.latest', lambda symbol: 5.0):\n"
        "        yield\ndef main():\n    with offline():\n        {}\n"
    ),
    "what a function returns": (
        "def offline():\n    return patch('example.latest', lambda symbol: 5.0)\n"
        "def main():\n    with offline():\n        {}\n"
    ),
    "pytest": "def test_run(monkeypatch):\n    monkeypatch.setattr('example.latest', lambda symbol: 5.0)\n    {}\n",
    "pytest-mock": "def test_run(mocker):\n    mocker.patch('example.latest', return_value=5.0)\n    {}\n",
}
GUARD = "if __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize("name", HOLDING)
def test_workers_that_start_while_it_holds(name: str) -> None:
    text = HOLDING[name]
    guard = GUARD if "def main" in text else ""
    assert found(text.format("run()") + guard) == ["LP210"]
    assert found(text.format("latest('a')") + guard) == [], "no worker starts while it holds"


@pytest.mark.parametrize("name", HOLDING)
def test_workers_that_start_afterwards(name: str) -> None:
    text = HOLDING[name].format("latest('a')") + "def test_other():\n    run()\n"
    assert found(text + (GUARD if "def main" in text else "")) == []


BEGUN = """\
def offline():
    patcher = patch("example.latest", lambda symbol: 5.0)
    patcher.start()
    {}
def main():
    offline()
    run()
"""


def test_begun_and_never_ended() -> None:
    assert found(BEGUN.format("return None") + GUARD) == ["LP210"]
    assert found(BEGUN.format("patcher.stop()") + GUARD) == []
    assert found(BEGUN.replace("patcher.start()", "pass").format("") + GUARD) == []


def test_a_manager_that_is_not_entered_where_workers_start() -> None:
    text = HOLDING["a manager of its own"].format("latest('a')") + "    run()\n"
    assert found(text + GUARD) == []


def test_what_workers_do_not_use() -> None:
    text = "def main():\n    with patch('os.getcwd'), patch('example.other'):\n        run()\ndef other():\n    pass\n"
    assert found(text + GUARD) == []


def test_a_patch_in_the_worker_itself() -> None:
    text = """\
def patched(symbol):
    with patch("example.latest", return_value=5.0):
        return latest(symbol)
def main():
    with mp.get_context("spawn").Pool(2) as pool:
        return pool.map(patched, ["a", "b"])
"""
    assert found(text + GUARD) == []


def test_a_method_of_what_a_function_is_given() -> None:
    text = """\
class Scenario:
    def apply(self, portfolio):
        with patch("example.latest", return_value=5.0):
            return portfolio.{}()
def main():
    Scenario().apply(Portfolio())
"""
    assert found(text.format("value") + GUARD) == ["LP210"]
    assert found(text.format("title") + GUARD) == []
