"""LP237: unshared-stop-flag."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP237"


SERVICE = """
import multiprocessing as mp
import os
import queue
import signal
import threading
import time


class Base:
    def __init__(self, interval):
        self.interval = interval
        self.running = False
        self._process = None

    def start(self):
        self.running = True
        process = mp.Process(target=self._main, name="service")
        process.start()
        self._process = process
        return self

    def stop(self):
        self.running = False
        if self._process is not None:
            self._process.join()

    def _main(self):
        while self.running:
            self.tick()
            time.sleep(self.interval)

    def tick(self):
        raise NotImplementedError


class Service(Base):
    def __init__(self, path):
        super().__init__(0.1)
        self.path = path

    def tick(self):
        with open(self.path, "w") as out:
            out.write(str(os.getpid()))


def main():
    service = Service("beats.txt").start()
    time.sleep(1)
    service.stop()


if __name__ == "__main__":
    main()
"""


def found(*changes: tuple[str, str]) -> bool:
    text = changed(SERVICE, *changes)
    return "LP237" in [code for _, code in marks(text)]


JOIN, LOOP, PROCESS = "self._process.join()", "while self.running:", 'mp.Process(target=self._main, name="service")'
STOPS = "self.running = False\n        if"


GETTER = "    @property\n    def goes(self):\n        return self.running\n\n"
MAIN = "    def _main(self):\n        while self.running:"
BY_PROPERTY = (MAIN, f"{GETTER}{MAIN.replace('running', 'goes')}")
BY_METHOD = ("    def stop(self)", GETTER.replace("    @property\n", "") + "    def stop(self)")
MADE_LIFE = ("        self._process = None\n", "        self._process = None\n        self.life = Life()\n")
LIFE = """class Life:
    def __init__(self):
        self.over = False

    @property
    def on(self):
        return not self.over

    def stop(self):
        self.over = True


"""
IN_LIFE = ("class Base:", f"{LIFE}class Base:")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="stop() sets the flag and joins"),
        pytest.param(((LOOP, "while True:\n            if not self.running:\n                break"),), id="a break"),
        pytest.param(((LOOP, "while self.running is True:"),), id="compared"),
        pytest.param(((LOOP, "while self.running or not self.path:"),), id="or something else"),
        pytest.param(
            (("self._process.join()", "pass"), ("service.stop()", "service.stop()\n    service._process.join()")),
            id="joined by the caller",
        ),
        pytest.param(((", name=", ", daemon=True, name="),), id="a daemon that is joined"),
        pytest.param(
            (("    service.stop()\n", "    service.running = False\n    service._process.join()\n"),),
            id="set from outside",
        ),
        pytest.param((BY_PROPERTY,), id="by a property"),
        pytest.param(
            ((BY_PROPERTY[0], BY_PROPERTY[1].replace("return self.run", "return not not self.run")),), id="not not"
        ),
        pytest.param(((LOOP, "while self.goes():"), BY_METHOD), id="by a method"),
        pytest.param(
            ((LOOP, "while self.life.on:"), IN_LIFE, MADE_LIFE, (STOPS, "self.life.stop()\n        if")),
            id="by a property of an inner object",
        ),
        pytest.param(
            (("def stop(self)", "def __exit__(self, *error)"), ("service.stop()", "service.__exit__()")),
            id="as it is left",
        ),
        pytest.param(
            (
                ("        self.running = True\n", ""),
                ("    def _main(self):\n", "    def _main(self):\n        self.running = True\n"),
            ),
            id="set by the process itself as it begins",
        ),
    ],
)
def test_a_flag_of_a_copy(changes: tuple[tuple[str, str], ...]) -> None:
    assert found(*changes)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(((PROCESS, "threading.Thread(target=self._main)"),), id="a thread"),
        pytest.param(((JOIN, "self._process.join(5)"),), id="a limit of time"),
        pytest.param(((JOIN, "self._process.terminate()\n            self._process.join()"),), id="terminated"),
        pytest.param(((JOIN, "os.kill(self._process.pid, 9)\n            self._process.join()"),), id="killed"),
        pytest.param(((LOOP, "while self.running and self.interval:"),), id="another condition"),
        pytest.param(
            ((LOOP, "while self.running:\n            if os.path.exists('stop'):\n                break"),),
            id="another way out",
        ),
        pytest.param(
            ((LOOP, "while self.running:\n            if os.getppid() == 1:\n                os._exit(1)"),),
            id="the process looks after its parent",
        ),
        pytest.param(
            (("out.write(str(os.getpid()))", "self.running = out.write(str(os.getpid())) < 3"),),
            id="changed by a method that the process calls",
        ),
        pytest.param(
            (("out.write(str(os.getpid()))", "out.write('x')\n        if time.time() > 9:\n            self.stop()"),),
            id="the process stops itself",
        ),
        pytest.param(
            (("    def _main(self):\n", "    def _main(self):\n        signal.signal(signal.SIGTERM, self._quit)\n"),),
            id="a handler of a signal",
        ),
        pytest.param(
            (
                (
                    "    def _main(self):\n",
                    "    def _main(self):\n        threading.Thread(target=self.watch).start()\n",
                ),
            ),
            id="a thread of the process may change it",
        ),
        pytest.param(
            (
                ("        self.running = True\n", "        self.running = mp.Value('b', True)\n"),
                (LOOP, "while self.running.value:"),
                (STOPS, "self.running.value = False\n        if"),
            ),
            id="a value that is shared",
        ),
        pytest.param(
            (
                ("        self.running = True\n", "        self.running = mp.Event()\n"),
                (LOOP, "while not self.running.is_set():"),
                (STOPS, "self.running.set()\n        if"),
            ),
            id="an event",
        ),
        pytest.param(
            (
                (
                    "    def tick(self):\n        raise",
                    "    @property\n    def running(self):\n        return SHARED.value\n\n"
                    "    @running.setter\n    def running(self, value):\n        SHARED.value = value\n\n"
                    "    def tick(self):\n        raise",
                ),
                ("class Base:", "SHARED = mp.Value('b', 1)\n\n\nclass Base:"),
            ),
            id="a property of what is shared",
        ),
        pytest.param((("        self.running = True\n        process", "        process"),), id="it does not begin"),
        pytest.param(
            ((BY_PROPERTY[0], BY_PROPERTY[1].replace("return self.run", "return not self.run")),),
            id="a negated property",
        ),
        pytest.param(
            (
                (
                    BY_PROPERTY[0],
                    BY_PROPERTY[1].replace("return self.running", "return self.running and time.time() < 9"),
                ),
            ),
            id="a property that asks something else, too",
        ),
        pytest.param(
            (
                (LOOP, "while self.life.on:"),
                (IN_LIFE[0], IN_LIFE[1].replace("not self.over", "not SHARED.value")),
                MADE_LIFE,
            ),
            id="a property that asks something shared",
        ),
        pytest.param((("self.running = False\n        if", "if"),), id="nobody changes it"),
        pytest.param(
            (
                (
                    "    time.sleep(1)\n",
                    "    try:\n        while True:\n            time.sleep(1)\n"
                    "    except KeyboardInterrupt:\n        pass\n",
                ),
                (STOPS, "self.running = False\n        self.end()\n\n    def end(self):\n        if"),
                ("service.stop()", "service.stop()\n    service.end()"),
            ),
            id="Ctrl-C, which the process gets as well",
        ),
        pytest.param(
            (
                (
                    "    time.sleep(1)\n    service.stop()\n",
                    "    try:\n        while True:\n            time.sleep(1)\n"
                    "    except KeyboardInterrupt:\n        service.stop()\n",
                ),
            ),
            id="only stopped by Ctrl-C",
        ),
        pytest.param(
            (
                (
                    "    def start(self):\n        self.running = True\n",
                    "    def start(self):\n        self.running = False\n        if self._process is not None:\n"
                    "            self._process.join()\n        self.running = True\n",
                ),
                (STOPS, "if"),
            ),
            id="before it is started again",
        ),
    ],
)
def test_what_ends_otherwise(changes: tuple[tuple[str, str], ...]) -> None:
    assert not found(*changes)


# gap: an item of a dict that is an argument, and a process that nobody joins
@pytest.mark.parametrize(
    "changes",
    [
        (
            (LOOP, "while self.state['on']:"),
            ("        self.running = True\n", "        self.state = {'on': True}\n"),
            (STOPS, "self.state['on'] = False\n        if"),
        ),
        ((JOIN, "pass"),),
    ],
)
def test_gaps(changes: tuple[tuple[str, str], ...]) -> None:
    assert not found(*changes)


SUPERVISED = """\
import multiprocessing
import threading
import time
from contextlib import contextmanager

mp = multiprocessing.get_context("fork")


class Service(mp.Process):
    def __init__(self, name="service"):
        super().__init__(name=name)
        self.alive = True

    def run(self):
        while self.alive:
            self.tick()

    def tick(self):
        time.sleep(0.1)

    def stop(self):
        self.alive = False


class Reader(Service):
    def tick(self):
        time.sleep(0.2)


class Supervisor:
    def __init__(self, services=()):
        self.services = list(services)

    def add(self, service):
        self.services.append(service)
        return service

    def spawn(self, name):
        self.services.append(Reader(name))

    def start_all(self):
        for service in self.services:
            service.start()

    def stop_all(self):
        for service in self.services:
            service.stop()
        for service in self.services:
            service.join()

    def __enter__(self):
        self.start_all()
        return self

    def __exit__(self, *exc):
        self.stop_all()


class App:
    def __init__(self):
        self.supervisor = Supervisor()

    def set_up(self):
        self.supervisor.add(Reader())

    def run(self):
        self.supervisor.start_all()
        time.sleep(1)
        self.supervisor.stop_all()


@contextmanager
def running(*services):
    for service in services:
        service.start()
    yield services
    for service in services:
        service.stop()
        service.join()


def main():
    supervisor = Supervisor()
    USE


if __name__ == "__main__":
    main()
"""
_ADDS = "supervisor.add(Reader())\n    "
_RUNS = "supervisor.start_all()\n    time.sleep(1)\n    supervisor.stop_all()"
_AS_LIST = (
    ("class Supervisor:", "class Supervisor(list):"),
    ("        self.services = list(services)\n", "        super().__init__(services)\n"),
    ("self.services", "self"),
    ("self(", "Supervisor("),
)
_AS_DICT = (
    ("self.services = list(services)", "self.services = {each.name: each for each in services}"),
    ("self.services.append(service)", "self.services[service.name] = service"),
    ("self.services.append(Reader(name))", "self.services[name] = Reader(name)"),
    ("in self.services:", "in self.services.values():"),
)


def _found_supervised(use: str, *changes: tuple[str, str]) -> bool:
    text = SUPERVISED.replace("USE", use)
    for old, new in changes:
        text = text.replace(old, new)
    return "LP237" in [code for _, code in marks(text)]


@pytest.mark.parametrize("kept", [(), _AS_LIST, _AS_DICT], ids=["list", "a list itself", "dict"])
@pytest.mark.parametrize(
    "use",
    [
        _ADDS + _RUNS,
        "supervisor.spawn('reader')\n    " + _RUNS,
        _ADDS + "with supervisor:\n        time.sleep(1)",
        "supervisor = Supervisor([Reader()])\n    " + _RUNS,
        "with Supervisor([Reader(), Service()]):\n        time.sleep(1)",
        "app = App()\n    app.set_up()\n    app.run()",
    ],
)
def test_processes_that_an_object_keeps(use: str, kept: tuple[tuple[str, str], ...]) -> None:
    assert _found_supervised(use, *kept)


def test_processes_that_a_generator_stops_when_its_with_is_left() -> None:
    assert _found_supervised("with running(Reader(), Service()):\n        time.sleep(1)")


@pytest.mark.parametrize(
    ("use", "changes"),
    [
        pytest.param(_ADDS + "supervisor.start_all()", (), id="nobody stops it"),
        pytest.param(_ADDS + "supervisor.stop_all()", (), id="never started"),
        pytest.param(
            _ADDS + _RUNS,
            (("            service.start()", "            service.stop()\n            service.start()"),),
            id="stopped before it is started",
        ),
        pytest.param(_ADDS + _RUNS, (("service.join()", "service.join(1)"),), id="joined for a while"),
        pytest.param(
            _ADDS + _RUNS,
            (("            service.join()", "            service.terminate()\n            service.join()"),),
            id="terminated",
        ),
        pytest.param(
            _ADDS
            + "try:\n        supervisor.start_all()\n    except KeyboardInterrupt:\n        supervisor.stop_all()",
            (),
            id="by hand",
        ),
        pytest.param(
            _ADDS + _RUNS,
            (("self.alive = True", "self.alive = mp.Event()"), ("self.alive = False", "self.alive.set()")),
            id="shared",
        ),
        pytest.param(_ADDS + _RUNS, (("time.sleep(0.2)", "self.stop()"),), id="it stops itself"),
        pytest.param(_ADDS + _RUNS, (("mp.Process", "threading.Thread"),), id="threads"),
        pytest.param("other = Reader()\n    other.start()\n    other.terminate()\n    " + _RUNS, (), id="not kept"),
    ],
)
def test_kept_processes_that_end(use: str, changes: tuple[tuple[str, str], ...]) -> None:
    assert not _found_supervised(use, *changes)


def test_an_event_of_threads_in_kept_processes() -> None:
    event = (
        ("self.alive = True", "self.stopping = threading.Event()"),
        ("while self.alive:", "while not self.stopping.is_set():"),
        ("self.alive = False", "self.stopping.set()"),
    )
    assert _found_supervised(_ADDS + _RUNS, *event)
    assert _found_supervised(_ADDS + "with supervisor:\n        time.sleep(1)", *event)
    assert not _found_supervised(_ADDS + _RUNS, *event, ("threading.Event()", "mp.Event()"))
