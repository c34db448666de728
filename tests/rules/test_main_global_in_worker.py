"""LP208: main-global-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP208"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "def g():\n    return N\nif __name__ == '__main__':\n    N = 2\nelse:\n    N = 1\nmp.Process(target=g)\n",
            id="in both",
        ),
        pytest.param("def g():\n    return N\nif __name__ == '__main__':\n    N = 2\n    g()\n", id="no worker"),
        pytest.param(
            "N = None\ndef s():\n    global N\n    N = 1\ns()\n"
            "def g():\n    return N\ndef f():\n    mp.Process(target=g)\n",
            id="set at import by a function",
        ),
        pytest.param(
            "def g():\n    return N\n"
            "if __name__ == '__main__':\n    N = 2\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_globals_that_workers_have(body: str) -> None:
    assert codes(body) == []
