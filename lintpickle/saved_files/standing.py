"""Whether a global that a file asks for is there, by reading what defines it."""

from __future__ import annotations

from collections.abc import Collection

from lintpickle.builtin_names import BUILTINS
from lintpickle.program.module import Module
from lintpickle.saved_files.records import Place, Standing
from lintpickle.saved_files.surroundings import Library, Surroundings

_MAIN = ("__main__", "__mp_main__")

Found = tuple[Standing, str, Place | None]
"""How a global stands, why, and where it is defined."""


def standing_of(module: str, name: str, surroundings: Surroundings, brought: Collection[str] = ()) -> Found:
    """How a global stands. `brought` are modules that the file brings along itself."""
    if module in _MAIN:
        return Standing.MAIN, "it was defined in the script that wrote the file", None
    if module in brought:
        return Standing.ARCHIVE, "", None
    if module == "builtins":
        if name.partition(".")[0] in BUILTINS:
            return Standing.STANDARD_LIBRARY, "", None
        return Standing.GONE, "Python has no such builtin", None
    if surroundings.is_standard(module):
        return _in_library(module, name, surroundings.standard, Standing.STANDARD_LIBRARY)
    found = surroundings.library.finder.find(module)
    own = found is not None and found.first_party
    return _in_library(
        module,
        name,
        surroundings.library,
        Standing.PROJECT if own else Standing.ENVIRONMENT,
        is_known=surroundings.environment.prefix is not None,
    )


def _in_library(module: str, name: str, library: Library, where: Standing, *, is_known: bool = True) -> Found:
    if not library.has_module(module):
        return _without_module(module, library, where, is_known)
    read = library.module(module)
    if read is None:
        return (
            (where if library.finder.is_compiled(module) else Standing.UNSEEN),
            "its module has no source to read",
            None,
        )
    first, _, rest = name.partition(".")
    bindings = library.bindings(read, first)
    if not bindings:
        return _unbound(read, first, library, where)
    places = [place for each in bindings if (place := library.place(each, first)) is not None]
    if not rest:
        return where, "", places[0] if places else None
    return _nested(read, name, library, where, places)


def _unbound(read: Module, name: str, library: Library, where: Standing) -> Found:
    location = library.place_in(read, name)
    if location is not None:
        return where, "", Place(read.name, name, location)
    if name in read.outline.bound:
        return where, "", None
    if library.may_bind_unseen(read, name):
        return Standing.UNSEEN, f"{read.name} may make it while it is imported", None
    return Standing.GONE, f"{read.name} is there, and has no {name}", None


def _nested(read: Module, name: str, library: Library, where: Standing, places: list[Place]) -> Found:
    """What is got out of a class: another class or a method in it, if the class says all."""
    first, *rest = name.split(".")
    owners = [each.class_ for each in library.bindings(read, first)]
    for part in rest:
        if not owners or any(owner is None or owner.bases or owner.keywords or owner.decorators for owner in owners):
            return where, "", places[0] if places else None
        inner = [each for owner in owners if owner for each in owner.classes if each.name == part]
        if not inner and not any(owner and (part in owner.methods or part in owner.body) for owner in owners):
            return Standing.GONE, f"{first} in {read.name} is there, and has no {'.'.join(rest)}", None
        owners = list(inner)
    return where, "", places[0] if places else None


def _without_module(module: str, library: Library, where: Standing, is_known: bool) -> Found:
    if where is Standing.STANDARD_LIBRARY and not _has_source(module, library):
        return Standing.STANDARD_LIBRARY, "it is built into Python", None
    parent = module.rpartition(".")[0]
    while parent and not library.has_module(parent):
        parent = parent.rpartition(".")[0]
    if not parent:
        if not is_known:
            return Standing.UNSEEN, "no Python environment was found to look for it", None
        return (
            Standing.MODULE_GONE,
            f"there is no module {module.partition('.')[0]} in the project or its environment",
            None,
        )
    holder = library.finder.find(parent)
    if holder is None or not holder.is_package:
        return Standing.UNSEEN, f"{parent} may make the module while it is imported", None
    return Standing.MODULE_GONE, f"{parent} is there, and has no module {module.removeprefix(parent + '.')}", None


def _has_source(module: str, library: Library) -> bool:
    return library.has_module(module.partition(".")[0])
