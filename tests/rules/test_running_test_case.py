"""LP124: test cases that go along while they run."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP124"


HEAD = """\
import copy, functools, multiprocessing, pickle, unittest
import absl.testing.parameterized, cloudpickle, joblib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def free(*args):
    return 1


class Base(unittest.TestCase):
    def work(self, number=0):
        return number

    @staticmethod
    def still(number=0):
        return number

    @classmethod
    def made(cls, number=0):
        return number


class Holder:
    def __init__(self, case):
        self.case = case


"""
CASE = """
class Case({base}):
    def test_it(self):
        {use}

    def own(self):
        return 1
"""


def _found(use: str, base: str = "Base", more: str = "") -> list[str]:
    return [code for _, code in marks(HEAD + CASE.format(base=base, use=use) + more)]


@pytest.mark.parametrize(
    "use",
    [
        "multiprocessing.Process(target=self.work).start()",
        "multiprocessing.Process(target=self.own, args=(1,)).start()",
        "multiprocessing.Process(target=free, args=(self,)).start()",
        "multiprocessing.get_context('spawn').Process(target=functools.partial(free, self)).start()",
        "multiprocessing.Pool(2).map(self.work, [1, 2])",
        "ProcessPoolExecutor().submit(self.work, 1)",
        "ProcessPoolExecutor().submit(free, [self])",
        "ProcessPoolExecutor().submit(free, Holder(self))",
        "pickle.dumps(self.own)",
    ],
)
def test_what_takes_the_running_test_along(use: str) -> None:
    assert _found(use) == ["LP124"]


@pytest.mark.parametrize("base", ["unittest.TestCase", "unittest.IsolatedAsyncioTestCase"])
def test_kinds_of_test_cases(base: str) -> None:
    assert _found("multiprocessing.Process(target=self.own).start()", base) == ["LP124"]


def test_a_test_case_of_a_library() -> None:
    base = "absl.testing.parameterized.TestCase"
    assert _found("multiprocessing.Process(target=self.own).start()", base) == ["LP124"]


@pytest.mark.parametrize(
    "use",
    [
        "multiprocessing.Process(target=free, args=(self.id(),)).start()",
        "multiprocessing.Pool(2).map(self.still, [1, 2])",
        "multiprocessing.Pool(2).map(self.made, [1, 2])",
        "multiprocessing.Pool(2).map(Case.still, [1, 2])",
        "multiprocessing.Pool(2).map(type(self).still, [1, 2])",
        "multiprocessing.Pool(2).map(free, [self.own()])",
        "multiprocessing.Pool(2).map(free, [Case('own')])",
        "multiprocessing.get_context('fork').Process(target=self.own).start()",
        "ThreadPoolExecutor().submit(self.work, 1)",
        "joblib.Parallel(n_jobs=2)([joblib.delayed(self.own)()])",
        "cloudpickle.dumps(self)",
    ],
)
def test_what_leaves_the_running_test_behind(use: str) -> None:
    assert _found(use) == []


@pytest.mark.parametrize("base", ["object", "Holder", "unittest.TestSuite"])
def test_other_classes_with_tests(base: str) -> None:
    assert _found("multiprocessing.Process(target=self.own).start()", base) == []


def test_a_test_case_that_says_how_it_is_pickled() -> None:
    hook = "    def __getstate__(self):\n        return {'name': self._testMethodName}\n"
    assert _found("multiprocessing.Process(target=self.own).start()", more=hook) == []


def test_a_mix_in_is_not_seen_to_be_a_test_case() -> None:
    mixed = "\nclass Mixed(Case, unittest.TestCase):\n    pass\n"
    assert _found("multiprocessing.Process(target=self.own).start()", "object", mixed) == []  # gap: Mixed runs it


_ASSERTING = """\
import multiprocessing
import unittest


class MockOpen(unittest.TestCase):
    def __init__(self, content):
        self.content = content
        super().__init__()

    def check(self, url):
        self.assertEqual(url, self.content)

    def __call__(self, url):
        multiprocessing.Process(target=self.check, args=(url,)).start()
{more}

class TestViewer(unittest.TestCase):
    def test_open(self):
        MockOpen("x")("x")
"""


@pytest.mark.parametrize(
    ("more", "fires"),
    [
        ("", False),
        ("\n    def attest(self):\n        self.check('x')\n", False),
        ("\n    def test_call(self):\n        self('x')\n", True),
        ("\n    def runTest(self):\n        self('x')\n", True),
        ("\n    test_call = __call__\n", False),  # gap: another name of a special method
        ("\n\nclass Other(MockOpen):\n    def test_it(self):\n        self('x')\n", True),
    ],
)
def test_a_test_case_that_no_runner_runs(more: str, fires: bool) -> None:
    found = [code for _, code in marks(_ASSERTING.format(more=more))]
    assert ("LP124" in found) is fires
