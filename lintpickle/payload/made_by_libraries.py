"""Objects of a library's classes that a function makes with functions of its own, and returns
(`return LambdaLR(optimizer, lambda epoch: …)`): nothing in sight ships them, but whoever calls it may."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.diagnostics import Confidence
from lintpickle.facts.values import Call, options_of
from lintpickle.interpreter.abstract_values import ExternalValue, FunctionValue, Hop, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.outline import Block
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.forms import FORMS, LAMBDA, LOCAL_FUNCTION
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_FUNCTIONS = (LAMBDA, LOCAL_FUNCTION)
_MAKES_OBJECT = re.compile(r"[A-Z]\w*\s*\(")


def made_by_libraries(linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    """The lambdas and local functions in them, of classes that the catalog does not know as made to be shipped. They
    are merely possible: most programs write the state of such objects alone."""
    keepers = Words(linker.catalog.keeping_classes())
    for module in linker.modules if pedantic else ():
        if not keepers.are_in(module.lexicon):
            continue
        for block in module.outline.blocks:
            facts = module.facts_of(block) if _is_wanted(module, block, keepers) else None
            for root_frame in linker.activations.in_block(module, facts, _MAKES_OBJECT) if facts is not None else ():
                if root_frame.function.returns and not root_frame.function.is_generator:
                    yield from _returned_by(root_frame, linker)
                    linker.evaluator.forget()


def _is_wanted(module: Module, block: Block, keepers: Words) -> bool:
    text = module.facts.text(block)
    may_hold = not block.bare and any(FORMS[form].may_stand_in(text) for form in _FUNCTIONS)
    return may_hold and keepers.stand_at(module.code, block.span)


def _returned_by(root_frame: RootFrame, linker: LinkedProgram) -> Iterator[Crossing]:
    frame, name = root_frame.frame, root_frame.function.name
    for value in dict.fromkeys(option for each in root_frame.function.returns for option in options_of(each)):
        made = _class_made(value, root_frame, linker) if isinstance(value, Call) else None
        if made is None:
            continue
        site = Site(frame.module, value.span)
        root = Root(Confidence.POSSIBLE, linker.start_methods_of_workers(frame.module), None, "object", site)
        hop = Hop(f"{name}() returns {made}(…): its callers may ship it", site)
        for traced in linker.evaluator.evaluate(value, frame):
            for crossing in linker.payload.crossings(traced.after(hop), root, made, None):
                if isinstance(crossing.value, FunctionValue) and crossing.value.is_nameless:
                    yield crossing


def _class_made(call: Call, root_frame: RootFrame, linker: LinkedProgram) -> str | None:
    """The name of the library's class of which a call makes an object that keeps what it is given."""
    for traced in linker.evaluator.evaluate(call.function, root_frame.frame):
        match traced.value:
            case ExternalValue(path=path) if linker.catalog.converter(path) == "keep":
                name = path.rpartition(".")[2]
                if name in linker.catalog.keeping_classes() and linker.catalog.kind_of_class(path) is None:
                    return name
            case _:
                pass
    return None
