"""The part of a pickle machine that moves values: operands, the stack, containers, the memo."""

from __future__ import annotations

import pickletools

from lintpickle.saved_files import joblib_arrays
from lintpickle.saved_files.bounds import LINE, STACK_ITEMS, WORD, Exceeded, ReadingBudget
from lintpickle.saved_files.memo import Memo, StringMemo
from lintpickle.saved_files.records import PickleFacts
from lintpickle.saved_files.stream import Stream
from lintpickle.saved_files.values import Fields, Kind, Made, Value, made_tuple

HIGHEST = max(opcode.proto for opcode in pickletools.opcodes)
"""The highest protocol that any opcode belongs to."""


class BadPickle(Exception):
    """The bytes are no pickle, or not one that can be loaded. Its text says why."""


class Stack:
    """What a pickle has put together so far, as far as it is followed."""

    def __init__(self, stream: Stream, budget: ReadingBudget, words: StringMemo) -> None:
        self.stream = stream
        self.budget = budget
        self.words = words
        self.facts = PickleFacts(offset=stream.offset)
        self.running = True
        self._stack: list[Value] = []
        self._marks: list[int] = []
        self._memo = Memo()

    def push(self, value: Value) -> None:
        if len(self._stack) >= STACK_ITEMS:
            raise Exceeded(f"more than {STACK_ITEMS:,} objects wait to be put into another")
        self._stack.append(value)

    def pop(self) -> Value:
        if len(self._stack) <= (self._marks[-1] if self._marks else 0):
            raise BadPickle(f"at byte {self.stream.offset - 1:,} it takes an object where there is none")
        return self._stack.pop()

    def top(self) -> Value:
        value = self.pop()
        self._stack.append(value)
        return value

    def pop_mark(self) -> list[Value]:
        """What was pushed since the last mark; it may be a long list, and is not kept."""
        if not self._marks:
            raise BadPickle(f"at byte {self.stream.offset - 1:,} it goes back to a mark where there is none")
        start = self._marks.pop()
        items = self._stack[start:]
        del self._stack[start:]
        return items

    # Opcodes

    def none(self) -> None:
        self.push(None)

    def proto(self) -> None:
        self.facts.protocol = self.take_int(1)
        if self.facts.protocol > HIGHEST:
            raise BadPickle(f"it names protocol {self.facts.protocol}, which no Python knows")

    def frame(self) -> None:
        self.stream.skip(8)
        self.facts.frames += 1

    def stop(self) -> None:
        value = self.pop()
        self.facts.result = value if isinstance(value, int) else None
        self.running = False

    def mark(self) -> None:
        if len(self._marks) >= STACK_ITEMS:
            raise Exceeded(f"more than {STACK_ITEMS:,} marks wait")
        self._marks.append(len(self._stack))

    def pop_one(self) -> None:
        if self._marks and self._marks[-1] == len(self._stack):
            self._marks.pop()
        else:
            self.pop()

    def dup(self) -> None:
        self.push(self.top())

    def text_line(self) -> None:
        self.stream.line(LINE)
        self.push(None)

    def text_integer(self) -> None:
        text = self.stream.line(LINE)
        self.push(int(text) if text.isdigit() and len(text) < 20 else None)

    def take_int(self, count: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.stream.take(count), "little", signed=signed)

    def long1(self) -> None:
        size = self.take_int(1)
        if size <= 16:
            self.push(self.take_int(size, signed=True))
        else:
            self.stream.skip(size)
            self.push(None)

    def skip_sized(self, width: int) -> None:
        self.stream.skip(self.take_int(width))
        self.push(None)

    def long4(self) -> None:
        size = self.take_int(4, signed=True)
        if size < 0:
            raise BadPickle(f"at byte {self.stream.offset:,} a length is negative")
        self.stream.skip(size)
        self.push(None)

    def sized_text(self, width: int, encoding: str) -> None:
        size = self.take_int(width)
        if size > WORD:
            self.stream.skip(size)
            self.push(None)
            return
        data = self.stream.take(size)
        self.push(self.words.word(data, encoding))

    def quoted(self) -> None:
        data = self.stream.line(LINE).strip(b" \t\r")
        if len(data) < 2 or data[:1] != data[-1:] or data[:1] not in (b"'", b'"'):
            raise BadPickle(f"at byte {self.stream.offset:,} a string has no quotes around it")
        is_plain = len(data) <= WORD and b"\\" not in data
        self.push(self.words.word(data[1:-1], "latin-1") if is_plain else None)

    def unicode_line(self) -> None:
        data = self.stream.line(LINE)
        self.push(self.words.word(data, "raw-unicode-escape") if len(data) <= WORD else None)

    def mutable(self, kind: Kind) -> None:
        below = self._stack[-1] if self._stack else None
        is_wrapper = kind is Kind.DICT and isinstance(below, Made) and joblib_arrays.is_wrapper(below)
        self.push(Fields() if is_wrapper else kind)

    def marked(self, kind: Kind) -> None:
        self.pop_mark()
        self.push(kind)

    def tuple_of(self, count: int) -> None:
        items = [self.pop() for _ in range(count)]
        self.push(made_tuple(items[::-1]))

    def marked_tuple(self) -> None:
        self.push(made_tuple(self.pop_mark()))

    def append(self) -> None:
        self.pop()
        self._filled("APPEND", Kind.LIST)

    def appends(self) -> None:
        self.pop_mark()
        self._filled("APPENDS", Kind.LIST)

    def add_items(self) -> None:
        self.pop_mark()
        self._filled("ADDITEMS", Kind.SET)

    def set_item(self) -> None:
        value, key = self.pop(), self.pop()
        self._set([key, value])
        self._filled("SETITEM", Kind.DICT)

    def set_items(self) -> None:
        self._set(self.pop_mark())
        self._filled("SETITEMS", Kind.DICT)

    def _set(self, items: list[Value]) -> None:
        target = self.top()
        if isinstance(target, Fields):
            joblib_arrays.remember(target, items)

    def _filled(self, opcode: str, usual: Kind) -> None:
        target = self.top()
        if isinstance(target, Made):
            self.facts.fills.setdefault((opcode, target.maker), self.stream.offset - 1)
        elif isinstance(target, Kind) and target is not usual and target is not Kind.FORGOTTEN:
            self.facts.fills.setdefault((opcode, f"builtins.{target.value}"), self.stream.offset - 1)

    # The memo

    def put(self, index: int) -> None:
        self._memo.put(index, self.top())

    def put_line(self) -> None:
        self.put(self._index_line())

    def memoize(self) -> None:
        self._memo.append(self.top())

    def get(self, index: int) -> None:
        if not self._memo.has(index):
            raise BadPickle(
                f"at byte {self.stream.offset - 1:,} it names entry {index} of its memo, which is not there"
            )
        self.push(self._memo.get(index))

    def get_line(self) -> None:
        self.get(self._index_line())

    def _index_line(self) -> int:
        text = self.stream.line(WORD).strip()
        if not text.isdigit() or len(text) > 18:
            raise BadPickle(f"at byte {self.stream.offset - 1:,} the number of a memo entry is no number")
        return int(text)
