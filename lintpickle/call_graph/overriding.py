"""Methods that a class has in place of inherited ones, seen from the methods of its base classes that call them."""

from __future__ import annotations

from msgspec.structs import replace

from lintpickle.interpreter.abstract_values import Bound, ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.root_frames import RootFrame, RootFrames


class Overriding:
    """Says which calls of an inherited method are calls of the one that a class has instead."""

    def __init__(self, classes: Classes, roots: RootFrames) -> None:
        self._classes = classes
        self._activations = roots

    def any_instance(self, root: RootFrame) -> InstanceValue | None:
        """Any instance of the class of a method."""
        return self._activations.instance(root.owner) if root.owner is not None else None

    def is_overridden(self, called: FunctionValue, root: RootFrame) -> bool:
        """Whether a base class calls its own method on `self`, and a method is the one that a subclass has instead."""
        me = called.bound
        if root.owner is None or not isinstance(me, InstanceValue) or me.call is not None:
            return False
        if called.facts.name != root.function.name or me.class_.facts is root.owner.facts:
            return False
        line = self._classes.mro(root.owner)
        return any(isinstance(each, ClassValue) and each.facts is me.class_.facts for each in line)

    def is_overridden_for(self, root: RootFrame, caller: RootFrame, around: Frame) -> bool:
        """Whether the object on which a base class calls its method may be one that has the method of the subclass."""
        me = around.bindings.get(caller.instance_name or "")
        if me is None or not isinstance(me.value, InstanceValue) or me.value.call is None:
            return True
        found = self._classes.find_method(me.value, root.function.name)
        return found is not None and found[1] is root.function

    def inherited(self, caller: RootFrame, root: RootFrame) -> RootFrame:
        """A method that the class of another method inherits, as it runs on objects of that class: what it calls on
        them are the methods that the class puts in the place of inherited ones."""
        owner, me = root.owner, caller.instance_name
        if owner is None or me is None or caller.owner is None or caller.owner.facts is owner.facts:
            return caller
        if caller.function.decorated_by("classmethod") or root.instance_name is None:
            return caller
        found = self._classes.find_method(owner, caller.function.name)
        if found is None or found[1] is not caller.function:
            return caller
        bindings = {**caller.frame.bindings, me: Bound(value=self._activations.instance(owner))}
        return RootFrame(replace(caller.frame, bindings=bindings), owner)
