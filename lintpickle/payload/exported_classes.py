"""Classes that calls make at module level, as `Point = namedtuple("Point", "x y")`: whoever uses the module may ship
them and their objects."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.diagnostics import Confidence
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ContainerValue, Hop, Site, TracedValue
from lintpickle.interpreter.made_classes import CLASS_KINDS
from lintpickle.parsing.outline import Block
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.program.module import Module

_MAKES = re.compile(r"^(?:\w+\s*=\s*)+[\w.]*(?:[Nn]amed_?[Tt]uple|[Ee]num|Flag)\s*\(", re.MULTILINE)
"""A name at module level that stands for a class which a call makes."""


def exported_classes(linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    """The classes, each under the name that the module gives it. They are likely to be shipped where the users of a
    library get them by public names, else merely possible."""
    for module in linker.modules:
        if not module.has(_MAKES) or not (pedantic or linker.users.are_there(module)):
            continue
        for block in module.outline.blocks:
            is_wanted = block.names and not (block.bare or block.classes or block.defines_function)
            if is_wanted and _MAKES.search(module.code, block.span.start, block.span.end):
                yield from _made_in(block, module, linker, pedantic)


def _made_in(block: Block, module: Module, linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    for name in block.names:
        is_public = linker.users.are_there(module) and linker.public.is_reached(name, module)
        for made in _values(name, block, module, linker) if pedantic or is_public else ():
            confidence = Confidence.LIKELY if is_public else Confidence.POSSIBLE
            methods = linker.start_methods_of_workers(module)
            root = Root(confidence, methods, None, "object", made.site, is_given=is_public)
            phrase = "is public: users of the library may ship it" if is_public else "can be had from its module"
            yield Crossing(made.value, made.site, (Hop(f"{name} {phrase}", made.site),), name, root, None)


def _values(name: str, block: Block, module: Module, linker: LinkedProgram) -> Iterator[TracedValue]:
    """The classes that calls in the block make, themselves or by a function that they call, of what a name is given
    there."""
    for definition in linker.evaluator.names.lookup(module, name):
        if definition.module is not module or definition.block is None or not isinstance(definition.value, Call):
            continue
        site = Site(module, definition.value.span)
        if not block.span.start <= site.span.start < block.span.end:
            continue
        for traced in linker.evaluator.definition(definition, site):
            made = traced.value
            if isinstance(made, ContainerValue) and made.kind in CLASS_KINDS:
                yield traced
