"""LP101: dict-view-attribute."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Applicability
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP101"


_TEXT = """\
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, table):
        self.names = {{"cat": 0, "dog": 1}}.keys()

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return index


def compare(rows, other):
    {use}
"""


@pytest.mark.parametrize(
    ("use", "applicability"),
    [
        ("return rows.names & other", Applicability.UNSAFE),
        ("return other - rows.names", Applicability.UNSAFE),
        ("return rows.names == other", Applicability.UNSAFE),
        ("return rows.names.isdisjoint(other)", Applicability.UNSAFE),
        ("return [name for name in rows.names]", Applicability.SAFE),
        ("return len(rows.names) - len(other)", Applicability.SAFE),
        ("return other in rows.names", Applicability.SAFE),
    ],
)
def test_what_a_list_cannot_do(use: str, applicability: Applicability) -> None:
    (found,) = lint(_TEXT.format(use=use)).diagnostics
    assert found.fix is not None
    assert found.fix.applicability is applicability
