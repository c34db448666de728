"""Context variables that objects keep, and that only the main process sets (LP210).

Measured with CPython 3.11: fork hands a context variable on as it is, under spawn and forkserver it has its default."""

from __future__ import annotations

import pytest

from tests.support import changed, marks

PROGRAM = """\
from contextvars import ContextVar
from multiprocessing import Process


class Tracer:
    def __init__(self):
        self.span = ContextVar("span", default="root")
        self.others = {"b"}

    def enter(self, name):
        self.span.set(name)

    def current(self):
        return self.span.get()


tracer = Tracer()


def work():
    print(tracer.current())


def main():
    tracer.enter("load")
    process = Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="by a method"),
        pytest.param((('tracer.enter("load")', 'tracer.span.set("load")'),), id="itself"),
        pytest.param((("self.span.set(name)", "return self.span.set(name)"),), id="by a method that gives the token"),
        pytest.param((("    print(tracer.current())", "    print(tracer.span.get())"),), id="read by itself"),
        pytest.param(
            (("    def __init__(self):\n        self.span =", "    span ="), ('        self.others = {"b"}\n', "")),
            id="of the class",
        ),
    ],
)
def test_what_only_the_main_process_sets(changes: tuple[tuple[str, str], ...]) -> None:
    assert [code for _, code in marks(changed(PROGRAM, *changes))] == ["LP210"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((("    print(", '    tracer.enter("work")\n    print('),), id="each worker sets it"),
        pytest.param((('    tracer.enter("load")\n', ""),), id="nobody sets it"),
        pytest.param(
            (('    tracer.enter("load")\n', ""), ("\n\ndef w", '\ntracer.enter("x")\n\n\ndef w')), id="at import"
        ),
        pytest.param((("print(tracer.current())", "print(tracer.others)"),), id="workers read something else"),
        pytest.param((("self.span = ContextVar(", "self.span = Other("),), id="something else that has a `set`"),
    ],
)
def test_what_workers_have_too(changes: tuple[tuple[str, str], ...]) -> None:
    assert marks(changed(PROGRAM, *changes)) == []
