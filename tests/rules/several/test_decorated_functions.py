"""LP103 and LP202 on functions under decorators: the fix leaves them where they are, and doubt is told as likely."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.support import fixed, lint, marks

LOCAL = """\
import functools
import pickle

import torch


def noted(function):
    return function


def send():
    {decorator}
    def double(value):
        return value * 2

    pickle.dumps([double])
"""


@pytest.mark.parametrize("decorator", ["@noted", "@functools.lru_cache", "@torch.no_grad()"])
def test_a_decorated_function_is_never_moved(decorator: str) -> None:
    source = LOCAL.format(decorator=decorator)
    assert [each.code for each in lint(source).diagnostics] == ["LP103"]
    assert fixed(source, unsafe=True) == source


def test_an_undecorated_one_is() -> None:
    source = LOCAL.format(decorator="# Twice as much.")
    assert fixed(source, unsafe=False) != source


CALLED = """\
import pickle
import threading

from somewhere import decorate


def plain(function):
    return function


@{decorator}
def make():
    return threading.Lock()


pickle.dumps([make()])
"""


@pytest.mark.parametrize(("decorator", "confidence"), [("plain", Confidence.CERTAIN), ("decorate", Confidence.LIKELY)])
def test_what_an_unknown_decorator_may_replace_is_likely(decorator: str, confidence: Confidence) -> None:
    assert [each.confidence for each in lint(CALLED.format(decorator=decorator)).diagnostics] == [confidence]


SCRIPTED = """\
import torch
from torch import nn


@torch.jit.script
def swish(value):
    return value * torch.sigmoid(value)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = swish
"""


@pytest.mark.parametrize(("use", "found"), [("", []), ("\n\ntorch.save(Block(), 'block.pt')\n", [(13, "LP118")])])
def test_a_scripted_function_of_a_module_matters_where_one_is_sent(use: str, found: list[tuple[int, str]]) -> None:
    assert marks(SCRIPTED + use) == found


TWO_MODES = """\
import inspect
import pickle


class Kept:
    def __init__(self, name, function):
        self.name, self.function = name, function

    def __reduce__(self):
        return Kept, (self.name, None)


def options(*args, **kwargs):
    def keep(function):
        return Kept(function.__name__, function)

    if not kwargs:
        return keep(*args)

    def wrapper(function):
        return keep(function)

    return wrapper


def compiled(signatures=(), **options):
    def wrap(function):
        return BUILDERS[options.get("target")](function).build()

    if inspect.isfunction(signatures):
        return wrap(signatures)
    return wrap


def logged(function=None, *, level=1):
    def wrap(inner):
        def around(*args):
            return inner(*args)

        return around

    return wrap if function is None else wrap(function)


def ship():
    @DECORATOR
    def work(x):
        return x

    pickle.dumps(work)
"""


@pytest.mark.parametrize(
    ("decorator", "codes"),
    [("options", []), ("compiled", []), ("logged", ["LP103"]), ("logged(level=2)", ["LP103"])],
)
def test_what_a_decorator_gives_with_options_is_not_what_it_gives_without(decorator: str, codes: list[str]) -> None:
    assert [code for _, code in marks(TWO_MODES.replace("DECORATOR", decorator))] == codes


OBJECT = """\
import functools
import multiprocessing as mp


class Retry:
    def __init__(self, times):
        self.times = times

    def __call__(self, function):
        {before}
        def attempt(*given):
            return function(*given)

        return {returned}


@Retry(times=3)
def price(text):
    return float(text)


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(price, ["1", "2"]))
"""


@pytest.mark.parametrize(
    ("before", "returned", "found"),
    [
        ("# Once more.", "attempt", ["LP202"]),
        ("@functools.wraps(function)", "attempt", []),
        ("# Nothing else.", "function", []),
    ],
)
def test_decorators_that_are_objects(before: str, returned: str, found: list[str]) -> None:
    assert [each.code for each in lint(OBJECT.format(before=before, returned=returned)).diagnostics] == found


CONNECTED = """\
import multiprocessing as mp


class Signal:
    def __init__(self):
        self.handlers = []

    def connect(self, function):
        {kept}
        return function


class Service:
    def __init__(self):
        self.done = Signal()

    def work(self, number):
        return [handler(number) for handler in self.done.handlers]


def attach(service, prefix):
    @service.done.connect
    def report(value):
        return prefix, value


if __name__ == "__main__":
    service = Service()
    attach(service, "ok")
    process = mp.Process(target=service.work, args=(1,))
    process.start()
"""


@pytest.mark.parametrize(("kept", "found"), [("self.handlers.append(function)", ["LP103"]), ("print(function(1))", [])])
def test_methods_that_decorate_keep_what_they_get(kept: str, found: list[str]) -> None:
    assert [each.code for each in lint(CONNECTED.format(kept=kept)).diagnostics] == found
