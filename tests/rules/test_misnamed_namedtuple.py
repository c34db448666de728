"""LP121: misnamed-namedtuple."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import DATA, codes


class TestPage(PageTests):
    code = "LP121"


@pytest.mark.parametrize(
    ("definition", "fires"),
    [
        ("Point = collections.namedtuple('Pt', 'x')", True),
        ("Point = collections.namedtuple(typename='Pt', field_names='x')", True),
        ("Point = collections.namedtuple('Point', 'x')", False),
        ("Point = Pt = collections.namedtuple('Pt', 'x')", False),
        ("Point = collections.namedtuple('Pt', 'x', module='elsewhere')", False),
        ("Point = collections.namedtuple(os.environ['NAME'], 'x')", False),
    ],
)
@pytest.mark.parametrize("statement", ["self.points = [Point(1)]", "self.kind = Point"])
def test_names_of_namedtuples(definition: str, fires: bool, statement: str) -> None:
    loader = "\ndef loader():\n    return DataLoader(Data(), num_workers=1)\n"
    text = f"{definition}\n{DATA.format(body=' ' * 8 + statement)}{loader}"
    assert (codes(text) == ["LP121"]) is fires
