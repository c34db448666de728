"""Processes that are forked because code asks for it, by ways that matter to `migrate` alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.program.module import Module

_DELAYED = "joblib.delayed"
_OF_PROCESSES = re.compile(r"\b(?:backend\s*=|parallel_backend\()\s*[\"']multiprocessing[\"']")


def is_task_of_processes(path: str, module: Module) -> bool:
    """Whether a call makes a task of joblib, in a module that asks for processes of multiprocessing: these may be
    forked, as a rule joblib's are not."""
    return path == _DELAYED and module.has(_OF_PROCESSES)


def contexts_of_bases(class_: ClassValue, evaluator: Evaluator) -> Iterator[AbstractValue]:
    """What the bases of a class of processes are attributes of: `class Worker(context.Process)`."""
    for each in evaluator.classes.mro(class_):
        block = each.module.outline.block_at(each.facts.span.start) if isinstance(each, ClassValue) else None
        facts = each.module.facts_of(block) if isinstance(each, ClassValue) and block is not None else None
        for base in each.facts.bases if isinstance(each, ClassValue) else ():
            if isinstance(base, Attribute) and isinstance(each, ClassValue) and facts is not None:
                frame = evaluator.module_frame(each.module, facts.body)
                yield from (traced.value for traced in evaluator.evaluate(base.base, frame))
