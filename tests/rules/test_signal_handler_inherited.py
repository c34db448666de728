"""LP322: signal-handler-inherited."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP322"


CODE = """\
import logging
import multiprocessing as mp
import os
import signal
import sys
import time

stop = False


def on(number, frame):
    global stop
    stop = True


def work(queue):
    while True:
        time.sleep(0.1)


def main(queue):
    context = mp.get_context("fork")
    signal.signal(signal.SIGTERM, on)
    p = context.Process(target=work, args=(queue,))
    p.start()
    time.sleep(1)
    p.terminate()
    p.join()


if __name__ == "__main__":
    main(mp.get_context("fork").Queue())
"""
HANDLER = "    global stop\n    stop = True\n"
LOOP = "    while True:\n        time.sleep(0.1)\n"
SET = "    signal.signal(signal.SIGTERM, on)\n"


def _found(*changes: tuple[str, str]) -> list[str]:
    return [code for _, code in marks(changed(CODE, *changes)) if code == "LP322"]


@pytest.mark.parametrize(
    "change",
    [
        (HANDLER, "    logging.warning('asked to stop by %s', signal.Signals(number).name)\n    sys.stdout.flush()\n"),
        (SET, "    signal.signal(signal.SIGTERM, lambda *_: print('stop'))\n"),
        (
            SET,
            "    for number in (signal.SIGINT,):\n        signal.signal(number, on)\n"
            "    signal.signal(signal.SIGTERM, on)\n",
        ),
        (LOOP, "    print('begin')\n    with open('log') as log:\n        while True:\n            log.read()\n"),
        (LOOP, "    while True:\n        item = queue.get()\n        if item is None:\n            break\n"),
        (LOOP, "    queue.get()\n"),
        ('mp.get_context("fork")\n', "mp\n"),
        (
            "    p.terminate()\n    p.join()\n",
            "    for each in [p]:\n        each.terminate()\n    for each in [p]:\n        each.join()\n",
        ),
        (SET, "    install()\n"),
    ],
)
def test_a_process_that_goes_on(change: tuple[str, str]) -> None:
    install = "def install():\n    signal.signal(signal.SIGTERM, on)\n\n\ndef main("
    assert _found(change, ("def main(", install if "install" in change[1] else "def main(")) == ["LP322"]


def test_set_by_the_caller_or_at_import() -> None:
    assert _found((SET, ""), ("    main(mp", f"{SET}    main(mp")) == ["LP322"]
    assert _found((SET, ""), ("def work(", "signal.signal(signal.SIGTERM, on)\n\n\ndef work(")) == ["LP322"]


@pytest.mark.parametrize(
    "change",
    [
        (HANDLER, "    raise KeyboardInterrupt\n"),
        (HANDLER, "    sys.exit(0)\n"),
        (HANDLER, "    if os.getpid() != 1:\n        os._exit(1)\n"),
        ("signal.SIGTERM, on", "signal.SIGINT, on"),
        ("signal.SIGTERM, on", "signal.SIGTERM, signal.SIG_DFL"),
        (LOOP, f"    signal.signal(signal.SIGTERM, signal.SIG_DFL)\n{LOOP}"),
        (LOOP, "    while not stop:\n        time.sleep(0.1)\n"),
        (LOOP, "    while True:\n        if stop:\n            break\n"),
        (LOOP, "    for _ in range(3):\n        time.sleep(0.1)\n"),
        (LOOP, "    while True:\n        if os.getppid() == 1:\n            sys.exit()\n"),
        ("p.terminate()", "p.kill()"),
        ("    p.terminate()\n", ""),
        ("p.join()", "p.join(3)"),
        ("    p.join()\n", "    p.join(3)\n    if p.is_alive():\n        p.kill()\n    p.join()\n"),
        ("context.Process", "mp.get_context('spawn').Process"),
    ],
)
def test_a_process_that_ends(change: tuple[str, str]) -> None:
    assert _found(change) == []


def test_a_handler_that_is_set_later() -> None:
    assert _found((SET, ""), ("    time.sleep(1)\n", f"    time.sleep(1)\n{SET}")) == []


def test_an_end_mark_for_the_process() -> None:
    loop = "    while True:\n        item = queue.get()\n        if item is None:\n            break\n"
    assert _found((LOOP, loop), ("    time.sleep(1)\n", "    queue.put(None)\n")) == []
