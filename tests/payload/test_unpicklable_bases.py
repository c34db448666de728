"""Objects of own classes that derive from a class of a library whose objects cannot be pickled."""

from __future__ import annotations

from textwrap import dedent

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver


def _found(text: str) -> list[tuple[str, str]]:
    outcome = lint_source(dedent(text), "example.py", resolver=SettingsResolver(isolated=True))
    return [(each.code, each.message) for each in outcome.diagnostics]


_STARTED = """
    import multiprocessing as mp
    import {module}


    class Base({base}):
        {body}


    class Part(Base):
        def work(self):
            print("at work")

        def begin(self):
            mp.Process(target=self.work).start()


    if __name__ == "__main__":
        Part().begin()
    """


def _started(base: str, body: str = "pass") -> list[tuple[str, str]]:
    return _found(_STARTED.format(module=base.rpartition(".")[0], base=base, body=body))


@pytest.mark.parametrize(
    ("base", "code", "error"),
    [
        ("threading.Thread", "LP111", "cannot pickle '_thread.lock' object"),
        ("threading.local", "LP111", "cannot pickle 'Part' object"),
        ("queue.Queue", "LP111", "cannot pickle '_thread.lock' object"),
        ("sqlite3.Connection", "LP110", "cannot pickle 'Part' object"),
        ("logging.Handler", "LP117", "cannot pickle '_thread.RLock' object"),
        ("h5py.File", "LP110", "h5py objects cannot be pickled"),
        ("tkinter.Tk", "LP115", "cannot pickle '_tkinter.tkapp' object"),
    ],
)
def test_an_object_that_is_sent_with_its_method(base: str, code: str, error: str) -> None:
    ((found, message),) = _started(base)
    assert found == code
    assert "`self` is sent along with its method, which is passed as `target`" in message
    assert message.endswith(error)


def test_a_class_that_mixes_something_in_before() -> None:
    found = _started("threading.Thread")
    text = _STARTED.format(
        module="socketserver, http.server", base="socketserver.ThreadingMixIn, http.server.HTTPServer", body="pass"
    )
    assert [code for code, _ in _found(text)] == ["LP110"]
    assert [code for code, _ in found] == ["LP111"]


def test_an_object_that_another_one_keeps() -> None:
    found = _found(
        """
        import threading
        from concurrent.futures import ProcessPoolExecutor


        class Ticker(threading.Thread):
            def run(self):
                print("tick")


        class Clock:
            def __init__(self):
                self.ticker = Ticker()

            def read(self, zone):
                return zone


        if __name__ == "__main__":
            with ProcessPoolExecutor() as executor:
                print(list(executor.map(Clock().read, ["UTC"])))
        """
    )
    assert found == [
        ("LP111", "thread `Ticker()` is kept in `Clock.ticker`: TypeError: cannot pickle '_thread.lock' object")
    ]


@pytest.mark.parametrize(
    ("base", "body"),
    [
        ("threading.Thread", "def __getstate__(self): return {}"),
        ("threading.Thread", "def __reduce__(self): return Part, ()"),
        ("queue.Queue", "__reduce__ = lambda self: (Part, ())"),
        ("multiprocessing.Process", "pass"),
        ("io.StringIO", "pass"),
        ("random.Random", "pass"),
        ("ctypes.Structure", "pass"),
        ("collections.OrderedDict", "pass"),
        ("itertools.count", "pass"),
        ("logging.Formatter", "pass"),
        ("socketserver.ThreadingMixIn", "pass"),
    ],
)
def test_what_crosses(base: str, body: str) -> None:
    assert _started(base, body) == []


def test_it_is_not_known_what_the_arguments_make_of_it() -> None:
    # gap: a ZipFile fails however it is opened, but the catalog tells it by its mode
    assert _started("zipfile.ZipFile") == []
