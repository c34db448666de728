"""LP209: decorators that hand what they were given to workers."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP209"


TEXT = """\
import cloudpickle, functools, joblib, multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def run(*arguments):
    return arguments


def decorate(function):
    {wraps}
    def start(*arguments):
        {start}

    return {given}


{decorator}
def work(number=1):
    return number


class Tool:
    {method}
    def use(self):
        return 1
"""


def _found(
    start: str = "multiprocessing.Process(target=function, args=arguments).start()",
    given: str = "start",
    decorator: str = "@decorate",
    wraps: str = "@functools.wraps(function)",
    method: str = "",
) -> list[str]:
    text = TEXT.format(start=start, given=given, decorator=decorator, wraps=wraps, method=method)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "start",
    [
        "multiprocessing.Process(target=function, args=arguments).start()",
        "multiprocessing.Process(target=run, args=(function, 1)).start()",
        "multiprocessing.get_context('spawn').Process(target=functools.partial(function, 1)).start()",
        "multiprocessing.Pool(1).apply(function, arguments)",
        "multiprocessing.Pool(1).map(function, arguments)",
        "ProcessPoolExecutor().submit(function, *arguments).result()",
    ],
)
def test_ways_to_hand_it_over(start: str) -> None:
    assert _found(start) == ["LP209"]


def test_without_wraps() -> None:
    assert _found(wraps="") == ["LP209"]


def test_a_method() -> None:
    assert _found(decorator="", method="@decorate") == ["LP209"]


def test_a_decorator_with_arguments() -> None:
    text = """\
import multiprocessing


def within(seconds):
    def decorate(function):
        def start(*arguments):
            process = multiprocessing.Process(target=function, args=arguments)
            process.start()
            process.join(seconds)

        return start

    return decorate


@within(3)
def work():
    pass
"""
    assert marks(text) == [(7, "LP209")]


@pytest.mark.parametrize(
    "start",
    [
        "multiprocessing.Process(target=run, args=arguments).start()",
        "multiprocessing.get_context('fork').Process(target=function).start()",
        "ThreadPoolExecutor().submit(function, *arguments)",
        "cloudpickle.dumps(function)",
        "joblib.Parallel(2)(joblib.delayed(function)(1) for _ in arguments)",
        "function = run\n        multiprocessing.Process(target=function).start()",
        "return function(*arguments)",
    ],
)
def test_what_workers_do_not_get_so(start: str) -> None:
    assert _found(start) == []


@pytest.mark.parametrize("given", ["function", "run", "start if sys.argv else function"])
def test_what_the_name_stands_for_may_be_the_function_itself(given: str) -> None:
    assert _found(given=given) == []


@pytest.mark.parametrize("decorator", ["", "@functools.lru_cache", "@run"])
def test_what_is_not_decorated_by_it(decorator: str) -> None:
    assert "LP209" not in _found(decorator=decorator)


def test_a_decorator_that_gives_it_another_name() -> None:
    wraps = "function.__qualname__ += '_inner'\n    setattr(sys.modules[__name__], function.__qualname__, function)"
    assert _found(wraps=wraps) == []


def test_a_class_as_a_decorator_is_not_followed() -> None:
    text = """\
import multiprocessing


class Started:
    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        multiprocessing.Process(target=self.function, args=arguments).start()


@Started
def work():
    pass
"""
    assert marks(text) == []  # gap: self.function is not what `work` is
