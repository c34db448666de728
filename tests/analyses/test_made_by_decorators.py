"""LP125 and LP104: classes that functions and decorators make of those that they are given, and keep. Run with CPython
3.11: all that must be found fails, and nothing of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_REGISTRY = """\
OPS = {}


def register(name, **defaults):
    def wrap(cls):
        WRAP

    return wrap


def variant(cls, **defaults):
    return type(cls.__name__, (cls,), {"defaults": defaults, "__module__": cls.__module__})
"""
_OPS = """\
from registry import register, variant


class Op:
    defaults = {}

    def __init__(self, **options):
        self.options = {**self.defaults, **options}

    def __call__(self, image):
        return image


@register("flip")
class Flip(Op):
    def __call__(self, image):
        return image[::-1]


class Gain(Op):
    pass
MORE
"""
_MAIN = """\
from concurrent.futures import ProcessPoolExecutor

import ops
from registry import OPS, variant


def apply(step, image):
    return step(image)


def main():
    step = STEP
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(apply, [step] * 2, ["ab", "cd"])))


if __name__ == "__main__":
    main()
"""
_SPACE = '{"defaults": defaults, "__module__": cls.__module__}'
_KEPT = f"OPS[name] = type(cls.__name__, (cls,), {_SPACE})\n        return cls"
_FLIP = 'OPS["flip"]()'


def _found(folder: Path, wrap: str = _KEPT, step: str = _FLIP, more: str = "") -> list[tuple[str, str]]:
    (folder / "registry.py").write_text(_REGISTRY.replace("WRAP", wrap))
    (folder / "ops.py").write_text(_OPS.replace("MORE", more))
    (folder / "main.py").write_text(_MAIN.replace("STEP", step))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [(each.code, Path(each.location.path).name) for each in found]


@pytest.mark.parametrize(
    ("wrap", "step", "code"),
    [
        pytest.param(_KEPT, _FLIP, "LP125", id="kept beside the class"),
        pytest.param(_KEPT, "[OPS[each](size=1) for each in ('flip',)][0]", "LP125", id="made by a recipe"),
        pytest.param(
            f"namespace = {_SPACE}\n        made = type(cls.__name__, (cls,), namespace)\n        OPS[name] = made\n"
            "        return cls",
            _FLIP,
            "LP125",
            id="by way of variables",
        ),
        pytest.param("return cls", "variant(ops.Gain)()", "LP125", id="what a function makes"),
        pytest.param("return cls", "variant(ops.Gain, factor=2)", "LP125", id="the class itself"),
        pytest.param(
            "OPS[name] = type(cls.__name__, (cls,), {})\n        return cls", _FLIP, "LP125", id="of the registry"
        ),
        pytest.param("OPS[name] = type('Made', (cls,), {})\n        return cls", _FLIP, "LP125", id="another name"),
        pytest.param(
            "class Variant(cls):\n            pass\n\n        OPS[name] = Variant\n        return cls",
            _FLIP,
            "LP104",
            id="a class statement",
        ),
    ],
)
def test_classes_that_a_name_does_not_lead_to(tmp_path: Path, wrap: str, step: str, code: str) -> None:
    assert _found(tmp_path, wrap, step) == [(code, "main.py" if code == "LP104" else "registry.py")]


@pytest.mark.parametrize(
    ("wrap", "step", "more"),
    [
        pytest.param("OPS[name] = cls\n        return cls", _FLIP, "", id="the class itself is kept"),
        pytest.param(
            f"OPS[name] = type(cls.__name__, (cls,), {_SPACE})\n        return OPS[name]", _FLIP, "", id="given back"
        ),
        pytest.param(
            f"made = type(cls.__name__, (cls,), {_SPACE})\n        OPS[name] = made\n        return made",
            _FLIP,
            "",
            id="given back by way of a variable",
        ),
        pytest.param(_KEPT, "ops.Flip()", "", id="the class is sent, not what is kept"),
        pytest.param(_KEPT, "len(OPS)", "", id="nothing of it is sent"),
        pytest.param(_KEPT, "OPS['flip'].defaults", "", id="an attribute is sent"),
        pytest.param("return cls", "ops.Gain()", "\n\nGain = variant(Gain)", id="put in place of the class"),
        pytest.param("return cls", "ops.Gain()", "\n\n@variant\nclass Last(Op):\n    pass", id="decorates the class"),
        pytest.param(
            "return cls", "ops.Last()", "\n\n@variant\nclass Last(Op):\n    pass", id="what decorates it is sent"
        ),
        pytest.param(
            f"OPS[name] = type(cls.__name__, (cls,), {_SPACE})\n"
            "        setattr(sys.modules[cls.__module__], cls.__name__, OPS[name])\n        return cls",
            _FLIP,
            "",
            id="put into the module",
        ),
        pytest.param(
            "OPS[name] = type(cls.__name__, (cls,), {'__module__': name})\n        return cls",
            _FLIP,
            "",
            id="of a module that is not known",
        ),
        pytest.param(
            "OPS[name] = type(cls.__name__, (cls,), {'__reduce__': restored})\n        return cls",
            _FLIP,
            "",
            id="pickled otherwise",
        ),
    ],
)
def test_classes_that_are_found(tmp_path: Path, wrap: str, step: str, more: str) -> None:
    assert _found(tmp_path, wrap, step, more) == []
