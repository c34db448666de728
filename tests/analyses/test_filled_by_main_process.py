"""LP210 where a module fills a registry when the main process imports it, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

FORMATS = """\
_readers = {}


def reads(kind):
    def keep(function):
        _readers[kind] = function
        return function

    return keep


def plain(text):
    return text


def reader_of(kind):
    return _readers.get(kind, plain)
"""
EXTRAS = """\
import logging
import multiprocessing as mp

import formats

IN_MAIN = mp.current_process().name == "MainProcess"


def is_main():
    return mp.current_process().name == "MainProcess"


def in_worker():
    return mp.current_process().name != "MainProcess"


def is_verbose():
    return logging.root.level < logging.INFO


def load():
    @formats.reads("csv")
    def rows(text):
        return text.split(",")


"""
ROLES = """\
import multiprocessing


def is_first():
    return multiprocessing.current_process().name == "MainProcess"
"""
MAIN = """\
import multiprocessing as mp

from formats import reader_of
{imports}


def read(text):
    {before}
    return reader_of("csv")(text)


def main(texts):
    with mp.{pool} as pool:
        print(pool.map(read, texts))


if __name__ == "__main__":
    main(["a,b", "c"])
"""
POOL = "Pool(2)"
AGAIN = "import extras  # whose `again` workers call"


def _found(tmp_path: Path, extras: str, pool: str = POOL, imports: str = "import extras") -> list[str]:
    before = "extras.again(text)" if imports == AGAIN else "print(text)"
    files = {
        "formats": FORMATS,
        "extras": EXTRAS + extras,
        "main": MAIN.format(pool=pool, imports=imports, before=before),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    return [each.code for each in lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics]


@pytest.mark.parametrize(
    "extras",
    [
        "if is_main():\n    load()\n",
        "if not in_worker():\n    load()\n",
        "if IN_MAIN:\n    load()\n",
        'if mp.current_process().name == "MainProcess":\n    load()\n',
        'if is_main():\n    formats.reads("csv")(str.split)\n',
    ],
)
def test_a_registry_that_only_the_main_process_fills(tmp_path: Path, extras: str) -> None:
    assert _found(tmp_path, extras) == ["LP210"]


@pytest.mark.parametrize(
    ("extras", "pool", "imports"),
    [
        pytest.param("load()\n", POOL, "import extras", id="every process"),
        pytest.param("if is_main():\n    print('main')\nload()\n", POOL, "import extras", id="only says so"),
        pytest.param("if is_main():\n    print()\nelse:\n    load()\n", POOL, "import extras", id="workers"),
        pytest.param("if in_worker():\n    load()\n", POOL, "import extras", id="workers alone"),
        pytest.param("if is_verbose():\n    load()\n", POOL, "import extras", id="asks for something else"),
        pytest.param("if is_main():\n    load()\n", "Pool(2, extras.load)", "import extras", id="an initializer"),
        pytest.param(
            "if is_main():\n    load()\n", "get_context('fork').Pool(2)", "import extras", id="workers are forked"
        ),
        pytest.param("if is_main():\n    load()\n", "pool.ThreadPool(2)", "import extras", id="threads"),
        pytest.param("if is_main():\n    load()\n", POOL, "import logging", id="nobody imports it"),
        pytest.param("if __name__ == '__main__':\n    load()\n", POOL, "import extras", id="a test of its own"),
        pytest.param("@formats.reads('csv')\ndef rows(text):\n    return text\n", POOL, "import extras", id="plugins"),
        pytest.param("def again(text):\n    load()\nif is_main():\n    load()\n", POOL, AGAIN, id="workers, too"),
        # gap: what another module says of the process
        pytest.param(
            "from roles import is_first\n\nif is_first():\n    load()\n", POOL, "import extras", id="imported"
        ),
    ],
)
def test_a_registry_that_workers_have_filled(tmp_path: Path, extras: str, pool: str, imports: str) -> None:
    (tmp_path / "roles.py").write_text(ROLES)
    assert _found(tmp_path, extras, pool, imports) == []
