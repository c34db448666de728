from __future__ import annotations

import io
import threading

import pytest

from lintpickle.server.incoming import Incoming
from lintpickle.server.worker import Interrupted, Worker

MESSAGE = b"Content-Length: 2\r\n\r\n{}"


def _is_free(incoming: Incoming) -> bool:
    return incoming._taken.is_set()


def test_work_pauses_from_the_first_header_until_the_next_message_is_asked_for() -> None:
    incoming = Incoming(io.BytesIO(MESSAGE + MESSAGE))
    assert _is_free(incoming)
    assert incoming.readline() == b"Content-Length: 2\r\n" and not _is_free(incoming)
    assert incoming.readline() == b"\r\n" and not _is_free(incoming)
    assert incoming.read(2) == b"{}" and not _is_free(incoming)
    asked = threading.Event()

    class Slow(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            asked.set()
            assert _is_free(waiting)
            return super().readline(size)

    waiting = Incoming(Slow(MESSAGE))
    waiting._taken.clear()
    waiting.readline()
    assert asked.is_set()


def test_the_end_of_the_stream_holds_nobody_up() -> None:
    incoming = Incoming(io.BytesIO(b""))
    assert incoming.readline() == b""
    assert _is_free(incoming)


def test_waiting_ends_when_the_message_is_taken() -> None:
    incoming = Incoming(io.BytesIO(MESSAGE))
    incoming.readline()
    waiter = threading.Thread(target=incoming.wait)
    waiter.start()
    incoming.read(100)
    incoming.readline()
    waiter.join(10)
    assert not waiter.is_alive()


@pytest.mark.parametrize("long", [True, False])
def test_only_long_work_makes_way_for_messages(long: bool) -> None:
    pauses: list[bool] = []
    worker = Worker(lambda: pauses.append(True))
    worker._yielding = long
    worker.check()
    assert pauses == [True] * long
    worker.hurry()
    if long:
        with pytest.raises(Interrupted):
            worker.check()
    else:
        worker.check()
    worker.close()
