"""Attributes that an object of a subclass of `Decimal`, `datetime`, `Path` and the like gets from outside, and that
`__reduce__` of the base class leaves out.

Measured with CPython 3.11: `list`, `str`, `int`, `deque`, `OrderedDict` and exceptions keep them.
"""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, external_bases, known_ancestors
from lintpickle.analyses.main_state.given_instead import is_read_elsewhere
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.replayed_bases import REPLAYED_BASES
from lintpickle.payload.linker import Linker

REPLAYED_NAMES = frozenset(path.rpartition(".")[2] for path in REPLAYED_BASES)
"""The names of these classes."""


def given_from_outside(instance: InstanceValue, linker: Linker) -> Iterator[tuple[str, Held]]:
    """The attributes that code of the program stores on an object, and reads, which pickle leaves out; each with the
    name of the base class that sends none."""
    line = known_ancestors(instance.class_, linker.classes)
    paths = external_bases(line) if line is not None else ()
    if line is None or len(paths) != 1 or paths[0] not in REPLAYED_BASES or defines(line, *REDUCERS):
        return
    for held in linker.classes.states.state(instance):
        if held.owner is None and held.direct and is_read_elsewhere(held.attribute, instance.class_, linker):
            yield paths[0].rpartition(".")[2], held
