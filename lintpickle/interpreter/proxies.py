"""Proxies of a manager of `multiprocessing`: what is put into one goes to the manager's process, and is not in it."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.protocols import Interpreter

_OF = "multiprocessing.managers."
CONTAINERS = frozenset(f"{_OF}{name}Proxy" for name in ("Dict", "List"))
"""Those of dictionaries and lists."""
NAMESPACES = frozenset({f"{_OF}NamespaceProxy"})
FILLED = CONTAINERS | NAMESPACES | {f"{_OF}BaseProxy"}
"""Those into which values are put; the proxies of queues are of the class `BaseProxy`."""
_ALL = FILLED | {f"{_OF}{name}Proxy" for name in ("Value", "Array")}


def is_proxy(value: AbstractValue, paths: frozenset[str] = _ALL) -> bool:
    """Whether a value is a proxy of one of these classes."""
    return isinstance(value, ExternalResult) and value.path in paths


def kept_in_process(held: Sequence[Held], evaluator: Interpreter) -> Sequence[Held]:
    """What an attribute holds, without what is put into it if that is a proxy."""
    own = [each for each in held if each.key is None and not each.is_of_other]
    if not own or len(own) == len(held):
        return held
    values = [traced.value for each in own for traced in evaluator.given(each.value, each.frame)]
    return own if values and all(map(is_proxy, values)) else held
