"""Which attributes of an object its methods read in a worker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker

_ENTERED = ("__getitem__", "__getitems__", "__iter__", "__call__", "forward")
READ = r"\b{me}\.{name}\b(?!\s*=[^=])"
"""How a method `me` of whose instance reads an attribute, as a regular expression."""


def reads(
    attribute: str, class_: ClassValue, linker: Linker, entered: Sequence[str] = _ENTERED
) -> Iterator[tuple[ClassValue, FunctionFacts]]:
    """The methods that run in a worker and read the attribute, callers before the methods that they call, each with the
    class that defines it. `entered` are those that are called first."""
    queue, seen = list(entered), set(entered)
    while queue:
        found = linker.classes.find_method(class_, queue.pop(0))
        if found is None or not found[1].parameters:
            continue
        owner, method = found
        me = re.escape(method.parameters[0].name)
        read = re.compile(READ.format(me=me, name=re.escape(attribute)))
        if read.search(owner.module.code, method.span.start, method.span.end):
            yield owner, method
        for event in method.events:
            if isinstance(event, Called) and isinstance(event.call.function, Attribute):
                name = event.call.function.name
                if is_me(event.call.function.base, method) and name not in seen:
                    seen.add(name)
                    queue.append(name)
        for name in _properties_read(owner, method, class_, linker):
            if name not in seen:
                seen.add(name)
                queue.append(name)


def reads_of_held(held_as: str, attribute: str, holder: ClassValue, held: ClassValue, linker: Linker) -> bool:
    """Whether methods that run in a worker read the attribute of an object that theirs has in `held_as`: themselves, or
    by a method or property of that object."""
    for owner, method in reads(held_as, holder, linker):
        me = re.escape(method.parameters[0].name)
        read = re.compile(rf"\b{me}\.{re.escape(held_as)}(?:\.([^\W\d]\w*)\b(?!\s*=[^=])|\()")
        for name in read.findall(owner.module.code, method.span.start, method.span.end):
            if name == attribute or next(reads(attribute, held, linker, (name or "__call__",)), None) is not None:
                return True
    return False


def _properties_read(owner: ClassValue, method: FunctionFacts, class_: ClassValue, linker: Linker) -> Iterator[str]:
    """The properties of its own object that a method reads."""
    read = re.compile(rf"\b{re.escape(method.parameters[0].name)}\.([^\W\d]\w*)\b(?!\s*[=(][^=])")
    for name in dict.fromkeys(read.findall(owner.module.code, method.span.start, method.span.end)):
        if linker.classes.find_property(class_, name) is not None:
            yield name
