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
