"""LP130: objects whose copies remove in workers what the original still uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP130"


POOL = "with multiprocessing.Pool(2) as pool:\n        "
EXECUTOR = "with ProcessPoolExecutor(2) as pool:\n        "
MADE = "files = Files()\n    "
HEAD = """\
import multiprocessing, os, shutil, tempfile, weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path


class Files:
    def __init__(self):
        self.pid = os.getpid()
        self.owner = True
        self.root = tempfile.mkdtemp()
        self.memory = SharedMemory(create=True, size=8)

    {delete}

    def close(self):
        shutil.rmtree(self.root)


class Removing(multiprocessing.Process):
    def __init__(self):
        super().__init__()
        self.root = tempfile.mkdtemp()

    def __del__(self):
        shutil.rmtree(self.root)


class Holder:
    def __init__(self, name, files):
        self.name = name
        self.files = files


def work(files):
    return os.listdir(files.root)


def each(pair):
    return work(pair.files)


def main():
    {use}


if __name__ == "__main__":
    main()
"""
RMTREE = "def __del__(self):\n        shutil.rmtree(self.root)"
MAP = """files = Files()
    with ProcessPoolExecutor(2) as pool:
        print(list(pool.map(work, [files, files])))"""


def _found(delete: str, use: str, more: str = "") -> list[str]:
    return [code for _, code in marks(HEAD.format(delete=delete, use=use) + more)]


@pytest.mark.parametrize(
    "delete",
    [
        RMTREE,
        "def __del__(self):\n        shutil.rmtree(str(self.root), ignore_errors=True)",
        "def __del__(self):\n        self.close()",
        "def __del__(self):\n        try:\n            os.rmdir(self.root)\n        except OSError:\n            pass",
        "def __del__(self):\n        with suppress(OSError):\n            os.rmdir(self.root)",
        "def __del__(self):\n        if os.path.isdir(self.root):\n            shutil.rmtree(self.root)",
        "def __del__(self):\n        if self.root:\n            shutil.rmtree(self.root)",
        "def __del__(self):\n        self.memory.close()\n        self.memory.unlink()",
    ],
)
def test_what_surely_removes(delete: str) -> None:
    assert _found(delete, MAP) == ["LP130"]


@pytest.mark.parametrize(
    "delete",
    [
        "",
        "def __del__(self):\n        if os.getpid() == self.pid:\n            shutil.rmtree(self.root)",
        "def __del__(self):\n        if os.getpid() != self.pid:\n            return\n        shutil.rmtree(self.root)",
        "def __del__(self):\n        if self.owner:\n            shutil.rmtree(self.root)",
        "def __del__(self):\n        print(self.root)",
        "def __del__(self):\n        shutil.rmtree('/tmp/other')",
        "def __del__(self):\n        self.memory.close()",
        f"{RMTREE}\n\n    def __getstate__(self):\n        return {{**self.__dict__, 'owner': False}}",
        f"{RMTREE}\n\n    def __setstate__(self, state):\n        self.__dict__.update(state, root=None)",
        f"{RMTREE}\n\n    def __reduce__(self):\n        return str, (self.root,)",
    ],
)
def test_what_may_remove_nothing(delete: str) -> None:
    assert _found(delete, MAP) == []


@pytest.mark.parametrize(
    "use",
    [
        MADE + POOL + "pool.map(each, [Holder(n, files) for n in 'ab'])",
        MADE + EXECUTOR + "pool.submit(work, files)\n    print(files.root)",
        MADE + EXECUTOR + "for _ in range(3):\n            pool.submit(work, files)",
        "for _ in range(3):\n        files = Files()\n        with multiprocessing.Pool(2) as pool:\n"
        "            pool.apply(work, (files,))\n        print(files.root)",
    ],
)
def test_what_is_used_later(use: str) -> None:
    assert _found(RMTREE, use) == ["LP130"]


@pytest.mark.parametrize(
    "use",
    [
        POOL + "pool.map(each, [Holder(n, Files()) for n in 'ab'])",
        EXECUTOR + "pool.submit(work, Files())",
        MADE + EXECUTOR + "pool.submit(work, files)\n    files = Files()",
        EXECUTOR + "for _ in range(3):\n            pool.submit(work, Files())",
        "multiprocessing.Process(target=work, args=(Files(),)).start()",
        MADE + "multiprocessing.Process(target=work, args=(files,)).start()",
        MADE + "multiprocessing.get_context('fork').Process(target=work, args=(files,)).start()\n    print(files.root)",
        MADE + "multiprocessing.Process(target=work, args=(files.root,)).start()\n    print(files.root)",
        MADE + "process = Removing()\n    process.start()\n    process.join()",
        MADE + "with multiprocessing.Pool(2, work, (files,)) as pool:\n        pool.map(abs, [1])\n    print(files)",
        MADE + "with ThreadPoolExecutor(2) as pool:\n        pool.map(work, [files, files])\n    print(files.root)",
        MADE + POOL + "pool.map(os.listdir, [files.root, files.root])",
    ],
)
def test_what_nobody_uses_later(use: str) -> None:
    assert _found(RMTREE, use) == []


PROCESS = (
    "process = multiprocessing.{maker}(target=work, args=({given},))\n    process.start()\n    process.join()\n    "
)


@pytest.mark.parametrize(
    "use",
    [
        MADE + PROCESS.format(maker="Process", given="files") + "print(os.listdir(files.root))",
        MADE + PROCESS.format(maker="get_context('spawn').Process", given="files") + "work(files)",
        MADE + PROCESS.format(maker="Process", given="Holder('a', files)") + "print(os.listdir(files.root))",
        MADE + "for _ in range(2):\n        multiprocessing.Process(target=work, args=(files,)).start()",
    ],
)
def test_what_a_spawned_process_has_a_copy_of(use: str, tmp_path: Path) -> None:
    assert _found(RMTREE, use) == ["LP130"]
    (tmp_path / "main.py").write_text(HEAD.format(delete=RMTREE, use=use), encoding="utf-8")
    assert _migrated(tmp_path, StartMethod.SPAWN) == ["LP130"]
    if "'spawn'" not in use:
        assert _migrated(tmp_path, StartMethod.FORKSERVER) == []


def _migrated(folder: Path, to: StartMethod) -> list[str]:
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, to, "3.11").boundaries
    return [finding.diagnostic.code for boundary in found for finding in boundary.findings]
