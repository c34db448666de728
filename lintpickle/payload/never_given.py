"""Boundaries behind a value of a parameter that nothing in a program of scripts gives: all calls leave
`as_state_dict=True` as it is, and `if as_state_dict: … else: torch.save(self, path)` stands in the function.

What a call that may be one of the function gives has to be a constant, or a parameter of which the same is true. So
whoever hands the function on, or what it is given in a dict, leaves it open."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import Claim, claims
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Constant,
    Expr,
    Mapping,
    Name,
    Parameter,
    Sum,
    ending_name,
    uncalled,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    is_indefinite,
)
from lintpickle.interpreter.plain_bases import is_without_state
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import is_special_name
from lintpickle.payload.components import Components
from lintpickle.prefilter.words import Words
from lintpickle.source.file_kinds import PlaceKind

_TRANSPARENT = frozenset({"staticmethod", "classmethod", "abstractmethod", "no_grad", "inference_mode"})
"""Decorators that leave it to the calls what a function is given."""
_NO_CALLERS = ("torch.utils.data.", "torch.nn.Module", "torch.nn.modules.module.")
"""Libraries whose classes call no other methods of an object than those that they have themselves, …"""
_CALLED = frozenset({"forward", "train", "state_dict", "load_state_dict", "named_parameters", "parameters", "to"})
"""… and which have such methods with options."""
_COMMAND_LINES = re.compile(r"\b(?:Fire|CLI|LightningCLI)\(")
"""What makes options of the command line of whatever parameters a program has."""
_COMMAND_WORDS = Words({"Fire(", "CLI(", "LightningCLI("})


class _Option(Struct, frozen=True, eq=False):
    """A parameter of a function of which something is asked; `owner` is the class whose method it is."""

    function: FunctionFacts
    owner: ClassValue | None
    name: str
    claim: Claim

    def is_denied_by(self, value: Expr | None) -> bool:
        """Whether a value is a constant of which it is not true."""
        return isinstance(value, Constant) and not self.claim.allows(value.value)

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others of the module."""
        return self.function.span, self.name, self.claim.compare, repr(self.claim.other), self.claim.answer

    def is_unbound(self, called: AbstractValue) -> bool:
        """Whether a call gives the method its object: `Policy.save(policy, path)`."""
        is_it = isinstance(called, FunctionValue) and called.facts is self.function and called.bound is None
        return is_it and self.owner is not None and not self.function.decorated_by("staticmethod")

    @property
    def place(self) -> int | None:
        """Where calls give it, if they do not name it."""
        kinds = [each.name for each in self.function.parameters if each.kind.startswith("positional")]
        has_object = self.owner is not None and not self.function.decorated_by("staticmethod")
        return kinds.index(self.name) - has_object if self.name in kinds else None


def is_behind_value_never_given(boundary: BoundaryCall, parts: Components) -> bool:
    """Whether a condition on the way to a boundary asks a parameter for what no call in the program gives it, which is
    one of scripts, and calls the function."""
    asker = boundary.site.module.path
    for place, frame in boundary.way:
        for option in _asked(place, frame, parts) if _is_of_program(frame, parts) else ():
            if parts.remembered(
                ("never given", asker, frame.module.path, *option.key),
                partial(_Search(parts, asker).is_never_given, option),
            ):
                return True
    return False


def _is_of_program(frame: Frame, parts: Components) -> bool:
    is_test = parts.purposes.kind(frame.module.path) is PlaceKind.TESTS
    return not is_test and frame.module.first_party and parts.unused.is_of_scripts(frame.module)


def _asked(place: Span, frame: Frame, parts: Components) -> Iterator[_Option]:
    """The parameters of a frame's function that have to be something for the code at a place to run."""
    function = frame.function
    for test, holds in parts.conditions.tests_before(place, frame):
        for claim in claims(test, holds):
            name = _compared(claim)
            if name is None or function.parameter(name) is None or frame.paths.binds(name):
                continue
            yield _Option(function, _owner(frame), name, claim)


def _compared(claim: Claim) -> str | None:
    """The variable that a claim is about."""
    match claim.test:
        case ast.Name(id=name):
            return name
        case ast.Compare(left=ast.Name(id=name)) if claim.compare is not None:
            return name
        case _:
            return None


def _owner(frame: Frame) -> ClassValue | None:
    first = frame.function.parameters[0].name if frame.function.parameters else ""
    bound = frame.bindings.get(first)
    match bound.value if bound is not None else None:
        case InstanceValue(class_=class_) | (ClassValue() as class_) if "." in frame.function.qualname:
            return class_
        case _:
            return None


class _Search:
    """Looks through the calls of a program for one module that is judged."""

    def __init__(self, parts: Components, asker: str) -> None:
        self._parts = parts
        self._asker = asker
        self._asked = set[tuple[int, str]]()

    def is_never_given(self, option: _Option) -> bool:
        """Whether the program calls a function, and gives a parameter of it nothing for which a claim is true."""
        return self._is_open_to_nothing(option) and self._calls_deny(option, is_called=False)

    def _calls_deny(self, option: _Option, is_called: bool) -> bool:
        """Whether all calls of a function deny a claim; `is_called` says whether there may be none."""
        for caller, event in self._calls(option.function.name):
            found = [each.value for each in self._parts.evaluate(event.call.function, caller.frame)]
            if not self._is_another(found, event.call, caller, option):
                is_called = True
                if any(map(option.is_unbound, found)) or not self._denies(event.call, caller, option):
                    return False
        return is_called

    def _is_open_to_nothing(self, option: _Option) -> bool:
        """Whether nothing but calls that name a function can give it anything, and no dict may do so."""
        function, first_party = option.function, self._parts.first_party
        name, key = re.escape(function.name), re.escape(option.name)
        if is_special_name(function.name) or function.is_local or not function.name.isidentifier():
            return False
        if ("." in function.qualname) is not (option.owner is not None):
            return False
        if not all(ending_name(uncalled(each)) in _TRANSPARENT for each in function.decorators):
            return False
        if option.owner is not None and not self._is_own(option.owner, function.name):
            return False
        in_dict = re.compile(rf"['\"]{key}['\"]|(?:\bdict|\.update)\([^()]*\b{key}\s*=(?!=)")
        if first_party.is_anywhere(Words({option.name}), self._asker, in_dict):
            return False
        if first_party.is_anywhere(_COMMAND_WORDS, self._asker, _COMMAND_LINES):
            return False
        handed = rf"(?<=[\w\])])\.{name}\b(?!\s*(?:\(|import\b|=(?!=)))|\b{name}\s+as\b|getattr\([^\n]*['\"]{name}['\"]"
        if option.owner is None:
            handed += rf"|^(?![ \t]*(?:from|import)\b)[^\n]*(?<![\w.'\"]){name}\b(?!\s*[(=:.'\"\w])"
        return not first_party.is_anywhere(Words({function.name}), self._asker, re.compile(handed, re.MULTILINE))

    def _is_own(self, owner: ClassValue, name: str) -> bool:
        """Whether no library calls a method of that name."""
        for class_ in self._parts.classes.mro(owner):
            match class_:
                case ClassValue():
                    pass
                case ExternalValue(path=path) if is_without_state(path):
                    pass
                case ExternalValue(path=path) if path.startswith(_NO_CALLERS) and name not in _CALLED:
                    pass
                case _:
                    return False
        return True

    def _calls(self, name: str) -> Iterator[tuple[RootFrame, Called]]:
        form = re.compile(rf"(?<!def )\b{re.escape(name)}\s*\(")
        for caller in self._parts.activations_with({name}, form, self._asker):
            for event in caller.function.events:
                if isinstance(event, Called) and ending_name(event.call.function) == name:
                    yield caller, event

    def _is_another(self, found: Sequence[AbstractValue], call: Call, caller: RootFrame, option: _Option) -> bool:
        """Whether what is called is surely something else, which is not given the option to pass it on."""
        is_exact = _is_super(call.function)
        if all(isinstance(call.function, Attribute) and is_indefinite(value) for value in found):
            return option.owner is not None and self._is_known_where_called(option.owner)
        if not all(self._is_other_value(value, option, is_exact) for value in found):
            return False
        is_passed_on = any(
            isinstance(each, FunctionValue) and any(parameter.kind == "**" for parameter in each.facts.parameters)
            for each in found
        )
        return not is_passed_on or (call.keyword(option.name) is None and _are_without(call, caller, option))

    def _is_known_where_called(self, owner: ClassValue) -> bool:
        """Whether nothing but functions that are known to make objects of a class has any."""
        is_called = self._parts.unused.is_only_called_by_name(owner)
        return is_called and self._parts.constructions.are_kept(owner)

    def _is_other_value(self, value: AbstractValue, option: _Option, is_exact: bool) -> bool:
        match value:
            case ExternalValue(path=path):
                return path.partition(".")[0] not in self._parts.unused.own_names
            case ClassValue() | InstanceValue():
                return True
            case FunctionValue(facts=facts, bound=bound):
                return facts is not option.function and (is_exact or not self._may_be_of(bound, option.owner))
            case _:
                return False

    def _may_be_of(self, bound: AbstractValue | None, owner: ClassValue | None) -> bool:
        """Whether what is only known to be of a class may be of another one."""
        match bound:
            case InstanceValue(class_=class_, call=None) if owner is not None:
                return self._parts.classes.derives(owner, class_)
            case _:
                return False

    def _denies(self, call: Call, caller: RootFrame, option: _Option) -> bool:
        """Whether a call gives a function something of which a claim is not true."""
        place = option.place
        given = call.keyword(option.name) or (call.argument(option.name, place) if place is not None else None)
        if given is None:
            parameter = option.function.parameter(option.name)
            is_left_out = call.positional() is not None and _are_without(call, caller, option)
            return is_left_out and parameter is not None and option.is_denied_by(parameter.default)
        match without_narrowing(given):
            case Parameter(name=name, owner=owner) if owner == caller.function.qualname:
                return self._denies_all(_Option(caller.function, caller.owner, name, option.claim))
            case value:
                return option.is_denied_by(value)

    def _denies_all(self, option: _Option) -> bool:
        """The same of what a function passes on."""
        key = (id(option.function), option.name)
        if key in self._asked:
            return True
        self._asked.add(key)
        return self._is_open_to_nothing(option) and self._calls_deny(option, is_called=True)


def _is_super(function: Expr) -> bool:
    match function:
        case Attribute(base=Call(function=Name(name="super"))):
            return True
        case _:
            return False


def _are_without(call: Call, caller: RootFrame, option: _Option) -> bool:
    """Whether no `**` of a call holds an option."""
    return all(_is_without(each.value, caller, option) for each in call.arguments if each.star == "**")


def _is_without(value: Expr, caller: RootFrame, option: _Option) -> bool:
    """Whether a `**` of a call does not hold an option that no dict of the program has: it is a display, or what the
    caller was given itself, which has the same name."""
    left, seen = [value], set[int]()
    while left:
        part = without_narrowing(left.pop())
        if id(part) in seen:
            continue
        seen.add(id(part))
        match part:
            case Mapping(items=items):
                left += [held if key is None else key for key, held in items]
            case Sum(parts=parts) | Choice(options=parts):
                left += parts
            case Constant():
                pass
            case Parameter(name=name, owner=owner) if owner == caller.function.qualname:
                own = caller.function.parameter(name)
                if own is None or own.kind != "**" or caller.function.name != option.function.name:
                    return False
            case _:
                return False
    return True
