"""LP604: what `__reduce__` leaves out that was set after construction."""

from __future__ import annotations

import pytest

from tests.support import lint

MODEL = """\
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

WEIGHTS = {{"small": 1.5, "large": 2.5}}


def load_model(name):
    return Model(name)


class Model:
    def __init__(self, name):
        self.name = name
        self.weight = WEIGHTS[name]
        self.threshold = 0.0

    {hook}

    def calibrate(self, texts):
        self.threshold = max(len(text) for text in texts) * self.weight
        return self

    def is_spam(self, text):
        {read}

{more}


def main():
    model = load_model("small")
    {change}
    {run}


if __name__ == "__main__":
    main()
"""
BY_FUNCTION = "def __reduce__(self):\n        return load_model, (self.name,)"
BY_CLASS = "def __reduce__(self):\n        return Model, (self.name,)"
READ = "return len(text) > self.threshold"
CALIBRATED = 'model.calibrate(["a", "bc"])'
MAPPED = 'with Pool(2) as pool:\n        print(pool.map(model.is_spam, ["x", "yz"]))'
KEEPING = """\
class State:
    model = None


def keep(model):
    State.model = model


def classify(text):
    return State.model.is_spam(text)
"""
KEEPING_GLOBAL = """\
_model = None


def keep(model):
    global _model
    _model = model


def classify(text):
    return _model.is_spam(text)
"""
INITIALIZED = (
    "with ProcessPoolExecutor(2, initializer=keep, initargs=(model,)) as executor:\n"
    '        print(list(executor.map(classify, ["x", "yz"])))'
)


def found(
    hook: str, change: str = CALIBRATED, run: str = MAPPED, *, read: str = READ, more: str = ""
) -> list[tuple[str, int]]:
    source = MODEL.format(hook=hook, change=change, run=run, read=read, more=more)
    diagnostics = lint(source).diagnostics
    return [(each.code, len(each.start_methods)) for each in diagnostics if each.code == "LP604"]


@pytest.mark.parametrize(
    ("hook", "change"),
    [
        (BY_FUNCTION, CALIBRATED),
        (BY_CLASS, CALIBRATED),
        (BY_CLASS.replace("Model,", "type(self),"), CALIBRATED),
        (BY_CLASS.replace("Model,", "self.__class__,"), CALIBRATED),
        (BY_CLASS.replace("__reduce__(self)", "__reduce_ex__(self, protocol)"), CALIBRATED),
        (BY_CLASS.replace("(self.name,)", "(self.name,), None"), CALIBRATED),
        (BY_CLASS, "model.threshold = 12.5"),
    ],
)
def test_what_was_set_after_construction_is_lost(hook: str, change: str) -> None:
    assert found(hook, change) == [("LP604", 3)]


@pytest.mark.parametrize("more", [KEEPING, KEEPING_GLOBAL])
@pytest.mark.parametrize("hook", [BY_FUNCTION, 'def __getstate__(self):\n        return {"name": self.name}'])
def test_what_an_initializer_is_given(hook: str, more: str) -> None:
    assert found(hook, run=INITIALIZED, more=more) == [("LP604", 2)]


def test_what_a_class_has_instead_of_what_an_initializer_is_given() -> None:
    hook = 'threshold = 0.0\n\n    def __getstate__(self):\n        return {"name": self.name, "weight": self.weight}'
    source = MODEL.format(hook=hook, change=CALIBRATED, run=INITIALIZED, read=READ, more=KEEPING)
    source = source.replace("        self.threshold = 0.0\n", "")
    assert [each.code for each in lint(source).diagnostics] == ["LP604"]


@pytest.mark.parametrize(
    "hook",
    [
        pytest.param("", id="no hook"),
        pytest.param(BY_CLASS.replace("(self.name,)", "(self.name,), self.__dict__"), id="a state"),
        pytest.param(
            BY_CLASS.replace("(self.name,)", '(self.name,), {"threshold": self.threshold}'), id="a state that names it"
        ),
        pytest.param(BY_CLASS.replace("(self.name,)", "tuple(vars(self).values())"), id="arguments that are not known"),
        pytest.param(
            BY_FUNCTION.replace("load_model", "restore").replace("self.name,", "self.name, self.threshold"), id="sent"
        ),
        pytest.param(BY_FUNCTION.replace("self.name,", "self.spec(),"), id="a method that may name it"),
        pytest.param(BY_FUNCTION.replace("load_model", "calibrated"), id="calibrated again"),
    ],
)
def test_what_arrives(hook: str) -> None:
    more = (
        "    def spec(self):\n        return vars(self)\n\n\n"
        "def restore(name, threshold):\n    model = Model(name)\n    model.threshold = threshold\n"
        "    return model\n\n\n"
        'def calibrated(name):\n    return Model(name).calibrate(["a", "bc"])\n'
    )
    assert found(hook, more=more) == []


@pytest.mark.parametrize(
    ("change", "run", "read"),
    [
        pytest.param("pass", MAPPED, READ, id="never set"),
        pytest.param(CALIBRATED, MAPPED, "return len(text) > self.weight", id="not read in workers"),
        pytest.param(
            CALIBRATED,
            MAPPED,
            'if not self.threshold:\n            self.calibrate(["a"])\n        ' + READ,
            id="set anew",
        ),
        pytest.param("model.name = 'large'", MAPPED, READ, id="another one"),
        pytest.param("model.threshold = 0.0", MAPPED, READ, id="set to the same"),
        pytest.param(CALIBRATED, "print(model.is_spam('x'))", READ, id="no workers"),
        pytest.param(CALIBRATED, MAPPED.replace("Pool(2)", "ThreadPool(2)"), READ, id="threads"),
    ],
)
def test_what_is_not_needed(change: str, run: str, read: str) -> None:
    assert found(BY_CLASS, change, run, read=read, more="from multiprocessing.pool import ThreadPool") == []


def test_an_initializer_that_sets_it_again() -> None:
    more = KEEPING.replace("State.model = model", 'State.model = model.calibrate(["a", "bc"])')
    assert found(BY_CLASS, run=INITIALIZED, more=more) == []
    more = KEEPING.replace("State.model = model", 'State.model = model\n    model.calibrate(["a", "bc"])')
    assert found(BY_CLASS, run=INITIALIZED, more=more) == []
