"""Objects of which it is not seen where they are made: the nodes of a tree, which put themselves into one another."""

from __future__ import annotations

from lintpickle.facts.values import Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.payload.linker import Linker

_CONSTRUCTOR = "__init__"


def frames_of_making(value: Expr, frame: Frame, asker: str, linker: Linker) -> list[Frame]:
    """For what the constructor of such an object is given as a parameter: its frames for all calls of the program that
    make objects of the class. None for all other values. `asker` is the path of the module being judged."""
    inner = without_narrowing(value)
    home = frame.enclosing(inner.owner) if isinstance(inner, Parameter) else None
    if home is None or home.function.name != _CONSTRUCTOR or not home.function.parameters:
        return []
    me = home.bindings.get(home.function.parameters[0].name)
    made = me.value if me is not None else None
    if home.called_by is not None or not isinstance(made, InstanceValue) or made.call is not None:
        return []
    found = linker.classes.find_method(made, _CONSTRUCTOR)
    if found is None or found[1] is not home.function:
        return []
    root = linker.activations.of_method(*found)
    return [calling.frame for calling in linker.callers.frames(root, asker)]
