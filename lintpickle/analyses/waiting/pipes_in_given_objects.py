"""Pipes that never end for a worker which reads them by an object that has both ends, and that it is given.

Measured with CPython 3.11, under fork, spawn and forkserver: the object of the worker has the end that is written to,
too, so that the `close()` of the main process does not end what the worker reads.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.waiting.ends_closed import closed_after_start
from lintpickle.analyses.waiting.pipes_kept_by_main import LEAVES_EARLY, MAY_CLOSE
from lintpickle.analyses.waiting.pipes_kept_open import PipeKeptOpen, pipes_read_to_the_end
from lintpickle.analyses.waiting.pipes_of_channels import Channel, channel_made, object_given
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, Site
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_CLOSES_OTHERWISE = frozenset({"__enter__", "__exit__", "__del__", "__getstate__", "__setstate__", "__reduce__"})
_MADE = "__init__"


def pipes_in_given_objects(code: WorkerCode, linker: Linker) -> Iterator[PipeKeptOpen]:
    """The pipes of which a process is given both ends by an object that its class makes them for, and reads one until
    EOFError, while the code that starts it closes the other one afterwards by its own object, and then waits."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    for function, call, pipe, home in pipes_read_to_the_end(code, linker):
        channel = channel_made(pipe, home) if home.function is not boundary.frame.function else None
        if channel is None or not _is_given(channel, code, linker):
            continue
        read = function.module.code[call.span.start : call.span.end]
        writers = [each for each in channel.ends if re.search(rf"\.\s*{each}\s*\.", read) is None]
        if len(writers) != 1 or not _is_left_open(writers[0], channel, function, code):
            continue
        found = _closed_by_main(writers[0], channel, boundary.call, boundary.frame)
        if found is not None:
            name, closed = found
            yield PipeKeptOpen(function, call.span, channel.made, closed, f"{name}.{writers[0]}", True)
            return


def _is_given(channel: Channel, code: WorkerCode, linker: Linker) -> bool:
    """Whether an object of exactly the class crosses as it is."""
    assert code.boundary is not None
    methods = {each.name for each in channel.node.body if isinstance(each, FUNCTIONS)}
    if methods & _CLOSES_OTHERWISE or channel.module.has(MAY_CLOSE):
        return False
    given = (each.value for each in linker.shipped_by(code.boundary))
    return any(
        isinstance(each, InstanceValue)
        and each.class_.module is channel.module
        and each.class_.facts.name == channel.node.name
        for each in given
    )


def _is_left_open(writer: str, channel: Channel, reading: WorkerFunction, code: WorkerCode) -> bool:
    """Whether workers do nothing with an end but send by it, and go through all that a generator gives."""
    ways = [re.escape(each) for each in sorted(_methods_using(writer, channel))]
    reader = channel.ends[writer == channel.ends[0]]
    uses = rf"\.\s*{writer}\b(?!\s*\.\s*send(?:_bytes)?\()"
    form = re.compile("|".join([uses, *(rf"(?<!\.{reader})\.\s*{each}\b" for each in ways)]))
    is_generator = re.search(r"\byield\b", reading.text) is not None
    for each in code.functions:
        if form.search(each.text) is not None:
            return False
        if is_generator and each is not reading and (LEAVES_EARLY.search(each.text) or _leaves_a_loop(each)):
            return False
    return True


def _methods_using(end: str, channel: Channel) -> set[str]:
    """The methods of the class that do anything with an end but send by it, themselves or by others."""
    texts = {each.name: ast.unparse(each) for each in channel.node.body if isinstance(each, FUNCTIONS)}
    found = set[str]()
    form = re.compile(rf"\bself\.{end}\b(?!\.send(?:_bytes)?\()")
    while more := {name for name, text in texts.items() if name not in {*found, _MADE} and form.search(text)}:
        found |= more
        form = re.compile(rf"\bself\.(?:{'|'.join(map(re.escape, sorted(found)))})\b")
    return found


def _leaves_a_loop(function: WorkerFunction) -> bool:
    source = source_tree(function.module.code)
    loops = source.nodes_within(function.facts.span) if source is not None else ()
    return any(
        isinstance(node, ast.Return | ast.Raise)
        for loop in loops
        if isinstance(loop, ast.For)
        for node in ast.walk(loop)
    )


def _closed_by_main(writer: str, channel: Channel, start: Call, home: Frame) -> tuple[str, Site] | None:
    """The name of the object that a process is given, and where the code that starts it closes the end by that: itself,
    or by a method of the object."""
    source = source_tree(home.module.code)
    owner = object_given(start.span, channel.ends, source) if source is not None else None
    if owner is None or home.module.has(MAY_CLOSE) or owner[1] is not None:
        return None
    name = owner[0]
    closing = re.compile(rf"\bself\.{writer}\.close\(")
    methods = [
        re.escape(each.name)
        for each in channel.node.body
        if isinstance(each, ast.FunctionDef) and each.name != _MADE and closing.search(ast.unparse(each))
    ]
    ways = "|".join([rf"{writer}\s*\.\s*close", *methods])
    form = re.compile(rf"(?<![\w.]){re.escape(name)}\s*\.\s*(?:{ways})\(\s*\)")
    closed = closed_after_start(form, name, home.function.span.start, start, home)
    return (name, Site(home.module, closed)) if closed is not None else None
