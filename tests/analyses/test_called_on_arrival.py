"""What runs in workers because objects arrive there."""

from __future__ import annotations

import re
from typing import cast

import pytest

from lintpickle.analyses.workers.called_on_arrival import is_called_on_arrival
from lintpickle.facts.records import FunctionFacts
from lintpickle.program.module import Module


class _Module:
    def __init__(self, code: str) -> None:
        self.code = code

    def has(self, form: re.Pattern[str]) -> bool:
        return form.search(self.code) is not None


class _Function:
    name, qualname = "__init__", "Table.__init__"


CLASS = "class Table(dict):\n    def __init__(self):\n        pass\n\n"
ARRIVING = "    def __setstate__(self, state):\n        {}\n"


@pytest.mark.parametrize(
    ("code", "is_called"),
    [
        (CLASS + ARRIVING.format("self.table = Table()"), True),
        (CLASS + ARRIVING.format("self.state = state"), False),
        (CLASS + "    def make(self):\n        Table()\n\n" + ARRIVING.format("pass"), False),
        ("Table()\n" + CLASS + ARRIVING.format("pass"), False),
        (CLASS + "    def make(self):\n        Table()\n", False),
    ],
)
def test_which_functions(code: str, is_called: bool) -> None:
    module, function = cast(Module, _Module(code)), cast(FunctionFacts, _Function())
    assert is_called_on_arrival(function, module) is is_called
