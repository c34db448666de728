"""What stands under the main guard of a module that others import."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

_JOBS = """\
import multiprocessing as mp


def in_parallel(function, items):
    with mp.get_context("spawn").Pool(2) as pool:
        return pool.map(function, items)


if __name__ == "__main__":

    def double(item):
        return 2 * item

    print(in_parallel(double, [1, 2]))
    print(in_parallel(lambda item: item, [1, 2]))
"""
_IMPORTS = "from jobs import in_parallel\n\nprint(in_parallel)\n"


@pytest.mark.parametrize(
    ("name", "others", "expected"),
    [
        pytest.param("jobs.py", {}, {"LP204": "certain", "LP201": "certain"}, id="a script"),
        pytest.param("jobs.py", {"report.py": _IMPORTS}, {"LP201": "likely"}, id="a module"),
        pytest.param(
            "jobs.py",
            {"report.py": "def report():\n    import jobs\n\n    return jobs.in_parallel\n"},
            {"LP201": "likely"},
            id="imported by a function",
        ),
        pytest.param(
            "jobs.py",
            {"tests/test_jobs.py": _IMPORTS},
            {"LP204": "certain", "LP201": "certain"},
            id="imported by a test",
        ),
        pytest.param(
            "jobs.py",
            {"report.py": "import other.jobs\n", "other/jobs.py": "in_parallel = map\n"},
            {"LP204": "certain", "LP201": "certain"},
            id="another of that name",
        ),
        pytest.param(
            "run_jobs.py",
            {"report.py": _IMPORTS.replace("jobs", "run_jobs")},
            {"LP204": "certain", "LP201": "certain"},
            id="a script that lends a function",
        ),
    ],
)
def test_what_stands_under_the_guard_of_a_module_that_others_import(
    name: str, others: dict[str, str], expected: dict[str, str], tmp_path: Path
) -> None:
    found = lint_files(tmp_path, {name: _JOBS, **others})
    assert {each.code: each.confidence.value for each in found} == expected
