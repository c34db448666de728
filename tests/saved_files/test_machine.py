"""What the machine reads off opcodes is what unpickling would ask for."""

from __future__ import annotations

import copyreg
import io
import pickle
import pickletools

import pytest

from lintpickle.saved_files.machine import NAMES
from lintpickle.saved_files.opcodes import _BY_NAME
from lintpickle.saved_files.records import Global

from .support import Made, Named, Outer, PythonPickler, asked_for, asked_when_loading, dumped, facts_of, objects

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("number", range(len(objects())))
@pytest.mark.parametrize("pickler", ["c", "python"])
def test_it_lists_what_loading_asks_for(protocol: int, number: int, pickler: str) -> None:
    value = objects()[number]
    buffer = io.BytesIO()
    (pickle.Pickler if pickler == "c" else PythonPickler)(buffer, protocol).dump(value)
    data = buffer.getvalue()
    facts = facts_of(data + b"behind")
    assert (facts.problem, facts.cut, facts.unnamed) == (None, None, 0)
    assert asked_for(facts) == asked_when_loading(data)
    assert facts.size == len(data)
    assert facts.protocol == (protocol if protocol >= 2 else 0)
    assert facts.count == sum(1 for _ in pickletools.genops(data))
    assert facts.frames == sum(opcode.name == "FRAME" for opcode, _, _ in pickletools.genops(data))


def test_every_opcode_is_known() -> None:
    assert set(_BY_NAME) == {opcode.name for opcode in pickletools.opcodes} == set(NAMES.values())


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_optimized_pickles(protocol: int) -> None:
    for value in objects():
        data = pickletools.optimize(pickle.dumps(value, protocol))
        assert asked_for(facts_of(data)) == asked_when_loading(data)


def test_names_that_the_memo_gives() -> None:
    value = ["collections", "OrderedDict", Outer]
    data = pickle.dumps(value, 4)[:-1]
    # the same two strings, by their memo entries, as the module and name of a global
    extended = data + b"h\x01h\x02\x93" + b"\x86."
    facts = facts_of(extended)
    assert Global("collections", "OrderedDict") in facts.globals
    assert asked_for(facts) == asked_when_loading(extended)


@pytest.mark.parametrize(
    "data",
    [
        b"(icollections\nOrderedDict\n.",  # INST
        b"(ccollections\nOrderedDict\no.",  # OBJ
        b"ccollections\nOrderedDict\n)\x81.",  # NEWOBJ
        b"ccollections\nOrderedDict\n)}\x92.",  # NEWOBJ_EX
        b"S'collections'\nS'OrderedDict'\n\x93.",  # STACK_GLOBAL on strings of Python 2
        b"Vcollections\nVOrderedDict\n\x93.",
        b"X\x0b\x00\x00\x00collections\x8d\x0b\x00\x00\x00\x00\x00\x00\x00OrderedDict\x93.",
        b"(I1\nI2\nl0ccollections\nOrderedDict\n)R.",  # what is popped is gone
        b"((1(ccollections\nOrderedDict\n1)0N.",  # POP_MARK, and POP of a mark
        b"ccollections\nOrderedDict\np5\ng5\n\x85.",
        b"ccollections\nOrderedDict\n2\x86.",  # DUP
    ],
)
def test_opcodes_that_nobody_writes_any_more(data: bytes) -> None:
    assert asked_for(facts_of(data)) == asked_when_loading(data) == {"collections.OrderedDict": 1}


def test_calls_are_counted() -> None:
    facts = facts_of(dumped([Made("pkg.make", 1), Made("pkg.make", 2), Named("pkg.make")]))
    use = facts.globals[Global("pkg", "make")]
    assert (use.asked, use.called) == (1, 2)


def test_attributes_that_getattr_reaches() -> None:
    data = pickle.dumps(Outer.Inner(), 2)
    assert b"getattr" in data
    assert [(each.path, use.asked, use.called) for each, use in facts_of(data).reached.items()] == [
        (f"{Outer.__module__}.Outer.Inner", 1, 1)
    ]


def test_a_name_that_is_computed() -> None:
    data = b"cbuiltins\nstr\n(V_\ntRVos\n\x93."  # the module is what a call gives
    assert facts_of(data).unnamed == 1


def test_extension_codes() -> None:
    copyreg.add_extension(Outer.__module__, "Outer", 200)
    try:
        data = pickle.dumps(Outer, 2)
    finally:
        copyreg.remove_extension(Outer.__module__, "Outer", 200)
    facts = facts_of(data)
    assert facts.extensions == {200: 1}
    assert not facts.globals


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it ends at byte 0"),
        (b"\x80\x04", "it ends at byte 2"),
        (b"\x80\x07N.", "protocol 7"),
        (b"hello", "memo"),
        (b"\xffN.", "0xff, which is no opcode"),
        (b".", "takes an object where there is none"),
        (b"(N0R.", "takes an object where there is none"),
        (b"l.", "goes back to a mark where there is none"),
        (b"g7\n.", "entry 7 of its memo"),
        (b"gx\n.", "is no number"),
        (b"K\x01K\x02\x93.", "whose name is no string"),
        (b"X\xff\xff\xff\x7fabc", "it ends at byte"),
        (b"\x8b\xff\xff\xff\xff.", "negative"),
        (b"Sabc\n.", "no quotes"),
        (b"c\xff\n\xff\n.", "no UTF-8"),
        (b"\x82\x00.", "extension 0"),
        (b"(o.", "of no class"),
    ],
)
def test_what_cannot_be_read_is_told(data: bytes, problem: str) -> None:
    said = facts_of(data).problem
    assert said is not None
    assert problem in said
    with pytest.raises(Exception):  # noqa: B017 - whatever it is: the real unpickler refuses it as well
        pickle.loads(data)


def test_what_comes_before_the_end_is_listed() -> None:
    data = pickle.dumps([Outer(), Outer.Inner()], 4)
    facts = facts_of(data[:-3])
    assert facts.problem is not None
    assert asked_for(facts) == asked_when_loading(data)
