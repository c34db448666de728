"""Torch modules that are shipped as a whole: which values are such modules, and where each is made."""

from __future__ import annotations

from lintpickle.catalog import Catalog
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.slots import MODULE_CONTAINERS, MODULE_KINDS
from lintpickle.program.cross_module import CrossModuleFact


def is_torch_module(value: AbstractValue, classes: Classes, catalog: Catalog) -> bool:
    """Whether a value is a torch module, or one of torch's containers of modules."""
    match value:
        case ContainerValue(kind=kind):
            return kind in MODULE_CONTAINERS
        case ExternalResult(path=path):
            return catalog.kind_of_class(path) in MODULE_KINDS
        case _:
            return isinstance(value, InstanceValue) and classes.kind(value) in MODULE_KINDS


def made_as(value: AbstractValue, site: Site) -> CrossModuleFact:
    """What is told of a torch module that is shipped as a whole: where it is made."""
    frame: Frame | None = None
    if isinstance(value, (InstanceValue, ExternalResult)):
        frame = value.frame
    elif isinstance(value, ContainerValue) and value.slots:
        frame = value.slots[0].frame
    call = value.call if isinstance(value, (InstanceValue, ExternalResult, ContainerValue)) else None
    if call is None or frame is None:
        return ("module", site.module.path, site.span.start)
    return ("module", frame.module.path, call.span.start)
