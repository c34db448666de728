"""What is taken out of an object that is a dictionary, or put into it elsewhere. Measured with CPython 3.11."""

from __future__ import annotations

from tests.support import marks

TABLE = """\
import multiprocessing


class Table(dict):
    def __init__(self):
        super().__init__()
        {own}


def fill(table):
    table["parse"] = lambda text: text


def work(table):
    return len(table)


def main():
    table = Table()
    {done}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [table]))


if __name__ == "__main__":
    main()
"""


def _codes(own: str, done: str) -> list[str]:
    return [code for _, code in marks(TABLE.format(own=own, done=done))]


def test_what_its_constructor_puts_in() -> None:
    assert _codes('self["read"] = lambda: 1', "pass") == ["LP102"]
    assert _codes('self["read"] = len', "pass") == []


def test_what_a_method_takes_out_again() -> None:
    """The program works."""
    assert _codes('self["read"] = lambda: 1\n        del self["read"]', "pass") == ["LP102"]  # gap: `del` of an item
    assert _codes('self["read"] = lambda: 1\n        self.pop("read")', "pass") == []


def test_what_another_function_puts_in() -> None:
    """It fails: `Can't pickle local object 'fill.<locals>.<lambda>'`."""
    assert _codes("pass", "fill(table)") == []  # gap: what functions put into the object that they are given
