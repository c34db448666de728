"""How work is shared among processes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from lintpickle.engine.processes import in_processes, in_shares

can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def _paths(count: int, folders: int) -> dict[str, int]:
    return {f"/p/{number % folders}/{number}.py": 100 + number for number in range(count)}


@pytest.mark.parametrize(("count", "folders"), [(40, 1), (40, 7), (400, 40), (3, 3)])
@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_shares_hold_everything_once_and_in_order(count: int, folders: int, processes: int) -> None:
    sizes = _paths(count, folders)
    shares = in_shares(sizes, processes)
    assert sorted(path for share in shares for path in share) == sorted(sizes)
    places = {path: place for place, path in enumerate(sizes)}
    assert all(share == sorted(share, key=places.__getitem__) for share in shares)
    assert len(shares) == min(processes, count)


@pytest.mark.parametrize(("count", "folders"), [(100, 1), (100, 7), (400, 40)])
def test_shares_are_of_about_the_same_size(count: int, folders: int) -> None:
    sizes = _paths(count, folders)
    totals = [sum(map(sizes.__getitem__, share)) for share in in_shares(sizes, 4)]
    assert max(totals) < 1.3 * min(totals)


def test_what_stands_together_stays_together() -> None:
    sizes = _paths(400, 40)
    assert [path for share in in_shares(sizes, 7) for path in share] == list(sizes)


def test_one_large_file_is_a_share() -> None:
    assert in_shares({"/a/b.py": 1, "/a/c.py": 1, "/a/large.py": 1000}, 2) == [["/a/b.py", "/a/c.py"], ["/a/large.py"]]
    assert in_shares({"/a/large.py": 1000, "/b.py": 1, "/c.py": 1}, 2) == [["/a/large.py"], ["/b.py", "/c.py"]]


@can_fork
def test_each_share_in_a_process_of_its_own() -> None:
    here = os.getpid()
    found = in_processes([1, 2, 3], lambda share: f"{share} {os.getpid()}".encode(), at_once=2, take=bytes.split)
    numbers, pids = zip(*(data for data in found if data is not None), strict=True)
    assert numbers == (b"1", b"2", b"3")
    assert len(set(pids)) == 3
    assert str(here).encode() not in pids


@can_fork
@pytest.mark.parametrize("at_once", [1, 2, 3, 9])
def test_only_so_many_at_once(at_once: int, tmp_path: Path) -> None:
    def work(share: int) -> bytes:
        (tmp_path / str(share)).touch()
        time.sleep(0.02)
        running = len(list(tmp_path.iterdir()))
        (tmp_path / str(share)).unlink()
        return bytes([share, running])

    found = [data for data in in_processes(range(7), work, at_once, take=bytes) if data is not None]
    assert [share for share, _ in found] == list(range(7))
    assert max(running for _, running in found) <= at_once


@can_fork
def test_a_process_that_fails_gives_nothing() -> None:
    def work(share: int) -> bytes:
        if share == 2:
            os._exit(3)
        return b"done" * 100_000

    assert in_processes([1, 2, 3], work, at_once=3, take=bytes) == [b"done" * 100_000, None, b"done" * 100_000]


@can_fork
def test_what_is_taken_is_known_to_processes_that_start_later() -> None:
    known: list[bytes] = []
    in_processes("abc", lambda share: b"".join([*known, share.encode()]), at_once=1, take=known.append)
    assert known == [b"a", b"ab", b"aabc"]
