"""A pickle read by its opcodes alone. Nothing is imported, looked up, called or made: of all that the opcodes would put
together, only names are followed, as far as a global can be made of them.

What opcodes do is as in CPython's `pickle.py`; how long they are comes from `pickletools`.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Sequence
from typing import TypeAlias

from lintpickle.saved_files import joblib_arrays
from lintpickle.saved_files.bounds import LINE, WORD, Exceeded, ReadingBudget
from lintpickle.saved_files.memo import StringMemo
from lintpickle.saved_files.records import Global, GlobalUse, PickleFacts
from lintpickle.saved_files.stack import BadPickle, Stack
from lintpickle.saved_files.stream import Stream, Truncated, Unreadable
from lintpickle.saved_files.values import Fields, Kind, Made, Value

Handler: TypeAlias = "Callable[[Machine], object]"
"""What an opcode does."""
NAMES: dict[int, str] = {ord(opcode.code): opcode.name for opcode in pickletools.opcodes}
"""The names of opcodes by their bytes."""
GETATTR = ("builtins.getattr", "__builtin__.getattr")
_TELLING_FIRST = (
    "copyreg._reconstructor",
    "copy_reg._reconstructor",
    "copyreg.__newobj__",
    "copyreg.__newobj_ex__",
    "numpy._core.multiarray._reconstruct",
    "numpy.core.multiarray._reconstruct",
)
"""Functions that make an object of the class that is their first argument."""
DTYPE = "numpy.dtype"


class Machine(Stack):
    """Reads one pickle from a stream, which stands behind it then. `handlers` say what each byte does as an opcode
    (None for those that are none). What a pickle in a pickle says (`is_nested`) is joblib's doing, which puts no arrays
    into it."""

    def __init__(
        self,
        stream: Stream,
        budget: ReadingBudget,
        words: StringMemo,
        handlers: Sequence[Handler | None],
        *,
        is_nested: bool = False,
    ) -> None:
        super().__init__(stream, budget, words)
        self._handlers = handlers
        self._is_nested = is_nested
        self._made: dict[str, Made] = {}
        self._first = [-1] * 256

    def run(self) -> PickleFacts:
        """Read to the end of the pickle, or as far as it can be read; what stopped it stands in the facts then."""
        facts = self.facts
        self.budget.begin_pickle()
        try:
            self._run()
        except Truncated:
            facts.problem = f"it ends at byte {self.stream.offset:,}, in the middle of a pickle"
        except (BadPickle, Unreadable) as error:
            facts.problem = str(error)
        except Exceeded as error:
            facts.cut = str(error)
        facts.size = self.stream.offset - facts.offset
        facts.opcodes = {NAMES[code]: at for code, at in enumerate(self._first) if at >= 0}
        return facts

    def _run(self) -> None:
        stream, first, handlers = self.stream, self._first, self._handlers
        left = self.budget.opcodes
        count = 0
        try:
            while self.running:
                code = stream.byte()
                if code < 0:
                    raise Truncated
                handler = handlers[code]
                if handler is None:
                    raise BadPickle(f"byte {stream.offset - 1:,} is 0x{code:02x}, which is no opcode of pickle")
                if first[code] < 0:
                    first[code] = stream.offset - 1
                count += 1
                if count > left:
                    raise Exceeded("it has too many opcodes to be read to its end")
                handler(self)
        finally:
            self.facts.count = count
            self.budget.opcodes -= count

    # Globals

    def ask(self, module: Value, name: Value) -> Value:
        """A global is asked for. What is no string may be one that was computed, or forgotten."""
        if isinstance(module, str) and isinstance(name, str):
            found = Global(module, name)
            self._use(self.facts.globals, found).asked += 1
            return found
        for each in (module, name):
            if each is not None and not isinstance(each, (str, Made)) and each is not Kind.FORGOTTEN:
                raise BadPickle(f"at byte {self.stream.offset - 1:,} it asks for a global whose name is no string")
        self.facts.unnamed += 1
        return None

    def _use(self, uses: dict[Global, GlobalUse], found: Global) -> GlobalUse:
        use = uses.get(found)
        if use is None:
            self.budget.globals -= 1
            if self.budget.globals < 0:
                raise Exceeded("it asks for too many different globals")
            use = uses[found] = GlobalUse(self.stream.offset - 1)
        return use

    def global_lines(self) -> None:
        self.push(self._named_by_lines())

    def _named_by_lines(self) -> Value:
        module, name = self.stream.line(WORD + 1), self.stream.line(WORD + 1)
        return self.ask(self._name(module), self._name(name))

    def _name(self, data: bytes) -> str | None:
        try:
            return data.decode("utf-8") if len(data) <= WORD else None
        except UnicodeDecodeError:
            raise BadPickle(f"at byte {self.stream.offset - 1:,} the name of a global is no UTF-8") from None

    def stack_global(self) -> None:
        name, module = self.pop(), self.pop()
        self.push(self.ask(module, name))

    def extension(self, width: int) -> None:
        code = self.take_int(width, signed=width == 4)
        if code <= 0:
            raise BadPickle(f"at byte {self.stream.offset - 1:,} it names extension {code}, and they begin with 1")
        if len(self.facts.extensions) < 1000 or code in self.facts.extensions:
            self.facts.extensions[code] = self.facts.extensions.get(code, 0) + 1
        self.push(None)

    # Objects

    def reduce(self) -> None:
        arguments, function = self.pop(), self.pop()
        self.push(self._called(function, arguments))

    def new_object(self) -> None:
        arguments, class_ = self.pop(), self.pop()
        self.push(self._called(class_, arguments, is_class=True))

    def new_object_ex(self) -> None:
        self.pop()
        self.new_object()

    def instance_lines(self) -> None:
        class_ = self._named_by_lines()
        self.pop_mark()
        self.push(self._called(class_, (), is_class=True))

    def object_of_marked(self) -> None:
        items = self.pop_mark()
        if not items:
            raise BadPickle(f"at byte {self.stream.offset - 1:,} it makes an object of no class")
        self.push(self._called(items[0], (), is_class=True))

    def _called(self, function: Value, arguments: Value, *, is_class: bool = False) -> Value:
        if not isinstance(function, Global):
            if function is not None and not isinstance(function, Made):
                raise BadPickle(f"at byte {self.stream.offset - 1:,} it calls what is no function")
            self.facts.odd_calls += 1
            return None
        use = self.facts.globals.get(function) or self.facts.reached.get(function)
        if use is not None:
            use.called += 1
        path = function.path
        first = arguments[0] if isinstance(arguments, tuple) and arguments else None
        if path in GETATTR and isinstance(arguments, tuple) and not is_class:
            return self._attribute(arguments)
        if path == DTYPE and isinstance(arguments, tuple):
            return Made(path, arguments)
        if path in _TELLING_FIRST and isinstance(first, Global):
            path = first.path
        return self._made.setdefault(path, Made(path))

    def _attribute(self, arguments: tuple[Value, ...]) -> Value:
        match arguments:
            case (Global(module=module, name=name), str(attribute), *_):
                if len(name) + len(attribute) > WORD:
                    return None
                found = Global(module, f"{name}.{attribute}")
                self._use(self.facts.reached, found).asked += 1
                return found
            case _:
                return self._made.setdefault(GETATTR[0], Made(GETATTR[0]))

    def build(self) -> None:
        state, target = self.pop(), self.top()
        if isinstance(target, Kind) and target is not Kind.FORGOTTEN:
            self.facts.builds.setdefault(f"builtins.{target.value}", self.stream.offset - 1)
        if not isinstance(target, Made):
            return
        self.facts.builds.setdefault(target.maker, self.stream.offset - 1)
        if target.maker == DTYPE:
            target.state = state if isinstance(state, tuple) else ()
            code = target.of[0] if target.of else None
            if isinstance(code, str) and len(self.facts.dtypes) < 1000:
                self.facts.dtypes.setdefault(code, self.stream.offset - 1)
        elif isinstance(state, Fields) and not self._is_nested:
            self._array(state)

    def _array(self, wrapper: Fields) -> None:
        """Skip the data of an array, which joblib writes directly after the opcode that sets the state of the array's
        wrapper."""
        array = joblib_arrays.described(wrapper)
        if array is None:
            raise BadPickle(
                f"at byte {self.stream.offset:,} joblib's array begins, and its shape or dtype is not known"
            )
        self.facts.arrays += 1
        if array.is_pickled:
            self._nested()
            return
        if array.is_aligned:
            self.stream.skip(self.take_int(1))
        self.stream.skip(array.size)

    def _nested(self) -> None:
        facts = Machine(self.stream, self.budget, self.words, self._handlers, is_nested=True).run()
        for uses, inner in ((self.facts.globals, facts.globals), (self.facts.reached, facts.reached)):
            for asked, use in inner.items():
                mine = uses.setdefault(asked, GlobalUse(use.first))
                mine.asked += use.asked
                mine.called += use.called
        self.facts.unnamed += facts.unnamed
        self.facts.frames += facts.frames
        if facts.problem is not None:
            raise BadPickle(facts.problem)
        if facts.cut is not None:
            raise Exceeded(facts.cut)

    def persistent_line(self) -> None:
        self.stream.line(LINE)
        self._persistent("(text)")

    def persistent_object(self) -> None:
        match self.pop():
            case ("module", Global() as class_, *_):  # torch before 1.6: a class, and its source
                self._persistent("module", class_)
            case (str(kind), *_):
                self._persistent(kind if kind.isidentifier() else repr(kind))
            case tuple():
                self._persistent("(unknown)")
            case other:
                self._persistent("(int)" if isinstance(other, int) else "(unknown)")

    def _persistent(self, kind: str, value: Value = None) -> None:
        if len(self.facts.persistent) < 100 or kind in self.facts.persistent:
            self.facts.persistent[kind] = self.facts.persistent.get(kind, 0) + 1
        self.push(value)
