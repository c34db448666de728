"""What is known of the boundaries at one call, while a program is judged."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct, field

from lintpickle.diagnostics import StartMethod
from lintpickle.interpreter.abstract_values import Site
from lintpickle.migration.model import Finding, Gap, Spot


class Growing(Struct):
    """What is known of the boundaries at one call, whichever way leads there."""

    what: str
    starts: str
    methods: tuple[StartMethod, ...]
    contexts: set[Site]
    classes: list[Site]
    gaps: dict[Gap, None]
    is_never_forked: bool = False
    """Whether its workers are not forked today either, whichever way leads there."""
    names_its_method: bool = False
    """Whether its start method is given by name, whichever way leads there: what the program sets does not matter."""
    is_object: bool = False
    """Whether it makes a process of a class of the program's own, whose `__init__` may pass on what runs."""
    registered_with: set[Hashable] = field(default_factory=set)
    """The classes of managers with which it only registers something, which crosses when one of these starts."""
    is_only_registered: bool = False
    """Whether it registers something with a class of managers of which its module starts none."""
    derived_from: set[Site] = field(default_factory=set)
    """The classes of the program from which those of the objects derive that cross."""
    started: set[Hashable] = field(default_factory=set)
    """The classes of the managers that it starts."""
    is_inner: bool = False
    """Whether it only calls `__init__` of the class of a process, and passes nothing on."""
    forks: set[Site] = field(default_factory=set)
    """The places where fork is asked for by name for it."""
    makers: set[Site] = field(default_factory=set)
    """The calls that make the pools or executors to which it gives tasks."""
    through: set[Site] = field(default_factory=set)
    """The calls that lead there."""
    findings: dict[tuple[str, Spot], Finding] = field(default_factory=dict)
