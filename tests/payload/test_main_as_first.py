"""Main processes that are the first of the group that they start."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import multiprocessing as mp
import sys

import torch.distributed as dist
import torch.multiprocessing as tmp

commands = None


def set_commands(given):
    global commands
    commands = given


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def is_master():
    return rank() == 0


def sync():
    {read}
    dist.broadcast_object_list(found, src=0)
    print(found[0])


def train(number, count):
    dist.init_process_group("gloo", rank=number, world_size=count)
    sync()


def train_as_next(index, count):
    train(index + 1, count)


def main(count):
    set_commands(["stop"])
{start}

if __name__ == "__main__":
    main(int(sys.argv[1]))
"""

READ = "found = [commands] if is_master() else [None]"
SPAWN = """\
    workers = tmp.spawn(train_as_next, args=(count,), nprocs=count - 1, join=False)
    train_as_next(-1, count)
    workers.join()
"""
PROCESSES = """\
    for number in range(1, count):
        mp.Process(target=train, args=(number, count)).start()
    train(0, count)
"""
SPAWN_ALL = """\
    tmp.spawn(train, args=(count,), nprocs=count)
"""
ONE_OR_ALL = """\
    if count == 1:
        train(0, count)
    else:
        tmp.spawn(train, args=(count,), nprocs=count)
"""
LAST = """\
    for number in range(count - 1):
        mp.Process(target=train, args=(number, count)).start()
    train(count - 1, count)
"""
SECOND = """\
    mp.Process(target=train, args=(0, 2)).start()
    train(1, 2)
"""


def _codes(read: str, start: str) -> list[str]:
    return [each.code for each in lint(PROGRAM.format(read=read, start=start)).diagnostics]


@pytest.mark.parametrize(
    ("read", "start"),
    [
        pytest.param(READ, SPAWN, id="spawned after it"),
        pytest.param(READ, PROCESSES, id="processes from 1"),
        pytest.param("found = [commands if rank() == 0 else None]", PROCESSES, id="rank 0"),
        pytest.param("found = [None]\n    if not dist.get_rank():\n        found = [commands]", SPAWN, id="no rank"),
        pytest.param("found = [None if not is_master() else commands]", SPAWN, id="not the others"),
        pytest.param("found = [None]\n    if is_master() and found:\n        found = [commands]", SPAWN, id="and more"),
    ],
)
def test_what_only_the_first_process_reads_is_not_read_in_workers(read: str, start: str) -> None:
    assert _codes(read, start) == []


@pytest.mark.parametrize(
    ("read", "start"),
    [
        pytest.param("found = [commands]", SPAWN, id="read by all"),
        pytest.param("found = [commands if not is_master() else None]", SPAWN, id="read by the others"),
        pytest.param("found = [commands if rank() == 1 else None]", PROCESSES, id="rank 1"),
        pytest.param("found = [commands if is_master() or sys.argv[2:] else None]", SPAWN, id="or more"),
        pytest.param(READ, SPAWN_ALL, id="the main process only starts them"),
        pytest.param(READ, ONE_OR_ALL, id="one process or all others"),
        pytest.param(READ, LAST, id="the main process is the last one"),
        pytest.param(READ, SECOND, id="the main process is the second one"),
    ],
)
def test_what_workers_read_is_reported(read: str, start: str) -> None:
    assert _codes(read, start) == ["LP208"]
