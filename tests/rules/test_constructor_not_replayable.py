"""LP606: constructor-not-replayable."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.pickling_hooks import KEPT, rows
from tests.support import lint


class TestPage(PageTests):
    code = "LP606"


@pytest.mark.parametrize(
    ("source", "fires"),
    [
        ("class A(tuple):\n    def __new__(cls, a, b): return super().__new__(cls, (a, b))", True),
        ("class A(int):\n    def __new__(cls, a, *, b): return int.__new__(cls, a)", True),
        ("class A:\n    def __new__(cls, a): return object.__new__(cls)", True),
        ("from collections import deque\nclass A(deque):\n    def __init__(self, n): super().__init__(maxlen=n)", True),
        ("from collections import deque\nclass A(deque):\n    def __init__(self, of): super().__init__(of)", False),
        ("class A(set):\n    def __init__(self, a, b): super().__init__()", True),
        ("class A(tuple):\n    def __new__(cls, values): return super().__new__(cls, values)", False),
        ("class A(int):\n    def __new__(cls, a, b=1): return int.__new__(cls, a)", False),
        ("class A:\n    def __new__(cls, a): return make(a)", False),
        ("class A:\n    def __new__(cls, *args, **kwargs): return object.__new__(cls)", False),
        (
            "class A:\n    def __new__(cls, a): return object.__new__(cls)\n    def __reduce__(self): return A, (1,)",
            False,
        ),
        ("class A(list):\n    def __init__(self, n): super().__init__([0] * n)", False),
        ("class A(type):\n    def __new__(mcs, a, b, c): return type.__new__(mcs, a, b, c)", False),
        (
            "A = type\n\nclass A(A):\n    def __new__(mcs, a, b, c): return super().__new__(mcs, a, b, c)\n\n"
            "class A(A):\n    def __new__(mcs, a, b, c): return super().__new__(mcs, a, b, c)",
            False,
        ),
        ("from x import B\nclass A(B):\n    def __new__(cls, a): return super().__new__(cls)", False),
    ],
)
def test_constructors_that_pickle_calls(source: str, fires: bool) -> None:
    assert bool(rows(source + KEPT, "LP606")) is fires


_TOKEN = """

class A({base}):
    def __new__(cls, kind, text):
        token = {base}.__new__(cls, text)
        token.kind = kind
        return token
"""


@pytest.mark.parametrize(
    ("bases", "base"),
    [
        ("Str = str", "Str"),
        ("Str = type('')", "Str"),
        ("Text = type(u'')\nStr = Text", "Str"),
        ("Number = type(0)", "Number"),
        ("try:\n    Str = unicode\nexcept NameError:\n    Str = str", "Str"),
        ("import sys\nif sys.version_info[0] > 2:\n    Str = str\nelse:\n    Str = unicode", "Str"),
    ],
)
def test_a_builtin_class_by_another_name(bases: str, base: str) -> None:
    assert rows(bases + _TOKEN.format(base=base) + KEPT, "LP606") == [bases.count("\n") + 4]


@pytest.mark.parametrize("bases", ["Str = type(make(''))", "Str = type(None)", "Str = type(text)", "Str = type()"])
def test_a_class_of_which_nothing_is_known(bases: str) -> None:
    assert rows(bases + _TOKEN.format(base="Str") + KEPT, "LP606") == []


_PATH = "from pathlib import Path\nfrom collections.abc import Mapping\n\n\nclass A({bases}):\n    {constructor}\n"


@pytest.mark.parametrize(
    ("bases", "constructor", "fires"),
    [
        ("type(Path())", "def __new__(cls, path=None): return super().__new__(cls, path or '.')", True),
        ("type(Path()), Mapping", "def __new__(cls, path, mode): return super().__new__(cls, path)", True),
        ("Path", "def __init__(self, path): super().__init__(path)", True),
        ("type(Path())", "def __new__(cls, *parts): return super().__new__(cls, *parts)", False),
        ("type(Path())", "def __new__(cls, path, *, mode=1): return super().__new__(cls, path)", True),
        ("Path", "def __init__(self, *parts, mode=1): super().__init__(*parts)", False),
        ("Path", "def __new__(cls, path): return make(path)", False),
        ("Path", "def __reduce__(self): return A, (str(self),)\n    def __init__(self, path): pass", False),
        ("type(make())", "def __new__(cls, path=None): return super().__new__(cls, path)", False),
    ],
)
def test_a_path_is_rebuilt_of_its_parts(bases: str, constructor: str, fires: bool) -> None:
    source = _PATH.format(bases=bases, constructor=constructor)
    assert bool(rows(source + KEPT, "LP606")) is fires


def test_a_path_is_rebuilt_of_what_it_was_made_of_since_python_3_13() -> None:
    source = _PATH.format(bases="Path", constructor="def __init__(self, path): super().__init__(path)") + KEPT
    resolver = SettingsResolver(isolated=True, overrides={"target-version": "3.13"})
    outcome = lint_source(source, "example.py", resolver=resolver)
    assert "LP606" not in {each.code for each in outcome.diagnostics}


_INHERITED = """\
import multiprocessing


class Quantity(float):
    def __new__(cls, value, unit):
        made = super().__new__(cls, value)
        made.unit = unit
        return made


class Price(Quantity):
{body}


def convert(price):
    return price * 2


def main():
    prices = [Price({given}) for number in range(3)]
    with multiprocessing.Pool(2) as pool:
        print(pool.map(convert, prices))
"""


@pytest.mark.parametrize("body", ["    pass", "    def rounded(self):\n        return round(self, 2)"])
def test_a_subclass_that_inherits_the_constructor(body: str) -> None:
    assert rows(_INHERITED.format(body=body, given="number, 'EUR'"), "LP606") == [5]


@pytest.mark.parametrize(
    "body",
    [
        "    def __getnewargs__(self):\n        return float(self), self.unit",
        "    def __reduce__(self):\n        return Price, (float(self), self.unit)",
        "    def __new__(cls, value, unit='EUR'):\n        return super().__new__(cls, value, unit)",
    ],
)
def test_a_subclass_that_mends_the_constructor(body: str) -> None:
    assert not rows(_INHERITED.format(body=body, given="number, 'EUR'"), "LP606")


def test_the_class_that_does_not_cross_is_not_judged_for_its_subclass() -> None:
    text = _INHERITED.format(body="    pass", given="number, 'EUR'").replace("convert, prices", "convert, range(3)")
    assert not rows(text, "LP606")


@pytest.mark.parametrize(
    ("base", "body", "fires"),
    [
        ("defaultdict", "def __init__(self, text=None):\n    super().__init__(list)\n    self.text = text", True),
        (
            "defaultdict",
            "def __init__(self, text=None):\n    super().__init__(list)\n    if text:\n        self.update(text)",
            True,
        ),
        (
            "defaultdict",
            "def __init__(self, rows=()):\n    super(A, self).__init__(list)\n    for row in rows:\n        print(row)",
            True,
        ),
        ("defaultdict", "def __init__(self, make=None):\n    super().__init__(make)\n    self.make = make", False),
        (
            "defaultdict",
            "def __init__(self, make=None):\n    super().__init__(list)\n    self.default_factory = make",
            False,
        ),
        ("defaultdict", "def __init__(self, make=None):\n    super().__init__(list)", False),
        (
            "defaultdict",
            "def __init__(self, make=None):\n    super().__init__(wrapped(make))\n    self.m = make",
            False,
        ),
        (
            "defaultdict",
            "def __init__(self, make=None):\n    super().__init__(list)\n    self.m = checked(make)",
            False,
        ),
        ("set", "def __init__(self, owner, items=()):\n    super().__init__(items)\n    self.owner = owner", True),
        ("set", "def __init__(self, items, owner=None):\n    super().__init__(items)\n    self.owner = owner", False),
        (
            "set",
            "def __init__(self, items):\n    super().__init__()\n    self.update(items)\n    self.first = items",
            False,
        ),
        ("tuple", "def __new__(cls, *items):\n    return super().__new__(cls, items)", True),
        ("tuple", "def __new__(cls, items):\n    return super().__new__(cls, items)", False),
        ("tuple", "def __new__(cls, *items):\n    return super().__new__(cls, items[0])", False),
        ("str", "def __new__(cls, name):\n    return super().__new__(cls, f'a {name}')", True),
        ("str", "def __new__(cls, name):\n    return str.__new__(cls, 'a %s' % name)", True),
        ("str", "def __new__(cls, name):\n    return str.__new__(cls, 'a ' + name)", True),
        ("str", "def __new__(cls, name):\n    return str.__new__(cls, f'{name}')", False),
        ("str", "def __new__(cls, name):\n    return str.__new__(cls, name.lower())", False),
        ("str", "def __new__(cls, name):\n    name = cut(name)\n    return str.__new__(cls, 'a ' + name)", False),
        ("int", "def __new__(cls, minutes):\n    return int.__new__(cls, minutes * 60)", True),
        ("int", "def __new__(cls, hour):\n    return int.__new__(cls, hour % 24)", False),
        ("float", "def __new__(cls, value):\n    return float.__new__(cls, value)", False),
    ],
)
def test_what_pickle_passes_taken_for_something_else(base: str, body: str, fires: bool) -> None:
    head = f"from collections import defaultdict\n\n\nclass A({base}):\n"
    text = head + "".join(f"    {line}\n" for line in body.splitlines())
    assert (rows(text + KEPT, "LP606") == [5]) is fires


_TRIED = """\
import hashlib
import html
import math
import os
import shlex
from urllib.parse import quote, unquote

from texts import cut

PREFIX = "key:"


class A({base}):
    FOLDER = "data/"

"""


def _tried(base: str, body: str) -> bool:
    text = _TRIED.format(base=base) + "".join(f"    {line}\n" for line in body.splitlines())
    return rows(text + KEPT, "LP606") == [16]


@pytest.mark.parametrize(
    ("base", "value"),
    [
        ("str", "quote(x.lstrip('/'), safe='/')"),
        ("str", "html.escape(x)"),
        ("str", "shlex.quote(x)"),
        ("str", "repr(x)"),
        ("str", "PREFIX + x"),
        ("str", "cls.FOLDER + x.lower()"),
        ("str", "'{}.csv'.format(x)"),
        ("str", "hashlib.sha256(x.encode()).hexdigest()"),
        ("str", "x.decode()"),
        ("str", "f'{x:.2f} EUR'"),
        ("str", "'%05d' % x"),
        ("str", "x[1:]"),
        ("bytes", "x.encode()"),
        ("int", "round(x * 100)"),
        ("int", "x, 16"),
        ("int", "int(x.split()[0])"),
        ("int", "x << 8"),
        ("int", "x << 20"),
        ("int", "x * 1024 * 1024"),
        ("int", "x * 1024**3"),
        ("int", "x * 2**40"),
        ("int", "round(x * 1e9)"),
        ("float", "math.radians(x)"),
        ("float", "x * math.pi / 180"),
        ("float", "(x - 32) / 1.8"),
        ("float", "x.rstrip('%')"),
        ("tuple", "(int(part) for part in x.split('.'))"),
        ("tuple", "map(int, x.split('.'))"),
    ],
)
def test_what_is_made_of_a_value_again(base: str, value: str) -> None:
    assert _tried(base, f"def __new__(cls, x):\n    return super().__new__(cls, {value})")


@pytest.mark.parametrize(
    ("base", "value"),
    [
        ("str", "x"),
        ("str", "str(x)"),
        ("str", "x.strip().lower()"),
        ("str", "x.title()"),
        ("str", "x[:8]"),
        ("str", "' '.join(x.split())"),
        ("str", "x.replace(' ', '_')"),
        ("str", "'/' + x.lstrip('/')"),
        ("str", "x.rstrip('/') + '/'"),
        ("str", "f\"/{x.strip('/')}\""),
        ("str", "x if x.startswith('/') else '/' + x"),
        ("str", "quote(unquote(x))"),
        ("str", "unquote(x)"),
        ("str", "cut(x)"),
        ("str", "cut(quote(x))"),
        ("str", "os.path.join('/data', x)"),
        ("str", "x.value"),
        ("str", "x.zfill(10 ** 9)"),
        ("str", "x * 10 ** 12"),
        ("bytes", "x"),
        ("int", "abs(x)"),
        ("int", "x & 0xFFFFFFFF"),
        ("int", "x % (1 << 32)"),
        ("int", "max(x, 2**20 * 1)"),
        ("int", "x << 20 >> 20"),
        ("int", "x * 1024 * 1024 // 2**20"),
        ("int", "x << (1 << 40)"),
        ("int", "x ** 2 ** 40"),
        ("int", "10 ** 10 ** 10 * x"),
        ("float", "round(x, 2)"),
        ("float", "x % 360"),
        ("float", "max(0.0, min(1.0, x))"),
        ("tuple", "sorted(x)"),
        ("tuple", "(float(each) for each in x)"),
    ],
)
def test_what_is_left_as_it_is(base: str, value: str) -> None:
    assert not _tried(base, f"def __new__(cls, x):\n    return super().__new__(cls, {value})")


@pytest.mark.parametrize(
    ("base", "body", "fires"),
    [
        ("str", "def __new__(cls, x):\n    x = x.strip()\n    return super().__new__(cls, quote(x))", True),
        (
            "str",
            "def __new__(cls, x):\n    me = super().__new__(cls, quote(x))\n    me.raw = cut(x)\n    return me",
            True,
        ),
        (
            "str",
            "def __new__(cls, x, quoted=False):\n    return super().__new__(cls, x if quoted else quote(x))",
            True,
        ),
        (
            "str",
            "def __new__(cls, x, quoted=True):\n    return super().__new__(cls, x if quoted else quote(x))",
            False,
        ),
        (
            "str",
            "def __new__(cls, x):\n    if not x.startswith('/'):\n        x = '/' + x\n    return str.__new__(cls, x)",
            False,
        ),
        (
            "int",
            "def __new__(cls, x):\n    if isinstance(x, str):\n        x = int(x, 16)\n    return int.__new__(cls, x)",
            False,
        ),
        (
            "int",
            "def __new__(cls, x):\n    if x < 0:\n        raise ValueError('no')\n    return int.__new__(cls, x)",
            False,
        ),
        (
            "str",
            "def __new__(cls, x):\n    for c in '<>':\n        x = x.replace(c, '-')\n    return str.__new__(cls, x)",
            False,
        ),
        (
            "str",
            "def __new__(cls, x):\n    return str.__new__(cls, quote(x))\n"
            "def __getnewargs__(self):\n    return (unquote(self),)",
            False,
        ),
        (
            "str",
            "def __new__(cls, x):\n    return str.__new__(cls, quote(x))\n"
            "def __reduce__(self):\n    return str, (self,)",
            False,
        ),
    ],
)
def test_what_a_longer_constructor_makes(base: str, body: str, fires: bool) -> None:
    assert _tried(base, body) is fires


QUANTITY = """\
from concurrent.futures import ProcessPoolExecutor


class Quantity(float):
    def __new__(cls, value, unit=DEFAULT):
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def to(self, unit):
        RETURNED


def dose(hours):
    return RESULT


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(dose, [1, 2])))
"""
TO_GRAMS = 'Quantity(hours, "mg").to("g")'
CONVERTED = {
    "by type(self)": "return type(self)(self * 1000, unit)",
    "by a name for it": "kind = type(self)\n        return kind(self * 1000, unit)",
    "by self.__class__": "return self.__class__(self * 1000, unit)",
    "by its name": "return Quantity(self * 1000, unit)",
}


ARGUMENTS = "\n\n    def __getnewargs__(self):\n        return float(self), self.unit"


def quantity(returned: str, result: str = TO_GRAMS) -> str:
    return QUANTITY.replace("=DEFAULT", "").replace("RETURNED", returned).replace("RESULT", result)


@pytest.mark.parametrize("returned", CONVERTED.values(), ids=CONVERTED)
def test_what_a_method_makes_of_its_own_class_is_sent_back(returned: str) -> None:
    found = [each for each in lint(quantity(returned)).diagnostics if each.code == "LP606"]
    assert [len(each.start_methods) for each in found] == [3]


@pytest.mark.parametrize(
    "source",
    [
        quantity("return type(self)(self * 1000, unit)", "float(Quantity(hours, 'mg').to('g'))"),
        quantity("return float(self) * 1000"),
        quantity("return type(self).__name__"),
        quantity("return type(unit)(self)"),
        quantity(CONVERTED["by type(self)"]).replace("value, unit)", "value, unit='mg')", 1),
        quantity(
            CONVERTED["by type(self)"] + "\n\n    def __getnewargs__(self):\n        return float(self), self.unit"
        ),
    ],
    ids=["a plain number", "of another method", "a name", "another class", "a default", "says its arguments"],
)
def test_what_a_method_makes_otherwise_is_sent_back(source: str) -> None:
    assert [each.code for each in lint(source).diagnostics if each.code == "LP606"] == []


_ZONE = """\
import multiprocessing
from datetime import datetime, time, timedelta, timezone, tzinfo


class Zone(tzinfo):
    def __init__(self, hours):
        self.offset = timedelta(hours=hours)

    def utcoffset(self, dt):
        return self.offset


def main():
    with multiprocessing.Pool(2) as pool:
        print(pool.map(str, [{made}]))
"""


@pytest.mark.parametrize(
    "made",
    [
        "Zone(1)",
        "datetime(2024, 5, 1, tzinfo=Zone(1))",
        "datetime(2024, 5, 1, 9, 0, 0, 0, Zone(1))",
        "datetime.now(Zone(1))",
        "datetime.fromtimestamp(0, tz=Zone(1))",
        "datetime.combine(datetime(2024, 5, 1), time(9), tzinfo=Zone(1))",
        "time(9, tzinfo=Zone(1))",
    ],
)
def test_a_time_holds_its_zone(made: str) -> None:
    assert rows(_ZONE.format(made=made), "LP606") == [6]


@pytest.mark.parametrize(
    "made",
    [
        "datetime(2024, 5, 1, tzinfo=timezone.utc)",
        "datetime.now()",
        "time(9)",
        "datetime.now(Zone(1)).isoformat()",
        "datetime.now(Zone(1)).date()",
        "(datetime.now(Zone(1)) - datetime.now(Zone(2))).total_seconds()",
        "datetime.fromtimestamp(0, Zone(1)).hour",
    ],
)
def test_what_holds_no_zone(made: str) -> None:
    assert not lint(_ZONE.format(made=made)).diagnostics


def test_a_zone_with_defaults_is_rebuilt() -> None:
    text = _ZONE.replace("(self, hours)", "(self, hours=0)")
    assert rows(text.format(made="datetime.now(Zone(1))"), "LP606") == []
