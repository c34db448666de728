"""What an `ArgumentParser` puts into the namespace that it gives: what the types of its arguments make, their defaults,
and what `set_defaults` gives it."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import Called, Event
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Data,
    Expr,
    Name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    ProductValue,
    Slot,
    SlotKey,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.resolution.module_containers import names_for

_PARSER = "argparse.ArgumentParser"
_PARSES = frozenset({"parse_args", "parse_intermixed_args"})
_PARTS = frozenset({"add_subparsers", "add_parser", "add_argument_group", "add_mutually_exclusive_group"})
"""Methods that give parts of a parser: what these get ends in its namespace."""
_OPENS = frozenset({"argparse.FileType", "builtins.open"})
"""Types of arguments that open a file for what is given, also for a default that is a string."""
_PLAIN = frozenset({"int", "float", "str", "bool", "bytes", "complex"})
_IN_LISTS = frozenset({"append", "extend"})
_TRUTHS = frozenset({"store_true", "store_false"})
"""Actions of arguments."""


class ParsedArguments:
    """Evaluates calls of parsers for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._made: dict[int, tuple[Call, Expr]] = {}
        self._chosen: dict[int, tuple[Expr, Expr]] = {}

    def parsed(self, call: Call, frame: Frame) -> ContainerValue | None:
        """The namespace that a parser gives, with what is in it other than plain data; None if it is not this parser's
        alone."""
        if not isinstance(call.function, Attribute) or call.function.name not in _PARSES:
            return None
        if call.has_unknown_arguments() or call.argument("namespace", 1) is not None:
            return None
        for traced in self._evaluator.evaluate(call.function.base, frame):
            made, home = _makes_parser(traced.value)
            if made is not None and home is not None:
                slots = (*self._arguments(made, home), *self._defaults(made, home))
                says_nothing = all(_is_plain(slot.value) and not _is_known(slot.value) for slot in slots)
                return ContainerValue("Namespace", () if says_nothing else slots, call)
        return None

    def _arguments(self, parser: Call, home: Frame) -> Iterator[Slot]:
        """The arguments of a parser, by what the function that makes it adds to it."""
        for event in _events_around(parser, home):
            match event:
                case Called(call=Call(function=Attribute(base=base, name="add_argument")) as added):
                    name = _destination(added)
                    value = self._value(added, home) if name and self._is_made_by(base, parser, home) else None
                    if value is not None:
                        yield Slot(SlotKey(attribute=name), value, home)
                case _:
                    pass

    def _value(self, added: Call, home: Frame) -> Expr | None:
        """What an argument is; None if that is not known. The same expression for the same argument, as values are
        known by identity."""
        if id(added) not in self._made:
            kind = added.keyword("type")
            is_file = kind is not None and self._opens(kind, home)
            value = Call(kind.span, kind, ()) if kind is not None and is_file else _value_of(added)
            if value is None:
                return None
            self._made[id(added)] = (added, value)
        return self._made[id(added)][1]

    def _defaults(self, parser: Call, home: Frame) -> Iterator[Slot]:
        """What is set as a default of a parser, or of one for a subcommand, by the function that makes it: functions
        and lambdas, as a rule, that are called for the subcommand."""
        found: dict[str, list[Expr]] = {}
        subcommands = 0
        for event in _events_around(parser, home):
            match event:
                case Called(call=Call(function=Attribute(base=base, name="set_defaults"), arguments=given)) if (
                    self._is_made_by(base, parser, home)
                ):
                    for argument in given:
                        if argument.keyword is not None:
                            found.setdefault(argument.keyword, []).append(argument.value)
                case Called(call=Call(function=Attribute(name="add_parser"))):
                    subcommands += 1
                case _:
                    pass
        for name, values in found.items():
            yield Slot(SlotKey(attribute=name), self._one_of(values, subcommands), home)

    def _one_of(self, values: list[Expr], subcommands: int) -> Expr:
        """What a default is that different subcommands set: the same expression for the same values, as above."""
        if subcommands < 2 and len(values) == 1:
            return values[0]
        key = id(values[0])
        if key not in self._chosen:
            rest = [Expr(values[0].span)] * (len(values) < subcommands)
            self._chosen[key] = (values[0], Choice(values[0].span, (*values, *rest)))
        return self._chosen[key][1]

    def _is_made_by(self, base: Expr, parser: Call, home: Frame) -> bool:
        base = without_narrowing(base)
        while isinstance(base, Call) and isinstance(base.function, Attribute) and base.function.name in _PARTS:
            base = without_narrowing(base.function.base)
        found = (each.value for each in self._evaluator.evaluate(base, home))
        return any(_makes_parser(each)[0] is parser for each in found)

    def _opens(self, kind: Expr, home: Frame) -> bool:
        found = (each.value for each in self._evaluator.evaluate(kind, home))
        return any(isinstance(each, ExternalResult | ExternalValue) and each.path in _OPENS for each in found)


def is_parsed(call: Call | None) -> bool:
    """Whether the call that made a namespace is one of a parser: but for what stands in it, it holds plain data."""
    return call is not None and isinstance(call.function, Attribute) and call.function.name in _PARSES


def _makes_parser(value: AbstractValue) -> tuple[Call | None, Frame | None]:
    """The call that makes a parser, and where. One that can be pickled, from Python 3.14 on, is no product."""
    match value:
        case ProductValue(product=product, call=Call() as made, frame=home) if product.kind == "parser":
            return made, home
        case ExternalResult(path=path, call=made, frame=home) if path == _PARSER:
            return made, home
        case _:
            return None, None


def _events_around(parser: Call, home: Frame) -> Iterator[Event]:
    """The events of the function that makes a parser; of a module, those of all statements that name the parser."""
    yield from home.function.events
    if home.function.is_module_body:
        seen = {home.function.span.start}
        for name in names_for(parser.span, home.module):
            for block in home.module.blocks_touching(name):
                if block.body.span.start not in seen:
                    seen.add(block.body.span.start)
                    yield from block.body.events


def _value_of(added: Call) -> Expr | None:
    """What an argument is that opens no file: what its type makes of a text, or its default; of a default that is a
    text, the type makes something too."""
    span, kind, nargs = added.span, added.keyword("type"), added.keyword("nargs")
    action = added.keyword("action")
    name = action.value if isinstance(action, Constant) else None
    if name in _TRUTHS:
        return Data(span, "bool")
    if action is not None and name not in ("store", *_IN_LISTS):
        return None
    is_as_given = kind is None or (isinstance(kind, Name) and kind.name in _PLAIN)
    chosen = _choices_of(added) if is_as_given and nargs is None and name not in _IN_LISTS else ()
    match kind:
        case None:
            made: Expr = Data(span, "str")
        case Name(name=plain) if plain in _PLAIN:
            made = Data(span, plain)
        case _:
            made = Call(kind.span, kind, (Argument(Data(span, "str")),))
    may_lack = isinstance(nargs, Constant) and nargs.value in ("?", "*")
    if name in _IN_LISTS or (nargs is not None and not (isinstance(nargs, Constant) and nargs.value == "?")):
        made = Comprehension(made.span, "list", made)
    default = added.keyword("default")
    const = (each for each in (added.keyword("const"),) if each is not None)
    options: tuple[Expr, ...] = chosen or (made, *const)
    is_of_type = not chosen and isinstance(default, Constant) and isinstance(default.value, str)
    if not (is_of_type or _is_required(added, may_lack)):
        options = (*options, default or Constant(span, None))
    return options[0] if len(options) == 1 else Choice(made.span, options)


def _choices_of(added: Call) -> tuple[Constant, ...]:
    """The constants that an argument may be, if its choices are written out."""
    match added.keyword("choices"):
        case Collection(elements=elements):
            constants = tuple(each for each in elements if isinstance(each, Constant))
            return constants if len(constants) == len(elements) else ()
        case _:
            return ()


def _is_required(added: Call, may_lack: bool) -> bool:
    required = added.keyword("required")
    is_option = any(isinstance(each, Constant) and str(each.value).startswith("-") for each in added.positional() or ())
    return (isinstance(required, Constant) and required.value is True) or not (is_option or may_lack)


def _is_plain(value: Expr) -> bool:
    match value:
        case Choice(options=options):
            return all(map(_is_plain, options))
        case Comprehension(element=Expr() as element):
            return _is_plain(element)
        case _:
            return isinstance(value, Constant | Data)


def _is_known(value: Expr) -> bool:
    """Whether an argument is one of a few constants."""
    options = value.options if isinstance(value, Choice) else (value,)
    return all(isinstance(option, Constant) for option in options)


def _destination(added: Call) -> str | None:
    """The attribute that an argument gets: its `dest`, its first long option, or its name."""
    dest = added.keyword("dest")
    if isinstance(dest, Constant) and isinstance(dest.value, str):
        return dest.value
    flags = [each.value for each in added.positional() or () if isinstance(each, Constant)]
    names = [each for each in flags if isinstance(each, str)]
    best = next((each for each in names if each.startswith("--")), names[0] if names else None)
    return best.lstrip("-").replace("-", "_") if best else None
