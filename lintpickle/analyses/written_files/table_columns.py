"""Columns of the tables of pandas, and which of their methods give one number."""

from __future__ import annotations

from itertools import chain

from lintpickle.analyses.calls_and_values.given_values import given_by_attribute
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Item, before_puts, without_narrowing
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.linker import Linker

_TABLES = frozenset({"pandas.DataFrame", "pandas.read_csv", "pandas.read_excel", "pandas.read_parquet"})
ALWAYS_NUMBERS = frozenset({"mean", "median", "std", "var"})
OF_COLUMNS = ALWAYS_NUMBERS | {"max", "min", "prod", "sum"}
"""Methods of a column that return one of its values, or what is computed from all of them (measured with pandas 3.1.1:
a number of NumPy; of texts, `max` is one of them)."""


def is_column(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value is a column of a table of pandas."""
    match without_narrowing(value):
        case Item(base=base, key=Expr() as key) if not isinstance(key, Collection):
            return _is_table(base, frame, linker)
        case Call(function=function):
            return "pandas.Series" in external_names(function, frame, linker)
        case _:
            return False


def _is_table(value: Expr, frame: Frame, linker: Linker) -> bool:
    made = [(each, frame) for each in before_puts(value)]
    held = [given_by_attribute(each.base, each.name, frame, linker) for each, _ in made if isinstance(each, Attribute)]
    return any(
        name in _TABLES
        for each, home in (*made, *chain.from_iterable(held))
        if isinstance(each, Call)
        for name in external_names(each.function, home, linker)
    )
