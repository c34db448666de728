"""What machinery hands to pickle, taken apart into what users know by name."""

from __future__ import annotations

import inspect
from typing import Any, Tuple

Parts = Tuple[Tuple[str, Any], ...]


_EXECUTORS = ("concurrent.futures.process", "loky.process_executor")


def parts_of(obj: Any) -> Parts:
    """An object by the names of its parts: the arguments of a process by those of its target, a task of a pool by its
    function and what that is called with; anything else under the name of its type."""
    from multiprocessing.process import BaseProcess

    if issubclass(type(obj), BaseProcess):
        return _of_process(obj)
    module, name = type(obj).__module__, type(obj).__name__
    if module.endswith(_EXECUTORS) and name in ("_CallItem", "_WorkItem"):
        return (("function", obj.fn), *named_arguments(obj.fn, obj.args, obj.kwargs))
    if module.endswith(_EXECUTORS) and name == "_ResultItem":
        return (("result", obj.result), ("exception", obj.exception))
    if type(obj) is tuple and len(obj) == 5 and callable(obj[2]) and isinstance(obj[3], tuple) and type(obj[4]) is dict:
        return _of_task(obj[2], obj[3], obj[4])
    if type(obj) is tuple and len(obj) == 3 and type(obj[2]) is tuple and len(obj[2]) == 2 and type(obj[2][0]) is bool:
        return (("result", obj[2][1]),)
    return ((_own_name(obj), obj),)


def carriers(obj: Any) -> list[Any]:
    """What the program may have handed over itself: the function of a task, the item of a queue."""
    return [*(value for name, value in parts_of(obj) if name == "function"), obj]


def _own_name(obj: Any) -> str:
    name = type(obj).__name__
    return name if isinstance(name, str) and name.isidentifier() else "object"


def _of_process(process: Any) -> Parts:
    held: dict[str, Any] = vars(process)
    target, args, kwargs = held.get("_target"), held.get("_args", ()), held.get("_kwargs", {})
    parts: list[tuple[str, Any]] = []
    if target is not None:
        parts = [("target", target), *named_arguments(target, args, kwargs)]
    return (*parts, (type(process).__name__, process))


def _of_task(function: Any, args: Any, kwargs: Any) -> Parts:
    name, module = getattr(function, "__name__", ""), getattr(function, "__module__", "")
    if module == "multiprocessing.pool" and name in ("mapstar", "starmapstar") and len(args) == 1:
        inner, items = args[0]
        return (("function", inner), *((f"items[{place}]", item) for place, item in enumerate(items)))
    return (("function", function), *named_arguments(function, args, kwargs))


def named_arguments(function: Any, args: Any, kwargs: Any) -> Parts:
    """Arguments by the names of the parameters that get them, as far as the signature tells."""
    names: list[str] = []
    if type(args) is not tuple or type(kwargs) is not dict:
        return (("args", args), ("kwargs", kwargs))
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    rest: str | None = None
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind == parameter.VAR_POSITIONAL:
            rest = parameter.name
    spread = rest or "args"
    positional = [
        (names[place] if place < len(names) else f"{spread}[{place - len(names)}]", value)
        for place, value in enumerate(args)
    ]
    return (*positional, *((str(name), value) for name, value in kwargs.items()))
