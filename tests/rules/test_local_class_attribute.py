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
