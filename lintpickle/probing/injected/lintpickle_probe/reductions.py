"""What objects say when they are asked how to pickle them. Each is asked once, and what it said is remembered."""

from __future__ import annotations

import itertools
import types
from typing import Any

from .limits import Enough
from .ways import Way

KEPT = object()
"""Instead of a reduction: the object crosses as it is."""
BY_NAME = object()
"""Instead of a reduction: pickle stores the name of the class or function."""

MOST_KEPT = 100000
"""Of so many attributes, a copy is kept while code of the object runs."""
MOST_ITEMS = 3000000
_HOOKS = ("__reduce_ex__", "__reduce__", "__getstate__", "__getnewargs_ex__", "__getnewargs__", "__getattribute__")
_BUILT_IN = (
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.BuiltinFunctionType,
)


class Reductions:
    """Asks objects as `pickle` does (Lib/pickle.py, `_Pickler.save`): the reducer of the pickler, the table of reducers
    by type, `__reduce_ex__`. Code of the program that answers is run once for each object."""

    def __init__(self, way: Way, protocol: int) -> None:
        self.way = way
        self.protocol = protocol
        self._said: dict[int, tuple[Any, Any, bool]] = {}
        self._asks: dict[type, bool] = {}

    def of(self, obj: Any) -> Any:
        """`KEPT`, `BY_NAME`, a string, or a tuple whose iterators have become lists. Raises what the object raises."""
        known = self._said.get(id(obj))
        if known is None:
            before = self._own_state(obj)
            try:
                said, failed = self._ask(obj), False
            except (KeyboardInterrupt, Enough):
                raise
            except BaseException as error:
                said, failed = error.with_traceback(None), True
            if not (failed or self._runs_code(type(obj))):
                return said
            if before is not None:
                said = _given_back(obj, said, before)
            known = self._said[id(obj)] = (obj, said, failed)
        if known[2]:
            raise known[1]
        return known[1]

    def _own_state(self, obj: Any) -> dict[Any, Any] | None:
        """A copy of the attributes of an object whose code will be run; None if there is nothing to keep."""
        held = own_dict(obj) if self._runs_code(type(obj)) else None
        return dict(held) if held is not None and len(held) <= MOST_KEPT else None

    def _ask(self, obj: Any) -> Any:
        if self.way.keeps(obj):
            return KEPT
        thing = type(obj)
        refusal = self.way.refusal(obj)
        if refusal is not None:
            raise RuntimeError(refusal)
        said = NotImplemented
        if self.way.override is not None:
            said = self.way.override(obj)
        if said is NotImplemented:
            if thing is type or thing is types.FunctionType:
                return BY_NAME
            reducer = self.way.table.get(thing)
            if reducer is not None:
                said = reducer(obj)
            elif issubclass(thing, type):
                return BY_NAME
            else:
                said = obj.__reduce_ex__(self.protocol)
        return _kept_again(said)

    def _runs_code(self, thing: type) -> bool:
        """Whether code of the program may run when objects of a type are asked."""
        if thing not in self._asks:
            found = (_in_mro(thing, name) for name in _HOOKS)
            own = any(hook is not None and not isinstance(hook, _BUILT_IN) for hook in found)
            self._asks[thing] = own or thing in self.way.table or self.way.override is not None
        return self._asks[thing]


def own_dict(obj: Any) -> Any:
    """The `__dict__` of an object, whatever the object makes of being asked for it; None if it has none."""
    try:
        held = object.__getattribute__(obj, "__dict__")
    except Exception:
        return None
    return held if type(held) is dict else None


def _given_back(obj: Any, said: Any, before: dict[Any, Any]) -> Any:
    """What an object says, and the object as it was: a `__getstate__` that takes something from the living object, and
    returns its `__dict__`, has changed the program. What else such code does (closing a file) is meant."""
    held = own_dict(obj)
    if not (isinstance(said, tuple) and len(said) > 2 and held is not None and said[2] is held):
        return said
    if len(held) == len(before) and all(name in held and held[name] is value for name, value in before.items()):
        return said
    state = dict(held)
    held.clear()
    held.update(before)
    return (*said[:2], state, *said[3:])


def _in_mro(thing: type, name: str) -> Any:
    for each in thing.__mro__:
        if name in vars(each):
            return vars(each)[name]
    return None


def _kept_again(said: Any) -> Any:
    """A reduction that can be gone through more than once."""
    if not (isinstance(said, tuple) and len(said) > 3):
        return said
    parts = list(said)
    for place in (3, 4):
        if len(parts) > place and parts[place] is not None:
            parts[place] = list(itertools.islice(parts[place], MOST_ITEMS + 1))
            if len(parts[place]) > MOST_ITEMS:
                raise Enough(f"{MOST_ITEMS} items of one object")
    return tuple(parts)
