"""Events, conditions and queues of one process that a forked process waits for (LP237)."""

from __future__ import annotations

import pytest

from tests.support import changed, marks

SERVICE = """\
import multiprocessing
import os
import queue
import signal
import threading
import time

mp = multiprocessing.get_context("fork")


class Life:
    def __init__(self):
        self.stopping = threading.Event()
        self.tasks = queue.Queue()
        self.changed = threading.Condition()

    def install(self):
        signal.signal(signal.SIGTERM, self._on_signal)

    def _on_signal(self, *given):
        self.stopping.set()

    def running(self):
        return not self.stopping.is_set()

    def stopped(self):
        return self.stopping.is_set()

    @property
    def on(self):
        return not self.stopping.is_set()

    @property
    def off(self):
        return not self.on

    @property
    def perhaps(self):
        if self.tasks.empty():
            return True
        return self.stopping.is_set()


class Service(mp.Process):
    def __init__(self, life):
        super().__init__()
        self.life = life or Life()
        self.stop_event = threading.Event()

    def stop(self):
        self.stop_event.set()

    @property
    def over(self):
        return self.life.stopped()

    def run(self):
        {runs}

    def tick(self):
        time.sleep(0.01)


def main():
    life = Life()
    service = Service(life)
    service.start()
    {stops}
    service.join()


if __name__ == "__main__":
    main()
"""
LOOP = "while not self.stop_event.is_set():\n            self.tick()"


def is_told(runs: str = LOOP, stops: str = "service.stop()", *changes: tuple[str, str]) -> bool:
    text = changed(SERVICE.format(runs=runs, stops=stops), *changes)
    return "LP237" in [code for _, code in marks(text)]


@pytest.mark.parametrize(
    ("runs", "stops"),
    [
        (LOOP, "service.stop()"),
        (LOOP, "service.stop_event.set()"),
        ("while not self.stop_event.wait(0.1):\n            self.tick()", "service.stop()"),
        ("while True:\n            if self.stop_event.is_set():\n                break", "service.stop()"),
        ("while self.life.running():\n            self.tick()", "life.stopping.set()"),
        ("while not self.life.stopped():\n            self.tick()", "life.stopping.set()"),
        ("while self.life.running():\n            self.tick()", "life.install()"),
        ("while self.life.on:\n            self.tick()", "life.stopping.set()"),
        ("while self.life.on:\n            self.tick()", "service.life.stopping.set()"),
        ("while not self.life.off:\n            self.tick()", "life.stopping.set()"),
        ("while not self.over:\n            self.tick()", "life.stopping.set()"),
        ("while True:\n            if self.over:\n                break", "life.stopping.set()"),
        ("self.stop_event.wait()\n        self.tick()", "service.stop()"),
        ("print(self.life.tasks.get())", "life.tasks.put(1)"),
        ("while True:\n            if self.life.tasks.get() is None:\n                return", "life.tasks.put(None)"),
    ],
)
def test_a_forked_process_that_waits_for_its_own(runs: str, stops: str) -> None:
    assert is_told(runs, stops)


def test_an_argument_of_a_function_and_a_handler_that_is_a_lambda() -> None:
    function = """\
import multiprocessing as mp
import signal
import threading


def work(stop):
    while not stop.is_set():
        print()


def main():
    stop = threading.Event()
    {stops}
    process = mp.get_context("fork").Process(target=work, args=(stop,))
    process.start()
    {then}
    process.join()


if __name__ == "__main__":
    main()
"""
    handled = "signal.signal(signal.{}, lambda *_: stop.set())"
    texts = [("pass", "stop.set()"), (handled.format("SIGTERM"), "pass")]
    assert all("LP237" in [code for _, code in marks(function.format(stops=a, then=b))] for a, b in texts)
    texts = [("pass", "pass"), ("stop.set()", "pass"), (handled.format("SIGINT"), "pass")]
    assert not any("LP237" in [code for _, code in marks(function.format(stops=a, then=b))] for a, b in texts)


@pytest.mark.parametrize(
    ("runs", "stops", "changes"),
    [
        pytest.param(LOOP, "service.stop()", [("threading.Event()", "mp.Event()")], id="an event of processes"),
        pytest.param(LOOP, "service.stop()", [('"fork"', '"spawn"')], id="spawned"),  # LP111
        pytest.param(LOOP, "service.stop()", [("mp.Process)", "threading.Thread)")], id="a thread"),
        pytest.param(LOOP, "service.stop()", [("service.join()", "service.join(1)")], id="with a limit"),
        pytest.param(LOOP, "service.stop()", [("service.join()", "service.terminate()")], id="ended otherwise"),
        pytest.param(LOOP, "pass", [], id="nobody sets it"),
        pytest.param(f"{LOOP}\n            self.stop()", "service.stop()", [], id="set by the process"),
        pytest.param(f"{LOOP}\n            break", "service.stop()", [], id="another way out"),
        pytest.param(
            f"self.stop_event = threading.Event()\n        {LOOP}", "service.stop()", [], id="made in the process"
        ),
        pytest.param("self.stop_event.wait(3)", "service.stop()", [], id="waits for some time"),
        pytest.param("print(self.stop_event.is_set())", "service.stop()", [], id="only asked"),
        pytest.param(
            "while self.life.running():\n            self.tick()", "service.stop()", [], id="another one is set"
        ),
        pytest.param(
            "if self.life.interval:\n            self.stop_event.wait()", "service.stop()", [], id="perhaps waits"
        ),
        pytest.param(
            "print(self.life.tasks.get())",
            "life.tasks.put(1)",
            [("    service.start()", "    life.tasks.put(0)\n    service.start()")],
            id="there is something before",
        ),
        pytest.param("while self.life.on:\n            self.tick()", "service.stop()", [], id="a property of another"),
        pytest.param("while self.life.off:\n            self.tick()", "life.stopping.set()", [], id="does not begin"),
        pytest.param(
            "while not self.life.perhaps:\n            self.tick()", "life.stopping.set()", [], id="two ways out"
        ),
        pytest.param(
            "while self.life.on:\n            self.tick()",
            "life.stopping.set()",
            [("self.stopping = threading.Event()", "self.stopping = mp.Event()")],
            id="a property that asks an event of processes",
        ),
        pytest.param("print(self.life.tasks.get_nowait())", "life.tasks.put(1)", [], id="does not wait"),
    ],
)
def test_what_ends(runs: str, stops: str, changes: list[tuple[str, str]]) -> None:
    assert not is_told(runs, stops, *changes)
