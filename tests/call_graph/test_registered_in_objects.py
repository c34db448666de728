"""Registries that are objects or classes: which of what decorators and statements register is built. Each was run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support import marks

OBJECT = """\
import pickle


class Registry:
    def __init__(self, name):
        self.name = name
        self._made = {}

    def register(self, key=None):
        def wrap(factory):
            self._made[key or factory.__name__] = factory
            return factory

        return wrap

    def build(self, spec):
        spec = dict(spec)
        return self._made[spec.pop("type")](**spec)


MODELS = Registry("models")
OTHERS = Registry("others")


@MODELS.register("small")
class Small:
    def __init__(self, width):
        self.scale = lambda x: x * width


@MODELS.register()
class Wide:
    def __init__(self, width):
        self.widen = lambda x: x + width


@OTHERS.register("small")
class Other:
    def __init__(self, width):
        self.other = lambda x: x - width
"""

METHODS = """\
import pickle


class Registry:
    def __init__(self):
        self._made = {}

    def _add(self, name, made):
        assert name not in self._made
        self._made[name] = made

    def register(self, made=None):
        if made is None:

            def wrap(made):
                name = made.__name__
                self._add(name, made)
                return made

            return wrap
        name = made.__name__
        self._add(name, made)

    def get(self, name):
        found = self._made.get(name)
        if found is None:
            raise KeyError(name)
        return found


MODELS = Registry()


@MODELS.register()
class Small:
    def __init__(self, width):
        self.scale = lambda x: x * width


class Wide:
    def __init__(self, width):
        self.widen = lambda x: x + width


MODELS.register(Wide)


class Unregistered:
    def __init__(self, width):
        self.other = lambda x: x - width
"""

CLASS = """\
import pickle


class Model:
    _kinds = {}

    @classmethod
    def register(cls, name):
        def wrap(made):
            cls._kinds[name] = made
            return made

        return wrap

    @classmethod
    def build(cls, name, width):
        return cls._kinds[name](width)


@Model.register("small")
class Small:
    def __init__(self, width):
        self.scale = lambda x: x * width


@Model.register("plain")
class Plain:
    def __init__(self, width):
        self.width = width
"""

CASES = {
    "a key that is written": (OBJECT, 'pickle.dumps(MODELS.build({"type": "small", "width": 3}))', ["scale"]),
    "the name of the class": (OBJECT, 'pickle.dumps(MODELS.build({"type": "Wide", "width": 3}))', ["widen"]),
    "a key that is read": (
        OBJECT,
        'import sys\n\npickle.dumps(MODELS.build({"type": sys.argv[1], "width": 3}))',
        ["scale", "widen"],
    ),
    "a key of nothing registered": (OBJECT, 'pickle.dumps(OTHERS.build({"type": "Wide", "width": 3}))', []),
    "a method that another one calls": (METHODS, 'pickle.dumps(MODELS.get("Small")(3))', ["scale"]),
    "a statement": (METHODS, 'pickle.dumps(MODELS.get("Wide")(3))', ["widen"]),
    "not registered": (METHODS, 'pickle.dumps(MODELS.get("Unregistered")(3))', []),
    "a class": (CLASS, 'pickle.dumps(Model.build("small", 3))', ["scale"]),
    "another one of a class": (CLASS, 'pickle.dumps(Model.build("plain", 3))', []),
}


@pytest.mark.parametrize(("registry", "use", "held"), CASES.values(), ids=CASES)
def test_what_is_built_is_what_is_registered(registry: str, use: str, held: Sequence[str]) -> None:
    lines = registry.splitlines()
    rows = [row for row, line in enumerate(lines, 1) if any(f"self.{name} = " in line for name in held)]
    assert marks(f"{registry}\n\n{use}\n") == [(row, "LP102") for row in rows]
