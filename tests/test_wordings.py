"""How the running Python words what pickle says of names that it cannot find, against the catalog's wordings."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.pythons import NEWEST

MODULE = """
work = lambda: None
class Squares:
    class Inner: pass
def local_function():
    def inner(): pass
    return inner
def local_class():
    class Inner: pass
    return Inner
"""

pytestmark = pytest.mark.skipif(sys.version_info[:2] > NEWEST, reason="not measured yet")


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    made = ModuleType("workers")
    exec(MODULE, made.__dict__)
    monkeypatch.setitem(sys.modules, "workers", made)
    return made


def _error(work: Callable[[], object]) -> str:
    """As a traceback ends, without addresses."""
    with pytest.raises((pickle.PicklingError, AttributeError)) as caught:
        work()
    kind = type(caught.value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return re.sub(r"0x[0-9a-f]+", "0x…", f"{name}: {caught.value}")


def _worded(error: str) -> str:
    return load_catalog().error_on(error, sys.version_info[:2])


def test_a_lambda_with_a_name(module: ModuleType) -> None:
    expected = (
        "_pickle.PicklingError: Can't pickle <function <lambda> at 0x…>: attribute lookup <lambda> on workers failed"
    )
    assert _error(lambda: pickle.dumps(module.work)) == _worded(expected)


def test_a_local_function(module: ModuleType) -> None:
    expected = "AttributeError: Can't pickle local object 'local_function.<locals>.inner'"
    assert _error(lambda: pickle.dumps(module.local_function())) == _worded(expected)


def test_a_class_that_is_gone(module: ModuleType) -> None:
    class_ = module.Squares
    del module.Squares
    expected = (
        "_pickle.PicklingError: Can't pickle <class 'workers.Squares'>: attribute lookup Squares on workers failed"
    )
    assert _error(lambda: pickle.dumps(class_)) == _worded(expected)


@pytest.mark.parametrize("name", ["Squares", "Squares.Inner"])
def test_what_the_other_side_lacks(module: ModuleType, name: str) -> None:
    owner, _, last = f"workers.{name}".rpartition(".")
    holder = module if owner == "workers" else module.Squares
    pickled = pickle.dumps(getattr(holder, last))
    delattr(holder, last)
    expected = f"AttributeError: Can't get attribute '{name}' on <module 'workers'>"
    assert _error(lambda: pickle.loads(pickled)) == _worded(expected)
