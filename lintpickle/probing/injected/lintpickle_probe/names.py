"""How types, classes and keys are called, whatever the program does to their names."""

from __future__ import annotations

import sys
import types
from typing import Any

LONGEST = 60
_PLAIN = (int, float, bool, type(None), bytes, str)


def type_name(thing: Any) -> str:
    """The name of a type as error messages of Python have it: with its module, unless it is built in."""
    module, name = _text(thing, "__module__"), _text(thing, "__qualname__")
    return name if module in ("builtins", "") else f"{module}.{name}"


def class_ref(thing: Any) -> dict[str, Any]:
    """A class as lintpickle looks for it: module, qualified name, and the file that defines it (None if unknown)."""
    module = _text(thing, "__module__")
    file = _file_of_methods(thing) or module_file(module)
    return {"module": module, "name": _text(thing, "__qualname__"), "file": file}


def _file_of_methods(thing: Any) -> str | None:
    """The file of the methods of a class: packages give classes that they offer the name of another module."""
    for name, value in list(vars(thing).items()):
        if type(value) is types.FunctionType and not hasattr(value, "__wrapped__"):
            file = value.__code__.co_filename
            if value.__qualname__ == f"{_text(thing, '__qualname__')}.{name}" and file.endswith(".py"):
                return file
    return None


def class_refs(thing: Any) -> list[dict[str, Any]]:
    """A class and those from which it derives, without `object`."""
    return [class_ref(each) for each in thing.__mro__ if each is not object][:50]


def module_file(name: str) -> Any:
    """The source file of a module that is imported; None if there is none."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return file if isinstance(file, str) else None


def key_text(key: Any) -> str:
    """A key or element as one would write it, cut short; of what is not plain data, the type alone."""
    if type(key) in _PLAIN:
        return short(repr(key))
    if type(key) is tuple and len(key) < 6 and all(type(part) in _PLAIN for part in key):
        return short(repr(key))
    return f"<{type_name(type(key))}>"


def short(text: str, limit: int = LONGEST) -> str:
    """A text that is cut where it gets long."""
    return text if len(text) <= limit else text[: limit - 1] + "\u2026"


def error_text(error: BaseException) -> str:
    """The text of an exception, whatever its `__str__` does."""
    try:
        return short(str(error), 2000)
    except Exception:
        return ""


def error_name(error: BaseException) -> str:
    """The name of an exception's type, as a traceback shows it."""
    return type_name(type(error))


def error_line(error: BaseException) -> str:
    """An exception as the last line of a traceback has it."""
    text = error_text(error)
    return f"{error_name(error)}: {text}" if text else error_name(error)


def _text(thing: Any, attribute: str) -> str:
    try:
        value = getattr(thing, attribute)
    except Exception:
        return "?"
    return value if isinstance(value, str) else "?"
