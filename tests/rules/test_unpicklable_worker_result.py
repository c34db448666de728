"""LP206: unpicklable-worker-result."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import marks


class TestPage(PageTests):
    code = "LP206"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def g(b):\n    return {}.keys()\ndef f(d):\n    DataLoader(d, num_workers=1, collate_fn=g)\n", ["LP206"]),
        ("def g(n):\n    yield n\ndef f(p):\n    with mp.Pool() as p:\n        p.map(g, [1])\n", ["LP206"]),
        (
            "def g(n):\n    return open(n)\ndef f(x):\n    with ProcessPoolExecutor() as e:\n        e.map(g, x)\n",
            ["LP206"],
        ),
        (
            "class D(Dataset):\n    def __getitem__(self, i):\n        return i, {}.items()\n"
            "def same(b):\n    return b\ndef f():\n    DataLoader(D(), num_workers=1, collate_fn=same)\n",
            ["LP206"],
        ),
        (
            "class D(Dataset):\n    def __getitem__(self, i):\n        return {}.items()\n"
            "def f():\n    DataLoader(D(), num_workers=1, collate_fn=list)\n",
            ["LP206"],
        ),
        (
            "class D(IterableDataset):\n    def __iter__(self):\n        yield {}.items()\n"
            "def f():\n    DataLoader(D(), num_workers=1, batch_size=None)\n",
            ["LP206"],
        ),
    ],
)
def test_results_that_cannot_be_sent(body: str, expected: list[str]) -> None:
    assert codes(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("def g(n):\n    return list({}.keys())\ndef f(x):\n    mp.Pool().map(g, x)\n", id="a list"),
        pytest.param("def g(n):\n    return {}.keys()\ndef f(x):\n    mp.Process(target=g)\n", id="not sent back"),
        pytest.param("def g(n):\n    return {}.keys()\ndef f(x):\n    mp.Pool(initializer=g)\n", id="nor this"),
        pytest.param(
            "def g(i):\n    return lambda: i\ndef f(d):\n    DataLoader(d, num_workers=1, worker_init_fn=g)\n",
            id="or this",
        ),
        pytest.param("def g(b):\n    return {}.keys()\ndef f(d):\n    DataLoader(d, collate_fn=g)\n", id="no workers"),
        pytest.param(
            "class D(Dataset):\n    def names(self):\n        return {}.items()\n"
            "    def __getitem__(self, i):\n        return sorted(self.names())\n"
            "def f():\n    DataLoader(D(), num_workers=1, batch_size=None)\n",
            id="only a helper returns it",
        ),
        pytest.param(
            "class D(Dataset):\n    def __getitem__(self, i):\n        return i, {}.items()\n"
            "def f():\n    DataLoader(D(), num_workers=1)\n",
            id="torch refuses it, with or without workers",
        ),
        pytest.param(
            "class D(Dataset):\n    def __getitem__(self, i):\n        return i, {}.items()\n"
            "def first(b):\n    return [s[0] for s in b]\n"
            "def f():\n    DataLoader(D(), num_workers=1, collate_fn=first)\n",
            id="the collate function leaves it out",
        ),
    ],
)
def test_results_that_can_be_sent(body: str) -> None:
    assert codes(body) == []


def test_samples_that_are_counted_or_plain() -> None:
    counted = "class D(Dataset):\n    def __getitem__(self, i):\n        return {}.items()\n"
    assert codes(counted + "def f():\n    DataLoader(D(), num_workers=1, collate_fn=len)\n") == []
    plain = counted.replace("{}.items()", "list({}.items())")
    assert codes(plain + "def f():\n    DataLoader(D(), num_workers=1, collate_fn=list)\n") == []


REGISTERED = """\
import copyreg
from types import MappingProxyType
class A:
    def __init__(self, x):
        self.x = MappingProxyType({{"a": x}})
def g(x):
    return A(x)
{registered}
def main():
    with ProcessPoolExecutor() as e:
        e.submit(g, 1)
if __name__ == "__main__":
    main()
"""


def test_what_the_program_says_how_to_pickle() -> None:
    registered = "copyreg.pickle(MappingProxyType, lambda each: (dict, (dict(each),)))"
    assert "LP206" in codes(REGISTERED.format(registered=""))
    assert codes(REGISTERED.format(registered=registered)) == []


SENT_BACK = """\
import copyreg
import re
import threading
import types
{registered}
def work(text):
    return {made}
def main():
    with ProcessPoolExecutor() as executor:
        print(executor.submit(work, "a").result())
if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("registered", "made"),
    [
        ("re.Match", "re.match('a', text)"),
        ("type(threading.Lock())", "threading.Lock()"),
        ("type({}.keys())", "{text: 1}.keys()"),
        ("types.ModuleType", "re"),
        ("types.GeneratorType", "(each for each in text)"),
    ],
)
def test_a_type_is_registered_by_the_name_that_errors_give_it(registered: str, made: str) -> None:
    call = f"copyreg.pickle({registered}, lambda each: (str, (str(each),)))"
    assert codes(SENT_BACK.format(registered=call, made=made)) == []
    named = f"KIND = {registered}\ncopyreg.pickle(KIND, lambda each: (str, (str(each),)))"
    assert codes(SENT_BACK.format(registered=named, made=made)) == []
    other = "copyreg.pickle(type({}.items()), lambda each: (list, (list(each),)))"
    assert codes(SENT_BACK.format(registered=other, made=made)) == ["LP206"]


@pytest.mark.parametrize(
    ("registered", "made", "found"),
    [
        ("from tblib import pickling_support\npickling_support.install()", "sys.exc_info()", []),
        ("import tblib.pickling_support\ntblib.pickling_support.install()", "sys.exc_info()", []),
        ("from tblib import pickling_support\npickling_support.install()", "threading.Lock()", ["LP206"]),
        ("from tblib import pickling_support", "sys.exc_info()", ["LP206"]),
    ],
)
def test_a_library_registers_a_type(registered: str, made: str, found: list[str]) -> None:
    text = SENT_BACK.format(registered=f"import sys\n{registered}", made=made)
    assert codes(text) == found


ITERATED = """\
def read(rows):
    for row in rows:
        yield {sample}

class Rows(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        {giving}

def collate(batch):
    return {collated}

def load(rows):
    return DataLoader(Rows(rows), num_workers=2, batch_size={size}, collate_fn=collate)
"""


@pytest.mark.parametrize(
    ("giving", "sample", "collated", "size", "expected"),
    [
        ("return read(self.rows)", "row", "batch", "None", []),
        ("return read(self.rows)", "row", "batch", "4", []),
        ("return (row for row in self.rows)", "", "batch", "None", []),
        ("return read(self.rows)", "{}.keys()", "batch", "None", ["LP206"]),
        ("return read(self.rows)", "{}.keys()", "batch", "4", ["LP206"]),
        ("return ({}.keys() for row in self.rows)", "row", "batch", "None", ["LP206"]),
        ("yield read(self.rows)", "row", "batch", "None", ["LP206"]),
        ("yield {}.keys()", "row", "list(batch)", "None", []),
        ("yield {}.keys()", "row", "list(batch)", "4", ["LP206"]),
        ("yield [{}.keys()]", "row", "batch[0]", "None", ["LP206"]),
    ],
)
def test_a_worker_goes_through_what_iter_returns(
    giving: str, sample: str, collated: str, size: str, expected: list[str]
) -> None:
    text = ITERATED.format(giving=giving, sample=sample, collated=collated, size=size)
    found = [code for code in codes(text) if code == "LP206"]
    assert found == expected


_SPREAD = """
import torch
import torch.multiprocessing as mp
from torch import nn


def loss(model, shard):
    inputs, targets = shard
    {body}


def size(shard, model):
    return len(shard)


class Evaluator:
    def __init__(self, model):
        self.model = model

    def losses(self, shards):
        with mp.Pool(2) as pool:
            return pool.{start}


def main(shards):
    model = nn.Linear(3, 1)
    {before}
    print(Evaluator(model).losses(shards))


if __name__ == "__main__":
    main([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(3)])
"""
_JOBS = "starmap(loss, [(self.model, shard) for shard in shards])"
_LOSS = "return nn.functional.mse_loss(model(inputs), targets)"


@pytest.mark.parametrize(
    ("start", "body", "before", "fires"),
    [
        (_JOBS, _LOSS, "pass", True),
        ("starmap_async(loss, [(self.model, shard) for shard in shards]).get()", _LOSS, "pass", True),
        ("starmap(loss, [(self.model, shards[0])])", _LOSS, "pass", True),
        ("apply(loss, (self.model, shards[0]))", _LOSS, "pass", True),
        (_JOBS, "return model(inputs)", "pass", True),
        (_JOBS, f"{_LOSS}.item()", "pass", False),
        (_JOBS, f"with torch.no_grad():\n        {_LOSS}", "pass", False),
        (_JOBS, _LOSS, "model.requires_grad_(False)", False),
        ("starmap(size, [(shard, self.model) for shard in shards])", _LOSS, "pass", False),
        ("starmap(loss, [(shard, self.model) for shard in shards])", "return model.sum(), inputs", "pass", False),
    ],
)
def test_a_tensor_of_a_model_that_comes_in_a_tuple(start: str, body: str, before: str, fires: bool) -> None:
    text = _SPREAD.format(start=start, body=body, before=before)
    assert ("LP206" in [code for _, code in marks(text)]) is fires


RECORDS = """\
import multiprocessing as mp
from collections import namedtuple

Row = namedtuple("Row", "number name")


def guess(text):
    return int(text) if text.isdigit() else text


def read(line):
    {body}


def main(lines):
    with mp.Pool(2) as pool:
        print(pool.map(read, lines))


if __name__ == "__main__":
    main(["1|Ann", "2|Bob"])
"""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param("make = Row._make\n    return make(guess(cell) for cell in line.split('|'))", [], id="by a name"),
        pytest.param("return Row._make(guess(cell) for cell in line.split('|'))", [], id="at once"),
        pytest.param("return Row._make(map(guess, line.split('|')))", [], id="of a map"),
        pytest.param("return Row(1, (guess(cell) for cell in line.split('|')))", ["LP206"], id="kept in a field"),
        pytest.param(
            "return Row._make((cell for cell in line) for line in line.split('|'))", ["LP206"], id="generators in it"
        ),
        pytest.param("return Row._make([1, lambda: line])", ["LP206"], id="a lambda in it"),
    ],
)
def test_make_of_a_namedtuple_uses_up_what_it_gets(body: str, shown: list[str]) -> None:
    assert [code for _, code in marks(RECORDS.format(body=body))] == shown


ROWS = """\
import sqlite3
from contextlib import closing
from multiprocessing import Pool


class Store:
    def __init__(self, path, as_rows=False):
        self.path = path
        self.as_rows = as_rows

    def connect(self):
        connection = sqlite3.connect(self.path)
        {setting}
        return connection

    def query(self, sql):
        with closing(self.connect()) as db:
            {query}


def pick(cursor, row):
    return row[0]


def work(store):
    {work}


def main():
    with Pool(2) as pool:
        print(pool.map(work, [Store("a.db"), Store("b.db")]))


if __name__ == "__main__":
    main()
"""
AS_ROWS = "connection.row_factory = sqlite3.Row"


def _rows_sent(setting: str = AS_ROWS, query: str = "return db.execute(sql).fetchall()", work: str = "") -> list[str]:
    work = work or 'return store.path, store.query("SELECT 1")'
    return [code for _, code in marks(ROWS.format(setting=setting, query=query, work=work))]


@pytest.mark.parametrize(
    "query",
    [
        "return db.execute(sql).fetchall()",
        "return db.execute(sql).fetchone()",
        "return db.execute(sql).fetchmany(3)",
        "cursor = db.cursor()\n            cursor.execute(sql)\n            return cursor.fetchall()",
        "return [row for row in db.execute(sql)]",
        "rows = db.execute(sql).fetchall()\n            return {'rows': rows}",
        "kept = []\n            for row in db.execute(sql):\n                kept.append(row)\n            return kept",
        "return db.execute(sql).fetchall()[0]",
    ],
)
def test_rows_of_a_database(query: str) -> None:
    assert _rows_sent(query=query) == ["LP206"]


def test_rows_of_a_connection_that_the_worker_sets() -> None:
    work = "db = store.connect()\n    db.row_factory = sqlite3.Row\n    return db.execute('SELECT 1').fetchall()"
    assert _rows_sent("pass", work=work) == ["LP206"]


@pytest.mark.parametrize(
    "change",
    [
        {"setting": "pass"},
        {"setting": "connection.row_factory = None"},
        {"setting": "connection.row_factory = pick"},
        {"setting": "connection.text_factory = bytes"},
        {"setting": "if self.as_rows:\n            connection.row_factory = sqlite3.Row"},
        {"setting": f"{AS_ROWS}\n        connection.row_factory = None"},
        {"query": "return [tuple(row) for row in db.execute(sql)]"},
        {"query": "return [dict(row) for row in db.execute(sql).fetchall()]"},
        {"query": "return list(map(dict, db.execute(sql).fetchall()))"},
        {"query": "return [row['a'] for row in db.execute(sql).fetchall()]"},
        {"query": "return {row['a']: row['b'] for row in db.execute(sql)}"},
        {"query": "return db.execute(sql).fetchone()['a']"},
        {"query": "return db.execute(sql).fetchone()[0]"},
        {"query": "return len(db.execute(sql).fetchall())"},
        {"query": "return tuple(db.execute(sql).fetchone())"},
        {"query": "return db.execute(sql).fetchone().keys()"},
        {"query": "a, b = db.execute(sql).fetchone()\n            return a, b"},
        {"work": "print(store.query('SELECT 1'))"},
    ],
)
def test_rows_that_are_data_or_stay(change: dict[str, str]) -> None:
    assert _rows_sent(**change) == []


def test_a_connection_that_is_set_after_the_rows_are_read() -> None:
    read = "rows = db.execute('SELECT 1').fetchall()"
    work = f"db = store.connect()\n    {read}\n    db.row_factory = sqlite3.Row\n    return rows"
    assert _rows_sent("pass", work=work) == []


OF_PARTIAL = """
import re
from functools import partial

class Scanner:
    def __init__(self, rule):
        self.rule = re.compile(rule)
    def __call__(self, line, *, whole=False):
        return self.rule.search(line)
    def scan(self, line):
        return [self.rule.search(line)]
    def count(self, line):
        return len(self.rule.findall(line))

def scan_one(line, scanner):
    return scanner.scan(line)

def count_one(line, scanner):
    return scanner.count(line)

def scan_for(scanner, line, *, at=0):
    return scanner.rule.search(line, at)

def pieces(size, line):
    yield line[:size]

def main(lines):
    scanner = Scanner("a")
    with mp.Pool(2) as pool:
        {task}
"""


@pytest.mark.parametrize(
    "task",
    [
        "pool.map(partial(scan_one, scanner=scanner), lines)",
        "list(pool.imap(partial(scan_for, scanner, at=1), lines))",
        "pool.map(partial(partial(scan_for, scanner), at=1), lines)",
        "work = partial(scan_one, scanner=scanner)\n        pool.apply_async(work, (lines[0],)).get()",
        "pool.map(partial(scanner.scan), lines)",
        "pool.map(partial(scanner, whole=True), lines)",
        "pool.map(partial(pieces, 3), lines)",
        "ProcessPoolExecutor(2).submit(partial(scan_one, lines[0]), scanner).result()",
    ],
)
def test_what_a_partial_calls_sends_back(task: str) -> None:
    assert codes(OF_PARTIAL.format(task=task)) == ["LP206"]


@pytest.mark.parametrize(
    "task",
    [
        "pool.map(partial(count_one, scanner=scanner), lines)",
        "pool.map(partial(partial(count_one), scanner=scanner), lines)",
        "list(map(partial(scan_one, scanner=scanner), lines))",
        "pool.map(partial(scanner.count), lines)",
        "mp.Process(target=partial(scan_one, scanner=scanner), args=(lines,)).start()",
    ],
)
def test_what_a_partial_calls_sends_back_data(task: str) -> None:
    assert codes(OF_PARTIAL.format(task=task)) == []
