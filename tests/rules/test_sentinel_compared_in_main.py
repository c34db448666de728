"""LP259: sentinel-compared-in-main."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import changed, lint, lint_files


class TestPage(PageTests):
    code = "LP259"


PROGRAM = """\
import copyreg
import enum
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from typing import final

{made}


@dataclass
class Row:
    number: int
    value: object = MISSING

    @property
    def is_missing(self):
        return self.value is MISSING

    def has(self):
        return self.value is not MISSING


def work(record, default=MISSING):
    {work}


def show(values):
    for each in values:
        print(each is MISSING)


def main():
    records = [{{"a": 1}}, {{}}]
    with mp.Pool(2) as pool, ProcessPoolExecutor(2) as executor, ThreadPoolExecutor(2) as threads:
        {main}


if __name__ == "__main__":
    main()
"""
_MADE, _WORK = "MISSING = object()", "return record['a'] if record else MISSING"
_MAIN = "for each in executor.map(work, records):\n    if each is MISSING:\n        print('missing')"


def _found(main: str = _MAIN, work: str = _WORK, made: str = _MADE) -> int:
    indented = main.replace("\n", "\n        ")
    text = PROGRAM.format(main=indented, work=work.replace("\n", "\n    "), made=made)
    return sum(each.code == "LP259" for each in lint(text).diagnostics)


@pytest.mark.parametrize(
    "main",
    [
        _MAIN,
        "for each in pool.imap_unordered(work, records):\n    if each is not MISSING:\n        print(each)",
        "print([each for each in pool.map(work, records) if each is not MISSING])",
        "print(sum(each is MISSING for each in executor.map(work, records)))",
        "print(sum(1 for each in executor.map(partial(work), records) if each == MISSING))",
        "print(list(filter(lambda each: each is not MISSING, executor.map(work, records))))",
        "print(MISSING in list(executor.map(work, records)), end='')",
        "print(list(executor.map(work, records)).count(MISSING))",
        "if pool.apply(work, (1,)) is MISSING:\n    print('missing')",
        "tasks = [pool.apply_async(work, (each,)) for each in records]\n"
        "print([each for each in (task.get() for task in tasks) if each is not MISSING])",
        "futures = [executor.submit(work, each) for each in records]\n"
        "for future in as_completed(futures):\n    if future.result() in (None, MISSING):\n        continue",
        "found = dict(zip('ab', executor.map(work, records)))\n"
        "print([name for name, each in found.items() if each is MISSING])",
        "show(executor.map(work, records))",
        "def done(value):\n    print(value is MISSING)\npool.apply_async(work, (1,), callback=done)",
        "first, second = pool.map(work, records)\nprint(first is MISSING)",
        "for number, each in enumerate(list(pool.starmap(work, [(1,), (2,)]))):\n    print(number, each is MISSING)",
    ],
)
def test_what_the_main_process_compares(main: str) -> None:
    assert _found(main) == 1


@pytest.mark.parametrize(
    ("work", "asked"),
    [
        ("return MISSING", "each"),
        ("return record.get('a', MISSING)", "each"),
        ("return getattr(record, 'a', MISSING)", "each"),
        ("return record.get('a', default)", "each"),
        ("found = MISSING\nfor key in record:\n    found = key\nreturn found", "each"),
        ("return record.get('k'), record.get('a', MISSING)", "each[1]"),
        ("return {'a': record.get('a', MISSING), 'b': 1}", "each['a']"),
        ("return {'a': record.get('a', MISSING), 'b': 1}", "each.get('a')"),
        ("return Row(1)", "each.value"),
        ("return Row(1, record.get('a', MISSING))", "each.value"),
    ],
)
def test_how_it_is_sent(work: str, asked: str) -> None:
    assert _found(_MAIN.replace("each is", f"{asked} is"), work) == 1


@pytest.mark.parametrize(
    ("work", "main"),
    [
        ("return [MISSING if each is None else each for each in record]", "for value in each:\n        print({})"),
        ("return [MISSING if each is None else each for each in record]", "print([value for value in each if {}])"),
        ("return tuple(record.get(key, MISSING) for key in 'abc')", "_, value, _ = each\n    print({})"),
        ("return {key: record.get(key, MISSING) for key in 'ab'}", "for value in each.values():\n        print({})"),
        (
            "row = {}\nfor key in 'ab':\n    row[key] = record.get(key, MISSING)\nreturn row",
            "value = each['a']; print({})",
        ),
    ],
)
def test_parts_of_what_is_sent(work: str, main: str) -> None:
    loop = "for each in executor.map(work, records):\n    " + main.format("value is MISSING")
    assert _found(loop, work) == 1


@pytest.mark.parametrize("asked", ["each.has()", "each.is_missing"])
def test_methods_and_properties_of_what_comes_back(asked: str) -> None:
    main = f"for each in executor.map(work, records):\n    print({asked})"
    assert _found(main, "return Row(1, record.get('a', MISSING))") == 1
    assert _found(main.replace("executor", "threads"), "return Row(1, record.get('a', MISSING))") == 0


@pytest.mark.parametrize(
    ("made", "count"),
    [
        (_MADE, 1),
        ("class Missing:\n    def __bool__(self):\n        return False\n\nMISSING = Missing()", 1),
        ("class Missing(object):\n    pass\n\nMISSING = Missing()", 1),
        ("class Mark:\n    pass\n\n@final\nclass Missing(Mark):\n    pass\n\nMISSING = Missing()", 1),
        ("class Missing(Exception):\n    pass\n\nMISSING = Missing()", 0),
        ("class Missing:\n    def __reduce__(self):\n        return 'MISSING'\n\nMISSING = Missing()", 0),
        (
            "class Missing:\n    def __eq__(self, other):\n        return True\n\nMISSING = Missing()",
            0,
        ),
        ("class Missing:\n    def __new__(cls):\n        return known\n\nMISSING = Missing()", 0),
        ("class Missing:\n    pass\n\nMISSING = Missing()\ncopyreg.pickle(Missing, lambda _: 'MISSING')", 0),
        ("class MISSING:\n    pass", 0),
        ("class Mark(enum.Enum):\n    MISSING = enum.auto()\n\nMISSING = Mark.MISSING", 0),
        ("MISSING = None", 0),
        ("MISSING = ...", 0),
        ("def MISSING():\n    pass", 0),
        ("from dataclasses import MISSING", 0),
    ],
)
def test_what_comes_back_as_the_same(made: str, count: int) -> None:
    assert _found(made=made) == count


def test_an_object_in_the_body_of_a_class() -> None:
    made = "MISSING = None\n\nclass Status:\n    FAILED = object()\n    DONE = object()"
    main = "for status, each in executor.map(work, records):\n    if status is Status.FAILED:\n        print(each)"
    work = "return (Status.DONE, 1) if record else (Status.FAILED, 2)"
    assert _found(main, work, made) == 1
    assert _found(main, work, made.replace("Status:", "Status(enum.Enum):")) == 0


@pytest.mark.parametrize(
    "main",
    [
        _MAIN.replace("executor", "threads"),
        "for each in executor.map(work, records):\n    if each is None:\n        print('missing')",
        "for each in executor.map(work, records):\n    each = 3\n    print(each is MISSING)",
        "for each in executor.map(work, records):\n    print(each)\nprint({}.get('a', MISSING) is MISSING)",
        "for given, each in zip([1, MISSING], executor.map(work, records)):\n    print(given is MISSING, each)",
        "for each in map(work, records):\n    print(each is MISSING)",
        "for each in executor.map(work, records):\n    print(len([each]) == MISSING)",
    ],
)
def test_what_does_not_come_back_or_is_not_compared(main: str) -> None:
    assert _found(main) == 0


@pytest.mark.parametrize(
    "work",
    [
        "return None",
        "return record is MISSING",
        "found = record.get('a', MISSING)\nif found is MISSING:\n    return None\nreturn found",
        "found = record.get('a', MISSING)\nreturn None if found is MISSING else found",
        "found = getattr(record, 'a', MISSING)\nif found is not MISSING:\n    return found",
        "found = record.get('a', MISSING)\nif found is MISSING:\n    found = 3\nreturn found",
        "return [each for each in [record.get(key, MISSING) for key in 'ab'] if each is not MISSING][0]",
        "own = object()\nreturn own",
        "return next(iter(record), MISSING)",  # gap: only the elements are known to come of it.
        "record['a'] = MISSING\nreturn record['a']",  # gap: what is put into what was given is not followed.
    ],
)
def test_what_is_not_sent(work: str) -> None:
    assert _found(work=work) == 0


def test_what_is_sent_as_it_stands_though_workers_compare_it_too() -> None:
    assert _found(work="if record is MISSING:\n    return MISSING\nreturn record") == 1


def test_other_modules(tmp_path: Path) -> None:
    text = changed(PROGRAM.format(made="from marks import MISSING", work=_WORK, main=_MAIN.replace("\n", "\n        ")))
    found = lint_files(tmp_path, {"marks.py": "class _Missing:\n    pass\n\n\nMISSING = _Missing()\n", "run.py": text})
    assert [each.code for each in found] == ["LP259"]


QUEUED = """\
import multiprocessing as mp
import queue
import threading
from concurrent.futures import ProcessPoolExecutor

DONE = {done}


def work(channel, number):
    channel.{put}(number)
    channel.{put}({item})


def consume(channel):
    {consume}


def main():
    {start}
    consume({end})


if __name__ == "__main__":
    main()
"""
_PROCESS = "channel = mp.Queue()\nmp.Process(target=work, args=(channel, 3)).start()"
_LOOP = "for each in iter(channel.get, DONE):\n    print(each)"


def _taken(
    consume: str = _LOOP,
    start: str = _PROCESS,
    item: str = "DONE",
    done: str = "object()",
    put: str = "put",
    end: str = "channel",
) -> list[str]:
    text = QUEUED.format(
        done=done,
        put=put,
        item=item,
        end=end,
        consume=consume.replace("\n", "\n    "),
        start=start.replace("\n", "\n    "),
    )
    return [each.code for each in lint(text).diagnostics if each.code in ("LP259", "LP216")]


@pytest.mark.parametrize(
    ("consume", "item"),
    [
        (_LOOP, "DONE"),
        ("while (each := channel.get()) is not DONE:\n    print(each)", "DONE"),
        ("while True:\n    each = channel.get(timeout=3)\n    if each is DONE:\n        break", "DONE"),
        ("number, each = channel.get()\nprint(each is DONE)", "(number, DONE)"),
        ("each = channel.get()\nprint(each['end'] is DONE)", "{'end': DONE}"),
    ],
)
def test_what_workers_put_into_a_queue(consume: str, item: str) -> None:
    assert _taken(consume, item=item) == ["LP259"]
    assert _taken(consume, item=item, done="None") == []


def test_pipes_and_queues_of_managers() -> None:
    pipe = "channel, other = mp.Pipe()\nmp.Process(target=work, args=(other, 3)).start()"
    assert _taken("while channel.recv() is not DONE:\n    print(1)", pipe, put="send") == ["LP259"]
    managed = "channel = mp.Manager().Queue()\nProcessPoolExecutor(1).submit(work, channel, 3)"
    assert _taken(start=managed) == ["LP259"]


@pytest.mark.parametrize(
    ("start", "item"),
    [
        (_PROCESS, "None"),
        ("channel = queue.Queue()\nthreading.Thread(target=work, args=(channel, 3)).start()", "DONE"),
        (f"{_PROCESS}\nchannel = queue.Queue()\nwork(channel, 3)", "DONE"),
    ],
)
def test_what_no_worker_puts_there(start: str, item: str) -> None:
    assert _taken(start=start, item=item) == []


def test_a_reader_that_is_a_worker_itself() -> None:
    start = f"{_PROCESS}\nmp.Process(target=consume, args=(channel,)).start()"
    assert _taken(start=start, end="queue.Queue()") == ["LP216"]
