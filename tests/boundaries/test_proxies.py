"""What is put into the containers that a manager of multiprocessing shares."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
import multiprocessing


class Record:
    def __init__(self):
        self.scale = lambda value: value / 2


class Plain:
    def __init__(self):
        self.scale = 2


"""


def _main(*lines: str) -> str:
    return "".join(("def main():\n    manager = multiprocessing.Manager()\n", *(f"    {line}\n" for line in lines)))


@pytest.mark.parametrize(
    "code",
    [
        _main("shared = manager.dict()", "shared['first'] = Record()"),
        _main("shared = manager.dict()", "shared.update(first=Record())"),
        _main("shared = manager.list()", "shared.append(Record())"),
        _main("shared = manager.list()", "shared.extend([Record()])"),
        _main("shared = manager.Namespace()", "shared.first = Record()"),
        _main("queue = manager.Queue()", "queue.put(Record())"),
        _main("put(manager.dict(), Record())") + "\n\ndef put(shared, record):\n    shared['first'] = record\n",
        "class Job:\n    def __init__(self):\n        self.manager = multiprocessing.Manager()\n"
        "        self.shared = self.manager.dict()\n\n    def run(self):\n        self.shared['first'] = Record()\n",
    ],
)
def test_what_does_not_pickle(code: str) -> None:
    assert marks(HEAD + code) == [(6, "LP102")]


@pytest.mark.parametrize(
    "code",
    [
        _main("shared = manager.dict()", "shared['first'] = Plain()"),
        _main("shared = manager.dict()", "own = {}", "own['first'] = Record()", "shared['count'] = len(own)"),
        _main("put({}, Record())") + "\n\ndef put(shared, record):\n    shared['first'] = record\n",
        _main("shared = manager.list()", "shared.append(list({}.keys()))"),
    ],
)
def test_what_pickles_or_is_not_shared(code: str) -> None:
    assert not marks(HEAD + code)


VIEWS = """\
import multiprocessing
import pickle
from collections import OrderedDict


class Rows:
    def __init__(self):
        self.names = {view}


def main():
    rows = Rows()
    with multiprocessing.Manager() as manager:
        shared = manager.list()
        {put}


if __name__ == "__main__":
    main()
"""


ASKED = """try:
            pickle.dumps(rows)
        except TypeError:
            print(rows)
        else:
            shared.append(rows)"""


@pytest.mark.parametrize(
    ("view", "put", "expected"),
    [
        ("dict(a=1).keys()", "shared.append(rows)", []),  # managers.py makes lists of them.
        ("OrderedDict(a=1).keys()", "shared.append(rows)", [(8, "LP101")]),
        ("dict(a=1).keys()", "print(pickle.dumps(rows))", [(8, "LP101")]),
        ("OrderedDict(a=1).keys()", ASKED, []),
    ],
)
def test_views_that_are_put_into_proxies(view: str, put: str, expected: list[tuple[int, str]]) -> None:
    assert marks(VIEWS.format(view=view, put=put)) == expected


IN_TABLE = """\
import multiprocessing

shared = {{"step": 1}}


def work():
    print(1)


def submit():
    process = multiprocessing.Process(target=work)
    process.start()
    shared[{read}][process.pid] = process


def main():
    manager = multiprocessing.Manager()
    shared["running"] = manager.dict()
    shared["processes"] = {made}
    submit()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("read", "made", "fires"),
    [
        ('"processes"', "dict()", False),
        ('"processes"', "manager.dict()", True),
        ('"running"', "dict()", True),
        ("str(input())", "manager.dict()", True),
    ],
)
def test_a_table_that_functions_fill_under_several_keys(read: str, made: str, fires: bool) -> None:
    assert ("LP111" in [code for _, code in marks(IN_TABLE.format(read=read, made=made))]) == fires
