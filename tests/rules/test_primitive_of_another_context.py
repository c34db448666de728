"""LP213: primitive-of-another-context."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP213"


_TEXT = """
import multiprocessing as mp

import torch.multiprocessing as tmp
from torch.utils.data import DataLoader, Dataset

{more}


class Rows(Dataset):
    def __init__(self, count):
        self.count = count

    def __getitem__(self, index):
        return index


def work(*args):
    print(args)


def main(name):
    ctx = mp.get_context("spawn")
    {statement}
"""


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("ctx.Process(target=work, args=(mp.Queue(),)).start()", True),
        ("ctx.Process(target=work, args=(mp.get_context('fork').Lock(),)).start()", True),
        ("ctx.Process(target=work, args=({'stop': mp.Event()},)).start()", True),
        ("tmp.spawn(work, args=(mp.Queue(),), nprocs=2)", True),
        ("DataLoader(Rows(mp.Value('i', 0)), num_workers=2, multiprocessing_context='spawn')", True),
        ("ctx.Pool(2, initializer=work, initargs=(mp.Lock(),))", True),
        ("ctx.Process(target=work, args=(ctx.Queue(),)).start()", False),
        ("ctx.Process(target=work, args=(mp.get_context('spawn').Queue(),)).start()", False),
        ("ctx.Process(target=work, args=(mp.get_context(name).Queue(),)).start()", False),
        ("ctx.Process(target=work, args=(mp.Pipe()[0],)).start()", False),
        ("mp.Process(target=work, args=(mp.Queue(),)).start()", False),
        ("mp.get_context('fork').Process(target=work, args=(mp.Queue(),)).start()", False),
        ("DataLoader(Rows(mp.Value('i', 0)), num_workers=2)", False),
        ("tmp.spawn(work, args=(ctx.SimpleQueue(),), nprocs=2)", False),
    ],
)
def test_contexts(statement: str, fires: bool) -> None:
    text = _TEXT.format(statement=statement, more="")
    assert ("LP213" in [code for _, code in marks(text)]) is fires


def test_a_program_that_sets_its_start_method() -> None:
    text = _TEXT.format(
        statement="ctx.Process(target=work, args=(mp.Queue(),)).start()",
        more="mp.set_start_method('spawn', force=True)",
    )
    assert "LP213" not in [code for _, code in marks(text)]


_OWN_PROCESS = """
import multiprocessing
import platform
import sys

{bound}


class Server(multiprocessing.Process):
    def __init__(self, stop):
        super().__init__()
        self.stop = stop

    def run(self):
        self.stop.wait()


def main(event):
    Server(event).start()


if __name__ == "__main__":
    import multiprocessing as mp

    main(mp.Event())
"""
_SPAWNED = "multiprocessing = multiprocessing.get_context('spawn')"


@pytest.mark.parametrize(
    "bound",
    [
        pytest.param("", id="the default context"),
        pytest.param(f"if sys.platform == 'darwin':\n    {_SPAWNED}", id="on one platform"),
        pytest.param(f"if platform.system() == 'Windows':\n    {_SPAWNED}", id="on another platform"),
        pytest.param(f"if sys.version_info < (3, 8):\n    {_SPAWNED}", id="on a Python that is not read"),
        pytest.param(
            f"if sys.platform == 'darwin' and sys.version_info < (3, 8):\n    {_SPAWNED}", id="on both together"
        ),
        pytest.param(
            f"if sys.version_info >= (3, 4):\n    pass\nelse:\n    {_SPAWNED}", id="not on a Python that is read"
        ),
    ],
)
def test_a_name_that_is_only_bound_anew_elsewhere(bound: str) -> None:
    assert marks(_OWN_PROCESS.format(bound=bound)) == []


@pytest.mark.parametrize("bound", [_SPAWNED, f"import os\n\n{_SPAWNED}"])
def test_a_name_that_is_bound_anew(bound: str) -> None:
    assert [code for _, code in marks(_OWN_PROCESS.format(bound=bound))] == ["LP213"]


_SERVERS = """
import multiprocessing as mp

import uvicorn
from uvicorn.supervisors import ChangeReload, Multiprocess


class Config(uvicorn.Config):
    queue = None


def serve(sockets=None):
    print(sockets)


def main():
    config = Config("shop:app")
    config.queue = {queue}
    {statement}


if __name__ == "__main__":
    main()
"""
_RELOAD = "ChangeReload(config, target=serve, sockets=[config.bind_socket()]).run()"


@pytest.mark.parametrize(
    ("queue", "statement", "codes"),
    [
        ("mp.Queue()", _RELOAD, ["LP213"]),
        ("mp.Queue()", "Multiprocess(config, sockets=[config.bind_socket()]).run()", ["LP213"]),
        ("None", _RELOAD.replace("serve", "lambda sockets: serve()"), ["LP201"]),
        ("mp.get_context('spawn').Queue()", _RELOAD, []),
        ("None", _RELOAD, []),
        ("mp.Queue()", "uvicorn.Server(config).run()", []),
    ],
)
def test_servers_that_a_library_starts(queue: str, statement: str, codes: list[str]) -> None:
    assert [code for _, code in marks(_SERVERS.format(queue=queue, statement=statement))] == codes


_OF_CLASS = """
import multiprocessing
from multiprocessing import context
from multiprocessing.context import ForkServerProcess, SpawnProcess

spawning = multiprocessing.get_context("spawn")
forking = multiprocessing.get_context("fork")


class Recorder({base}):
    def __init__(self, path):
        super().__init__(daemon=True)
        self.path = path
        self.stopped = {made}

    def run(self):
        while not self.stopped.is_set():
            print(self.path)


class Quick(Recorder):
    pass


def main():
    recorder = {class_}("a.log")
    recorder.start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "base",
    [
        "SpawnProcess",
        "ForkServerProcess",
        "context.SpawnProcess",
        "spawning.Process",
        "multiprocessing.get_context('spawn').Process",
    ],
)
@pytest.mark.parametrize("class_", ["Recorder", "Quick"])
def test_classes_of_processes_of_a_context(base: str, class_: str) -> None:
    text = _OF_CLASS.format(base=base, made="multiprocessing.Event()", class_=class_)
    assert [code for _, code in marks(text)] == ["LP213"]


@pytest.mark.parametrize(
    ("base", "made"),
    [
        ("SpawnProcess", "spawning.Event()"),
        ("SpawnProcess", "multiprocessing.get_context('spawn').Event()"),
        ("SpawnProcess", "multiprocessing.Manager().Event()"),
        ("SpawnProcess", "None"),
        ("spawning.Process", "spawning.Event()"),
        ("multiprocessing.Process", "multiprocessing.Event()"),
        ("forking.Process", "multiprocessing.Event()"),
        ("forking.Process", "forking.Event()"),
    ],
)
def test_classes_whose_objects_are_of_one_context(base: str, made: str) -> None:
    text = _OF_CLASS.format(base=base, made=made, class_="Recorder")
    assert "LP213" not in [code for _, code in marks(text)]


def test_an_object_that_the_program_never_makes() -> None:
    text = _OF_CLASS.format(base="SpawnProcess", made="multiprocessing.Event()", class_="print")
    assert marks(text) == []  # gap: a library whose users make the object


def test_a_class_whose_file_sets_a_start_method_when_it_is_run() -> None:
    text = _OF_CLASS.format(base="SpawnProcess", made="multiprocessing.Event()", class_="Recorder")
    own = text.replace("    main()\n", "    multiprocessing.set_start_method('spawn')\n    main()\n")
    assert marks(own) == []  # gap: who imports the class has another start method


@pytest.mark.parametrize(
    ("made", "context"),
    [
        ("mp.Queue()", "is of the default context, which forks on Linux before Python 3.14,"),
        ("mp.get_context('fork').Queue()", "is of the context `fork`,"),
    ],
)
def test_which_context_the_object_is_of(made: str, context: str) -> None:
    text = _TEXT.format(more="", statement=f"ctx.Process(target=work, args=({made},)).start()")
    (found,) = [each for each in lint(text).diagnostics if each.code == "LP213"]
    assert context in found.message


_BY_PLATFORM = """
import multiprocessing as mp
import platform


def work(lock):
    print(lock)


def main():
    if platform.system() == "Windows":
        ctx = mp.get_context("spawn")
    else:
        ctx = mp.get_context("{other}")
    process = ctx.Process(target=work, args=({lock},))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("other", "lock", "confidences"),
    [
        ("fork", "mp.Lock()", []),
        ("spawn", "mp.Lock()", ["likely"]),
        ("fork", "ctx.Lock()", []),
        ("fork", "mp.get_context('fork').Lock()", ["likely"]),
    ],
)
def test_a_context_that_is_fork_wherever_the_default_is(other: str, lock: str, confidences: list[str]) -> None:
    found = lint(_BY_PLATFORM.format(other=other, lock=lock)).diagnostics
    assert sorted({each.confidence.value for each in found if each.code == "LP213"}) == confidences
