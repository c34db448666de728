"""LP234: tasks without a `raise` of their own, whose errors what they read decides."""

from __future__ import annotations

import pytest

from tests.support import lint

_PROGRAM = """\
import contextlib
import csv
import io
import json
import logging
import re
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from multiprocessing import Pool

import requests

log = logging.getLogger(__name__)
RATES = {"EUR": 1.0, "USD": 0.9}
FILLED = {"EUR": 1.0}
FILLED["USD"] = 0.9
TEXT = "a,1"


def read(path):
    with open(path) as file:
        READ


def convert(path):
    CONVERT
    with open(path + ".out", "w") as file:
        file.write(str(rows))


def main(paths):
    with ProcessPoolExecutor() as executor:
        SEND


if __name__ == "__main__":
    main(["a.json"])
"""
_READ, _CONVERT = "return [json.loads(line) for line in file]", "rows = read(path)"
_SEND = "executor.map(convert, paths)"
_ROWS = "for row in csv.DictReader(open(path)):"
_FIELDS = "fields = dict(part.split('=') for part in path.split())"


def _found(send: str = _SEND, convert: str = _CONVERT, read: str = _READ) -> list[str]:
    text = _PROGRAM.replace("READ", read.replace("\n", "\n        ")).replace("SEND", send.replace("\n", "\n        "))
    text = text.replace("CONVERT", convert.replace("\n", "\n    "))
    return [each.message for each in lint(text).diagnostics if each.code == "LP234"]


@pytest.mark.parametrize(
    ("send", "convert", "read", "error"),
    [
        (_SEND, _CONVERT, _READ, "JSONDecodeError"),
        (_SEND, "rows = json.load(open(path))", "return 1", "JSONDecodeError"),
        (_SEND, "rows = [int(line.split()[0]) for line in open(path)]", "return 1", "ValueError"),
        (_SEND, "rows = float(open(path).readline())", "return 1", "ValueError"),
        (_SEND, "answer = requests.get(path)\nanswer.raise_for_status()\nrows = answer.text", "return 1", "HTTPError"),
        (_SEND, "parts = path.split('-')\nrows = int(parts[1])", "return 1", "ValueError"),
        (_SEND, "text = path.partition('-')[2]\nrows = float(text)", "return 1", "ValueError"),
        (_SEND, "rows = int('abc')", "return 1", "ValueError"),
        (_SEND, f"{_FIELDS}\nrows = fields['temp']", "return 1", "KeyError"),
        (_SEND, f"{_FIELDS}\nrows = int(fields['temp']), fields['load']", "return 1", "KeyError"),
        (
            _SEND,
            "fields = {k: v for k, v in (p.split('=') for p in path.split())}\nrows = fields['a']",
            "return 1",
            "KeyError",
        ),
        (_SEND, "fields = {'time': path}\nrows = fields['temp']", "return 1", "KeyError"),
        (_SEND, "rows = Decimal(path.split('-')[1])", "return 1", "InvalidOperation"),
        (_SEND, "name, amount = path.split('-')\nrows = Decimal(amount)", "return 1", "InvalidOperation"),
        (_SEND, "name, amount = path\nrows = int(name), Decimal(amount)", "return 1", "InvalidOperation"),
        (_SEND, "rows = int(path[0]), Decimal(path[1])", "return 1", "InvalidOperation"),
        (_SEND, "name, count = path.split('-')\nrows = int(count)", "return 1", "ValueError"),
        (_SEND, f"{_ROWS}\n    rows = float(row['price'])", "return 1", "ValueError"),
        (_SEND, f"{_ROWS}\n    rows = Decimal(row['price'])", "return 1", "InvalidOperation"),
        (_SEND, f"{_ROWS}\n    rows = RATES[row['cur']]", "return 1", "KeyError"),
        (_SEND, f"{_ROWS}\n    rows = RATES[row['cur'].strip().upper()]", "return 1", "KeyError"),
        (_SEND, f"{_ROWS}\n    rows = RATES[row['cur']] * float(row['price'])", "return 1", "KeyError"),
        (_SEND, "rows = [int(row[2]) for row in csv.reader(open(path))]", "return 1", "ValueError"),
        (_SEND, "rows = [int(n) for _, n in csv.reader(open(path))]", "return 1", "ValueError"),
        (_SEND, "reader = csv.reader(open(path))\nhead = next(reader)\nrows = int(head[0])", "return 1", "ValueError"),
        (_SEND, "with open(path) as file:\n    rows = [float(line) for line in file]", "return 1", "ValueError"),
        (_SEND, "for at, line in enumerate(open(path)):\n    rows = float(line)", "return 1", "ValueError"),
        (_SEND, "rows = [float(value) for value in re.findall(r'=(.*)', path)]", "return 1", "ValueError"),
        (_SEND, "found = re.match('(.*)=(.*)', path)\nrows = int(found.group(2))", "return 1", "ValueError"),
        (_SEND, "name, count = re.match('(.*)=(.*)', path).groups()\nrows = int(count)", "return 1", "ValueError"),
        (
            _SEND,
            "for line in open(path):\n" + "    line = line.strip()\n" * 12 + "    rows = float(line)",
            "return 1",
            "ValueError",
        ),
        (_SEND, "table = {'a': 1}\nrows = table[path.split('-')[0]]", "return 1", "KeyError"),
        (_SEND, "kind, name = path.split('-')\nrows = RATES[kind]", "return 1", "KeyError"),
        (_SEND, "rows = datetime.strptime(path, '%Y')", "return 1", "ValueError"),
        (_SEND, "rows = datetime.fromisoformat(path)", "return 1", "ValueError"),
        ("for path in paths:\n    executor.submit(convert, path)", _CONVERT, _READ, "JSONDecodeError"),
        ("futures = [executor.submit(convert, path) for path in paths]", _CONVERT, _READ, "JSONDecodeError"),
        (
            "pool = Pool(2)\npool.apply_async(convert, (paths,), callback=print)\npool.close()\npool.join()",
            f"{_ROWS}\n    rows = float(row['price'])",
            "return 1",
            "ValueError",
        ),
        (
            "pool = Pool(2)\npool.map_async(convert, paths)\npool.close()\npool.join()",
            _CONVERT,
            _READ,
            "JSONDecodeError",
        ),
    ],
)
def test_errors_of_what_is_read(send: str, convert: str, read: str, error: str) -> None:
    [message] = _found(send, convert, read)
    assert f"raises `{error}`" in message


@pytest.mark.parametrize(
    ("send", "convert", "read"),
    [
        pytest.param("print(list(executor.map(convert, paths)))", _CONVERT, _READ, id="gone through"),
        pytest.param("for _ in executor.map(convert, paths):\n    pass", _CONVERT, _READ, id="in a loop"),
        pytest.param("return executor.map(convert, paths)", _CONVERT, _READ, id="given back"),
        pytest.param("executor.submit(convert, paths[0]).result()", _CONVERT, _READ, id="asked for"),
        pytest.param("executor.submit(convert, paths[0]).add_done_callback(print)", _CONVERT, _READ, id="a callback"),
        pytest.param(
            _SEND,
            "try:\n    rows = read(path)\nexcept ValueError:\n    rows = []",
            _READ,
            id="caught where it is called",
        ),
        pytest.param(
            _SEND,
            _CONVERT,
            "try:\n    return json.load(file)\nexcept ValueError:\n    return None",
            id="caught at once",
        ),
        pytest.param(_SEND, "log.warning('reading %s', path)\n" + _CONVERT, _READ, id="told"),
        pytest.param(
            _SEND,
            "rows = []\nwith contextlib.suppress(ValueError):\n    rows = json.loads(path)",
            "return 1",
            id="suppressed",
        ),
        pytest.param(_SEND, "rows = int(len(path) / 2)", "return 1", id="a number of a number"),
        pytest.param(_SEND, "rows = int('12') + float('1e3')", "return 1", id="a text that is one"),
        pytest.param(_SEND, "rows = int('ff', 16)", "return 1", id="with a base"),
        pytest.param(_SEND, "rows = Decimal(path)", "return 1", id="a decimal of a whole"),
        pytest.param(_SEND, "name, amount = path\nrows = Decimal(amount)", "return 1", id="perhaps of a number"),
        pytest.param(_SEND, "rows = int(paths[0]), Decimal(path[1])", "return 1", id="a part of another"),
        pytest.param(_SEND, "rows = Decimal(str(path[0])) + int(path[0])", "return 1", id="a decimal of a number"),
        pytest.param(_SEND, "rows = Decimal('4.50') + Decimal(3)", "return 1", id="a decimal that is written out"),
        pytest.param(_SEND, "rows = datetime.strptime('2024', '%Y')", "return 1", id="a time that is written out"),
        pytest.param(_SEND, "rows = datetime.fromtimestamp(path)", "return 1", id="a time of a number"),
        pytest.param(_SEND, "parts = path.split('-')\nrows = len(parts)", "return 1", id="not taken for a number"),
        pytest.param(_SEND, "fields = {'time': path}\nrows = fields['time']", "return 1", id="a key that is there"),
        pytest.param(
            _SEND, "fields = {'time': path, **OTHERS}\nrows = fields['temp']", "return 1", id="others may have it"
        ),
        pytest.param(
            _SEND, "fields = {}\nfields['temp'] = path\nrows = fields['temp']", "return 1", id="stored before"
        ),
        pytest.param(_SEND, "fields = {}\nfill(fields)\nrows = fields['temp']", "return 1", id="filled elsewhere"),
        pytest.param(_SEND, f"{_FIELDS}\nrows = fields.get('temp')", "return 1", id="asked for, by get"),
        pytest.param(
            _SEND, f"{_FIELDS}\nrows = fields['temp'] if 'temp' in fields else 0", "return 1", id="asked before"
        ),
        pytest.param(_SEND, f"{_FIELDS}\nrows = fields[path]", "return 1", id="a key that is not known"),
        pytest.param(_SEND, f"{_ROWS}\n    rows = float(row['price'] or 0)", "return 1", id="with another number"),
        pytest.param(
            _SEND,
            f"{_ROWS}\n    rows = float(row['price']) if row['price'] else 0",
            "return 1",
            id="a field that is asked for",
        ),
        pytest.param(
            _SEND,
            f"{_ROWS}\n    if row['cur'] not in RATES:\n        continue\n    rows = RATES[row['cur']]",
            "return 1",
            id="a table that is asked before",
        ),
        pytest.param(_SEND, f"{_ROWS}\n    rows = RATES.get(row['cur'], 1)", "return 1", id="a table's get"),
        pytest.param(_SEND, f"{_ROWS}\n    rows = FILLED[row['cur']]", "return 1", id="a table that is filled"),
        pytest.param(_SEND, f"{_ROWS}\n    rows = row['price'] + row['cur']", "return 1", id="no number is made"),
        pytest.param(_SEND, "rows = [int(each) for each in re.findall(r'\\d+', path)]", "return 1", id="digits found"),
        pytest.param(
            _SEND, "found = re.match(r'(\\d+)', path)\nrows = int(found.group(1))", "return 1", id="a group of digits"
        ),
        pytest.param(
            _SEND, "one, two = re.match('([0-9]+)-([0-9]+)', path).groups()\nrows = int(one)", "return 1", id="digits"
        ),
        pytest.param(_SEND, "path = path.lower()\nrows = float(path)", "return 1", id="a parameter given anew"),
        pytest.param(_SEND, "rows = RATES['EUR'] * RATES[path]", "return 1", id="a key that is given"),
        pytest.param(
            _SEND,
            "for row in csv.reader(open(path), quoting=csv.QUOTE_NONNUMERIC):\n    rows = int(row[0])",
            "return 1",
            id="numbers of a csv file",
        ),
        pytest.param(
            _SEND, "rows = [int(row[1]) for row in csv.reader(io.StringIO('a,1'))]", "return 1", id="written rows"
        ),
        pytest.param(
            _SEND, "rows = [int(row[1]) for row in csv.reader(['a,1', 'b,2'])]", "return 1", id="written lines"
        ),
        pytest.param(_SEND, "rows = [RATES[kind] for kind in 'EUR USD'.split()]", "return 1", id="written keys"),
        pytest.param(
            _SEND,
            "with open(path) as file:\n    rows = [float(line) for line in file if line.strip()]",
            "return 1",
            id="lines that are asked before",
        ),
        pytest.param(
            _SEND,
            f"{_ROWS}\n    value = row['price']\n    value = 3\n    rows = int(value)",
            "return 1",
            id="given anew",
        ),
        pytest.param(
            "pool = Pool(2)\npool.apply_async(convert, (paths,), error_callback=print)\npool.close()\npool.join()",
            f"{_ROWS}\n    rows = float(row['price'])",
            "return 1",
            id="an error callback",
        ),
        pytest.param(
            _SEND,
            f"try:\n    {_ROWS}\n        rows = float(row['price'])\nexcept ValueError:\n    rows = 0",
            "return 1",
            id="rows whose errors are caught",
        ),
        pytest.param(_SEND, "rows = path.upper()", "return 1", id="only a file is written"),
        pytest.param(_SEND, "rows = json.dumps(path)", "return 1", id="nothing is parsed"),
        pytest.param(_SEND, _CONVERT, "return file.read()", id="read, not parsed"),
    ],
)
def test_errors_that_are_heard_of_or_none(send: str, convert: str, read: str) -> None:
    assert _found(send, convert, read) == []


def test_a_decorated_task_may_catch_its_errors() -> None:
    text = _PROGRAM.replace("READ", _READ).replace("SEND", _SEND).replace("CONVERT", _CONVERT)
    text = text.replace("def convert", "@lru_cache\ndef convert")
    assert "LP234" not in [each.code for each in lint(text).diagnostics]


KEPT = """\
from concurrent.futures import ProcessPoolExecutor, wait
from decimal import Decimal


def clean(row):
    ident, amount = row
    return int(ident), Decimal(amount)


def load(path, rows):
    {load}


class Loader:
    def __init__(self):
        self.jobs = []

    def run(self, export):
        with ProcessPoolExecutor(2) as executor:
            for day, rows in export.items():
                self.jobs.append(executor.submit(load, day, rows))
            {then}
        return True


def main(export):
    Loader().run(export)


if __name__ == "__main__":
    main({{"mon": [("1", "n/a")]}})
"""
_LOAD = "open(path, 'w').write(str([clean(row) for row in rows]))"


@pytest.mark.parametrize(
    ("then", "load", "is_lost"),
    [
        ("finished, unfinished = wait(self.jobs)\n            print(len(finished), not unfinished)", _LOAD, True),
        ("wait(self.jobs)", _LOAD, True),
        ("pass", _LOAD, True),
        ("print([job.result() for job in self.jobs])", _LOAD, False),
        ("print([job.exception() for job in self.jobs])", _LOAD, False),
        (
            "wait(self.jobs)\n            for job in self.jobs:\n                job.add_done_callback(print)",
            _LOAD,
            False,
        ),
        ("wait(self.jobs)", f"try:\n        {_LOAD}\n    except ArithmeticError:\n        print(path)", False),
        ("wait(self.jobs)", "open(path, 'w').write(str(rows))", False),
    ],
)
def test_tasks_that_an_object_keeps(then: str, load: str, is_lost: bool) -> None:
    found = lint(KEPT.format(then=then, load=load)).diagnostics
    assert ("LP234" in [each.code for each in found]) is is_lost


GIVEN = """\
import csv
import io
from multiprocessing import Pool

RATES = {{"EUR": 1.0, "USD": 0.9}}
TEXTS = {texts}


def load(name, text):
    return {value}


def main():
    pool = Pool(2)
    for name, text in TEXTS.items():
        pool.apply_async(load, (name, text), callback=print)
    pool.close()
    pool.join()


if __name__ == "__main__":
    main()
"""
_DICTS = "[{} for row in csv.DictReader(io.StringIO(text))]"
_LISTS = "[{} for row in csv.reader(text.splitlines())]"


@pytest.mark.parametrize(
    ("texts", "value", "is_lost"),
    [
        ({"a": "1", "b": "x"}, "int(text)", True),
        ({"a": "1", "b": ""}, "float(text)", True),
        ({"a": "1", "b": "2.5"}, "int(text)", True),
        ({"a": "1", "b": "2.5"}, "float(text)", False),
        ({"a": "1", "b": "x"}, "int(text) if text.isdigit() else 0", False),
        ({"a": "1", "b": "x"}, "text", False),
        ({"a": 1, "b": 2.5}, "int(text)", False),
        ({"a": "n,p\na,1\n", "b": "n,p\nb,\n"}, _DICTS.format("float(row['p'])"), True),
        ({"a": "n,p\na,1\n", "b": "n,p\nb,2\n"}, _DICTS.format("float(row['p'])"), False),
        ({"a": "n,p\nEUR,1\n", "b": "n,p\nCHF,2\n"}, _DICTS.format("RATES[row['n']] * float(row['p'])"), True),
        ({"a": "n,p\nEUR,1\n", "b": "n,p\nUSD,2\n"}, _DICTS.format("RATES[row['n']] * float(row['p'])"), False),
        ({"a": "a,1\nb,\n", "b": "b,2"}, _LISTS.format("int(row[1])"), True),
        ({"a": "a,1\nb,3\n", "b": "b,2"}, _LISTS.format("int(row[1])"), False),
    ],
)
def test_texts_that_are_written_out(texts: dict[str, object], value: str, is_lost: bool) -> None:
    found = lint(GIVEN.format(texts=texts, value=value)).diagnostics
    assert ("LP234" in [each.code for each in found]) is is_lost
