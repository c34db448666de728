"""Properties of a whole class hierarchy, and the syntax of a method."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Name, Parameter, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.plain_bases import is_without_state
from lintpickle.interpreter.protocols import Ancestor
from lintpickle.program.module import Module

REDUCERS = frozenset({"__reduce__", "__reduce_ex__"})

REDUCED_BY_OBJECT = frozenset(
    f"builtins.{name}" for name in ("dict", "list", "tuple", "str", "int", "float", "bytes", "complex")
)
"""Builtin classes whose subclasses are reduced as plain objects are, with their state."""
_DATASETS = frozenset({"torch.utils.data.Dataset", "torch.utils.data.IterableDataset"})
_PROTOCOL = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


def known_ancestors(class_: ClassValue, classes: Classes) -> tuple[Ancestor, ...] | None:
    """The hierarchy of a class; None unless every base class in it could be named."""
    line = classes.mro(class_)
    for ancestor in line:
        if isinstance(ancestor, ClassValue):
            named = list(classes.bases(ancestor))
            if len(named) < len(ancestor.facts.bases):
                return None
    return line


def plain_ancestors(class_: ClassValue, classes: Classes) -> tuple[ClassValue, ...] | None:
    """The classes of a hierarchy; None if an external base may define hooks."""
    line = known_ancestors(class_, classes)
    if line is None:
        return None
    protocols = _protocols(line, classes)
    if not all(isinstance(each, ClassValue) or is_plain(each.path) or each.path in protocols for each in line):
        return None
    return tuple(each for each in line if isinstance(each, ClassValue))


def ancestors_rebuilt_as_objects(class_: ClassValue, classes: Classes) -> tuple[ClassValue, ...] | None:
    """The classes of a hierarchy that are read, if its objects are rebuilt as plain ones are: by `__new__` and from
    their state. Those of `list`, `dict` and the like are."""
    line = known_ancestors(class_, classes)
    bases = external_bases(line) if line is not None else ()
    if line is not None and bases and REDUCED_BY_OBJECT.issuperset(bases):
        return tuple(each for each in line if isinstance(each, ClassValue))
    return plain_ancestors(class_, classes)


def _protocols(line: tuple[Ancestor, ...], classes: Classes) -> frozenset[str]:
    """The paths of external classes that can only be protocols: `typing` raises TypeError where another class is a base
    of one that names `Protocol` as its base. A protocol says which methods there are, and defines no hooks."""
    found: set[str] = set()
    for each in line:
        if isinstance(each, ClassValue):
            paths = [base.path for base in classes.bases(each) if isinstance(base, ExternalValue)]
            if not _PROTOCOL.isdisjoint(paths):
                found.update(paths)
    return frozenset(found)


def is_plain(path: str) -> bool:
    """Whether an external class does not customise attributes, construction or pickling."""
    return path in _DATASETS or is_without_state(path)


def external_bases(line: tuple[Ancestor, ...]) -> tuple[str, ...]:
    """The paths of the external classes of a hierarchy that are not plain."""
    return tuple(each.path for each in line if isinstance(each, ExternalValue) and not is_plain(each.path))


def defines(line: tuple[Ancestor, ...], *names: str) -> bool:
    """Whether a class of the hierarchy whose source is read defines one of the names, or its file uses `copyreg`."""
    for each in line:
        if isinstance(each, ClassValue):
            facts = each.facts
            if any(name in facts.methods or name in facts.body for name in names) or "copyreg" in each.module.code:
                return True
    return False


def is_me(value: Expr, function: FunctionFacts) -> bool:
    """Whether a value is the method's own first parameter."""
    return isinstance(value, Parameter) and bool(function.parameters) and value.name == function.parameters[0].name


def stores_of(line: tuple[Ancestor, ...], attribute: str) -> Iterator[tuple[FunctionFacts, Store]]:
    """The stores of an attribute on self in the methods of a hierarchy."""
    for each in line:
        if isinstance(each, ClassValue):
            for function in each.facts.methods.values():
                for event in function.events:
                    if isinstance(event, Store) and event.attribute == attribute and is_me(event.target, function):
                        yield function, event


def stored_on_made(method: FunctionFacts) -> Iterator[Store]:
    """What a method that makes an object stores on it: `__new__` on what it has made, the others on `self`."""
    for event in method.events:
        if isinstance(event, Store):
            is_new = method.name == "__new__"
            if not isinstance(event.target, Parameter) if is_new else is_me(event.target, method):
                yield event


def node_of(module: Module, function: FunctionFacts) -> tuple[SourceTree, ast.FunctionDef] | None:
    """The syntax of a method, in the tree of its whole file; None where this Python cannot read the file."""
    source = source_tree(module.code)
    node = source.find_function(function.span, function.name) if source is not None else None
    return (source, node) if source is not None and node is not None else None


def call_error(qualname: str, function: FunctionFacts, given: int, bound: int = 1) -> str | None:
    """The TypeError of calling the method `function` of the class `qualname` with `given` positional arguments, and
    `bound` before them that Python itself gives; None if the call is valid."""
    positional = [p for p in function.parameters if p.kind in ("positional-only", "positional")]
    names = [p.name for p in positional if p.default is None]
    keywords = [p.name for p in function.parameters if p.kind == "keyword-only" and p.default is None]
    name, most, total = f"{qualname}.{function.name}()", len(positional), given + bound
    missing = names[total:]
    if missing:
        return f"TypeError: {name} missing {_listed(missing, 'positional')}"
    if total > most and not any(p.kind == "*" for p in function.parameters):
        takes = f"from {len(names)} to {most}" if len(names) != most else f"{most}"
        verb = "was" if total == 1 else "were"
        return f"TypeError: {name} takes {takes} positional argument{'s' * (most != 1)} but {total} {verb} given"
    if keywords:
        return f"TypeError: {name} missing {_listed(keywords, 'keyword-only')}"
    return None


def _listed(names: list[str], kind: str) -> str:
    quoted = [f"'{name}'" for name in names]
    text = quoted[0] if len(quoted) == 1 else " and ".join((", ".join(quoted[:-1]), quoted[-1]))
    if len(quoted) > 2:
        text = f"{', '.join(quoted[:-1])}, and {quoted[-1]}"
    return f"{len(names)} required {kind} argument{'s' * (len(names) > 1)}: {text}"


def class_parameter(facts: FunctionFacts) -> str | None:
    """The name of the parameter of a class method that is the class."""
    return facts.parameters[0].name if facts.parameters and facts.decorated_by("classmethod") else None


def with_class_named(written: str, function: FunctionFacts) -> str:
    """A chain of names that a function writes, with the name of the class where a class method says what it calls it:
    `Registry.items` for `cls.items`."""
    first, dot, others = written.partition(".")
    class_ = function.qualname.rpartition(".")[0].rpartition("<locals>.")[2]
    return f"{class_}{dot}{others}" if class_ and first == class_parameter(function) else written


def names_own_class(target: Expr, function: FunctionFacts) -> bool:
    """Whether a method names its class: by the first parameter of a class method, or by the class of its object."""
    inner = without_narrowing(target)
    is_given = isinstance(inner, Parameter) and inner.name == class_parameter(function)
    return is_given or is_class_of_me(inner, function)


def is_class_of_me(target: Expr, function: FunctionFacts) -> bool:
    """Whether a method names the class of its object: `self.__class__`, `type(self)`."""
    match without_narrowing(target):
        case Attribute(base=value, name="__class__"):
            return is_me(value, function)
        case Call(function=Name(name="type"), arguments=(Argument(value=value),)):
            return is_me(value, function)
        case _:
            return False
