"""LP203: modules of libraries that start workers, and joblib."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.rules.unguarded_starts import in_files, rows_of_starts
from tests.support import lint

PRESET = """\
from multiprocessing import Pool

from agents.parts import resize

{begins}with Pool(2) as pool:
    sizes = pool.map(resize, [1, 2, 3])
"""


@pytest.mark.parametrize(
    ("loads", "begins", "fires"),
    [
        ('import_module(f"agents.presets.{name}")', "", False),
        ('spec_from_file_location(name, f"agents/presets/{name}.py")', "", False),
        ('import_module("json")', "", True),
        ('import_module(f"agents.presets.{name}")', "import sys\n\nprint(sys.argv)\n", True),
    ],
)
def test_a_module_of_a_package_that_the_program_may_load_by_name(
    tmp_path: Path, loads: str, begins: str, fires: bool
) -> None:
    files = {
        "agents/__init__.py": "",
        "agents/parts.py": "def resize(size):\n    return size + 1\n",
        "agents/presets/__init__.py": "",
        "agents/presets/maze.py": PRESET.format(begins=begins),
        "coach.py": f"from importlib import import_module\nfrom importlib.util import spec_from_file_location\n\n\n"
        f"def load(name):\n    return {loads}\n\n\nif __name__ == '__main__':\n    load(input())\n",
    }
    assert (("maze.py", "LP203") in in_files(tmp_path, files)) is fires


SHARED_POOL = """
    from multiprocessing import Pool

    _pool = Pool(2)


    def pmap(function, items):
        return _pool.map(function, list(items))
    """
QUOTES = "def quote(trip):\n    return trip * 2\n"
RUNS_LATE = """
    from fleet.quotes import quote


    def main():
        from fleet import parallel

        print(parallel.pmap(quote, range(3)))


    if __name__ == "__main__":
        main()
    """
RUNS_AT_ONCE = """
    from fleet import parallel
    from fleet.quotes import quote

    if __name__ == "__main__":
        print(parallel.pmap(quote, range(3)))
    """
UNDER_GUARD = """
    from fleet.quotes import quote

    if __name__ == "__main__":
        from fleet.parallel import pmap

        print(pmap(quote, range(3)))
    """
BY_ANOTHER = "from fleet import parallel\n\n\ndef all_quotes(count):\n    from fleet.quotes import quote\n\n"
BY_ANOTHER += "    return parallel.pmap(quote, range(count))\n"
RUNS_ANOTHER_LATE = """
    def main():
        from fleet.batch import all_quotes

        print(all_quotes(3))


    if __name__ == "__main__":
        main()
    """
RUNS_ANOTHER_AT_ONCE = """
    from fleet.batch import all_quotes

    if __name__ == "__main__":
        print(all_quotes(3))
    """
ALREADY_AT_IMPORT = RUNS_LATE.replace('if __name__ == "__main__":\n        main()', "main()")
IN_THE_PACKAGE = {"fleet/__init__.py": "from . import parallel\n"}


@pytest.mark.parametrize(
    ("script", "more", "is_found"),
    [
        pytest.param(RUNS_LATE, {}, False, id="in a function"),
        pytest.param(UNDER_GUARD, {}, False, id="under the main guard"),
        pytest.param(RUNS_ANOTHER_LATE, {"fleet/batch.py": BY_ANOTHER}, False, id="by what a function imports"),
        pytest.param(RUNS_LATE, {"tests/test_parallel.py": RUNS_AT_ONCE}, False, id="and by a test"),
        pytest.param(
            RUNS_LATE.replace("    from fleet.quotes", "    from typing import TYPE_CHECKING\n    from fleet.quotes")
            + "\n    if TYPE_CHECKING:\n        from fleet.parallel import pmap\n",
            {},
            False,
            id="and for types",
        ),
        pytest.param(RUNS_AT_ONCE, {}, True, id="at import"),
        pytest.param(RUNS_ANOTHER_AT_ONCE, {"fleet/batch.py": BY_ANOTHER}, True, id="by what the script imports"),
        pytest.param(RUNS_LATE, IN_THE_PACKAGE, True, id="by the package of the task"),
        pytest.param(ALREADY_AT_IMPORT, {}, True, id="in a function that runs at import"),
        pytest.param(
            RUNS_LATE,
            {"fleet/quotes.py": f"from fleet import parallel\n\n\n{QUOTES}"},
            True,
            id="by what defines the task",
        ),
        pytest.param(
            RUNS_LATE,
            {"fleet/quotes.py": QUOTES.replace("    return", "    from fleet import parallel\n\n    return parallel,")},
            True,
            id="by the task",
        ),
        pytest.param("print('nothing')\n", {}, True, id="nowhere"),
        pytest.param(
            "import importlib\n\nif __name__ == '__main__':\n    importlib.import_module('fleet.parallel')\n",
            {},
            True,
            id="by its name",
        ),
    ],
)
def test_a_library_module_that_starts_workers(
    tmp_path: Path, script: str, more: dict[str, str], is_found: bool
) -> None:
    files = {"fleet/__init__.py": "", "fleet/quotes.py": QUOTES, "fleet/parallel.py": SHARED_POOL, "day.py": script}
    found = in_files(tmp_path, {name: dedent(text).lstrip() for name, text in {**files, **more}.items()})
    assert (("parallel.py", "LP203") in found) is is_found


def test_what_is_said_of_a_library_module(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(dedent(SHARED_POOL), encoding="utf-8")
    (tmp_path / "day.py").write_text("import shared\n\nprint(shared.pmap(abs, [1]))\n", encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path)
    (found,) = (each for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics if each.code == "LP203")
    assert found.help is not None
    assert found.help.startswith("start them in a function that the script calls")
    assert next((Path(step.location.path).name, step.location.start.row) for step in found.trail) == ("day.py", 1)


JOBLIB = """
    import sys

    import joblib
    from joblib import Parallel, delayed, parallel_backend, parallel_config

    count = int(sys.argv[1])
    backend = sys.argv[2]


    def square(number):
        return number * number


    def squares(numbers, count, backend="multiprocessing"):
        with Parallel(n_jobs=count, backend=backend) as parallel:
            return parallel(delayed(square)(number) for number in numbers)


    def squares_here(numbers):
        return Parallel(n_jobs=1, backend="multiprocessing")(map(delayed(square), numbers))


    {body}
    """
_TASKS = "(delayed(square)(number) for number in range(9))"


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        (f"print(Parallel(n_jobs=4, backend='multiprocessing'){_TASKS})", Confidence.CERTAIN),
        (f"print(joblib.Parallel(-1, 'multiprocessing'){_TASKS})", Confidence.CERTAIN),
        (f"print(Parallel(n_jobs=count, backend='multiprocessing'){_TASKS})", Confidence.LIKELY),
        (f"with Parallel(4, 'multiprocessing') as parallel:\n        print(parallel{_TASKS})", Confidence.CERTAIN),
        (f"with parallel_config('multiprocessing'):\n        print(Parallel(4){_TASKS})", Confidence.CERTAIN),
        (f"with parallel_backend('multiprocessing'):\n        print(Parallel(4){_TASKS})", Confidence.CERTAIN),
        ("print(squares(range(9), 4))", Confidence.CERTAIN),
    ],
)
def test_joblib_is_asked_for_processes_of_multiprocessing(body: str, confidence: Confidence) -> None:
    found = [each for each in lint(dedent(JOBLIB.format(body=body))).diagnostics if each.code == "LP203"]
    assert [each.confidence for each in found] == [confidence]


@pytest.mark.parametrize(
    "body",
    [
        f"print(Parallel(n_jobs=4){_TASKS})",
        f"print(Parallel(n_jobs=4, backend='loky'){_TASKS})",
        f"print(Parallel(n_jobs=4, backend='threading'){_TASKS})",
        f"print(Parallel(n_jobs=4, backend=backend){_TASKS})",
        f"print(Parallel(backend='multiprocessing'){_TASKS})",
        f"print(Parallel(n_jobs=1, backend='multiprocessing'){_TASKS})",
        f"with parallel_config('threading'):\n        print(Parallel(4){_TASKS})",
        f"with parallel_config('multiprocessing'):\n        print(Parallel(4, 'loky'){_TASKS})",
        "print(squares(range(9), 4, 'loky'))",
        "print(squares(range(9), 1))",
        "print(squares_here(range(9)))",
        "parallel = Parallel(n_jobs=4, backend='multiprocessing')",
        "if __name__ == '__main__':\n        print(squares(range(9), 4))",
    ],
)
def test_joblib_is_not_asked_for_processes_of_multiprocessing(body: str) -> None:
    assert rows_of_starts(JOBLIB.format(body=body)) == []


def test_a_function_of_another_module_asks_joblib_for_processes(tmp_path: Path) -> None:
    (tmp_path / "counting.py").write_text(
        dedent(
            """
            from joblib import Parallel, delayed


            def square(number):
                return number * number


            def squares(numbers, count):
                with Parallel(n_jobs=count, backend="multiprocessing") as parallel:
                    return parallel(delayed(square)(number) for number in numbers)
            """
        )
    )
    script = "import sys\n\nimport counting\n\nprint(counting.squares(range(9), int(sys.argv[1])))\n"
    (tmp_path / "run.py").write_text(script)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    assert [(each.code, Path(each.location.path).name, each.location.start.row) for each in found] == [
        ("LP203", "run.py", 5)
    ]
