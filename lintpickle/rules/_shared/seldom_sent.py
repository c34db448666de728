"""Hazards of classes that the program may never ship."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    SHIPPED_KINDS,
    ClassValue,
    Hazard,
    Linker,
)

_DATASET_METHODS = ("__getitem__", "__len__")


def seldom_sent(hazards: Iterable[Hazard], class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    """The hazards of a class whether or not it is shipped. They are only possible, unless its instances are payload by
    their kind, look like a dataset (a wrapper with a dataset's name and methods but without its base class), or are
    public in a library."""
    classes = linker.classes
    is_sent = classes.kind(class_) in SHIPPED_KINDS or (
        class_.facts.name.endswith("Dataset") and all(classes.find_method(class_, name) for name in _DATASET_METHODS)
    )
    is_sent = is_sent or linker.users.may_ship(class_)
    for hazard in hazards:
        yield hazard if is_sent else replace(hazard, confidence=Confidence.POSSIBLE)
