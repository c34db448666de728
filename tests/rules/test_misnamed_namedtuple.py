"""LP121: misnamed-namedtuple."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import DATA, codes
from tests.support import marks


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


COMPUTED = """\
from collections import namedtuple
from multiprocessing import Process

SCHEMA = {{"orders": ["id", "amount"]}}


def record_types(schema):
    return {{table: namedtuple(table.title(), columns) for table, columns in schema.items()}}


def parse(kind, lines):
    return [kind(*line.split(",")) for line in lines]


{more}


def publish(records):
    print(records)


def main():
    {types}
    records = parse(types["orders"], ["1,9.5"])
    Process(target=publish, args=(records,)).start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("types", "more", "is_found"),
    [
        ("types = record_types(SCHEMA)", "", True),
        ("types = dict(record_types(SCHEMA))", "", True),
        ("types = record_types(SCHEMA)\n    globals().update(types)", "", False),
        ("global Orders\n    types = record_types(SCHEMA)\n    Orders = types['orders']", "", False),
        ("types = TYPES", "TYPES = record_types(SCHEMA)\nOrders = TYPES['orders']", False),
        ("types = {'orders': Orders}", "Orders = namedtuple('Orders', 'id amount')", False),
    ],
)
def test_classes_whose_names_are_computed(types: str, more: str, is_found: bool) -> None:
    text = COMPUTED.format(types=types, more=more)
    assert [code for _, code in marks(text)] == (["LP121"] if is_found else [])
