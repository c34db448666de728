"""LP111: lock-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP111"


_WRITTEN = """\
import pickle
import threading

import cloudpickle
import dill
import torch


class Workspace:
    def __init__(self):
        self.lock = threading.Lock()


torch.save(Workspace(), "workspace.pt"{given})
"""


@pytest.mark.parametrize(
    ("given", "fires"),
    [
        ("", True),
        (", pickle_module=pickle", True),
        (", pickle_module=cloudpickle", True),
        (", pickle_module=dill", False),  # which takes locks
        (", dill", False),
    ],
)
def test_the_module_that_pickles_for_torch(given: str, fires: bool) -> None:
    assert ("LP111" in [each.code for each in lint(_WRITTEN.format(given=given)).diagnostics]) is fires
