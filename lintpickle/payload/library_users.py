"""The users of a library: what they get from it, and may ship though the library itself ships nothing."""

from __future__ import annotations

from lintpickle.call_graph.callers import Callers
from lintpickle.facts.values import Call, Collection, Expr, may_be
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.public_api import PublicClasses
from lintpickle.program.module import Module
from lintpickle.resolution.class_headers import ClassHeaderKinds

_GIVEN_TO_USERS = SHIPPED_KINDS - {"process"}


class LibraryUsers:
    """What users of the program get. `is_library` is the setting `library`: without it, nobody is taken to use it."""

    def __init__(
        self,
        is_library: bool,
        public: PublicClasses,
        purposes: FilePurposes,
        headers: ClassHeaderKinds,
        callers: Callers,
    ) -> None:
        self.is_library = is_library
        self._public = public
        self._purposes = purposes
        self._headers = headers
        self._callers = callers

    def could_ship_from(self, module: Module) -> bool:
        """Whether a distribution exports a class of a module that is made to be shipped by its kind."""
        return self._purposes.is_library(module.path) and any(
            self._headers.kind(module, header) in _GIVEN_TO_USERS and self._public.exports(header.name, module)
            for block in module.outline.blocks
            for header in block.classes
        )

    def may_ship(self, class_: ClassValue) -> bool:
        """Whether the users of a library may ship objects of a class: the setting `library` says that the program is
        one, and the class is public."""
        return self.is_library and self._purposes.is_library(class_.module.path) and self._public.offers(class_)

    def are_there(self, module: Module) -> bool:
        """Whether a module is one of a library that has users: see `may_ship`."""
        return self.is_library and self._purposes.is_library(module.path)

    def get(self, root: RootFrame) -> bool:
        """Whether the users of a library get what a function returns (see `may_ship`), or what a public one returns
        that calls it."""
        path = root.frame.module.path
        if not self.are_there(root.frame.module):
            return False
        if self._public.is_reached(root.function.qualname, root.frame.module):
            return True
        return any(
            self._purposes.is_library(caller.frame.module.path)
            and self._public.is_reached(caller.function.qualname, caller.frame.module)
            and any(_is_part_of(call, value) for value in caller.function.returns)
            for caller, call in self._callers.calls(root, path)
        )


def _is_part_of(call: Call, value: Expr) -> bool:
    """Whether a value may be what a call gives, or a collection that holds it."""
    elements = value.elements if isinstance(value, Collection) else ()
    return may_be(value, call) or any(may_be(each, call) for each in elements)
