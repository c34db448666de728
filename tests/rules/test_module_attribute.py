"""LP113: module-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP113"


SAVED = """
import json as model
import torch


class Net(torch.nn.Module):
    pass


def save(path):
    torch.save([model], path)


{rebound}
save("model.pt")
"""


@pytest.mark.parametrize(
    ("rebound", "fires"),
    [
        ("", True),
        ("if len(model.__doc__):\n    model = Net()", True),
        ("model = Net()", False),
        ("model = Net(model)\nif len(model):\n    model = model.cuda()", False),
    ],
)
def test_a_name_that_was_a_module_first(rebound: str, fires: bool) -> None:
    found = [code for _, code in marks(SAVED.format(rebound=rebound))]
    assert ("LP113" in found) is fires
