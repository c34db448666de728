"""Fields of attrs classes that are not annotated. What makes them, and what they are given, was run with attrs under
spawn."""

from __future__ import annotations

import pytest

from tests.support import marks

CODE = """\
import multiprocessing as mp
import threading
import attr
import attrs
class Plain:
    pass
{decorator}
class Batch:
    name = attr.ib()
    {field}
def work(batch):
    print(batch.name)
def main():
    mp.Process(target=work, args=(Batch({given}),)).start()
if __name__ == "__main__":
    main()
"""


def codes(field: str, given: str = '"a"', decorator: str = "@attr.s") -> list[str]:
    return [code for _, code in marks(CODE.format(field=field, given=given, decorator=decorator)) if code == "LP111"]


@pytest.mark.parametrize(
    ("field", "given"),
    [
        pytest.param("lock = attr.ib(factory=threading.Lock)", '"a"', id="factory"),
        pytest.param("lock = attr.ib(default=attr.Factory(threading.Lock))", '"a"', id="default of a factory"),
        pytest.param("lock = attr.ib(attr.Factory(threading.Lock))", '"a"', id="factory by position"),
        pytest.param("lock = attr.attrib(factory=threading.Lock)", '"a"', id="attrib"),
        pytest.param("lock = attrs.field(factory=threading.Lock)", '"a"', id="field"),
        pytest.param("lock = attr.ib(default=None)", '"a", threading.Lock()', id="given by position"),
        pytest.param("lock = attr.ib(default=None)", '"a", lock=threading.Lock()', id="given by name"),
        pytest.param("_lock = attr.ib(default=None)", '"a", lock=threading.Lock()', id="given without the underscore"),
        pytest.param("lock: object = attr.ib(factory=threading.Lock)", '"a"', id="annotated"),
    ],
)
def test_a_lock_in_a_field(field: str, given: str) -> None:
    assert codes(field, given) == ["LP111"]


@pytest.mark.parametrize(
    ("field", "given", "decorator"),
    [
        pytest.param("rows = attr.ib(factory=list)", '"a"', "@attr.s", id="a list"),
        pytest.param("lock = attr.ib(factory=threading.Lock)", '"a", None', "@attr.s", id="something else is given"),
        pytest.param("lock = attr.ib(factory=threading.Lock)", '"a", lock=None', "@attr.s", id="by name"),
        pytest.param("lock: object = attr.Factory(threading.Lock)", '"a"', "@attr.s", id="no field among others"),
        pytest.param("lock = threading.Lock()", '"a"', "@attr.s", id="of the class, not of its objects"),
        pytest.param("lock = attr.ib(factory=Plain)", '"a"', "@attr.s", id="a class of the program"),
        pytest.param("lock = attr.ib(factory=threading.Lock)", "", "", id="no attrs class"),
    ],
)
def test_fields_without_a_lock(field: str, given: str, decorator: str) -> None:
    assert codes(field, given, decorator) == []
