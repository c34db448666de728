"""Classes of processes that a function is given, an object keeps, or a display holds: what is called is followed to
there."""

from __future__ import annotations

import pytest

from tests.support import changed, marks

SUPERVISOR = """
import multiprocessing as mp
import sys
import threading
import time


class Service(mp.Process):
    def __init__(self, name):
        super().__init__(name=name)
        self.running = True

    def run(self):
        while self.running:
            time.sleep(0.1)

    def shutdown(self):
        self.running = False


class Thumbnailer(Service):
    pass


class Reader(threading.Thread):
    def __init__(self, name):
        super().__init__(name=name)
        self.running = True

    def run(self):
        while self.running:
            time.sleep(0.1)

    def shutdown(self):
        self.running = False


class Supervisor:
    def __init__(self, factory, n=2):
        self.inbox = mp.Queue()
        self.services = [factory(f"thumb-{i}") for i in range(n)]

    def __enter__(self):
        for service in self.services:
            service.start()
        return self

    def __exit__(self, *exc):
        for service in self.services:
            service.shutdown()
        for service in self.services:
            service.join()


def main():
    with Supervisor(Thumbnailer):
        time.sleep(1)


if __name__ == "__main__":
    main()
"""
GIVEN, INIT = "with Supervisor(Thumbnailer):", "    def __init__(self, factory, n=2):\n"
MADE = 'factory(f"thumb-{i}")'


def found(*changes: tuple[str, str]) -> bool:
    return "LP237" in [code for _, code in marks(changed(SUPERVISOR, *changes))]


@pytest.mark.parametrize(
    "changes",
    [
        (),
        ((GIVEN, "with Supervisor(factory=Thumbnailer):"),),
        ((GIVEN, "with Supervisor(Thumbnailer if len(sys.argv) > 1 else Service):"),),
        ((INIT, INIT + "        self.worker_class = factory\n"), (MADE, 'self.worker_class(f"thumb-{i}")')),
        (
            (INIT, "    worker_class = Thumbnailer\n\n    def __init__(self, n=2):\n"),
            (MADE, 'self.worker_class(f"thumb-{i}")'),
            (GIVEN, "with Supervisor():"),
        ),
        (
            ("class Supervisor:", 'KINDS = {"thumbs": Thumbnailer, "plain": Service}\n\n\nclass Supervisor:'),
            (MADE, 'KINDS[factory](f"thumb-{i}")'),
            (GIVEN, "with Supervisor(sys.argv[1]):"),
        ),
    ],
    ids=["given", "by name", "one of two", "kept by the object", "kept by the class", "in a dict"],
)
def test_classes_of_processes_that_are_handed_on(changes: tuple[tuple[str, str], ...]) -> None:
    assert found(*changes)


@pytest.mark.parametrize(
    "changes",
    [
        ((GIVEN, "with Supervisor(Reader):"),),
        (("service.shutdown()", "service.terminate()"),),
        (("            service.start()", "            print(service)"),),
        (
            (
                "self.running = True\n\n    def run(self):\n        while self.running:",
                "self.running = True\n\n    def run(self):\n        for _ in range(9):",
            ),
        ),
    ],
    ids=["threads", "terminated", "never started", "ends by itself"],
)
def test_what_is_no_such_process(changes: tuple[tuple[str, str], ...]) -> None:
    assert not found(*changes)
