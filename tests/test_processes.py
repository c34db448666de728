"""How work is shared among processes."""

from __future__ import annotations

import os

import pytest

from lintpickle.processes import in_processes, in_shares

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


def test_files_of_a_folder_stay_together() -> None:
    sizes = _paths(400, 40)
    shares = in_shares(sizes, 2)
    for folder in {os.path.dirname(path) for path in sizes}:
        assert sum(any(os.path.dirname(path) == folder for path in share) for share in shares) == 1


def test_one_large_file_is_a_share() -> None:
    assert in_shares({"/a/large.py": 1000, "/a/b.py": 1, "/a/c.py": 1}, 2) == [["/a/large.py"], ["/a/b.py", "/a/c.py"]]


@can_fork
def test_each_share_in_a_process_of_its_own() -> None:
    here = os.getpid()
    found = in_processes([1, 2, 3], lambda share: f"{share} {os.getpid()}".encode())
    numbers, pids = zip(*(data.split() for data in found if data is not None), strict=True)
    assert numbers == (b"1", b"2", b"3")
    assert len(set(pids)) == 3
    assert int(pids[0]) == here


@can_fork
def test_a_process_that_fails_gives_nothing() -> None:
    def work(share: int) -> bytes:
        if share == 2:
            os._exit(3)
        return b"done" * 100_000

    assert in_processes([1, 2, 3], work) == [b"done" * 100_000, None, b"done" * 100_000]
