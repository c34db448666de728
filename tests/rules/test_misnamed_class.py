"""LP125: misnamed-class."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import DATA, codes
from tests.support import marks

_LOADER = "\ndef loader():\n    return DataLoader(Data(), num_workers=1)\n"


class TestPage(PageTests):
    code = "LP125"


@pytest.mark.parametrize(
    ("definition", "statement", "fires"),
    [
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')", "self.kind = Label.CAT", True),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')", "self.kind = Label", True),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')", "self.kinds = list(Label)", True),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')", "self.kind = Label['CAT']", True),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')", "self.kind = Label(1)", True),
        ("Label = enum.IntEnum(value='AnimalLabel', names='CAT DOG')", "self.kind = Label.CAT", True),
        ("Mode = enum.IntFlag('Modes', 'READ WRITE')", "self.mode = Mode.READ", True),
        ("Label = enum.Enum('Label', 'CAT DOG')", "self.kind = Label.CAT", False),
        ("Label = enum.unique(enum.Enum('Label', 'CAT DOG'))", "self.kind = Label.CAT", False),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')\nAnimalLabel = Label", "self.kind = Label.CAT", False),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG', module='labels')", "self.kind = Label.CAT", False),
        ("Label = enum.Enum('AnimalLabel', 'CAT DOG')", "self.kind = Label.CAT.value", False),
        ("Label = enum.Enum('AnimalLabel', 'cat dog')", "self.kind = Label.cat", True),
        ("Label = enum.Enum('Label', 'cat dog')", "self.kind = Label.cat", False),
        ("Label = enum.Enum('AnimalLabel', 'cat dog')", "self.names = Label.__members__.keys", False),
        (
            "class Text(str, enum.Enum):\n    pass\nLabel = Text('AnimalLabel', 'CAT DOG')",
            "self.kind = Label.CAT",
            True,
        ),
        ("class Text(enum.Enum):\n    pass\nLabel = Text('Label', 'CAT DOG')", "self.kind = Label.CAT", False),
        ("class Text(enum.Enum):\n    CAT = 1, 2\n", "self.kind = Text(1, 2)", False),
        ("class Label(enum.Enum):\n    CAT = 1", "self.kind = Label(1)", False),
        ("Made = type('Scale', (), {})", "self.scale = Made()", True),
        ("Made = type('Made', (), {})", "self.scale = Made()", False),
        ("Made = type('Scale', (), {})\nglobals()['Scale'] = Made", "self.scale = Made()", False),
        ("Made = type('Scale', (), {'__module__': 'scales'})", "self.scale = Made()", False),
        (
            "class Scale:\n    @classmethod\n    def made(cls):\n        return type(cls.__name__, (cls,), {})()",
            "self.scale = Scale.made()",
            True,
        ),
        ("Made = object", "self.scale = type(source)", False),
        (
            "class Base:\n    def run(self):\n        return 1\n"
            "def made(name):\n    return type(name, (Base,), {})\n"
            "KINDS = {name: made(name) for name in ('Fast', 'Slow')}",
            "self.scale = KINDS['Fast']().run",
            True,
        ),
        (
            "class Base:\n    def run(self):\n        return 1\n"
            "def made(name):\n    return type(name, (Base,), {'size': 1})\nFast = made('Fast')",
            "self.scale = Fast().run",
            False,
        ),
        ("def made():\n    return type(f'Scale{len(DATA)}', (), {})", "self.scale = made()()", True),
        ("def made(size):\n    return type(f'Scale{size}', (), {})\nScale2 = made(2)", "self.scale = Scale2()", False),
        ("def made():\n    return type(f'Scale', (), {'size': 1})", "self.scale = made()().size", False),
        ("Row = dataclasses.make_dataclass('Record', ['x'])", "self.row = Row(1)", True),
        ("Row = dataclasses.make_dataclass('Row', ['x'])", "self.row = Row(1)", True),
        ("def made():\n    return enum.Enum('Label', 'CAT DOG')\nLabel = made()", "self.kind = Label.CAT", False),
        ("def made():\n    return enum.Enum('Label', 'CAT DOG')", "self.kind = made().CAT", True),
    ],
)
def test_names_of_made_classes(definition: str, statement: str, fires: bool) -> None:
    text = f"import dataclasses, enum\n{definition}\n{DATA.format(body=' ' * 8 + statement)}{_LOADER}"
    assert (codes(text) == ["LP125"]) is fires


@pytest.mark.parametrize(
    ("definition", "fires"),
    [
        ("Detection = namedtuple('detection', 'x y')", True),
        ("Detection = namedtuple('Detection', 'x y')", False),
        ("Detection = Enum('Kind', 'CAT DOG')", True),
        ("Detection = type('Box', (), {})", True),
        ("class Detection(namedtuple('detection', 'x y')):\n    pass", False),
    ],
)
def test_results_of_workers(definition: str, fires: bool) -> None:
    text = f"""
from collections import namedtuple
from enum import Enum
from multiprocessing import Pool

{definition}


def detect(seed):
    return [Detection(seed, 1)]


def main():
    with Pool(2) as pool:
        print(pool.map(detect, range(2)))
"""
    assert (codes(text) == ["LP206"]) is fires


_NAMED_LIKE_BASE = """\
class Meta:
    rules = None

    @classmethod
    def when(cls, **rules):
        return type(cls.__name__, (cls,), dict(rules=rules))


class Indent(Meta):
    pass


"""


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.kind = Indent.when(a=1)", True),
        ("self.kind = Indent.when(a=1)()", True),
        ("self.kind = Indent", False),
        ("self.kind = Indent()", False),
    ],
)
def test_a_class_that_a_class_method_names_like_its_base(statement: str, fires: bool) -> None:
    text = f"{_NAMED_LIKE_BASE}{DATA.format(body=' ' * 8 + statement)}{_LOADER}"
    assert (codes(text) == ["LP125"]) is fires


_KINDS = """
from concurrent.futures import ProcessPoolExecutor
import sys


class Estimator:
    {extra}

    def __init__(self, **options):
        self.options = options


KINDS = {{}}


def define(name, middle, bases=(Estimator,)):
    cls = type({name}, {bases}, {{"middle": middle}})
    KINDS[name] = cls
    {also}
    return cls


def define_twice(name, middle):
    return define(name, middle), define(name + "2", middle)


def mean(self, values):
    return sum(values) / len(values)


{calls}


def fit(estimator, values):
    return estimator.middle(values)


def main(name):
    with ProcessPoolExecutor() as executor:
        print(executor.submit(fit, KINDS[name](), [1, 2, 3]).result())
"""


def _kinds(
    calls: str = "define('mean', mean)",
    name: str = 'name.title() + "Estimator"',
    also: str = "pass",
    extra: str = "size = 1",
    bases: str = "(Estimator,)",
) -> list[str]:
    text = _KINDS.format(calls=calls, name=name, also=also, extra=extra, bases=bases)
    return [code for code in codes(text) if code == "LP125"]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"name": "name"},
        {"name": "f'{name}Estimator'"},
        {"name": "'Estimator%s' % name"},
        {"calls": "define('mean', mean)\ndefine('middle', mean)"},
        {"calls": "for kind in ('mean', 'middle'):\n    define(kind, mean)"},
        {"calls": "define_twice('mean', mean)"},
        {"calls": "MADE = {name: define(name, mean) for name in sys.argv}"},
    ],
)
def test_a_class_with_a_computed_name_that_its_module_does_not_get(changes: dict[str, str]) -> None:
    assert _kinds(**changes) == ["LP125"]


@pytest.mark.parametrize(
    "changes",
    [
        {"also": "globals()[cls.__name__] = cls"},
        {"also": "setattr(sys.modules[__name__], cls.__name__, cls)"},
        {"also": "vars(sys.modules[__name__]).update({cls.__name__: cls})"},
        {"also": "cls.__module__ = 'elsewhere'"},
        {"calls": "MeanEstimator = define('mean', mean)"},
        {"calls": "MeanEstimator, Mean2Estimator = define_twice('mean', mean)"},
        {"calls": "MeanEstimator = wrapped(define)('mean')"},
        {"calls": "@define\nclass Mean:\n    pass"},
        {"extra": "def __reduce__(self):\n        return remake, (self.name,)"},
        {"bases": "bases"},
    ],
)
def test_a_class_with_a_computed_name_may_be_put_into_its_module(changes: dict[str, str]) -> None:
    assert _kinds(**changes) == []


FACTORY = """\
import enum
from collections import namedtuple


def choice_enum(choices, name="Choices"):
    return enum.Enum(name, {{each: each for each in choices}})


def make_namedtuple(fields):
    return namedtuple("Row", fields)


def same_enum():
    return Known


Known = enum.Enum("Known", "A B")
{named}
"""


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("FORMATS = choice_enum(['json', 'csv'])", [(6, "LP125")]),
        ("FORMATS = choice_enum(['json', 'csv'])\nLEVELS = choice_enum(['low', 'high'])", [(6, "LP125")]),
        ("FORMATS = choice_enum(['json', 'csv'], 'Formats')", [(6, "LP125")]),
        ("Point = make_namedtuple('x y')", [(10, "LP121")]),
        ("Choices = choice_enum(['json', 'csv'])", []),
        ("FORMATS = choice_enum(['json', 'csv'], 'FORMATS')", []),
        ("Row = make_namedtuple('x y')", []),
        ("Other = same_enum()", []),
    ],
)
def test_what_a_function_makes_for_a_name_of_a_module(named: str, found: list[tuple[int, str]]) -> None:
    assert marks(FACTORY.format(named=named), pedantic=True) == found
