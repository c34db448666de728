"""LP104: local classes, and those that only stand in for what is missing."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP104"


TEXT = """\
from torch.utils.data import Dataset


def stand_in():
    class Missing:
        def {method}(self, *arguments):
            {body}

    return Missing


Kernel = stand_in()


class Net(Dataset):
    def __init__(self):
        super().__init__()
        self.kernel = Kernel(1)
"""


def _found(method: str, body: str) -> list[str]:
    return [code for _, code in marks(TEXT.format(method=method, body=body))]


@pytest.mark.parametrize("method", ["__init__", "__new__", "__call__", "__getattr__"])
def test_what_raises_when_it_is_made_or_used(method: str) -> None:
    assert _found(method, "raise ImportError('kernels are not installed')") == []


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("__init__", "self.arguments = arguments"),
        ("__init__", "if not arguments:\n                raise ValueError('no arguments')"),
        ("__call__", "return arguments"),
        ("forward", "raise NotImplementedError"),
    ],
)
def test_what_can_be_made_and_used(method: str, body: str) -> None:
    assert _found(method, body) == ["LP104"]


MANAGERS = """\
import multiprocessing
from multiprocessing.managers import BaseManager


class Pad:
    pass


class Pads(BaseManager):
    pass


def start(address):
    class Comm({base}):
        pass

    {begins}
"""
REGISTERS = "Comm.register('Pad', Pad)"


def _managers(begins: str, base: str = "BaseManager") -> list[str]:
    return [code for _, code in marks(MANAGERS.format(base=base, begins=begins))]


@pytest.mark.parametrize(
    ("begins", "base"),
    [
        pytest.param(f"{REGISTERS}; comm = Comm(); comm.start(); return comm.Pad()", "BaseManager", id="started"),
        pytest.param(f"{REGISTERS}\n    with Comm() as comm:\n        comm.Pad()", "BaseManager", id="in a with"),
        pytest.param("comm = Comm(); comm.start(); return comm.Pad()", "Pads", id="all is registered with its base"),
    ],
)
def test_a_local_class_of_managers_that_are_started(begins: str, base: str) -> None:
    assert _managers(begins, base) == ["LP104"]


@pytest.mark.parametrize(
    ("begins", "base"),
    [
        pytest.param(f"{REGISTERS}; Comm(address, b'k').get_server().serve_forever()", "BaseManager", id="serves here"),
        pytest.param("Comm.register('Pad'); comm = Comm(address); comm.connect()", "BaseManager", id="asks another"),
        pytest.param("Pads.register('Pad', Pad); pads = Pads(); pads.start(); Comm()", "Pad", id="another class"),
        pytest.param(
            f"{REGISTERS}; comm = Comm(ctx=multiprocessing.get_context('fork')); comm.start()",
            "BaseManager",
            id="its own context",
        ),
        pytest.param("comm = Comm(); comm.start()", "Pad", id="no manager"),
    ],
)
def test_a_local_class_of_managers_that_stays(begins: str, base: str) -> None:
    assert _managers(begins, base) == []
