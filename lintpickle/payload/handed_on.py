"""Where methods of pools and executors are called that were handed on: to a function, an object (under a name that is
told: `toolbox.register("map", pool.map)`), whoever calls or enters a function.

This follows names alone, so there may be too many such calls: what they call is for the evaluator to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Captured,
    Choice,
    Collection,
    Constant,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Parameter,
    ending_name,
    parts_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import UNKNOWN, is_none
from lintpickle.interpreter.handed_methods import SENDING_KINDS, method_of
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import MENTIONS, ROUNDS
from lintpickle.parsing.outline import Block
from lintpickle.payload.components import Components
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_MENTION = r"[\w)\]]\s*\.\s*(?:{0})\b(?!\s*[(\[.]|[ \t]*=[^=])"
"""What stands where one is no call, and nothing is stored under its name."""
_DEFINITION = r"\b(?:def|class)\s+(?:{0})\b"
_ANY_CALL = re.compile(r"\(")
_READ = r"\.\s*(?:{0})\s*\("
_USE = r"(?<!def )(?<!\w)(?:{0})\s*\("


class MethodsHandedOn:
    """Such calls in the modules of one scope."""

    def __init__(self, parts: Components) -> None:
        self._parts = parts
        self._methods = parts.catalog.boundary_methods(SENDING_KINDS)
        self._form = re.compile(_MENTION.format("|".join(sorted(map(re.escape, self._methods)))))
        self._words = Words(self._methods)
        self._makers = Words(parts.catalog.boundary_makers())
        self._taken: set[tuple[str, int | str]] = set()
        """The parameters that may get a method: the name of the function or class, and place or name."""
        self._kept: set[str] = set()
        """The attributes, and names of modules, that may hold one."""
        self._told = set[str]()
        """The names that a call is told which hands one on: objects may keep it as an attribute of that name."""
        self._of_pools: dict[tuple[int, int], tuple[Attribute, RootFrame, bool]] = {}
        self._giving: set[str] = set()
        """The names of functions that may return or yield one."""

    def calls(self) -> Iterator[tuple[RootFrame, Called]]:
        """The calls in the scope that may be calls of such a method, each with the enclosing function."""
        parts = self._parts
        if not any(self._is_anywhere(module) for module in parts.scope):
            return
        blocks = dict[tuple[str, int], tuple[Module, Block]]()
        self._add(self._words, self._form, blocks)
        for _ in range(ROUNDS.most):
            sought = [
                each
                for module, block in blocks.values()
                for root in self._roots(module, block)
                for each in self._followed(root)
            ]
            for words, form in sought:
                self._add(words, form, blocks)
            if not sought:
                break
        else:
            parts.evaluator.cuts.note_of_program(ROUNDS)
        scope = set(parts.scope)
        for module, block in blocks.values():
            for root in self._roots(module, block) if module in scope else ():
                for event in root.function.events:
                    if isinstance(event, Called) and self._may_be_one(event.call, root):
                        yield root, event

    def _is_anywhere(self, module: Module) -> bool:
        first_party = self._parts.first_party
        return first_party.is_anywhere(self._makers, module.path) and first_party.is_anywhere(
            self._words, module.path, self._form
        )

    def _add(self, words: Words, form: re.Pattern[str], blocks: dict[tuple[str, int], tuple[Module, Block]]) -> None:
        """Add the blocks in which a form stands. All modules of the scope depend on where that is."""
        first_party = self._parts.first_party
        paths = {path for module in self._parts.scope for path in first_party.search_texts(words, module.path, form)}
        for module in first_party.modules(paths):
            for block in module.outline.blocks:
                if not block.bare and form.search(module.code, block.span.start, block.span.end):
                    blocks.setdefault((module.path, block.span.start), (module, block))

    def _roots(self, module: Module, block: Block) -> Iterator[RootFrame]:
        facts = module.facts_of(block)
        if facts is not None:
            yield from self._parts.activations.in_block(module, facts, _ANY_CALL)

    def _followed(self, root: RootFrame) -> Iterator[tuple[Words, re.Pattern[str]]]:
        """What to look for next, after what a function does with such methods: the functions that it hands them to, and
        the calls of itself, if it gives them back."""
        function = root.function
        for event in function.events:
            match event:
                case Called(call=call):
                    yield from self._handing(call, root)
                case Store(attribute=name, value=value) if name not in self._kept and self._carries(value, root):
                    self._kept.add(name)
                    yield self._sought(name, _USE)
                case _:
                    pass
        if function.is_module_body:
            for name, value in function.variables.items():
                if name not in self._kept and self._carries(value, root):
                    self._kept.add(name)
                    yield self._sought(name, _USE)
        elif function.name not in self._giving and any(
            self._carries(each, root) for each in (*function.returns, *function.yields)
        ):
            self._giving.add(function.name)
            yield self._sought(function.name, _USE)

    def _handing(self, call: Call, root: RootFrame) -> Iterator[tuple[Words, re.Pattern[str]]]:
        callee = ending_name(call.function)
        if callee is None:
            return
        told = _name_told(call)
        for place, argument in enumerate(call.arguments):
            key = callee, argument.keyword or place
            is_taken, is_told = key in self._taken, not place or told is None or told in self._told
            if (is_taken and is_told) or not self._carries(argument.value, root):
                continue
            if not is_taken:
                self._taken.add(key)
                yield self._sought(callee, _DEFINITION)
            if told is not None and not is_told:
                self._told.add(told)
                yield self._sought(told, _READ)

    def _sought(self, name: str, form: str) -> tuple[Words, re.Pattern[str]]:
        return Words({name}), re.compile(form.format(re.escape(name)))

    def _may_be_one(self, call: Call, root: RootFrame) -> bool:
        """Whether a call may be one of a method that was handed on; those that are written as such are not."""
        function = without_narrowing(call.function)
        if isinstance(function, Attribute) and function.name in self._told:
            return True
        is_written = isinstance(function, Attribute) and function.name in self._methods
        if is_written and call.span.contains(function.span):
            return False
        return self._carries(function, root)

    def _carries(self, value: Expr, root: RootFrame, depth: int = 0) -> bool:
        """Whether a value may be a method that is handed on, as one of several, or in a partial or a display."""
        if depth == MENTIONS.most:
            return False
        match without_narrowing(value):
            case Attribute(base=base, name=name) as attribute:
                is_own = isinstance(base, Parameter) and base.name == root.instance_name
                return (name in self._kept and is_own) or (name in self._methods and self._is_of_pool(attribute, root))
            case Parameter(name=name):
                return self._is_taken(name, root.function, root)
            case Captured(name=name, owner=owner):
                around = root.frame.enclosing(owner)
                return around is not None and self._is_taken(name, around.function, None)
            case Name() | Imported() as named:
                return ending_name(named) in self._kept
            case Call(function=function, arguments=arguments):
                called = ending_name(function)
                is_partial = called == "partial" and any(self._carries(a.value, root, depth + 1) for a in arguments)
                return is_partial or called in self._giving
            case Item(base=base):
                held = without_narrowing(base)
                return isinstance(held, (Mapping, Collection)) and self._carries_part(held, root, depth)
            case Choice() as choice:
                return self._carries_part(choice, root, depth)
            case _:
                return False

    def _carries_part(self, value: Expr, root: RootFrame, depth: int) -> bool:
        return any(self._carries(each, root, depth + 1) for each in parts_of(value))

    def _is_of_pool(self, method: Attribute, root: RootFrame) -> bool:
        """Whether an attribute with the name of such a method is one of a pool, or of what the function, its object or
        the function around it was given, of which nothing is known."""
        key = id(method), id(root)
        if key not in self._of_pools:
            evaluator, holder = self._parts.evaluator, without_narrowing(method.base)
            is_given = isinstance(holder, (Parameter, Captured)) and holder.name != root.instance_name
            if isinstance(holder, Attribute):
                is_given = isinstance(holder.base, Parameter) and holder.base.name == root.instance_name
            evaluator.begin_anew()
            owners = [each.value for each in evaluator.evaluate(holder, root.frame)]
            is_unknown = all(each is UNKNOWN or is_none(each) for each in owners)
            is_one = any(method_of(each, method.name, evaluator) is not None for each in owners)
            self._of_pools[key] = method, root, is_one or (is_given and is_unknown)
        return self._of_pools[key][2]

    def _is_taken(self, name: str, function: FunctionFacts, root: RootFrame | None) -> bool:
        """Whether a function may be given a method as a parameter. (A method's own object takes a place, or none.)"""
        owner = root.owner.facts.name if root is not None and root.is_constructor and root.owner else function.name
        for place, parameter in enumerate(function.parameters):
            if parameter.name == name:
                is_rest = parameter.kind in ("*", "**")
                places = {name, place, place - 1} if root is None or root.owner is not None else {name, place}
                return any(
                    callee == owner and (given in places or (is_rest and given not in places))
                    for callee, given in self._taken
                )
        return False


def _name_told(call: Call) -> str | None:
    """The text that a call is given first, if it may be the name of an attribute."""
    match call.positional():
        case (Constant(value=str(name)), _, *_) if name.isidentifier():
            return name
        case _:
            return None
