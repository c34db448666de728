"""LP208: main-global-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import marks


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


CONTAINERS = """\
import argparse
from multiprocessing import Pool

PREFIXES = [
    "components/test",
    "net/http",
]
CONFIG = {{"debug": False, "root": "."}}


def is_wanted(path):
    for prefix in PREFIXES:
        if path.startswith(prefix):
            return CONFIG["root"]
    return None


def work(path):
    return is_wanted(path)


{rest}


if __name__ == "__main__":
    main()
"""
MAPS = """
    with Pool(2{options}) as pool:
        pool.map(work, ["a"])
"""


@pytest.mark.parametrize(
    ("rest", "row"),
    [
        ("def main():\n    PREFIXES.extend(argparse.ArgumentParser().parse_args().prefixes)" + MAPS, 12),
        ("def main():\n    CONFIG['root'] = input()\n    run()\n\n\ndef run():" + MAPS, 14),
        ("def configure(root):\n    CONFIG.update(root=root)\n\n\ndef main():\n    configure(input())" + MAPS, 14),
    ],
)
def test_containers_that_only_the_main_process_changes(rest: str, row: int) -> None:
    assert (row, "LP208") in marks(CONTAINERS.format(rest=rest.format(options="")))


@pytest.mark.parametrize(
    "rest",
    [
        "def main():" + MAPS,
        "PREFIXES.append('x')\n\n\ndef main():" + MAPS,
        "def add(prefix):\n    PREFIXES.append(prefix)\n\n\ndef main():" + MAPS,
        "def main():" + MAPS + "    CONFIG['root'] = 'done'",
        "def load(root):\n    CONFIG['root'] = root\n\n\ndef main():\n    load('x')"
        + MAPS.replace("{options}", ", initializer=load, initargs=('x',)"),
        "def load(root):\n    CONFIG['root'] = root\n\n\ndef main():\n    load('x')"
        + MAPS.replace("map(work", "map(own")
        + "\n\ndef own(path):\n    load(path)\n    return work(path)",
    ],
    ids=["never", "at-import", "never-called", "after", "initializer", "in-worker"],
)
def test_containers_that_workers_have_too(rest: str) -> None:
    assert "LP208" not in [code for _, code in marks(CONTAINERS.format(rest=rest.format(options="")))]


def test_other_uses_of_globals() -> None:
    extends = "def main():\n    PREFIXES.extend(input())" + MAPS.format(options="")
    reads = CONTAINERS.format(rest="def show(name):\n    return globals()[name.upper()]\n\n\n" + extends)
    assert (12, "LP208") in marks(reads)
    sets = CONTAINERS.format(rest="def show(name):\n    globals()[name.upper()] = 1\n\n\n" + extends)
    assert not marks(sets)
