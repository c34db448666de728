"""`check --profile`: what the stopwatch books where, with a clock that ticks when it is asked; and the table."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lintpickle import profiling
from lintpickle.api import lint_paths
from lintpickle.commands import app
from lintpickle.commands._profile_text import profile_text
from lintpickle.diagnostics import Outcome
from lintpickle.engine.processes import in_processes
from lintpickle.profiling import Helpers, Part, Spent, Stopwatch, profiled
from lintpickle.settings import SettingsResolver

SOURCE = """\
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __init__(self, ranges):
        self.names = ranges.keys()


for batch in DataLoader(Boxes({}), num_workers=2):
    print(batch)
"""


@dataclass
class Clock:
    """Shows what it was set to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Counter:
    """Ticks each time that it is looked at, so that every measured part takes some time."""

    now: int = 0

    def __call__(self) -> float:
        self.now += 1
        return float(self.now)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stopwatch(clock: Clock) -> Stopwatch:
    clock.now = 3.0
    return Stopwatch(clock)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "boxes"\n')
    (tmp_path / "train.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("def\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["check", *arguments])


def linted() -> Outcome:
    return lint_paths(["."], resolver=SettingsResolver(isolated=True))


class TestStopwatch:
    def test_an_inner_part_stops_the_outer_one(self, clock: Clock, stopwatch: Stopwatch) -> None:
        clock.now += 1
        with stopwatch.running(Part.LINK):
            clock.now += 10
            with stopwatch.running(Part.READ, "a.py"):
                clock.now += 100
            clock.now += 1000
        clock.now += 2
        assert stopwatch.stop() == 1116.0
        assert stopwatch.before == 3.0
        assert stopwatch.by_part() == {
            Part.OTHER: Spent(3.0),
            Part.LINK: Spent(1010.0, 1),
            Part.READ: Spent(100.0, 1),
        }

    def test_an_error_ends_a_part(self, clock: Clock, stopwatch: Stopwatch) -> None:
        with pytest.raises(ValueError, match="bad"), stopwatch.running(Part.WALK), stopwatch.running(Part.PARSE):
            clock.now += 5
            raise ValueError("bad")
        clock.now += 1
        stopwatch.stop()
        assert stopwatch.by_part() == {Part.OTHER: Spent(1.0), Part.WALK: Spent(0.0, 1), Part.PARSE: Spent(5.0, 1)}

    def test_what_reading_needs_counts_for_the_file(self, clock: Clock, stopwatch: Stopwatch) -> None:
        with stopwatch.running(Part.RULES, "LP101"), stopwatch.running(Part.WALK, "a.py"):
            clock.now += 1
            with stopwatch.running(Part.PARSE):
                clock.now += 2
        assert stopwatch.by_subject(*profiling.READING) == {"a.py": Spent(3.0, 2)}

    def test_what_rules_have_read_counts_for_no_rule(self, clock: Clock, stopwatch: Stopwatch) -> None:
        with stopwatch.running(Part.RULES, "LP101"):
            clock.now += 1
            with stopwatch.running(Part.SCREEN):
                clock.now += 2
        assert stopwatch.by_subject(Part.RULES, Part.SCREEN) == {"LP101": Spent(1.0, 1)}

    def test_the_user_of_an_iterator_is_not_booked_to_it(self, clock: Clock, stopwatch: Stopwatch) -> None:
        def hook(first: int) -> Iterator[int]:
            for item in (first, first + 1):
                clock.now += 1
                yield item
            clock.now += 1

        found = []
        for item in stopwatch.watched(hook, Part.RULES, "LP101")(7):
            clock.now += 50
            found.append(item)
        assert found == [7, 8]
        assert stopwatch.by_subject(Part.RULES) == {"LP101": Spent(3.0, 1)}

    def test_a_function_that_gives_all_at_once(self, clock: Clock, stopwatch: Stopwatch) -> None:
        def hook() -> list[int]:
            clock.now += 4
            return [1]

        watched = stopwatch.watched(hook, Part.RULES, "LP101")
        assert watched() == watched() == [1]
        assert stopwatch.by_subject(Part.RULES) == {"LP101": Spent(8.0, 2)}


class TestOff:
    def test_nothing_is_wrapped(self) -> None:
        clock = Clock()
        assert profiling.watched(clock, ["__call__"], Part.RULES, "LP101") is clock
        assert vars(clock) == {"now": 0.0}
        items = iter([1])
        assert profiling.timed(items, Part.SCREEN) is items
        assert profiling.running(Part.READ, "a.py") is profiling.running(Part.LINK)

    def test_it_ends_with_the_block(self, stopwatch: Stopwatch) -> None:
        with profiled(stopwatch), profiling.running(Part.READ, "a.py"):
            pass
        with profiling.running(Part.LINK):
            pass
        assert stopwatch.by_part().keys() == {Part.OTHER, Part.READ}

    def test_what_is_imported_already_costs_nothing(self, stopwatch: Stopwatch) -> None:
        with profiled(stopwatch):
            with profiling.importing("os"):
                pass
            with profiling.importing("not_imported_yet"):
                pass
        assert stopwatch.by_part()[Part.IMPORT].count == 1


class TestOfARun:
    def test_all_of_the_time_is_booked_and_the_findings_are_the_same(self, project: Path) -> None:
        stopwatch = Stopwatch(Counter())
        with profiled(stopwatch):
            outcome = linted()
        parts = stopwatch.by_part()
        assert {"LP101", "LP900"} <= {d.code for d in outcome.diagnostics}
        assert outcome == linted()
        assert stopwatch.before + sum(spent.seconds for spent in parts.values()) == stopwatch.stop() - 1
        assert all(spent.seconds > 0 for spent in parts.values())
        reading = {Part.READ, Part.MAP, Part.SCREEN, Part.GUARD, Part.PARSE, Part.POSITIONS, Part.WALK}
        assert reading <= profiling.READING
        assert reading | {Part.LOAD, Part.DISCOVER, Part.LINK, Part.RULES, Part.SUPPRESS, Part.OTHER} <= parts.keys()
        assert parts[Part.READ].count == parts[Part.MAP].count == 2
        assert parts[Part.PARSE].count == parts[Part.POSITIONS].count == parts[Part.WALK].count
        assert "LP101 dict-view-attribute" in stopwatch.by_subject(Part.RULES)
        files = stopwatch.by_subject(*profiling.READING)
        assert {os.path.basename(path) for path in files} == {"train.py", "broken.py"}

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="shares are judged in forked processes")
    def test_what_other_processes_do_is_booked_here(self) -> None:
        def work(share: str) -> bytes:
            with profiling.running(Part.WALK, f"{share}.py"), profiling.running(Part.PARSE):
                return share.encode()

        def nothing(share: str) -> bytes:
            return b"" if sum(range(300_000)) else b"?"

        with profiled() as stopwatch, profiling.running(Part.LINK):
            found = in_processes(["a", "b", "c"], work, at_once=2, take=bytes)
        assert found == [b"a", b"b", b"c"]
        assert [helpers.processes for helpers in stopwatch.helpers] == [3]
        parts = stopwatch.by_part()
        assert {part: parts[part].count for part in (Part.SHARE, Part.LINK, Part.WALK, Part.PARSE)} == {
            Part.SHARE: 1, Part.LINK: 1, Part.WALK: 3, Part.PARSE: 3,
        }  # fmt: skip
        assert stopwatch.by_subject(Part.PARSE).keys() == {"a.py", "b.py", "c.py"}
        assert in_processes(["a"], work, at_once=1, take=bytes) == [b"a"], "and nothing where no time is measured"
        with profiled() as stopwatch, profiling.running(Part.LINK):
            before = stopwatch.by_part().get(Part.OTHER, Spent()).seconds
            in_processes(["a"], nothing, at_once=1, take=bytes)
        parts = stopwatch.by_part()
        assert parts[Part.OTHER].seconds - before < parts[Part.LINK].seconds, "it goes on with what runs here"


class TestTable:
    def test_the_whole_of_it(self, clock: Clock, stopwatch: Stopwatch) -> None:
        with stopwatch.running(Part.READ, os.path.abspath("code/a.py")):
            clock.now += 0.25
        with stopwatch.running(Part.LINK):
            clock.now += 0.5
            with stopwatch.running(Part.RULES, "LP101 dict-view-attribute"):
                clock.now += 1.25
        assert profile_text(stopwatch, Path.cwd()) == (
            "part of the run                         CPU ms   share   count\n"
            "start-up                                  3000   60.0%\n"
            "read: read and decode (files)              250    5.0%       1\n"
            "link: what crosses, and how (projects)     500   10.0%       1\n"
            "rules (calls of hooks)                    1250   25.0%       1\n"
            "everything else                              0    0.0%\n"
            "total                                     5000  100.0%\n"
            "\n"
            "rules that took most       CPU ms   share   count\n"
            "LP101 dict-view-attribute    1250   25.0%       1\n"
            "\n"
            "files that took most to read  CPU ms   share\n"
            f"{os.path.join('code', 'a.py'):<28}     250    5.0%\n"
        )

    def test_only_the_top_is_shown_the_most_expensive_first(self, clock: Clock, stopwatch: Stopwatch) -> None:
        for number in range(12):
            with stopwatch.running(Part.RULES, f"LP{number:03}"), stopwatch.running(Part.WALK, f"{number:02}.py"):
                clock.now += number
            with stopwatch.running(Part.RULES, f"LP{number:03}"):
                clock.now += number
        text = profile_text(stopwatch, Path.cwd())
        assert re.findall(r"^LP\d+", text, re.MULTILINE) == [f"LP{number:03}" for number in range(11, 1, -1)]
        assert re.findall(r"^(\d+)\.py", text, re.MULTILINE) == ["11", "10", "09", "08", "07"]

    def test_other_processes_are_part_of_the_total(self, clock: Clock, stopwatch: Stopwatch) -> None:
        stopwatch.helpers.append(Helpers(2, 0.125))
        with stopwatch.running(Part.LINK):
            clock.now += 0.5
        stopwatch.take_over([("LINK", "", 0.25, 2), ("WALK", os.path.abspath("a.py"), 0.25, 1)])
        text = profile_text(stopwatch, Path.cwd())
        assert re.search(r"^link: what crosses, and how \(projects\) +750 +18\.8% +3$", text, re.MULTILINE)
        assert re.search(r"^a\.py +250 +6\.2%$", text, re.MULTILINE)
        assert re.search(r"^total +4000 +100\.0%$", text, re.MULTILINE)
        assert "Part of this was done in 2 other processes, for which the first one waited 125 ms." in text


class TestCommand:
    def test_findings_stay_alone_on_standard_output(self, project: Path) -> None:
        plain, profiled = run("--no-cache", "-q"), run("--no-cache", "-q", "--profile")
        assert profiled.stdout == plain.stdout != ""
        assert profiled.exit_code == plain.exit_code == 1
        assert plain.stderr == ""
        assert profiled.stderr.startswith("part of the run ")
        assert re.search(r"^LP101 dict-view-attribute +\d+ +\d+\.\d% +\d+$", profiled.stderr, re.MULTILINE)
        assert "From the cache" not in profiled.stderr

    def test_what_the_cache_knew(
        self, project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("LINTPICKLE_NO_CACHE")
        (project / "broken.py").unlink()
        folder = str(tmp_path_factory.mktemp("cache"))
        assert "From the cache" not in run("--cache-dir", folder, "--profile").stderr
        (project / "new.py").write_text("d = {}\n")
        known = run("--cache-dir", folder, "--profile").stderr
        assert re.search(
            r"^From the cache: the outlines of 1 of 2 files, the facts of (\d+) of \1 ", known, re.MULTILINE
        )

    def test_not_while_watching(self, project: Path) -> None:
        result = run("--watch", "--profile")
        assert result.exit_code == 2
        assert "--watch and --profile exclude each other" in result.stderr
