"""LP612: array-subclass-loses-attributes."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP612"


SHIPPED = """\
import pickle
import numpy as np


class Q(np.ndarray):
    def __new__(cls, n, unit):
        return super().__new__(cls, n)

    def __init__(self, n, unit):
        {stored}
{more}

def main():
    pickle.dumps(Q(3, "m"))
"""


@pytest.mark.parametrize("stored", ["self.unit = unit", "self.flags_of = {}", "self.unit, self.n = unit, n"])
def test_an_attribute_of_its_own(stored: str) -> None:
    assert "LP612" in {code for _, code in marks(SHIPPED.format(stored=stored, more=""))}


@pytest.mark.parametrize(
    ("stored", "more"),
    [
        pytest.param("pass", "", id="none"),
        pytest.param("self.unit = unit", "    unit = 'm'\n", id="the class has it too"),
        pytest.param("self.unit = unit", "    def __reduce__(self):\n        return Q, (3, self.unit)\n", id="reduce"),
        pytest.param("self.unit = unit", "    def __setstate__(self, state):\n        pass\n", id="setstate"),
    ],
)
def test_nothing_is_lost(stored: str, more: str) -> None:
    assert "LP612" not in {code for _, code in marks(SHIPPED.format(stored=stored, more=more))}


FINALIZED = """\
import pickle
import numpy as np


class Trace(np.ndarray):
    def __new__(cls, samples, rate):
        made = np.asarray(samples).view(cls)
        made.rate = rate
        return made

    def __array_finalize__(self, source):
        {body}


pickle.dumps(Trace([1, 2], 30))
"""


def _message(body: str) -> tuple[str, str | None]:
    outcome = lint_source(FINALIZED.format(body=body), "traces.py", resolver=SettingsResolver(isolated=True))
    assert [each.code for each in outcome.diagnostics] == ["LP612"]
    return outcome.diagnostics[0].message, outcome.diagnostics[0].error


@pytest.mark.parametrize(
    "body",
    ["self.rate = getattr(source, 'rate', 1)", "self.rate = 1", "rate = 1\n        self.rate = rate if rate else 2"],
)
def test_an_array_made_of_no_other_one_gets_a_default(body: str) -> None:
    message, error = _message(body)
    assert message.endswith("the copy has what `__array_finalize__` gives an array that is made of no other one")
    assert error is None


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "if source is None:\n            return\n        self.rate = getattr(source, 'rate', 1)",
        "if source is not None:\n            self.rate = getattr(source, 'rate', 1)",
        "self.rate = source.rate",
        "self.unit = getattr(source, 'unit', 's')",
        "self.rate = getattr(source, 'rate')",
    ],
)
def test_other_arrays_lack_it(body: str) -> None:
    message, error = _message(body)
    assert error == "AttributeError: 'Trace' object has no attribute 'rate'"
    assert message.endswith(f"the copy has no such attribute: {error}")
