"""Globals that main sets when it has come past the start of some workers, which have none of it under fork either."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated

ROUNDS = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

BONUS = 0


def play(player):
    return player, len(player) * 10 + BONUS


def first_round(players):
    {first}


def second_round(players):
    with mp.Pool(2) as pool:
        return dict(pool.map(play, players))


def main():
    global BONUS
    players = ["ann", "robert"]
    {body}


if __name__ == "__main__":
    main()
"""
POOL = "with mp.Pool(2) as pool:\n        return dict(pool.map(play, players))"
EXECUTOR = "with ProcessPoolExecutor(2) as executor:\n        return dict(executor.map(play, players))"
PROCESS = (
    "process = mp.Process(target=play, args=(players[0],))\n    process.start()\n    process.join()\n    return {}"
)
LATER = ["print(first_round(players))", "BONUS = len(players)", "print(second_round(players))"]


def by_row(folder: Path, first: str, body: list[str]) -> list[Verdict]:
    code = ROUNDS.format(first=first, body="\n    ".join(body))
    found = migrated(folder, code).boundaries
    return [each.verdict for each in sorted(found, key=lambda each: each.spot) if "play" in each.starts]


@pytest.mark.parametrize(
    "first", [pytest.param(POOL, id="pool"), pytest.param(EXECUTOR, id="executor"), pytest.param(PROCESS, id="process")]
)
def test_only_the_workers_that_start_later_miss_it(first: str, tmp_path: Path) -> None:
    assert by_row(tmp_path, first, LATER) == [Verdict.READY, Verdict.CHANGES]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(["BONUS = 5", "print(first_round(players), second_round(players))"], id="before both"),
        pytest.param(["for bonus in (1, 2):", "    print(first_round(players))", "    BONUS = bonus"], id="in a loop"),
        pytest.param(["BONUS = 1", *LATER], id="before, and again between"),
    ],
)
def test_workers_that_start_after_it_miss_it(body: list[str], tmp_path: Path) -> None:
    assert by_row(tmp_path, POOL, body)[0] is Verdict.CHANGES


def test_where_other_workers_take_the_place_of_the_first_they_miss_it(tmp_path: Path) -> None:
    renewed = POOL.replace("mp.Pool(2)", "mp.Pool(2, maxtasksperchild=1)")
    assert by_row(tmp_path, renewed, LATER)[0] is Verdict.CHANGES


def test_nobody_misses_what_is_set_at_the_end(tmp_path: Path) -> None:
    body = [LATER[0], LATER[2], LATER[1], "print(BONUS)"]
    assert by_row(tmp_path, POOL, body) == [Verdict.READY, Verdict.READY]
