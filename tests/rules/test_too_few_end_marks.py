"""LP317: too-few-end-marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP317"


_PROGRAM = """\
import multiprocessing as mp

STOP = "stop"


def work(jobs, results):
{loop}


def produce(jobs, names):
    for name in names:
        jobs.put(name)
    jobs.put(None)


def stop(queue):
    queue.put(None)


def main(names):
    count = 4
    jobs, results = {made}, mp.Queue()
    {workers}
    for worker in workers:
        worker.start()
    for name in names:
        jobs.put(name)
    {end}
    for worker in workers:
        {join}


if __name__ == "__main__":
    main(["a.png", "b.png"])
"""
_READS = """\
    while True:
        job = jobs.get()
        if job is None:
            break
        results.put(job.upper())"""
_STARTED = "workers = [mp.Process(target=work, args=(jobs, results)) for _ in range(count)]"
_IN_LOOP = """workers = []
    for _ in range(count):
        workers.append(mp.Process(target=work, args=(jobs, results)))"""
_TWO = """first = mp.Process(target=work, args=(jobs, results))
    second = mp.Process(target=work, args=(jobs, results))
    first.start()
    second.start()
    workers = [first, second]"""


def _found(
    loop: str = _READS,
    made: str = "mp.Queue()",
    workers: str = _STARTED,
    end: str = "jobs.put(None)",
    join: str = "worker.join()",
) -> list[int]:
    text = _PROGRAM.format(loop=loop, made=made, workers=workers, end=end, join=join)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP317"]


def _one_item(loop: str) -> str:
    return "\n".join(f"    {line}" for line in loop.splitlines())


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"made": "mp.JoinableQueue()"},
        {"end": "stop(jobs)"},
        {"end": "jobs.put(None)\n    stop(results)"},
        {"made": "mp.SimpleQueue()"},
        {"made": "mp.Manager().Queue()"},
        {"workers": _IN_LOOP},
        {"workers": _TWO},
        {"loop": _one_item("while True:\n    job = jobs.get()\n    if not job:\n        return\n    print(job)")},
        {"loop": _one_item("while (job := jobs.get()) is not None:\n    print(job)")},
        {"loop": _one_item("for job in iter(jobs.get, STOP):\n    print(job)"), "end": "jobs.put(STOP)"},
        {"loop": _one_item("for job in iter(jobs.get, 'stop'):\n    print(job)"), "end": "jobs.put(STOP)"},
        {
            "loop": _one_item("while True:\n    kind, job = jobs.get()\n    if kind == 'end':\n        break"),
            "end": "jobs.put(('end', None))",
        },
        {"loop": _READS.replace("is None", "is None:\n            results.put(None)\n        if job is None")},
        {"workers": f"{_TWO[: _TWO.rindex('workers')]}third = mp.Process(target=work, args=(jobs, results))\n"
                    "    third.start()\n    workers = [first, second, third]",
         "end": "jobs.put(None)\n    jobs.put(None)"},
    ],
)  # fmt: skip
def test_fewer_marks_than_workers(program: dict[str, str]) -> None:
    assert len(_found(**program)) == 1


@pytest.mark.parametrize(
    "program",
    [
        {"end": "for _ in workers:\n        jobs.put(None)"},
        {"end": "[jobs.put(None) for _ in workers]"},
        {"end": "for job in [None] * 4:\n        jobs.put(job)"},
        {"end": "results.put(None)"},
        {"end": "stop(jobs)\n    stop(jobs)"},
        {"end": "later = stop\n    jobs.put(None)"},
        {"end": "for _ in range(count):\n        stop(jobs)"},
        {"end": "jobs.put(None)\n    jobs.put(None)", "workers": _TWO},
        {"workers": "workers = [mp.Process(target=work, args=(jobs, results))]"},
        {"workers": _STARTED.replace("count", "1")},
        {"workers": f"count = 1\n    {_STARTED}"},
        {"workers": "workers = [mp.Process(target=work, args=(mp.Queue(), results)) for _ in range(count)]"},
        {"loop": _READS.replace("            break", "            jobs.put(None)\n            break")},
        {"loop": _READS.replace("get()", "get(timeout=1)")},
        {"loop": f"{_READS}\n        if job == 'last':\n            break"},
        {"loop": _one_item("while not jobs.empty():\n    job = jobs.get()\n    if job is None:\n        break")},
        {"join": "worker.join(1)"},
        {"join": "worker.terminate()"},
        {"join": "print(worker)", "workers": _STARTED.replace("results))", "results), daemon=True)")},
    ],
)
def test_as_many_marks_or_other_ends(program: dict[str, str]) -> None:
    assert _found(**program) == []


_OF_RECORD = """\
import multiprocessing as mp
from dataclasses import dataclass
from typing import Any


@dataclass
class Channels:
    jobs: Any
    results: Any
    {method}


def drain(given):
    {drains}


def work(channels):
    while True:
        job = channels.jobs.get()
        if job is None:
            {ending}
            break
        channels.results.put(job)


def main():
    channels = {made}
    workers = [mp.Process(target=work, args=(channels,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    channels.jobs.put(1)
    {end}
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""
_STOP, _DRAINS = "def stop(self):\n        self.jobs.put(None)", "given.jobs.put(None)"
_RECORD, _DICT = "Channels(jobs=mp.Queue(), results=mp.Queue())", "{'jobs': mp.Queue(), 'results': mp.Queue()}"


def _of_record(
    made: str = _RECORD,
    end: str = "channels.jobs.put(None)",
    ending: str = "pass",
    method: str = "",
    drains: str = "print(given)",
) -> list[int]:
    text = _OF_RECORD.format(made=made, end=end, ending=ending, method=method, drains=drains)
    if made == _DICT:
        text = text.replace("channels.jobs", "channels['jobs']").replace("channels.results", "channels['results']")
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP317"]


def test_queues_of_a_record() -> None:
    assert _of_record() == [32]
    assert _of_record(_DICT) == [32]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"end": "for _ in workers:\n        channels.jobs.put(None)"}, id="one for each"),
        pytest.param(
            {"end": "for _ in workers:\n        channels.stop()", "method": _STOP}, id="by a method of the record"
        ),
        pytest.param(
            {"end": "channels.jobs.put(None)\n    drain(channels)", "drains": _DRAINS}, id="the record is given away"
        ),
        pytest.param(
            {"end": "jobs = channels.jobs\n    channels.jobs.put(None)\n    jobs.put(None)"}, id="another name"
        ),
        pytest.param({"end": "channels.results.put(None)"}, id="another queue"),
        pytest.param({"ending": "channels.jobs.put(None)"}, id="put back"),
        pytest.param({"ending": "channels.stop()", "method": _STOP}, id="put back by a method"),
        pytest.param({"ending": "drain(channels)", "drains": _DRAINS}, id="put back by a function"),
    ],
)
def test_queues_of_a_record_with_marks_by_other_ways(program: dict[str, str]) -> None:
    assert _of_record(**program) == []


def test_gap_a_record_made_by_place() -> None:
    assert _of_record("Channels(mp.Queue(), mp.Queue())") == []  # gap: which field that is


_FARM = """\
import multiprocessing as mp


def work(jobs, results):
    for job in iter(jobs.get, None):
        results.put(job * 2)


class Farm:
    def __init__(self, count=3):
        self.jobs, self.results = mp.Queue(), mp.Queue()
        self.workers = [mp.Process(target=work, args=(self.jobs, self.results)) for _ in range(count)]

    def start(self):
        for worker in self.workers:
            worker.start()

    def stop(self):
        self.jobs.put(None)

    def join(self):
        for worker in self.workers:
            worker.join()
"""
_USER = """\
import signal

from farm import Farm


def main():
    farm = Farm()
    farm.start()
    {stop}
    farm.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("stop", "found"),
    [
        ("farm.stop()", ["farm.py"]),
        ("signal.stop()\n    farm.stop()", ["farm.py"]),
        ("for _ in farm.workers:\n        farm.stop()", []),
        ("[farm.stop() for _ in range(3)]", []),
        ("farm.stop()\n    farm.stop()\n    farm.stop()", []),
        ("print(farm)", []),
    ],
)
def test_the_class_of_the_queue_in_a_module_of_its_own(tmp_path: Path, stop: str, found: list[str]) -> None:
    assert _found_in(tmp_path, {"main.py": _USER.format(stop=stop)}) == found


@pytest.mark.parametrize(("imports", "found"), [("", ["farm.py"]), ("import farm\n", [])])
def test_of_other_modules_those_count_that_may_have_the_object(tmp_path: Path, imports: str, found: list[str]) -> None:
    clock = f"{imports}\n\ndef run(clocks):\n    for clock in clocks:\n        clock.stop()\n"
    assert _found_in(tmp_path, {"main.py": _USER.format(stop="farm.stop()"), "clock.py": clock}) == found


def _found_in(folder: Path, files: dict[str, str]) -> list[str]:
    found = lint_files(folder, {"farm.py": _FARM, **files})
    return [Path(each.location.path).name for each in found if each.code == "LP317"]


_WORKERS = """\
class Producer:
    def __init__(self, queue):
        self.queue = queue

    def end(self):
        self.queue.put("stop")


def produce(queue):
    for number in range(6):
        queue.put(number)
    {end}


def convert(queue):
    for number in iter(queue.get, "stop"):
        print("converted", number)


def finish(queue):
    queue.put("stop")
"""
_STARTING = """\
import multiprocessing

from workers import Producer, convert, finish, produce


def main():
    queue = multiprocessing.Queue()
    producer = multiprocessing.Process(target=produce, args=(queue,))
    workers = [multiprocessing.Process(target=convert, args=(queue,)) for _ in range(2)]
    producer.start()
    for worker in workers:
        worker.start()
    producer.join()
    {end}
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("by_producer", "by_main", "found"),
    [
        ('queue.put("stop")', "print(queue)", ["workers.py"]),
        ("print(queue)", 'queue.put("stop")', ["main.py"]),
        ('queue.put("stop")', 'queue.put("stop")', []),
        ('queue.put("stop")\n    queue.put("stop")', "print(queue)", []),
        ('for _ in range(2):\n        queue.put("stop")', "print(queue)", []),
        ('queue.put("stop")', "finish(queue)", []),
        ('queue.put("stop")', "Producer(queue).end()", []),
        ('queue.put("go on")', "print(queue)", []),
    ],
)
def test_marks_that_workers_of_another_module_put(
    tmp_path: Path, by_producer: str, by_main: str, found: list[str]
) -> None:
    files = {"workers.py": _WORKERS.format(end=by_producer), "main.py": _STARTING.format(end=by_main)}
    assert [Path(each.location.path).name for each in lint_files(tmp_path, files) if each.code == "LP317"] == found
