"""What a script does again at import that calls a module which starts the workers: they import it, too. The programs
were run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated

JOBS = """\
import multiprocessing


def work():
    print("work")


def go():
    process = multiprocessing.Process(target=work)
    process.start()
    process.join()
"""
SCRIPT = """\
import os
import tempfile
{imports}

{first}


def main():
    {run}


if __name__ == "__main__":
    main()
"""
MAKES = "os.mkdir('out')"


def verdict(folder: Path, imports: str = "import jobs", first: str = MAKES, run: str = "jobs.go()", **more: str) -> str:
    script = SCRIPT.format(imports=imports, first=first, run=run)
    [boundary] = migrated(folder, run=script, jobs=JOBS, **more).boundaries
    return boundary.verdict.name


@pytest.mark.parametrize(
    ("imports", "run", "more"),
    [
        ("import jobs", "jobs.go()", {}),
        ("", "import jobs\n    jobs.go()", {}),
        ("from jobs import go", "go()", {}),
        ("import between", "between.run()", {"between": "import jobs\n\n\ndef run():\n    jobs.go()\n"}),
    ],
    ids=["imported", "imported late", "by its name", "by way of another"],
)
def test_what_the_script_does_at_import(imports: str, run: str, more: dict[str, str], tmp_path: Path) -> None:
    assert verdict(tmp_path, imports, MAKES, run, **more) == Verdict.BREAKS.name


def test_what_a_module_does_that_the_script_imports(tmp_path: Path) -> None:
    found = verdict(tmp_path, "import jobs, folders", "", folders=f"import os\n\n{MAKES}\n")
    assert found == Verdict.BREAKS.name


def test_a_file_that_the_script_reads_before_it_leaves_the_folder(tmp_path: Path) -> None:
    found = verdict(tmp_path, first="LABELS = open('labels.txt').read()", run="os.chdir('/')\n    jobs.go()")
    assert found == Verdict.BREAKS.name


@pytest.mark.parametrize(
    ("imports", "first", "run", "more"),
    [
        ("import jobs", "", "os.mkdir('out')\n    jobs.go()", {}),
        ("import jobs", "", "import folders\n    jobs.go()", {"folders": f"import os\n\n{MAKES}\n"}),
        ("import jobs", "", "jobs.go()", {"other": f"import os\n\n{MAKES}\nif __name__ == '__main__':\n    print()\n"}),
        ("import jobs", "LABELS = open('labels.txt').read()", "jobs.go()", {}),
    ],
    ids=["by main", "a module that only main imports", "another script", "the folder stays"],
)
def test_what_workers_do_not_repeat(imports: str, first: str, run: str, more: dict[str, str], tmp_path: Path) -> None:
    assert verdict(tmp_path, imports, first, run, **more) == Verdict.READY.name
