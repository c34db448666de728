"""LP111: lock-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP111"


_WRITTEN = """\
import pickle
import threading

import cloudpickle
import dill
import torch


class Workspace:
    def __init__(self):
        self.lock = threading.Lock()


torch.save(Workspace(), "workspace.pt"{given})
"""


@pytest.mark.parametrize(
    ("given", "fires"),
    [
        ("", True),
        (", pickle_module=pickle", True),
        (", pickle_module=cloudpickle", True),
        (", pickle_module=dill", False),  # which takes locks
        (", dill", False),
    ],
)
def test_the_module_that_pickles_for_torch(given: str, fires: bool) -> None:
    assert ("LP111" in [each.code for each in lint(_WRITTEN.format(given=given)).diagnostics]) is fires


_SERVICE = """\
import asyncio
from concurrent.futures import {executor} as Executor


class Service:
    def __init__(self):
        self.tasks = set()
        self.turn = asyncio.Lock()
        self.waiting = asyncio.Queue()

    def spawn(self, work):
        task = {task}
        {keeping}
        return task

    async def beat(self):
        await asyncio.sleep(3)

    def score(self, item):
        return item

    async def rank(self, pool):
        return await asyncio.get_running_loop().run_in_executor(pool, self.score, 1)


async def serve():
    with Executor(2) as pool:
        service = Service()
        service.spawn(service.beat())
        print(await service.rank(pool))


if __name__ == "__main__":
    asyncio.run(serve())
"""
_KEEPING = "self.tasks.add(task)"


@pytest.mark.parametrize(
    "task",
    [
        "asyncio.create_task(work)",
        "asyncio.ensure_future(work)",
        "asyncio.get_running_loop().create_task(work)",
        "asyncio.get_running_loop().call_later(1, print)",
        "asyncio.get_running_loop().run_in_executor(None, print)",
        "asyncio.gather(work)",
        "asyncio.run_coroutine_threadsafe(work, asyncio.get_running_loop())",
    ],
)
@pytest.mark.parametrize("keeping", [_KEEPING, "self.task = task", "self.tasks = {'beat': task}"])
def test_tasks_of_asyncio(task: str, keeping: str) -> None:
    code = _SERVICE.format(task=task, keeping=keeping, executor="ProcessPoolExecutor")
    assert [each.code for each in lint(code).diagnostics] == ["LP111"]


@pytest.mark.parametrize(
    ("task", "keeping", "executor"),
    [
        ("asyncio.create_task(work)", _KEEPING, "ThreadPoolExecutor"),  # Nothing is pickled.
        ("asyncio.create_task(work)", "task.add_done_callback(print)", "ProcessPoolExecutor"),
        ("asyncio.create_task(work)", "self.tasks = len(asyncio.all_tasks())", "ProcessPoolExecutor"),
        ("asyncio.run(work)", "self.task = task", "ProcessPoolExecutor"),
        ("str(work)", "self.lock = asyncio.Lock(), asyncio.Event(), asyncio.Queue()", "ProcessPoolExecutor"),
    ],
)
def test_what_asyncio_keeps_elsewhere(task: str, keeping: str, executor: str) -> None:
    assert not lint(_SERVICE.format(task=task, keeping=keeping, executor=executor)).diagnostics


_GROUP = """\
import asyncio
import pickle


class Job:
    pass


async def main():
    job = Job()
    async with asyncio.TaskGroup() as group:
        job.work = {value}
        print(pickle.dumps(job))


asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("value", "fires"),
    [
        ("group.create_task(asyncio.sleep(0))", True),
        ("await group.create_task(asyncio.sleep(0, 3))", False),
        ("(await asyncio.gather(asyncio.sleep(0, 3)))[0]", False),
    ],
)
def test_tasks_of_groups(value: str, fires: bool) -> None:
    assert ("LP111" in [each.code for each in lint(_GROUP.format(value=value)).diagnostics]) is fires


SHARED = """\
import multiprocessing as mp


class Job:
    def __init__(self):
        self.shared = mp.{maker}()

    def run(self, row):
        return row


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        pool.map(Job().run, range(3))
"""


@pytest.mark.parametrize("maker", ["Queue", "Lock", "Event"])
def test_what_processes_share_is_not_made_anew_in_each(maker: str) -> None:
    (found,) = lint(SHARED.format(maker=maker)).diagnostics
    assert found.help is not None and "initargs" in found.help
    assert found.fix is None


def test_a_program_that_runs_is_called_a_process() -> None:
    text = (
        "import multiprocessing\nimport subprocess\n\n\nclass Feeder(multiprocessing.Process):\n"
        "    def __init__(self):\n        super().__init__()\n"
        '        self.sorter = subprocess.Popen(["sort"])\n\n\n'
        'if __name__ == "__main__":\n    Feeder().start()\n'
    )
    [found] = lint(text).diagnostics
    assert (found.code, found.message.partition(" ")[0]) == ("LP111", "process")


CHANNEL = """\
import multiprocessing
import queue
from concurrent.futures import ProcessPoolExecutor


class Channel:
    def __init__(self):
        self.items = queue.Queue()

    def send(self, item):
        {send}

    def __iter__(self):
        {read}


def work(channel, rows):
    for row in rows:
        channel.send(row)


def main():
    channel = Channel()
    {start}
    for item in channel:
        print(item)


if __name__ == "__main__":
    main()
"""
PROCESS = "multiprocessing.Process(target=work, args=(channel, [1, 2])).start()"
EXECUTOR = "ProcessPoolExecutor().submit(work, channel, [1, 2])"
READ = "return iter(self.items.get, None)"


def _channel(start: str = PROCESS, send: str = "self.items.put(item)", read: str = READ) -> tuple[str, bool]:
    found = [
        each for each in lint(CHANNEL.format(start=start, send=send, read=read)).diagnostics if each.code == "LP111"
    ]
    [(help_, is_fixed)] = {(each.help or "", each.fix is not None) for each in found}
    return help_, is_fixed


@pytest.mark.parametrize(
    ("start", "cure"), [(PROCESS, "use `multiprocessing.Queue`"), (EXECUTOR, "`multiprocessing.Manager()`")]
)
def test_a_queue_that_joins_two_processes_is_not_recreated_in_each(start: str, cure: str) -> None:
    help_, is_fixed = _channel(start)
    assert cure in help_
    assert not is_fixed


@pytest.mark.parametrize(
    ("send", "read"),
    [
        ("print(item)", READ),  # the worker does not use it
        ("self.items.put(item)", "return iter(())"),  # only the worker uses it
    ],
)
def test_a_queue_of_one_process_may_be_recreated(send: str, read: str) -> None:
    help_, _ = _channel(send=send, read=read)
    assert "recreate it in `__setstate__`" in help_


_ROASTER = """\
import multiprocessing as mp
import threading


class Roaster:
    def __init__(self, on_data=None):
        self.on_data = on_data
        self.event = mp.Event()
        self.worker = mp.Process(target=self.listen)
        {at_once}

    def listen(self):
        self.event.wait()

    def connect(self):
        self.thread = threading.Thread(target=self.on_data, daemon=True)
        self.thread.start()
        {later}


{ends}
"""
_AT_MODULE_LEVEL = "if __name__ == '__main__':\n    roaster = Roaster(print)\n    roaster.connect()"
_UNGUARDED = "roaster = Roaster(print)\nroaster.connect()"
_IN_FUNCTION = "def main():\n    roaster = Roaster(print)\n    roaster.connect()"


@pytest.mark.parametrize("ends", [_AT_MODULE_LEVEL, _UNGUARDED, _IN_FUNCTION])
def test_what_is_stored_once_the_constructor_has_started_the_process(ends: str) -> None:
    code = _ROASTER.format(at_once="self.worker.start()", later="print(self.thread)", ends=ends)
    assert "LP111" not in [each.code for each in lint(code).diagnostics]


@pytest.mark.parametrize("ends", [_AT_MODULE_LEVEL, _IN_FUNCTION])
def test_what_is_stored_before_a_method_starts_the_process(ends: str) -> None:
    code = _ROASTER.format(at_once="print(self.worker)", later="self.worker.start()", ends=ends)
    assert "LP111" in [each.code for each in lint(code).diagnostics]


_APP = """\
from multiprocessing import Process


class Handler(Process):
    def __init__(self, app):
        super().__init__()
        self.app = app

    def run(self):
        print(self.app)
{more}

class App:
    def __init__(self):
        self.workers = []

    def serve(self, count):
        for _ in range(count):
            worker = Handler({given})
            {then}
        for worker in self.workers:
            {last}
            worker.join()


if __name__ == "__main__":
    App().serve(2)
"""
_KEPT, _BEGUN = "self.workers.append(worker)", "worker.start()"
_ON_ITS_OWN_METHOD = _APP.replace("super().__init__()", "{setup}").replace("def run", "def work")
_LEFT_OUT = """
    def __getstate__(self):
        return {"app": self.app}
"""


@pytest.mark.parametrize(
    ("change", "fires"),
    [
        pytest.param({}, True, id="kept, and the next one is given all"),
        pytest.param({"then": f"{_KEPT}; {_BEGUN}"}, True, id="kept before it is started"),
        pytest.param({"then": _KEPT, "last": _BEGUN}, True, id="started in a loop over all"),
        pytest.param({"given": "count"}, False, id="given something else"),
        pytest.param({"then": _BEGUN}, False, id="not kept"),
        pytest.param({"then": _KEPT}, False, id="never started"),
        pytest.param({"more": _LEFT_OUT}, False, id="its class says what is pickled"),
    ],
)
def test_started_processes_of_own_classes(change: dict[str, str], fires: bool) -> None:
    parts = {"given": "self", "then": f"{_BEGUN}; {_KEPT}", "last": "pass", "more": "", **change}
    found = [each for each in lint(_APP.format(**parts)).diagnostics if each.code == "LP111"]
    assert ([each.error for each in found] == ["TypeError: cannot pickle 'weakref.ReferenceType' object"]) is fires


@pytest.mark.parametrize(
    "setup",
    [
        "super().__init__(target=self.work)",
        "Process.__init__(self, target=self.work)",
        "super().__init__(target=print, args=(self,))",
    ],
)
@pytest.mark.parametrize(
    ("given", "fires"), [pytest.param("self", True, id="all others"), pytest.param("count", False, id="itself alone")]
)
def test_processes_of_own_classes_that_are_given_themselves(setup: str, given: str, fires: bool) -> None:
    code = _ON_ITS_OWN_METHOD.format(setup=setup, given=given, then=f"{_BEGUN}; {_KEPT}", last="pass", more="")
    assert ("LP111" in [each.code for each in lint(code).diagnostics]) is fires


_LISTED = """\
from multiprocessing import Process


class Halver(Process):
    def __init__(self, data):
        self.data = data
        Process.__init__(self, target=self.halve)

    def halve(self):
        print(self.data / 2)


if __name__ == "__main__":
    workers = [Halver(number) for number in range(5)]
    for worker in workers:
        worker.start()
"""
_HELPED = """
    def assist(self):
        Process(target=self.halve).start()
"""


@pytest.mark.parametrize(
    ("code", "fires"),
    [
        pytest.param(_LISTED, False, id="each is given itself alone"),
        pytest.param(
            f"{_LISTED.replace(chr(10) * 3 + 'if', _HELPED + chr(10) * 2 + 'if')}    workers[0].assist()\n",
            True,
            id="a started one starts another one on itself",
        ),
    ],
)
def test_listed_processes_of_own_classes(code: str, fires: bool) -> None:
    assert ("LP111" in [each.code for each in lint(code).diagnostics]) is fires


_CAMERA = """\
from multiprocessing import Process
from multiprocessing.managers import {manager}


class Camera(Process):
    def __init__(self, manager):
        super().__init__()
        {keeping}

    def run(self):
        print("run")


def main():
{lines}


if __name__ == "__main__":
    main()
"""
_WITH = """\
    with {manager}() as manager:
        camera = Camera(manager)
        camera.start()
"""
_WITHOUT = """\
    manager = {manager}()
    {start}
    camera = Camera(manager)
    camera.start()
"""


@pytest.mark.parametrize("manager", ["SharedMemoryManager", "SyncManager"])
@pytest.mark.parametrize(
    ("lines", "keeping", "fires"),
    [
        (_WITH, "self.manager = manager", True),
        (_WITHOUT.replace("{start}", "manager.start()"), "self.manager = manager", True),
        (_WITHOUT.replace("{start}", "pass"), "self.manager = manager", False),  # it crosses, but is of no use there
        (_WITH, "self.address = manager.address", False),
        (_WITHOUT.replace("{start}", "manager.start()"), "print(manager)", False),
    ],
)
def test_started_managers(manager: str, lines: str, keeping: str, fires: bool) -> None:
    text = _CAMERA.format(manager=manager, keeping=keeping, lines=lines.format(manager=manager))
    found = [each for each in lint(text).diagnostics if each.code == "LP111"]
    assert bool(found) is fires


CHOSEN = """\
import sys
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


class Runner:
    def __init__(self, mode):
        {made}

    def map(self, function, items):
        return self.pool.map(function, items)


class Core:
    def __init__(self, mode):
        self.runner = Runner(mode)

    def one(self, item):
        return item

    def all(self):
        return self.runner.map(self.one, [1, 2])


if __name__ == "__main__":
    print(Core(sys.argv[1]).all())
"""
_EITHER = "if mode == 'threads':\n            self.pool = ThreadPool(2)\n        else:\n            self.pool = Pool(2)"
_BOTH = "self.threads = ThreadPool(2)\n        self.pool = Pool(2)"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(_EITHER, ["Pool(2)"], id="threads pickle nothing"),
        pytest.param(_BOTH, ["Pool(2)", "ThreadPool(2)"], id="the object has both"),
        pytest.param("self.pool = ThreadPool(2)", [], id="threads alone"),
    ],
)
def test_the_pool_that_is_mapped_with_is_the_one_that_is_kept(made: str, expected: list[str]) -> None:
    told = [each.message for each in lint(CHOSEN.format(made=made)).diagnostics if each.code == "LP111"]
    assert sorted(each.partition("`")[2].partition("`")[0] for each in told) == expected


_PROGRESS = """\
import multiprocessing as mp

from tqdm import tqdm
from tqdm.auto import tqdm as bars


def convert(name, lock):
    with lock:
        print(name)


if __name__ == "__main__":
    tqdm.set_lock(mp.RLock())
    {run}
"""


@pytest.mark.parametrize(
    ("run", "fires"),
    [
        ("mp.Pool(2).apply_async(convert, ('a', tqdm.get_lock()))", True),
        ("mp.Pool(2).apply_async(convert, ('a', bars.get_lock()))", True),
        ("mp.Pool(2).starmap(convert, [(name, tqdm.get_lock()) for name in 'abc'])", True),
        ("lock = tqdm.get_lock()\n    mp.Pool(2).apply(convert, args=('a', lock))", True),
        ("mp.Pool(2, initializer=tqdm.set_lock, initargs=(tqdm.get_lock(),))", False),
        ("mp.Process(target=convert, args=('a', tqdm.get_lock())).start()", False),
        ("with tqdm.get_lock():\n        mp.Pool(2).starmap(convert, [('a', 1)])", False),
    ],
)
def test_the_lock_of_progress_bars(run: str, fires: bool) -> None:
    """Measured with tqdm 4.70.1: that crosses to a process that starts, and not with a task."""
    assert ("LP111" in [each.code for each in lint(_PROGRESS.format(run=run)).diagnostics]) is fires
