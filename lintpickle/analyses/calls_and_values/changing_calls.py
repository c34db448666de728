"""What a call does to an object that has a name: it may change it in place, bind the name anew, or wait until others
have got the object."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.calls_and_values.change_flow import Effect, HandedOn
from lintpickle.analyses.calls_and_values.changed_arguments import changes_in_place, parameters_given
from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, ending_name, whole_of
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, ProductValue
from lintpickle.parsing.syntax import arguments_in_order, arguments_of, dotted
from lintpickle.payload.linker import Linker

_WAITS = frozenset(
    {"join", "join_thread", "wait", "wait_for", "result", "results", "recv", "recv_bytes", "acquire", "as_completed"}
    | {"gather", "ready", "done", "get_nowait", "communicate", "shutdown", "terminate", "synchronize", "empty", "qsize"}
)
"""What waits for others, or asks how far they are: what was handed on may have been pickled by then."""
_WAITING = re.compile(
    r"\.(?:join_thread|wait|result|recv|acquire|get_nowait|communicate)\(|\.(?:get|join)\(\s*(?:\)|timeout|block|True|\d)"
)
_CONTAINER = frozenset(
    {"append", "appendleft", "extend", "extendleft", "insert", "remove", "discard", "add", "pop", "popitem", "popleft"}
    | {"clear", "update", "setdefault", "sort", "reverse", "rotate", "subtract", "move_to_end"}
    | {"difference_update", "intersection_update", "symmetric_difference_update"}
)
"""The methods that change a list, set, dict, deque or bytearray in place. Where their result is dropped, they are meant
to change the object whatever it is."""
_ARRAY = frozenset({"fill", "sort", "partition", "put", "itemset", "byteswap", "resize"})
_FILLS = frozenset({"readinto", "readinto1", "recv_into", "recvfrom_into", "readinto_into", "readline_into"})
"""The methods of files and sockets that write to the buffer which they are given."""
_GRABS = frozenset({"read", "retrieve"})
"""The methods of a `cv2.VideoCapture` that write to the array which they are given."""
_DRAWS = re.compile(
    r"cv2\.(?:rectangle|putText|circle|line|polylines|drawContours|ellipse|arrowedLine|fillPoly|fillConvexPoly"
    r"|drawMarker|drawKeypoints|drawChessboardCorners|drawFrameAxes)"
)
_SORTS = re.compile(r"_?bisect\.insort(?:_left|_right)?|_?heapq\.heap\w+|random\.shuffle|numpy\.random\.shuffle")
"""What changes the list or array that it is given first."""
_PACKS = "struct.pack_into"
_OPERATOR = r"(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)"


class ChangingCalls:
    """What the calls in one function do."""

    def __init__(self, frame: Frame, linker: Linker) -> None:
        self._frame = frame
        self._linker = linker
        self._calls = {event.call.span: event.call for event in frame.function.events if isinstance(event, Called)}
        self._callees: dict[Span, tuple[FunctionValue, ...]] = {}
        parameters = frame.function.parameters
        self._me = f"{parameters[0].name}." if parameters and "." in frame.function.qualname else ""

    @property
    def me(self) -> str:
        """How the names of attributes of a method's own object begin; empty in a function."""
        return self._me

    def call_at(self, node: ast.expr) -> Call | None:
        """The record of a call."""
        return self._calls.get(self._frame.paths.span(node))

    def effect(self, call: ast.Call, handed: HandedOn, is_dropped: bool) -> Effect | None:
        """What a call does to an object that has been handed on; None if nothing is seen."""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if method == "sleep":
            return Effect.SLEEPS
        if (method in _WAITS and not _joins_texts(call)) or (method == "get" and _takes(call)):
            return Effect.WAITS
        made = self.call_at(call)
        callees = self._functions(made) if made is not None else ()
        if any(_WAITING.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in callees):
            return Effect.WAITS
        if owner is not None and _is_of(owner, handed.name):
            if method in _CONTAINER and (is_dropped or handed.is_container):
                return Effect.CHANGES
            if method in _ARRAY and is_dropped:
                return Effect.CHANGES
            found = [_of_own_object(each) for each in callees if dotted(owner) == handed.name]
            return next((each for each in found if each is not None), None)
        given = next(self._given(call, made, handed.name), None) if made is not None else None
        if made is not None and given is not None and self._fills(made, method, given, callees):
            return Effect.CHANGES
        called_on = f"{dotted(owner)}." if owner is not None and dotted(owner) else ""
        if called_on and called_on != self._me and handed.name.startswith(called_on):
            found = [self._on_attribute(each, call, handed.name.removeprefix(called_on)) for each in callees]
            return next((each for each in found if each is not None), None)
        if self._me and handed.name.startswith(self._me):
            return self._of_method(call, handed.name.removeprefix(self._me), callees)
        return None

    def _functions(self, call: Call) -> tuple[FunctionValue, ...]:
        """The functions of the program that a call may run."""
        if call.span not in self._callees:
            found = (traced.value for traced in self._linker.evaluate(call.function, self._frame))
            self._callees[call.span] = tuple(each for each in found if isinstance(each, FunctionValue))
        return self._callees[call.span]

    def _given(self, node: ast.Call, call: Call, name: str) -> Iterator[Expr]:
        """What a call is given under a name, or of which it is given a part."""
        written = arguments_in_order(node)
        if len(written) == len(call.arguments):
            for each, argument in zip(written, call.arguments, strict=True):
                whole = each.value if isinstance(each, ast.Subscript | ast.Starred) else each
                if not isinstance(whole, ast.Subscript) and dotted(whole) == name:
                    yield argument.value

    def _fills(self, call: Call, method: str, given: Expr, callees: tuple[FunctionValue, ...]) -> bool:
        """Whether a call changes what it is given."""
        inner = whole_of(given)

        def is_it(value: Expr) -> bool:
            return value is given or whole_of(value) is inner

        if method in _FILLS or changes_in_place(call, self._frame, is_it, True, self._linker):
            return True
        if any(_changes(each, name) for each in callees for name in parameters_given(call, each, is_it)):
            return True
        positional = call.positional() or ()
        place = next((index for index, each in enumerate(positional) if is_it(each)), None)
        for path in external_names(call.function, self._frame, self._linker):
            if place == 0 and (_DRAWS.fullmatch(path) or _SORTS.fullmatch(path)):
                return True
            if (path == _PACKS and place == 1) or (path.startswith("cv2.") and _is_it(call.keyword("dst"), inner)):
                return True
        return method in _GRABS and self._is_of_a_video(call)

    def _is_of_a_video(self, call: Call) -> bool:
        base = getattr(call.function, "base", None)
        found = (traced.value for traced in self._linker.evaluate(base, self._frame)) if base is not None else ()
        return any(isinstance(each, ProductValue) and each.path.endswith("VideoCapture") for each in found)

    def _of_method(self, call: ast.Call, attribute: str, callees: tuple[FunctionValue, ...]) -> Effect | None:
        """What a call does to what an attribute of the method's own object holds."""
        me = self._me[:-1]
        is_own = isinstance(call.func, ast.Attribute) and dotted(call.func.value) == me
        is_given = any(dotted(each) == me for each in arguments_of(call))
        if not is_own:
            return Effect.BINDS if is_given else None
        if not callees:
            return Effect.BINDS
        found = [self._on_attribute(each, call, attribute) for each in callees]
        return next((each for each in found if each is not None), None)

    def _on_attribute(self, method: FunctionValue, node: ast.Call, attribute: str) -> Effect | None:
        """What a method does to what an attribute of its object holds."""
        parameters = method.facts.parameters
        if not parameters:
            return Effect.BINDS
        me = parameters[0].name
        name = rf"{re.escape(me)}\.{re.escape(attribute)}"
        if _finds(_bound(name), method):
            return Effect.BINDS
        if _finds(_changed(name), method):
            return Effect.CHANGES
        call = self.call_at(node)
        inner = self._linker.evaluator.enter(method, call, self._frame) if call is not None else None
        if inner is not None and "." not in attribute and _hands_to_filler(inner, attribute, self._linker):
            return Effect.CHANGES
        return None


def _is_of(owner: ast.expr, name: str) -> bool:
    """Whether a method is one of the object of a name, or of a part of it."""
    found = dotted(owner)
    return found == name or found.startswith(f"{name}.")


def _joins_texts(call: ast.Call) -> bool:
    """Whether it is `", ".join(names)`, or joins the parts of a path."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "join":
        return False
    is_text = isinstance(function.value, ast.Constant | ast.JoinedStr)
    return is_text or dotted(function.value).rpartition(".")[2] == "path" or len(call.args) > 1


def _takes(call: ast.Call) -> bool:
    """Whether `get` takes something out of a queue, or waits for a result: a dict is asked for a key."""
    first = call.args[0] if call.args else None
    return first is None or (isinstance(first, ast.Constant) and isinstance(first.value, int | float))


def _is_it(value: Expr | None, inner: Expr) -> bool:
    return value is not None and whole_of(value) is inner


def _of_own_object(callee: FunctionValue) -> Effect | None:
    """What a method does to the object whose method it is."""
    if callee.bound is None or not callee.facts.parameters:
        return None
    me = re.escape(callee.facts.parameters[0].name)
    if _finds(_changed(rf"{me}\.\w+"), callee):
        return Effect.CHANGES
    return Effect.SETS if _finds(_bound(rf"{me}\.\w+"), callee) else None


def _changes(callee: FunctionValue, parameter: str) -> bool:
    """Whether a function changes what it is given for a parameter, which it does not bind anew."""
    name = re.escape(parameter)
    return not _finds(_bound(name), callee) and _finds(_changed(name), callee)


def _hands_to_filler(frame: Frame, attribute: str, linker: Linker) -> bool:
    """Whether a method gives what an attribute of its object holds to what writes to it: `file.readinto(self.buffer)`,
    `numpy.add(a, b, out=self.total)`."""

    def is_it(value: Expr) -> bool:
        inner = whole_of(value)
        return isinstance(inner, Attribute) and inner.name == attribute and is_me(inner.base, frame.function)

    for event in frame.function.events:
        if isinstance(event, Called):
            is_given = any(is_it(each.value) for each in event.call.arguments)
            if is_given and ending_name(event.call.function) in _FILLS:
                return True
            if changes_in_place(event.call, frame, is_it, True, linker):
                return True
    return False


def _finds(form: re.Pattern[str], callee: FunctionValue) -> bool:
    code, facts = callee.module.code, callee.facts
    return outside_comments(form, code, facts.header.end, facts.span.end) is not None


@lru_cache(maxsize=256)
def _bound(name: str) -> re.Pattern[str]:
    """Where a name gets another value, by a statement of its own."""
    return re.compile(rf"^[ \t]*(?:[\w.]+\s*,\s*)*{name}\s*(?:,[^=\n]*)?(?::[^=\n]+)?{_OPERATOR}", re.MULTILINE)


@lru_cache(maxsize=256)
def _changed(name: str) -> re.Pattern[str]:
    """Where the object of a name is changed, by a statement of its own."""
    part = rf"{name}(?:\.\w+|\[[^\]\n]*\])*?"
    methods = "|".join(sorted(_CONTAINER | _ARRAY))
    return re.compile(
        rf"^[ \t]*(?:del[ \t]+{name}\[|{part}\.(?:{methods})\(|{part}\[[^\n=]*\]\s*{_OPERATOR})", re.MULTILINE
    )
