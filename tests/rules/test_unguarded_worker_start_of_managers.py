"""LP203: managers that are started at import."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import Confidence
from tests.rules.unguarded_starts import in_files, rows_of_starts
from tests.support import lint_files

MANAGERS = """\
import multiprocessing
import multiprocessing as mp
from functools import lru_cache
from multiprocessing import Manager
from multiprocessing.managers import BaseManager, SyncManager
from typing import ClassVar
from django.db import models
"""


@pytest.mark.parametrize(
    "text",
    [
        "manager = multiprocessing.Manager()",
        "seen = mp.Manager().dict()",
        "manager = multiprocessing.get_context('spawn').Manager()",
        "with mp.Manager() as manager:\n    print(manager.dict())",
        "class Seen:\n    names = mp.Manager().list()",
        "class Seen:\n    names: ClassVar[list] = Manager().list()",
        "def note(name, seen=mp.Manager().dict()):\n    seen[name] = 1",
        "class Seen:\n    def __init__(self, manager=Manager()):\n        self.names = manager.list()",
        "def make():\n    return Manager()\nmanager = make()",
        "manager = SyncManager()\nmanager.start()",
        "class Numbers(BaseManager):\n    pass\nnumbers = Numbers()\nnumbers.start()",
        "class Numbers(BaseManager):\n    pass\nwith Numbers() as numbers:\n    print(numbers)",
        "class Numbers(BaseManager):\n    pass\nnumbers = Numbers()\nwith numbers:\n    print(numbers)",
    ],
)
def test_managers_that_are_started_at_import(text: str) -> None:
    assert len(rows_of_starts(MANAGERS + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "if __name__ == '__main__':\n    manager = mp.Manager()",
        "def make():\n    return mp.Manager()",
        "@lru_cache\ndef make():\n    return mp.Manager().dict()",
        "class Seen:\n    def __init__(self, manager=None):\n        self.manager = manager or Manager()",
        "class Numbers(BaseManager):\n    pass\nNumbers.register('numbers', list)\nnumbers = Numbers(('', 5000))",
        "class Numbers(BaseManager):\n    pass\ndef run():\n    with Numbers() as numbers:\n        print(numbers)",
        "class Numbers(BaseManager):\n    pass\nif __name__ == '__main__':\n    with Numbers():\n        print(1)",
        "class Numbers:\n    def __enter__(self):\n        return self\nwith Numbers() as numbers:\n    print(1)",
        "class Query(models.Model):\n    objects = models.Manager()",
        "manager = mp.get_context('fork').Manager()",
        "if mp.current_process().name == 'MainProcess':\n    manager = mp.Manager()",
    ],
)
def test_managers_that_are_not_started_at_import(text: str) -> None:
    assert rows_of_starts(MANAGERS + text) == []


def test_a_manager_of_a_module_that_workers_import(tmp_path: Path) -> None:
    state = "import multiprocessing\n\nquota = multiprocessing.Manager().dict()\n"
    main = "from state import quota\n\n\ndef main():\n    print(quota)\n\n\nif __name__ == '__main__':\n    main()\n"
    assert in_files(tmp_path, {"state.py": state, "main.py": main}) == {("state.py", "LP203")}


_STATE = "from multiprocessing import Manager\n\ncache = Manager().dict()\n"
_FORKS = "import multiprocessing\n\nmultiprocessing.set_start_method('fork')\nimport {}\n"
_FORKS_LATER = "import multiprocessing\nimport state\n\nmultiprocessing.set_start_method('fork')\n"
_FORKS_WHEN_CALLED = (
    "import multiprocessing\n\n\ndef main():\n    multiprocessing.set_start_method('fork')\n\n\nimport state\n"
)
_MAIN = "\n\ndef main():\n    print('go')\n\n\nif __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    ("files", "is_found"),
    [
        pytest.param({"one.py": _FORKS.format("state") + _MAIN}, False, id="one program"),
        pytest.param(
            {"one.py": _FORKS.format("state") + _MAIN, "two.py": _FORKS.format("state") + _MAIN},
            False,
            id="two programs",
        ),
        pytest.param(
            {"one.py": _FORKS.format("steps") + _MAIN, "steps.py": "import state\n"},
            False,
            id="by way of another module",
        ),
        pytest.param(
            {"one.py": _FORKS.format("state") + _MAIN, "two.py": f"import state\n{_MAIN}"},
            True,
            id="one of two programs does not",
        ),
        pytest.param(
            {"one.py": _FORKS.format("steps") + _MAIN, "steps.py": f"import state\n{_MAIN}"},
            True,
            id="the other module is a script, too",
        ),
        pytest.param(
            {"one.py": "import steps\n" + _FORKS.format("state") + _MAIN, "steps.py": "import state\n"},
            True,
            id="imported before by another module",
        ),
        pytest.param({"one.py": _FORKS_LATER + _MAIN}, True, id="after the import"),
        pytest.param({"one.py": _FORKS_WHEN_CALLED + _MAIN}, True, id="in a function"),
        pytest.param({"one.py": _FORKS.format("state").replace("fork", "spawn") + _MAIN}, True, id="spawn"),
    ],
)
def test_a_manager_of_a_module_that_programs_import_after_they_set_fork(
    tmp_path: Path, files: dict[str, str], is_found: bool
) -> None:
    found = in_files(tmp_path, {"state.py": _STATE, **files})
    assert (("state.py", "LP203") in found) is is_found


_RUNS_JOBS = "from pkg import state\nfrom multiprocessing import Process\nfrom pkg.jobs import work\n\n\ndef main():\n"
_RUNS_JOBS += "    Process(target=work).start()\n\n\nif __name__ == '__main__':\n    main()\n"
_RUNS_NOTHING = f"from pkg import state\n{_MAIN}"
_RUNNER = "from multiprocessing import Process\n\n\ndef run(task):\n    Process(target=task).start()\n"
_RUNS_BY_RUNNER = "from pkg import runner\nfrom pkg.jobs import work\n\n\ndef main():\n    runner.run(work)\n\n\n"
_RUNS_BY_RUNNER += "if __name__ == '__main__':\n    main()\n"
_WORK = "def work():\n    print('work')\n"


@pytest.mark.parametrize(
    ("files", "is_found"),
    [
        pytest.param({"pkg/__main__.py": _RUNS_NOTHING}, False, id="no worker"),
        pytest.param({"pkg/__main__.py": _RUNS_JOBS}, False, id="workers of another module"),
        pytest.param(
            {"pkg/__main__.py": _RUNS_JOBS, "pkg/jobs.py": f"from pkg import state\n\n\n{_WORK}"},
            True,
            id="by what defines the task",
        ),
        pytest.param(
            {
                "pkg/__main__.py": _RUNS_BY_RUNNER,
                "pkg/runner.py": _RUNNER,
                "pkg/jobs.py": f"from pkg import state\n\n\n{_WORK}",
            },
            True,
            id="by what defines the task that another module starts",
        ),
        pytest.param(
            {"pkg/__main__.py": _RUNS_NOTHING.replace("state", "steps"), "pkg/steps.py": "from pkg import state\n"},
            False,
            id="by way of another module",
        ),
        pytest.param({"pkg/main.py": _RUNS_NOTHING}, True, id="a module that workers import again"),
        pytest.param(
            {"pkg/__main__.py": _RUNS_NOTHING, "day.py": _RUNS_NOTHING},
            True,
            id="and a script",
        ),
    ],
)
def test_a_manager_of_a_module_that_the_main_file_of_a_package_imports(
    tmp_path: Path, files: dict[str, str], is_found: bool
) -> None:
    package = {"pkg/__init__.py": "", "pkg/jobs.py": _WORK, "pkg/state.py": _STATE}
    found = in_files(tmp_path, {**package, **files})
    assert (("state.py", "LP203") in found) is is_found


def test_workers_that_import_what_a_main_file_alone_imports_may_never_start(tmp_path: Path) -> None:
    main = "import sys\nfrom pkg import state\nfrom multiprocessing import Process\n\nif __name__ == '__main__':\n"
    main += "    if len(sys.argv) > 1:\n        Process(target=state.work).start()\n"
    package = {"pkg/__init__.py": "", "pkg/__main__.py": main, "pkg/state.py": f"{_STATE}\n\n{_WORK}"}
    assert ("state.py", "LP203") in in_files(tmp_path, package)
    found = lint_files(tmp_path, package)
    assert [each.confidence for each in found if each.code == "LP203"] == [Confidence.LIKELY]
