"""What was measured, and the file that keeps it."""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.measure import Run, paired_ratio
from lintpickle.diagnostics import LintpickleError

FILE = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Machine:
    """Where it was measured; `memory` in bytes."""

    cpu: str
    cores: int
    memory: int
    system: str
    python: str


@dataclass(frozen=True)
class Size:
    """The name and size of a corpus, and the packages that it is made of."""

    name: str
    files: int
    lines: int
    bytes: int
    packages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measurement:
    """The runs of lintpickle (`ours`) in a scenario on a corpus, and those of the tool `peer` that took turns with
    them, if there was one. `date` is a day; `load` is the machine's load average when the runs began."""

    scenario: str
    corpus: str
    ours: tuple[Run, ...]
    peer: str = ""
    theirs: tuple[Run, ...] = ()
    date: str = ""
    load: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        return self.scenario, self.corpus, self.peer

    @property
    def cpu(self) -> float:
        """Our median, in seconds."""
        return statistics.median(run.cpu for run in self.ours)

    @property
    def wall(self) -> float:
        """Our median, in seconds."""
        return statistics.median(run.wall for run in self.ours)

    @property
    def peak(self) -> int:
        """Our highest, in bytes."""
        return max(run.peak for run in self.ours)

    @property
    def cpu_ratio(self) -> float:
        """Ours to theirs, the median of pairs."""
        return paired_ratio([run.cpu for run in self.ours], [run.cpu for run in self.theirs])

    @property
    def wall_ratio(self) -> float:
        """Ours to theirs, the median of pairs."""
        return paired_ratio([run.wall for run in self.ours], [run.wall for run in self.theirs])

    def of_peer(self) -> Measurement:
        """The same, seen from the other tool."""
        return replace(self, ours=self.theirs, theirs=self.ours)


@dataclass(frozen=True)
class Results:
    """All measurements of one lintpickle on one machine. `versions` maps the names of tools to versions, `packages`
    to all that is installed with them."""

    machine: Machine
    versions: dict[str, str] = field(default_factory=dict)
    packages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sizes: tuple[Size, ...] = ()
    measurements: tuple[Measurement, ...] = ()

    def merged(self, newer: Results) -> Results:
        """These with `newer` ones in the place of what they measure again. Nothing of these is left if the machine or
        the version of a tool that both know is another one: what was measured with different things is not mixed."""
        if self.machine != newer.machine or any(
            self.versions.get(tool, version) != version for tool, version in newer.versions.items()
        ):
            return newer
        sizes = {size.name: size for size in (*self.sizes, *newer.sizes)}
        measurements = {each.key: each for each in (*self.measurements, *newer.measurements)}
        return Results(
            self.machine,
            {**self.versions, **newer.versions},
            {**self.packages, **newer.packages},
            tuple(sizes.values()),
            tuple(measurements.values()),
        )

    def find(self, scenario: str, corpus: str = "", peer: str = "") -> Measurement | None:
        """The measurement of that, if there is one."""
        return next((each for each in self.measurements if each.key == (scenario, corpus, peer)), None)

    def of(self, scenario: str) -> tuple[Measurement, ...]:
        """The measurements of a scenario."""
        return tuple(each for each in self.measurements if each.scenario == scenario)

    def size(self, corpus: str) -> Size | None:
        """The size of a corpus, if it was measured."""
        return next((each for each in self.sizes if each.name == corpus), None)


def load(path: Path) -> Results | None:
    """The results in a file; None if it does not exist. Raises LintpickleError if it holds something else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return _from_json(content)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise LintpickleError(f"{path} does not hold results of the benchmarks ({error}): remove it") from error


def save(results: Results, path: Path) -> None:
    """Write results as JSON."""
    path.write_text(json.dumps(asdict(results), indent=1) + "\n", encoding="utf-8")


def this_machine() -> Machine:
    """The machine that this runs on."""
    return Machine(
        _processor(),
        os.cpu_count() or 1,
        os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        f"{platform.system()} {platform.machine()}",
        platform.python_version(),
    )


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _from_json(content: dict[str, Any]) -> Results:
    return Results(
        Machine(**content["machine"]),
        content["versions"],
        {tool: tuple(packages) for tool, packages in content["packages"].items()},
        tuple(Size(**{**each, "packages": tuple(each["packages"])}) for each in content["sizes"]),
        tuple(
            Measurement(**{**each, "ours": _runs(each["ours"]), "theirs": _runs(each["theirs"])})
            for each in content["measurements"]
        ),
    )


def _runs(content: Iterable[dict[str, Any]]) -> tuple[Run, ...]:
    return tuple(Run(**each) for each in content)
