"""LP128: numbers of descriptors that go to workers."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint, marks

GIVEN = """\
import os
import socket
import sys
from dataclasses import dataclass
from multiprocessing import Pool, Process, Queue


@dataclass
class Endpoint:
    descriptor: int
    port: int


def report(descriptor):
    os.write(descriptor, b"done")


def main(path):
    {before}
    {start}


if __name__ == "__main__":
    main(sys.argv[1])
"""


class TestPage(PageTests):
    code = "LP128"


def _codes(before: str, start: str) -> list[str]:
    return [code for _, code in marks(GIVEN.format(before=before, start=start))]


@pytest.mark.parametrize(
    ("before", "start"),
    [
        ("number = os.open(path, os.O_RDONLY)", "Process(target=report, args=(number,)).start()"),
        ("_, number = os.pipe()", "Process(target=report, kwargs={'descriptor': number}).start()"),
        ("ends = os.pipe()", "Process(target=report, args=(ends[1],)).start()"),
        ("number = socket.socket().fileno()", "Process(target=report, args=(number,)).start()"),
        ("number = socket.socket().detach()", "Process(target=report, args=(number,)).start()"),
        ("server = socket.create_server(('', 0))", "Process(target=report, args=(server.detach(),)).start()"),
        ("server = socket.socket()", "Process(target=report, args=(Endpoint(server.detach(), 80),)).start()"),
        ("log = open(path)", "Process(target=report, args=(os.dup(log.fileno()),)).start()"),
        ("number = os.open(path, os.O_RDONLY)", "Pool(2, initializer=report, initargs=(number,))"),
    ],
)
def test_numbers_that_workers_are_given(before: str, start: str) -> None:
    assert _codes(before, start) == ["LP128"]


@pytest.mark.parametrize(
    ("before", "start"),
    [
        ("number = sys.stdout.fileno()", "Process(target=report, args=(number,)).start()"),
        ("number = sys.__stdin__.fileno()", "Process(target=report, args=(number,)).start()"),
        ("number = 1", "Process(target=report, args=(number,)).start()"),
        ("file = open(path)", "Process(target=report, args=(file.readline(),)).start()"),
        ("server = socket.create_server(('', 0))", "Process(target=report, args=(server,)).start()"),
        ("server = socket.socket()", "Process(target=report, args=(server.getsockname(),)).start()"),
        ("number = os.stat(path).st_size", "Process(target=report, args=(number,)).start()"),
        ("number = os.write(1, b'')", "Process(target=report, args=(number,)).start()"),
        ("number = os.open(path, os.O_RDONLY)", "os.close(number)"),
        ("number = os.open(path, os.O_RDONLY)", "Process(target=report, args=(os.read(number, 4),)).start()"),
    ],
)
def test_other_numbers(before: str, start: str) -> None:
    assert _codes(before, start) == []


def test_a_forked_worker_has_what_was_open() -> None:
    text = GIVEN.format(before="_, number = os.pipe()", start="Process(target=report, args=(number,)).start()")
    (finding,) = lint(text).diagnostics
    assert [method.value for method in finding.start_methods] == ["spawn", "forkserver"]
    assert (
        lint(
            text.replace("def main(path):", "def main(path):\n    set_start_method('fork')").replace(
                "import Pool", "import set_start_method, Pool"
            )
        ).diagnostics
        == ()
    )
