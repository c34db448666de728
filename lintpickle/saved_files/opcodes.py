"""Which opcode does what: by its name in `pickletools`, the method of the machine and what it is given."""

from __future__ import annotations

from lintpickle.saved_files.machine import NAMES, Handler, Machine
from lintpickle.saved_files.values import Kind


def _passing(count: int) -> Handler:
    """Pushes something whose operand has a fixed length."""

    def handle(machine: Machine) -> None:
        machine.stream.skip(count)
        machine.push(None)

    return handle


def _integer(count: int, *, signed: bool = False) -> Handler:
    return lambda machine: machine.push(machine.take_int(count, signed=signed))


def _put(count: int) -> Handler:
    return lambda machine: machine.put(machine.take_int(count))


def _get(count: int) -> Handler:
    return lambda machine: machine.get(machine.take_int(count))


def _nothing(machine: Machine) -> None:
    machine.top()


_BY_NAME: dict[str, Handler] = {
    "INT": lambda m: m.text_integer(),
    "BININT": _integer(4, signed=True),
    "BININT1": _integer(1),
    "BININT2": _integer(2),
    "LONG": lambda m: m.text_integer(),
    "LONG1": lambda m: m.long1(),
    "LONG4": lambda m: m.long4(),
    "STRING": lambda m: m.quoted(),
    "BINSTRING": lambda m: m.sized_text(4, "latin-1"),
    "SHORT_BINSTRING": lambda m: m.sized_text(1, "latin-1"),
    "BINBYTES": lambda m: m.skip_sized(4),
    "SHORT_BINBYTES": lambda m: m.skip_sized(1),
    "BINBYTES8": lambda m: m.skip_sized(8),
    "BYTEARRAY8": lambda m: m.skip_sized(8),
    "NEXT_BUFFER": lambda m: m.none(),
    "READONLY_BUFFER": _nothing,
    "NONE": lambda m: m.none(),
    "NEWTRUE": lambda m: m.none(),
    "NEWFALSE": lambda m: m.none(),
    "UNICODE": lambda m: m.unicode_line(),
    "SHORT_BINUNICODE": lambda m: m.sized_text(1, "utf-8"),
    "BINUNICODE": lambda m: m.sized_text(4, "utf-8"),
    "BINUNICODE8": lambda m: m.sized_text(8, "utf-8"),
    "FLOAT": lambda m: m.text_line(),
    "BINFLOAT": _passing(8),
    "EMPTY_LIST": lambda m: m.mutable(Kind.LIST),
    "APPEND": lambda m: m.append(),
    "APPENDS": lambda m: m.appends(),
    "LIST": lambda m: m.marked(Kind.LIST),
    "EMPTY_TUPLE": lambda m: m.tuple_of(0),
    "TUPLE": lambda m: m.marked_tuple(),
    "TUPLE1": lambda m: m.tuple_of(1),
    "TUPLE2": lambda m: m.tuple_of(2),
    "TUPLE3": lambda m: m.tuple_of(3),
    "EMPTY_DICT": lambda m: m.mutable(Kind.DICT),
    "DICT": lambda m: m.marked(Kind.DICT),
    "SETITEM": lambda m: m.set_item(),
    "SETITEMS": lambda m: m.set_items(),
    "EMPTY_SET": lambda m: m.mutable(Kind.SET),
    "ADDITEMS": lambda m: m.add_items(),
    "FROZENSET": lambda m: m.marked(Kind.SET),
    "POP": lambda m: m.pop_one(),
    "DUP": lambda m: m.dup(),
    "MARK": lambda m: m.mark(),
    "POP_MARK": lambda m: m.pop_mark(),
    "GET": lambda m: m.get_line(),
    "BINGET": _get(1),
    "LONG_BINGET": _get(4),
    "PUT": lambda m: m.put_line(),
    "BINPUT": _put(1),
    "LONG_BINPUT": _put(4),
    "MEMOIZE": lambda m: m.memoize(),
    "EXT1": lambda m: m.extension(1),
    "EXT2": lambda m: m.extension(2),
    "EXT4": lambda m: m.extension(4),
    "GLOBAL": lambda m: m.global_lines(),
    "STACK_GLOBAL": lambda m: m.stack_global(),
    "REDUCE": lambda m: m.reduce(),
    "BUILD": lambda m: m.build(),
    "INST": lambda m: m.instance_lines(),
    "OBJ": lambda m: m.object_of_marked(),
    "NEWOBJ": lambda m: m.new_object(),
    "NEWOBJ_EX": lambda m: m.new_object_ex(),
    "PROTO": lambda m: m.proto(),
    "STOP": lambda m: m.stop(),
    "FRAME": lambda m: m.frame(),
    "PERSID": lambda m: m.persistent_line(),
    "BINPERSID": lambda m: m.persistent_object(),
}

HANDLERS: tuple[Handler | None, ...] = tuple(_BY_NAME[NAMES[code]] if code in NAMES else None for code in range(256))
"""What each byte does; None where it is no opcode."""
