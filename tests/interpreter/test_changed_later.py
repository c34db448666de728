"""Values that a program changes decide no test: what the constructor stores holds only as long as nothing else does."""

from __future__ import annotations

import pytest

from tests.support import lint

REACTOR = """\
from dataclasses import dataclass
from multiprocessing import Pool


class RunawayError(Exception):
    def __init__(self, step, reason):
        super().__init__(f"step {{step}}: {{reason}}")
        self.step = step


class Reactor:
    def __init__(self):
        self.temperature = 300.0
        self.alarms = [0]
        self.pressure = 1.0

    def check(self, step):
        if {test}:
            raise RunawayError(step, "temperature too high")

{methods}


def simulate(steps):
    reactor = Reactor()
    for step in range(steps):
        {use}
        reactor.check(step)


if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(simulate, [100, 200])
"""
HOT = "self.temperature > 1000"
FIRES = {
    "added to in place": (HOT, "def advance(self):\n    self.temperature += 20", "reactor.advance()"),
    "stored by a setter": (
        HOT,
        "@property\ndef celsius(self):\n    return self.temperature - 273\n"
        "@celsius.setter\ndef celsius(self, value):\n    self.temperature = value + 273",
        "reactor.celsius = 800",
    ),
    "stored by a nested function": (
        HOT,
        "def advance(self):\n    def heat():\n        self.temperature = self.temperature * 1.1\n    heat()",
        "reactor.advance()",
    ),
    "the variable of a loop": (
        HOT,
        "def advance(self, curve):\n    for self.temperature in curve:\n        pass",
        "reactor.advance([1, 2, 2000])",
    ),
    "stored by name": (
        HOT,
        "def update(self, **values):\n    for name, value in values.items():\n        setattr(self, name, value)",
        "reactor.update(temperature=2000)",
    ),
    "updated through __dict__": (
        HOT,
        "def update(self, **values):\n    self.__dict__.update(values)",
        "reactor.update(temperature=2000)",
    ),
    "changed from outside": (HOT, "", "reactor.temperature += 20"),
    "stored where it holds what the constructor stores": (
        HOT,
        "def advance(self):\n    if self.temperature < 500:\n        self.temperature = 2000",
        "reactor.advance()",
    ),
    "stored where something else holds something": (
        HOT,
        "def advance(self):\n    if self.pressure == -1:\n        self.temperature = 2000",
        "reactor.advance()",
    ),
    "stored where another object holds something else": (
        HOT,
        "def advance(self, other):\n    if self.temperature == -1:\n        other.temperature = 2000",
        "reactor.advance(reactor)",
    ),
    "stored where it holds something else, and elsewhere": (
        HOT,
        "def advance(self):\n    if self.temperature == -1:\n        self.temperature = 2000\n"
        "def heat(self):\n    self.temperature = 2000",
        "reactor.heat()",
    ),
    "elements put in": (
        "len(self.alarms) > 5",
        "def alarm(self):\n    self.alarms.append(1)",
        "reactor.alarm()",
    ),
    "elements taken out": (
        "not self.alarms",
        "def clear(self):\n    self.alarms.clear()",
        "reactor.clear()",
    ),
}
SILENT = {
    "never changed": (HOT, "", "pass"),
    "only stored where it holds a negative number": (
        HOT,
        "def advance(self):\n    if self.temperature == -1:\n        self.temperature = 2000",
        "reactor.advance()",
    ),
    "only stored where it holds nothing": (
        HOT,
        "def advance(self):\n    if self.temperature is not None:\n        return\n    self.temperature = 2000",
        "reactor.advance()",
    ),
    "another attribute is changed": (HOT, "def press(self):\n    self.pressure += 1", "reactor.press()"),
    "one with a longer name is changed": (
        HOT,
        "def advance(self):\n    self.temperature_of_air = 20\n    self.temperature_of_air += 1",
        "reactor.advance()",
    ),
    "only compared and read": (
        HOT,
        "def shown(self):\n    for part in [self.temperature, 2]:\n        print(part)\n"
        "    return self.temperature == 3 or self.temperature >= 20",
        "reactor.shown()",
    ),
    "a local variable of the same name is changed": (
        HOT,
        "def shown(self):\n    temperature = self.temperature\n    temperature += 2\n    return temperature",
        "reactor.shown()",
    ),
    "the length of a list that only is read": (
        "len(self.alarms) > 5",
        "def shown(self):\n    return self.alarms.index(0) + self.alarms.count(1)",
        "reactor.shown()",
    ),
    "a list that only grows is not empty": (
        "not self.alarms",
        "def alarm(self):\n    self.alarms.append(1)",
        "reactor.alarm()",
    ),
}


def _found(test: str, methods: str, use: str) -> list[str]:
    indented = "\n".join(f"    {line}" for line in methods.split("\n"))
    return [
        each.code
        for each in lint(REACTOR.format(test=test, methods=indented, use=use)).diagnostics
        if each.code == "LP602"
    ]


@pytest.mark.parametrize("case", FIRES.values(), ids=FIRES)
def test_a_value_that_is_changed_does_not_decide(case: tuple[str, str, str]) -> None:
    assert _found(*case) == ["LP602"]


@pytest.mark.parametrize("case", SILENT.values(), ids=SILENT)
def test_a_value_that_stays_decides(case: tuple[str, str, str]) -> None:
    assert _found(*case) == []


DATACLASS = """\
from dataclasses import dataclass
from multiprocessing import Pool


class Stopped(Exception):
    def __init__(self, step, reason):
        super().__init__(f"{step}: {reason}")


@dataclass
class Walker:
    speed: float
    height: float = 10.0

    def advance(self, step):
        self.{changed} -= self.speed
        if self.height < 0:
            raise Stopped(step, "fell")


def walk(speed):
    walker = Walker(speed)
    for step in range(50):
        walker.advance(step)


if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(walk, [1.0, 2.0])
"""


@pytest.mark.parametrize(("changed", "codes"), [("height", ["LP602"]), ("speed", [])])
def test_the_default_of_a_field(changed: str, codes: list[str]) -> None:
    found = lint(DATACLASS.replace("{changed}", changed)).diagnostics
    assert [each.code for each in found if each.code == "LP602"] == codes


NONLOCAL = """\
from multiprocessing import Pool


class Stopped(Exception):
    def __init__(self, step, reason):
        super().__init__(f"{step}: {reason}")


def walk(steps):
    failures = 0

    def failed():
        DECLARED
        failures = failures_of(steps)

    failed()
    if failures > 3:
        raise Stopped(steps, "too many")


if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(walk, [1, 2])
"""


@pytest.mark.parametrize(("declared", "codes"), [("nonlocal failures", ["LP602"]), ("pass", [])])
def test_a_variable_that_a_nested_function_binds(declared: str, codes: list[str]) -> None:
    found = lint(NONLOCAL.replace("DECLARED", declared)).diagnostics
    assert [each.code for each in found if each.code == "LP602"] == codes
