"""LP207: numbers that several workers draw from counters of their own, and send back."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """
import itertools
import os
import uuid
from dataclasses import dataclass, field
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool
from concurrent.futures import ProcessPoolExecutor

serial = {counter}


def next_id():
    return "ev%05d" % next(serial)


@dataclass
class Event:
    amount: float
    key: str = field(default_factory=next_id)


class Job:
    def __init__(self):
        self.number = next(serial)


def generate(merchant):
    {body}

{also}
def main():
    with {pool} as pool:
        print(list(pool.map(generate, range(8))))


if __name__ == "__main__":
    main()
"""


START = """
def start():
    global serial
    serial = itertools.count(os.getpid() * 1000)

"""


def is_found(body: str, counter: str = "itertools.count(1)", pool: str = "Pool(2)", also: str = "") -> bool:
    text = TEXT.format(body=body, counter=counter, pool=pool, also=also)
    return "LP207" in [code for _, code in marks(text)]


@pytest.mark.parametrize("pool", ["Pool(2)", "Pool()", "ProcessPoolExecutor()"])
@pytest.mark.parametrize(
    "body",
    [
        "return next(serial)",
        "return f'ev{next(serial):05}', merchant",
        "return {'id': str(next(serial)), 'of': merchant}",
        "number = next(serial)\n    return number, merchant",
        "rows = []\n    for _ in range(3):\n        rows.append((next(serial), merchant))\n    return rows",
        "return serial.__next__()",
        "return next_id()",
        "return Event(merchant * 2.0)",
        "return [Event(merchant) for _ in range(3)]",
        "return Job()",
    ],
)
def test_numbers_that_come_back(body: str, pool: str) -> None:
    assert is_found(body, pool=pool)


@pytest.mark.parametrize(
    "body",
    [
        "return merchant",
        "print(next(serial))\n    return merchant",
        "return f'{merchant}-{next(serial)}'",
        "return f'{os.getpid()}-{next(serial)}'",
        "return os.getpid(), next(serial)",
        "return str(uuid.uuid4()), next(serial)",
        "serial = itertools.count(merchant)\n    return next(serial)",
        "return next(number for number in range(merchant) if number)",
        "heap = [(merchant, next(serial))]\n    return heap[0][0]",
    ],
)
def test_what_is_no_number_of_a_counter(body: str) -> None:
    assert not is_found(body)


@pytest.mark.parametrize(
    ("counter", "pool", "also"),
    [
        ("itertools.count(1)", "Pool(1)", ""),
        ("itertools.count(1)", "Pool(processes=1)", ""),
        ("itertools.count(1)", "ProcessPoolExecutor(max_workers=1)", ""),
        ("itertools.count(1)", "ThreadPool(2)", ""),
        ("itertools.cycle('ab')", "Pool(2)", ""),
        (
            "itertools.count(1)",
            "Pool(2, start)",
            "def start():\n    global serial\n    serial = itertools.count(7)\n\n",
        ),
    ],
)
def test_counters_that_give_no_number_twice(counter: str, pool: str, also: str) -> None:
    assert not is_found("return next(serial)", counter, pool, also)


OF_CLASS = """
import itertools
import os
from dataclasses import dataclass, field
from multiprocessing import Pool
from operator import attrgetter


class Base:
    serial = {counter}

    @classmethod
    def next_id(cls):
        return f"O{{next({drawn}):06d}}"


@dataclass
class Order(Base):
    amount: float
    oid: str = field(default_factory=Base.next_id)


class Job:
    numbers = itertools.count()

    def __init__(self):
        self.oid = next({own})


class Counted:
    def __init__(self):
        self.counts = itertools.count()
        self.oid = next(self.counts)


def generate(merchant):
    return {made}

{also}
def main():
    book, orders = {{}}, []
    with {pool} as pool:
        for each in pool.map(generate, range(8)):
            {kept}
    print(book, orders)


if __name__ == "__main__":
    main()
"""


def is_found_of_class(
    made: str = "Order(merchant)",
    kept: str = "book[each.oid] = each",
    drawn: str = "cls.serial",
    own: str = "Job.numbers",
    counter: str = "itertools.count(1)",
    pool: str = "Pool(2)",
    also: str = "",
) -> bool:
    text = OF_CLASS.format(made=made, kept=kept, drawn=drawn, own=own, counter=counter, pool=pool, also=also)
    return "LP207" in [code for _, code in marks(text)]


@pytest.mark.parametrize("drawn", ["cls.serial", "Base.serial", "Order.serial"])
@pytest.mark.parametrize("made", ["Order(merchant)", "Base.next_id()", "Order.next_id()"])
def test_a_counter_of_a_class(drawn: str, made: str) -> None:
    assert is_found_of_class(made, drawn=drawn)


@pytest.mark.parametrize("own", ["Job.numbers", "self.numbers", "type(self).numbers", "self.__class__.numbers"])
def test_a_counter_of_the_class_of_the_object(own: str) -> None:
    assert is_found_of_class("Job()", own=own)


@pytest.mark.parametrize(
    "kept",
    [
        "book[each.oid] = each",
        "book.setdefault(each.oid, []).append(each)",
        "orders.append(each.oid in book)",
        "orders.append(each.oid == orders[-1])",
        "book = {o.oid: o for o in orders}",
        "orders.sort(key=attrgetter('oid'))",
    ],
)
def test_objects_that_are_told_apart_by_their_numbers(kept: str) -> None:
    assert is_found_of_class("Job()", kept=kept)


@pytest.mark.parametrize("kept", ["orders.append(each)", "print(each.oid)", "orders.append(each.amount + 1)"])
@pytest.mark.parametrize("made", ["Job()", "Order(merchant)"])
def test_objects_whose_numbers_nobody_looks_up(made: str, kept: str) -> None:
    assert not is_found_of_class(made, kept=kept)


@pytest.mark.parametrize(
    ("counter", "pool", "also"),
    [
        ("itertools.cycle('ab')", "Pool(2)", ""),
        ("iter(range(9))", "Pool(2)", ""),
        ("itertools.count(1)", "Pool(1)", ""),
        (
            "itertools.count(1)",
            "Pool(2, start)",
            "def start():\n    Base.serial = itertools.count(os.getpid() << 20)\n",
        ),
        ("itertools.count(1)", "Pool(2, start)", "def start():\n    setattr(Base, 'serial', itertools.count(7))\n"),
    ],
)
def test_counters_of_classes_that_give_no_number_twice(counter: str, pool: str, also: str) -> None:
    assert not is_found_of_class(counter=counter, pool=pool, also=also)


def test_numbers_of_each_object_alone() -> None:
    assert not is_found_of_class("Counted()")


def test_what_tells_workers_apart_beside_the_number_of_a_class() -> None:
    assert not is_found_of_class("f'{os.getpid()}-{next(Base.serial)}'")
