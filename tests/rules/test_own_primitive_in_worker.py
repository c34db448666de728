"""LP212: own-primitive-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP212"


@pytest.mark.parametrize("name", ["Lock()", "Queue()", "Event()", "Array('i', 3)", "Value('i', 0)"])
def test_what_a_module_makes_at_import(name: str) -> None:
    body = f"N = mp.{name}\ndef g():\n    print(N)\ndef main():\n    mp.Process(target=g).start()\n"
    assert codes(f"{body}if __name__ == '__main__':\n    main()\n") == ["LP212"]


@pytest.mark.parametrize(
    ("made", "fires"),
    [
        ("N = mmap.mmap(-1, 8)", True),
        ("N = mmap.mmap(open('f').fileno(), 0)", False),
        ("M, N = socket.socketpair()", True),
        ("M, N = os.pipe()", True),
        ("M, N = mp.Pipe()", True),
        ("M, N = os.path.split('a/b')", False),
        ("N = socket.socket()", False),
    ],
)
def test_what_joins_processes_that_are_forked(made: str, fires: bool) -> None:
    body = f"import mmap, os, socket\n{made}\ndef g():\n    print(N)\ndef main():\n    mp.Process(target=g).start()\n"
    assert ("LP212" in codes(f"{body}if __name__ == '__main__':\n    main()\n")) is fires


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("N = mp.Lock()\ndef g():\n    pass\ndef main():\n    mp.Process(target=g)\n", id="not used"),
        pytest.param(
            "def g(n):\n    n.acquire()\ndef main():\n    mp.Process(target=g, args=(mp.Lock(),))\n", id="passed"
        ),
        pytest.param(
            "import threading\nN = threading.Lock()\ndef g():\n    print(N)\ndef main():\n    mp.Process(target=g)\n",
            id="of threads",
        ),
        pytest.param(
            "N = mp.Lock()\ndef g():\n    N.acquire()\ndef main():\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_what_workers_share_or_do_not_need(body: str) -> None:
    assert codes(f"{body}if __name__ == '__main__':\n    main()\n") == []


METER = """\
class Meter:
    def __init__(self):
        self.done = {made}
        self.name = "meter"

    def tick(self):
        {use}

    def adopt(self, done):
        self.done = done


meter = Meter()
"""


def _of_meter(work: str, start: str, made: str = "mp.Value('i', 0)", use: str = "self.done.value += 1") -> list[str]:
    body = f"{METER.format(made=made, use=use)}{work}\ndef main():\n    {start}\n"
    return codes(f"import threading\n{body}if __name__ == '__main__':\n    main()\n")


@pytest.mark.parametrize(
    "work",
    [
        "def g():\n    meter.tick()",
        "def g():\n    meter.done.value += 1",
        "def g():\n    with meter.done.get_lock():\n        pass",
        "def count():\n    meter.tick()\ndef g():\n    count()",
    ],
)
def test_what_an_object_made_at_import_holds(work: str) -> None:
    assert _of_meter(work, "mp.Process(target=g).start()") == ["LP212"]


@pytest.mark.parametrize(
    ("work", "start"),
    [
        pytest.param("def g():\n    print(meter.name)", "mp.Process(target=g).start()", id="another attribute"),
        pytest.param("def g(it):\n    it.tick()", "mp.Process(target=g, args=(meter,)).start()", id="passed"),
        pytest.param("", "mp.Process(target=meter.tick).start()", id="of the target"),
        pytest.param(
            "def g(it):\n    print(meter.name)\n    it.tick()",
            "mp.Process(target=g, args=(Meter(),)).start()",
            id="of another object",
        ),
        pytest.param(
            "def take(done):\n    meter.adopt(done)\ndef g(number):\n    meter.tick()",
            "mp.Pool(2, initializer=take, initargs=(meter.done,)).map(g, [1])",
            id="given by an initializer",
        ),
        pytest.param("def g():\n    meter.tick()", "mp.get_context('fork').Process(target=g).start()", id="forked"),
    ],
)
def test_what_is_shared_or_not_used_of_an_object(work: str, start: str) -> None:
    assert _of_meter(work, start) == []


@pytest.mark.parametrize("made", ["threading.Lock()", "dict(value=0)", "None"])
def test_objects_that_hold_nothing_shared(made: str) -> None:
    assert _of_meter("def g():\n    meter.tick()", "mp.Process(target=g).start()", made, "print(self.done)") == []
