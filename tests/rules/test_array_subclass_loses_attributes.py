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


WITH_DEFAULT = """\
from concurrent.futures import ProcessPoolExecutor

import numpy as np


class Signal(np.ndarray):
    {default}

    def __new__(cls, samples, rate={usual}):
        made = np.asarray(samples, dtype=float).view(cls)
        made.rate = {stored}
        return made

    def __array_finalize__(self, source):
        if source is None:
            return
        self.rate = getattr(source, "rate", 8000)
{more}
    def seconds(self):
        return {read}


def measure(signal):
    return signal.seconds()


def main():
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(measure, [Signal([0, 1]), {made}])))


if __name__ == "__main__":
    main()
"""


def _is_lost_behind_default(
    default: str = "rate = 8000",
    usual: str = "8000",
    stored: str = "rate",
    more: str = "",
    read: str = "len(self) / self.rate",
    made: str = "Signal([1, 0], 44100)",
) -> bool:
    parts = {"default": default, "usual": usual, "stored": stored, "more": more, "read": read, "made": made}
    return "LP612" in {code for _, code in marks(WITH_DEFAULT.format(**parts))}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"made": "Signal([1, 0], rate=44100)"},
        {"made": "Signal([1, 0], rate=sampling())"},
        {"usual": "44100"},
        {"default": "rate = None", "usual": "None"},
        {"stored": "rate * 2"},
        {"stored": "44100"},
        {"default": "unit = 'V'", "made": "Signal([1, 0])"},
    ],
)
def test_what_the_class_has_hides_that_it_is_lost(change: dict[str, str]) -> None:
    assert _is_lost_behind_default(**change)


@pytest.mark.parametrize(
    "change",
    [
        {"made": "Signal([1, 0])"},
        {"made": "Signal([1, 0], 8000)"},
        {"made": "Signal([1, 0], rate=8000)"},
        {"stored": "8000"},
        {"read": "len(self) / 8000"},
        {"more": "\n    def __reduce__(self):\n        return Signal, (list(self), self.rate)\n"},
        {"more": "\n    def __setstate__(self, state):\n        super().__setstate__(state)\n"},
        {"read": "len(self)", "more": "\n    def __repr__(self):\n        return f'Signal at {self.rate}'\n"},
    ],
)
def test_what_the_class_has_is_all_that_is_needed(change: dict[str, str]) -> None:
    assert not _is_lost_behind_default(**change)


CORRECTED = """\
import multiprocessing

import numpy as np


class Frame(np.ndarray):
    def __new__(cls, pixels, exposure):
        frame = np.asarray(pixels, dtype=np.float32).view(cls)
        frame.exposure = exposure
        return frame

    def __array_finalize__(self, parent):
        if isinstance(parent, Frame):
            self.__dict__.update(parent.__dict__)

    {hook}


def acquire(count):
    for number in range(count):
        yield Frame(np.ones((3, 3)), number + 1.0)


def correct(frame, flat):
    return {corrected}


def measure(job):
    index, frame = job
    return index, float(frame.mean())


def main():
    flat = np.ones((3, 3))
    corrected = [correct(frame, flat) for frame in acquire(4)]
    jobs = list(enumerate(corrected))
    with multiprocessing.Pool(2) as pool:
        print(pool.map(measure, jobs))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "corrected", ["frame / flat", "frame * 2", "2 * frame", "frame - flat", "frame**2", "(frame - 1) / flat"]
)
def test_what_an_operator_gives_is_of_the_class_too(corrected: str) -> None:
    assert marks(CORRECTED.format(corrected=corrected, hook="")) == [(9, "LP612")]


@pytest.mark.parametrize(
    ("corrected", "hook"),
    [
        ("np.asarray(frame) / flat", ""),
        ("np.asarray(frame / flat)", ""),
        ("(frame / flat).mean()", ""),
        ("(frame / flat).tolist()", ""),
        ("frame.exposure / 2", ""),
        ("flat / 2", ""),
        ("frame / flat", "def __truediv__(self, other):\n        return np.asarray(self) / other"),
        ("frame / flat", "def __array_wrap__(self, made, *others):\n        return np.asarray(made)"),
        ("frame / flat", "__array_priority__ = -1"),
    ],
)
def test_what_an_operator_gives_may_be_a_plain_array(corrected: str, hook: str) -> None:
    assert marks(CORRECTED.format(corrected=corrected, hook=hook)) == []


VIEWED = """\
import pickle
import numpy as np


class Q(np.ndarray):
{body}

    @classmethod
    def of(cls, values, unit):
        made = np.asarray(values).view(cls)
        {given_in_class}
        return made


def quantity(values, unit):
    made = np.asarray(values).view({type})
    {given}
    return made


def main():
    pickle.dumps({sent})
"""
_FINALIZES = "    def __array_finalize__(self, source):\n        self.unit = getattr(source, 'unit', None)"


def _of_viewed(**changed: str) -> list[str]:
    parts = {
        "body": "    pass",
        "given_in_class": "pass",
        "type": "Q",
        "given": "made.unit = unit",
        "sent": "quantity([1.0], 'm')",
    }
    return [code for _, code in marks(VIEWED.format(**(parts | changed)))]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"type": "type=Q"},
        {"body": _FINALIZES},
        {"given": "made.unit, made.scale = unit, 1"},
        {"sent": "{'mass': quantity([1.0], 'kg')}"},
        {"given": "pass", "given_in_class": "made.unit = unit", "sent": "Q.of([1.0], 'kg')"},
    ],
)
def test_what_view_makes_an_array_of_the_class_is_given(changed: dict[str, str]) -> None:
    assert _of_viewed(**changed) == ["LP612"]


@pytest.mark.parametrize(
    "changed",
    [
        {"given": "pass"},
        {"body": _FINALIZES, "given": "pass"},
        {"type": "np.float32"},
        {"body": "    unit = 'm'"},
        {"body": f"{_FINALIZES}\n\n    def __setstate__(self, state):\n        pass"},
        {"sent": "np.asarray(quantity([1.0], 'm'))"},
        {"sent": "quantity([1.0], 'm').unit"},
    ],
)
def test_views_that_lose_nothing(changed: dict[str, str]) -> None:
    assert _of_viewed(**changed) == []


@pytest.mark.parametrize(
    ("base", "fires"), [("np.recarray", True), ("np.matrix", True), ("np.ma.MaskedArray", True), ("list", False)]
)
def test_other_classes_of_arrays(base: str, fires: bool) -> None:
    code = VIEWED.replace("np.ndarray", base).replace("{given_in_class}", "pass").replace("{given}", "made.unit = unit")
    found = marks(code.format(body="    pass", type="Q", sent="quantity([1], 'm')"))
    assert ([each for _, each in found] == ["LP612"]) is fires


ASKED = """\
import pickle
import numpy as np


class Quantity(np.ndarray):
    def __new__(cls, values, unit="m"):
        made = np.asarray(values, dtype=float).view(cls)
        made.unit = unit
        return made

    def __array_finalize__(self, source):
        if source is not None:
            self.unit = getattr(source, "unit", "m")

    def factor(self):
        return {read}


pickle.dumps(Quantity([1, 2], "km"))
"""


def _error_where_asked(read: str) -> str | None:
    outcome = lint_source(ASKED.format(read=read), "units.py", resolver=SettingsResolver(isolated=True))
    assert [each.code for each in outcome.diagnostics] == ["LP612"]
    return outcome.diagnostics[0].error


@pytest.mark.parametrize("read", ['getattr(self, "unit", "m")', "getattr(self, 'unit', None) or 'm'"])
def test_what_code_asks_for_with_a_default_raises_nothing(read: str) -> None:
    assert _error_where_asked(read) is None


@pytest.mark.parametrize(
    "read",
    ["self.unit", 'getattr(self, "unit")', 'getattr(self, "unit", "m") + self.unit', 'getattr(self, "other", 1)'],
)
def test_what_code_also_reads_without_one_raises_an_error(read: str) -> None:
    assert _error_where_asked(read) == "AttributeError: 'Quantity' object has no attribute 'unit'"
