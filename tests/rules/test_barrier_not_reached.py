"""LP314: barrier-not-reached."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP314"


_PROGRAM = """\
import multiprocessing as mp
import threading


def work(rows, config, barrier):
{body}


def main(shares, config, workers=3):
    barrier = {made}
    processes = [mp.Process(target=work, args=(rows, config, barrier)) for rows in {over}]
    for each in processes:
        each.start()
    {then}
    for each in processes:
        each.join()


{more}
if __name__ == "__main__":
    main([[1, 2], [3], []], {{}})
"""
_RETURNS = """\
if not rows:
    return
print(sum(rows))
barrier.wait()"""
_CAUGHT = """\
try:
    print(sum(rows) / len(rows))
    barrier.wait()
except {error}:
    {handler}"""


def _found(
    body: str = _RETURNS,
    made: str = "mp.Barrier(len(shares))",
    over: str = "shares",
    then: str = "print('started')",
    more: str = "",
) -> list[int]:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    text = _PROGRAM.format(body=lines, made=made, over=over, then=then, more=more)
    return _rows(text)


def _rows(text: str) -> list[int]:
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP314"]


@pytest.mark.parametrize(
    ("body", "row"),
    [
        pytest.param(_RETURNS, 7, id="returns"),
        pytest.param(_RETURNS.replace("not rows", "len(rows) < 2"), 7, id="too few"),
        pytest.param(_RETURNS.replace("if not rows", "total = sum(rows)\nif total == 0"), 8, id="of a share"),
        pytest.param("if rows:\n    print(sum(rows))\n    barrier.wait()", 6, id="under a condition"),
        pytest.param("with open('log', 'a') as log:\n    if rows:\n        barrier.wait()", 7, id="in with"),
        pytest.param(_CAUGHT.format(error="ZeroDivisionError", handler="print('none')"), 9, id="caught"),
        pytest.param(_CAUGHT.format(error="Exception", handler="return"), 9, id="all caught"),
        pytest.param("for row in rows:\n    if row < 0:\n        return\nbarrier.wait()", 8, id="out of a loop"),
    ],
)
def test_a_way_that_does_not_wait(body: str, row: int) -> None:
    assert _found(body) == [row]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if rows:\n    print(sum(rows))\nbarrier.wait()", id="waits behind"),
        pytest.param("if rows:\n    print(1)\n    barrier.wait()\nelse:\n    barrier.wait()", id="both wait"),
        pytest.param(_RETURNS.replace("    return", "    barrier.wait()\n    return"), id="waits first"),
        pytest.param("try:\n    if not rows:\n        return\nfinally:\n    barrier.wait()", id="finally"),
        pytest.param(_RETURNS.replace("    return", "    barrier.abort()\n    return"), id="abort"),
        pytest.param(_CAUGHT.format(error="Exception", handler="barrier.abort()"), id="abort where caught"),
        pytest.param(_CAUGHT.format(error="ZeroDivisionError", handler="barrier.wait()"), id="waits where caught"),
        pytest.param(_CAUGHT.format(error="threading.BrokenBarrierError", handler="return"), id="broken"),
        pytest.param(_CAUGHT.format(error="Exception", handler="raise"), id="raised again"),
        pytest.param(_RETURNS.replace("    return", "    raise ValueError(rows)"), id="error that ends the worker"),
        pytest.param(_RETURNS.replace("wait()", "wait(5)"), id="time"),
        pytest.param(_RETURNS.replace("wait()", "wait(timeout=5)"), id="time by name"),
        pytest.param(_RETURNS.replace("not rows", "not config"), id="the same for all"),
        pytest.param(_RETURNS.replace("not rows", "len(config) > 3"), id="a setting"),
        pytest.param("if config:\n    barrier.wait()", id="under a setting"),
        pytest.param(_RETURNS.replace("return", "finish(barrier)\n    return"), id="handed on"),
        pytest.param("gate = barrier\n" + _RETURNS, id="another name"),
        pytest.param("def done():\n    barrier.wait()\n\n\nif not rows:\n    done()\n    return\ndone()", id="inner"),
        pytest.param("barrier.wait()\nif not rows:\n    return\nprint(rows)", id="waited before"),
        pytest.param("for row in rows:\n    barrier.wait()", id="in a loop"),
        pytest.param("if not rows:\n    return", id="nobody waits"),
    ],
)
def test_a_function_that_waits_on_each_way_or_may(body: str) -> None:
    assert _found(body) == []


@pytest.mark.parametrize(
    ("made", "over"),
    [
        ("mp.Barrier(3)", "([1], [2], [])"),
        ("mp.Barrier(parties=len(shares))", "enumerate(shares)"),
        ("mp.Barrier(workers)", "range(workers)"),
        ("mp.get_context('spawn').Barrier(len(shares))", "sorted(shares)"),
        ("mp.Manager().Barrier(len(shares))", "shares"),
    ],
)
def test_numbers_that_are_the_same(made: str, over: str) -> None:
    assert _found(made=made, over=over) == [7]


@pytest.mark.parametrize(
    ("made", "over"),
    [
        pytest.param("mp.Barrier(2)", "([1], [2], [])", id="fewer"),
        pytest.param("mp.Barrier(sum(map(bool, shares)))", "shares", id="those with a share"),
        pytest.param("mp.Barrier(workers)", "shares", id="not known to be the same"),
        pytest.param("mp.Barrier(len(shares))", "shares if config else []", id="not known to be started"),
        pytest.param("mp.Barrier(len(shares))", "shares if each", id="some of them"),
        pytest.param("mp.Barrier(len(shares), None, 5)", "shares", id="time"),
        pytest.param("mp.Barrier(len(shares), timeout=5)", "shares", id="time by name"),
        pytest.param("threading.Barrier(len(shares))", "shares", id="of threads"),
        pytest.param("mp.Semaphore(len(shares))", "shares", id="no barrier"),
    ],
)
def test_other_numbers_and_a_time(made: str, over: str) -> None:
    assert _found(made=made, over=over) == []


@pytest.mark.parametrize(
    "then",
    [
        pytest.param("barrier.wait()", id="main waits in the place of one"),
        pytest.param("barrier.abort()", id="abort"),
        pytest.param("watch(barrier)", id="handed on"),
        pytest.param("threading.Thread(target=barrier.wait).start()", id="a thread waits"),
        pytest.param("mp.Process(target=work, args=([1], config, barrier)).start()", id="one more"),
        pytest.param("processes[0].terminate()", id="terminated"),
    ],
)
def test_somebody_else_waits_or_ends_it(then: str) -> None:
    assert _found(then=then) == []


_ALWAYS = "print(rows)\nbarrier.wait()"


@pytest.mark.parametrize(
    ("made", "over"),
    [
        ("mp.Barrier(len(shares) + 1)", "shares"),
        ("mp.Barrier(1 + workers)", "range(workers)"),
        ("mp.Barrier(4)", "range(3)"),
    ],
)
def test_one_more_is_counted(made: str, over: str) -> None:
    assert _found(_ALWAYS, made, over) == [11]


def test_main_is_counted_and_waits() -> None:
    assert _found(_ALWAYS, "mp.Barrier(len(shares) + 1)", then="barrier.wait()") == []
    assert _found(made="mp.Barrier(len(shares) + 1)", then="barrier.wait()") == [7]
    assert _found(_ALWAYS) == []
    assert _found(_ALWAYS, "mp.Barrier(len(shares) + 1, timeout=9)") == []
    assert _found(_ALWAYS, "mp.Barrier(len(shares) + 2)") == []  # gap: two more


_OBJECT = """\
from multiprocessing import Barrier, Process


class Normalizer:
    def __init__(self, shares):
        self.shares = shares
        self.barrier = Barrier(len(shares))

{sync}    def work(self, number):
        rows = self.shares[number]
        if not rows:
            {early}
        print(sum(rows))
        self.{wait}()

    def run(self):
        processes = [Process(target=self.work, args=(number,)) for number in range(len(self.shares))]
        for each in processes:
            each.start()
        for each in processes:
            each.join()


if __name__ == "__main__":
    Normalizer([[1, 2], [3], []]).run()
"""


_SYNC = """\
    def sync(self):
        self.barrier.wait()

"""


@pytest.mark.parametrize("wait", ["barrier.wait", "sync"])
def test_a_barrier_of_an_object(wait: str) -> None:
    for early, rows in (("return", [12]), (f"return self.{wait}()", []), ("rows = [0]", []), ("raise OSError", [])):
        text = _OBJECT.format(early=early, wait=wait, sync=_SYNC if wait == "sync" else "")
        assert _rows(text) == ([row + 3 * (wait == "sync") for row in rows]), early


_GATED = """\
from contextlib import contextmanager
from multiprocessing import Barrier, Process


class Gate:
    def __init__(self, workers):
        {counted}
        self._barrier = Barrier(workers)

    @contextmanager
    def phase(self):
        yield
        self._barrier.wait()

    def meet(self):
        self._barrier.wait()


def plan(rows, workers):
    ranges = []
    for number in range(workers):
        {appended}
    return ranges


class Normalizer:
    def __init__(self, rows, workers):
        self.ranges = plan(rows, workers)
        self.gate = Gate({given})

    def work(self, number):
        rows = self.ranges[number]
        if not rows:
            {early}
        {waits}

    def run(self):
        processes = [Process(target=self.work, args=(number,)) for number in range(len(self.ranges))]
        for each in processes:
            each.start()
        {then}
        for each in processes:
            each.join()


if __name__ == "__main__":
    Normalizer(list(range(32)), 3).run()
"""


def _gated(
    counted: str = "self.workers = workers",
    appended: str = "ranges.append(rows[number * 16 : number * 16 + 16])",
    given: str = "workers",
    early: str = "return",
    waits: str = "with self.gate.phase():\n            print(sum(rows))",
    then: str = "print('started')",
) -> list[int]:
    return _rows(_GATED.format(counted=counted, appended=appended, given=given, early=early, waits=waits, then=then))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"waits": "self.gate.meet()"},
        {"given": "workers=workers"},
        {"given": "len(self.ranges)"},
        {"appended": "part = rows[number * 16 :]\n        ranges.append(part[:16])"},
    ],
)
def test_a_barrier_that_another_object_keeps(changes: dict[str, str]) -> None:
    assert _gated(**changes) == [34 if "part" not in changes.get("appended", "") else 35]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"early": "with self.gate.phase():\n                return"}, id="waits first"),
        pytest.param({"early": "rows = [0]"}, id="goes on"),
        pytest.param({"given": "workers - 1"}, id="another number"),
        pytest.param({"given": "sum(map(bool, self.ranges))"}, id="those with rows"),
        pytest.param({"counted": "workers = min(workers, 2)"}, id="a number of its own"),
        pytest.param(
            {"appended": "if rows[number * 16 :]:\n            ranges.append(rows[number * 16 :])"}, id="some of them"
        ),
        pytest.param({"then": "self.gate.meet()"}, id="the main process waits, too"),
        pytest.param({"waits": "print(sum(rows))"}, id="nobody waits"),
    ],
)
def test_a_barrier_that_another_object_keeps_for_those_that_wait(changes: dict[str, str]) -> None:
    assert _gated(**changes) == []


_SPAWNED = """\
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


class Patience:
    def __init__(self, limit):
        self.limit = limit

    def stop(self, value):
        return value > self.limit


def loss_of(rank, epoch):
    return rank + epoch


def train(rank, barrier, table, stop, epochs):
    patience = Patience(3)
    best = 9
{body}
    print(rank, best)


def launch(world=2, other=3):
    barrier = mp.get_context("spawn").Barrier({parties})
    table = torch.zeros(world, 8).share_memory_()
    stop = mp.get_context("spawn").Event()
    {spawn}


if __name__ == "__main__":
    launch()
"""
_EARLY = """\
for epoch in range(epochs):
    loss = loss_of(rank, epoch)
    table[rank, epoch] = loss
    if patience.stop(loss):
        print("stop")
        break
    barrier.wait()"""
_SPAWN = "mp.spawn(train, args=(barrier, table, stop, 8), nprocs=world)"


def _of_ranks(body: str = _EARLY, parties: str = "world", spawn: str = _SPAWN) -> list[int]:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return _rows(_SPAWNED.format(body=lines, parties=parties, spawn=spawn))


_AT_END = (
    "for epoch in range(epochs):\n    loss = loss_of(rank, epoch)\n    barrier.wait()\n    if loss > 3:\n        {end}"
)


@pytest.mark.parametrize(
    ("body", "row"),
    [
        pytest.param(_EARLY, 26, id="break"),
        pytest.param(_EARLY.replace("break", "return"), 26, id="return"),
        pytest.param(_EARLY.replace("break", "continue"), 26, id="continue"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "rank == 0 and epoch > 2"), 26, id="its number"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "loss > best"), 26, id="compared"),
        pytest.param(
            _EARLY.replace("loss = loss_of(rank, epoch)", "loss, count = loss_of(rank, epoch), 1"), 26, id="two"
        ),
        pytest.param(_EARLY.replace("for epoch in range(epochs):", "while True:\n    epoch = 1"), 27, id="while"),
        pytest.param(_EARLY + "\nbarrier.wait()", 26, id="waits once behind"),
        pytest.param(_AT_END.format(end="break"), 25, id="after it has waited"),
        pytest.param(_AT_END.format(end="return"), 25, id="returns after it has waited"),
        pytest.param("if rank == 0:\n    return\nbarrier.wait()", 22, id="without a loop"),
        pytest.param("if rank:\n    barrier.wait()", 21, id="some of them"),
    ],
)
def test_a_rank_that_leaves_a_loop_in_which_others_wait(body: str, row: int) -> None:
    assert _of_ranks(body) == [row]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(_EARLY.replace("break", "barrier.abort()\n        break"), id="abort"),
        pytest.param(_EARLY.replace("break", "best = loss"), id="goes on"),
        pytest.param(_EARLY.replace("break", "raise ValueError(loss)"), id="error"),
        pytest.param(_EARLY.replace("loss_of(rank, epoch)", "loss_of(1, epoch)"), id="the same for all"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "epoch > 5"), id="the same round for all"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "stop.is_set()"), id="an event"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "patience.stop(loss) and stop.is_set()"), id="told, too"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "table[:, epoch].mean() > 3"), id="of all"),
        pytest.param(_EARLY.replace("patience.stop(loss)", "decide(rank, table)"), id="given what all share"),
        pytest.param(_EARLY.replace("    if pat", "    dist.all_reduce(loss)\n    if pat"), id="reduced in place"),
        pytest.param(_EARLY.replace("loss_of(rank, epoch)", "all_gather(loss_of(rank, epoch))"), id="gathered"),
        pytest.param(_EARLY.replace("        print", "        barrier.wait()\n        print"), id="waits first"),
        pytest.param(_EARLY.replace("barrier.wait()", "barrier.wait(5)"), id="time"),
        pytest.param(_EARLY + "\nfor _ in range(epoch, epochs):\n    barrier.wait()", id="waits for the others"),
        pytest.param(_AT_END.format(end="continue"), id="has waited"),
        pytest.param(
            "for epoch in range(epochs):\n    for step in range(rank):\n        if step > rank:\n            break\n"
            "    barrier.wait()",
            id="an inner loop",
        ),
    ],
)
def test_ranks_that_wait_as_often(body: str) -> None:
    assert _of_ranks(body) == []


@pytest.mark.parametrize(
    ("parties", "spawn", "rows"),
    [
        ("world", _SPAWN.replace("nprocs=world", "nprocs=world, join=True"), []),  # gap: what `join` is
        ("2", _SPAWN.replace("nprocs=world", "nprocs=2"), [26]),
        ("world", "mp.spawn(train, (barrier, table, stop, 8), world)", [26]),
        ("world", _SPAWN.replace("nprocs=world", "nprocs=other"), []),
        ("other", _SPAWN, []),
        ("world + 1", _SPAWN, [32]),
    ],
)
def test_as_many_ranks_as_are_counted(parties: str, spawn: str, rows: list[int]) -> None:
    assert _of_ranks(parties=parties, spawn=spawn) == rows


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("for step in range(9):\n    if step > len(rows):\n        break\n    barrier.wait()", [8]),
        ("for step in range(9):\n    if step > len(config):\n        break\n    barrier.wait()", []),
        ("for step in range(9):\n    if not rows:\n        continue\n    barrier.wait()", [8]),
    ],
)
def test_a_process_that_leaves_a_loop_by_its_own_share(body: str, rows: list[int]) -> None:
    assert _found(body) == rows
