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
    ("types", "more", "codes"),
    [
        ("types = record_types(SCHEMA)", "", ["LP121"]),
        ("types = dict(record_types(SCHEMA))", "", ["LP121"]),
        ("types = record_types(SCHEMA)\n    globals().update(types)", "", ["LP204"]),
        ("global Orders\n    types = record_types(SCHEMA)\n    Orders = types['orders']", "", []),
        ("types = TYPES", "TYPES = record_types(SCHEMA)\nOrders = TYPES['orders']", []),
        ("types = {'orders': Orders}", "Orders = namedtuple('Orders', 'id amount')", []),
    ],
)
def test_classes_whose_names_are_computed(types: str, more: str, codes: list[str]) -> None:
    text = COMPUTED.format(types=types, more=more)
    assert [code for _, code in marks(text)] == codes


TABLE = """\
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor

LAYOUTS = {{"trade": ["symbol", "price"], "quote": ["symbol", "bid"]}}


def row_type(kind):
    return namedtuple(kind.title() + "Row", LAYOUTS[kind])


{bound}


def parse(line):
    kind, *values = line.split()
    return {made}


def main():
    with ProcessPoolExecutor(2) as pool:
        print(list(pool.map(parse, ["trade A 1", "quote A 2"])))


if __name__ == "__main__":
    main()
"""
_ROWS = "ROWS = {kind: row_type(kind) for kind in LAYOUTS}"


@pytest.mark.parametrize(
    ("bound", "made", "fires"),
    [
        (_ROWS, "ROWS[kind](*values)", True),
        (_ROWS, "ROWS[kind]._make(values)", True),
        ('ROWS = {"trade": row_type("trade"), "quote": row_type("quote")}', "ROWS[kind]._make(values)", True),
        (_ROWS, "list(ROWS[kind]._make(values))", False),
        (f"{_ROWS}\nglobals().update({{each.__name__: each for each in ROWS.values()}})", "ROWS[kind](*values)", False),
        (f'{_ROWS}\nTradeRow, QuoteRow = ROWS["trade"], ROWS["quote"]', "ROWS[kind](*values)", False),
        ('TradeRow, QuoteRow = row_type("trade"), row_type("quote")', "TradeRow(*values)", False),
        ('TradeRow = row_type("trade")', "TradeRow(*values)", False),
    ],
)
def test_tables_of_classes(bound: str, made: str, fires: bool) -> None:
    assert marks(TABLE.format(bound=bound, made=made)) == ([(8, "LP206")] if fires else [])


INSIDE = """\
from collections import namedtuple
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    {inside}

    def __init__(self, lines):
        self.head = {made}

    def __getitem__(self, index):
        return index


def loader(lines):
    return DataLoader(Rows(lines), num_workers=2)
"""


@pytest.mark.parametrize(
    ("inside", "made", "fires"),
    [
        ("Head = namedtuple('Head', 'name')", "self.Head(lines[0])", True),
        ("Head = namedtuple('Head', 'name')", "Rows.Head._make(lines[:1])", True),
        ("Head = namedtuple('Head', 'name')", "[self.Head(line) for line in lines]", True),
        ("Head = namedtuple('Head', 'name')", "self.Head(lines[0]).name", False),
        ("Head = namedtuple('Head', 'name')", "tuple(self.Head(lines[0]))", False),
        ("Rows = Head = namedtuple('Rows', 'name')", "lines[0]", False),
    ],
)
def test_classes_in_a_class(inside: str, made: str, fires: bool) -> None:
    assert ("LP121" in codes(INSIDE.format(inside=inside, made=made))) is fires
