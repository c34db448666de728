"""What joblib's workers lack: they import modules anew under every start method (joblib 1.6, CPython 3.11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.settings import SettingsResolver

RATES = """\
rates = {}
base = None


def load(path):
    global base
    with open(path) as lines:
        rates.update(line.split() for line in lines)
    base = "EUR"


def rate(currency):
    return float(rates[currency])


def in_base(amount):
    return f"{amount} {base}"
"""
MAIN = """\
import sys

from joblib import Parallel, delayed, parallel_backend

import rates


def convert(order):
    return order["amount"] * rates.rate(order["currency"])


def main(orders):
    rates.load(sys.argv[1])
    {start}


if __name__ == "__main__":
    main([])
"""


def _found(folder: Path, **files: str) -> list[tuple[str, Confidence, tuple[StartMethod, ...]]]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [(each.code, each.confidence, each.start_methods) for each in found]


ALL = tuple(StartMethod)


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("return Parallel(n_jobs=4)(delayed(convert)(order) for order in orders)", id="by default"),
        pytest.param("return Parallel(4)(delayed(convert)(order) for order in orders)", id="by place"),
        pytest.param("return Parallel(n_jobs=-1, backend='loky')(map(delayed(convert), orders))", id="loky by name"),
        pytest.param(
            "with parallel_backend('loky'):\n        return Parallel(n_jobs=2)(delayed(convert)(o) for o in orders)",
            id="loky around it",
        ),
        pytest.param(
            "run = Parallel(n_jobs=4, verbose=1)\n    return run(delayed(rates.rate)(each) for each in orders)",
            id="a function of the module",
        ),
    ],
)
def test_modules_are_imported_anew(start: str, tmp_path: Path) -> None:
    assert _found(tmp_path, rates=RATES, main=MAIN.format(start=start)) == [("LP210", Confidence.LIKELY, ALL)]


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("return Parallel(n_jobs=1)(delayed(convert)(order) for order in orders)", id="one worker"),
        pytest.param("return Parallel(1)(delayed(convert)(order) for order in orders)", id="one worker by place"),
        pytest.param("return Parallel()(delayed(convert)(order) for order in orders)", id="no workers"),
        pytest.param("return Parallel(4, prefer='threads')(delayed(convert)(o) for o in orders)", id="threads"),
        pytest.param("return Parallel(4, 'threading')(delayed(convert)(o) for o in orders)", id="threads by place"),
        pytest.param(
            "with parallel_backend('threading'):\n        return Parallel(4)(delayed(convert)(o) for o in orders)",
            id="threads around it",
        ),
        pytest.param(
            "return Parallel(4, backend=sys.argv[2])(delayed(convert)(o) for o in orders)", id="of unknown kind"
        ),
        pytest.param("return [delayed(convert)(order) for order in orders]", id="tasks for another function"),
        pytest.param("return Parallel(4)(delayed(str)(order) for order in orders)", id="nothing of the module"),
    ],
)
def test_what_has_no_fresh_workers(start: str, tmp_path: Path) -> None:
    assert _found(tmp_path, rates=RATES, main=MAIN.format(start=start)) == []


SCRIPT = """\
import sys

from joblib import Parallel, delayed

rates = {{}}
base = None


def rate(currency):
    return float(rates[currency]), base


def main(orders):
    global base
    base = sys.argv[1]
    rates["EUR"] = 1.0
    return Parallel(n_jobs=4)(delayed(rate)(order) for order in orders)


{end}
"""
GUARDED = "if __name__ == '__main__':\n    main([])"


@pytest.mark.parametrize("end", [GUARDED, "main([])"])
def test_functions_of_the_script_take_their_globals_along(end: str, tmp_path: Path) -> None:
    assert _found(tmp_path, convert=SCRIPT.format(end=end)) == []


def test_also_those_that_it_passes_to_a_module(tmp_path: Path) -> None:
    ours, theirs = "Parallel(n_jobs=4)(delayed(rate)(order) for order in orders)", "pool.run(rate, orders)"
    script = SCRIPT.format(end=GUARDED).replace("from joblib import Parallel, delayed", "import pool")
    script = script.replace(ours, theirs)
    pool = "from joblib import Parallel, delayed\n\n\ndef run(function, items):\n    "
    pool += "return Parallel(n_jobs=4)(delayed(function)(item) for item in items)\n"
    assert _found(tmp_path, convert=script, pool=pool) == []


def test_functions_of_an_imported_module_do_not(tmp_path: Path) -> None:
    user = "import sys\nimport convert\n\n\ndef main():\n    convert.main(sys.argv)\n\n\n"
    found = _found(tmp_path, convert=SCRIPT.format(end=""), user=user + GUARDED.replace("[]", ""))
    assert sorted(found) == [("LP208", Confidence.LIKELY, ALL), ("LP210", Confidence.LIKELY, ALL)]


def test_what_tasks_set_themselves(tmp_path: Path) -> None:
    main = MAIN.format(start="return Parallel(n_jobs=4)(delayed(convert)(order) for order in orders)")
    loading = main.replace('    return order["amount"]', '    rates.load("rates.txt")\n    return order["amount"]')
    assert _found(tmp_path, rates=RATES, main=loading) == []


def test_a_global_of_an_imported_module(tmp_path: Path) -> None:
    start = "return Parallel(n_jobs=4)(delayed(rates.in_base)(order) for order in orders)"
    assert _found(tmp_path, rates=RATES, main=MAIN.format(start=start)) == [("LP208", Confidence.LIKELY, ALL)]


def test_the_help_does_not_speak_of_initializers(tmp_path: Path) -> None:
    (tmp_path / "rates.py").write_text(RATES)
    start = "return Parallel(n_jobs=4)(delayed(convert)(order) for order in orders)"
    (tmp_path / "main.py").write_text(MAIN.format(start=start))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [each.help for each in found] == [
        "pass it as an argument, change it at import, or do the same in the function that the workers run"
    ]


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    main = MAIN.format(start="return Parallel(n_jobs=4)(delayed(rates.rate)(order) for order in orders)")
    unguarded = main.replace('if __name__ == "__main__":\n    main([])', "run([])").replace("def main(", "def run(")
    assert _found(tmp_path, rates=RATES, script=unguarded) == []  # gap: pools run the script again, joblib does not


LACKING = (StartMethod.SPAWN, StartMethod.FORKSERVER)


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(
            "return Parallel(4, backend='multiprocessing')(delayed(convert)(o) for o in orders)", id="by name"
        ),
        pytest.param("return Parallel(4, 'multiprocessing')(delayed(convert)(o) for o in orders)", id="by place"),
        pytest.param(
            "options = {'n_jobs': 4, 'backend': 'multiprocessing'}\n"
            "    return Parallel(**options)(delayed(convert)(o) for o in orders)",
            id="by a dictionary",
        ),
        pytest.param(
            "options = {'n_jobs': 4}\n"
            "    try:\n"
            "        own = {'backend': 'multiprocessing'}\n"
            "        Parallel(**own)\n"
            "        options.update(own)\n"
            "    except TypeError:\n"
            "        pass\n"
            "    return Parallel(**options)(delayed(convert)(o) for o in orders)",
            id="if this joblib knows it",
        ),
        pytest.param(
            "with parallel_backend('multiprocessing'):\n"
            "        return Parallel(n_jobs=2)(delayed(convert)(o) for o in orders)",
            id="around it",
        ),
    ],
)
def test_processes_that_are_started_as_those_of_a_pool(start: str, tmp_path: Path) -> None:
    assert _found(tmp_path, rates=RATES, main=MAIN.format(start=start)) == [("LP210", Confidence.LIKELY, LACKING)]


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("return Parallel(1, 'multiprocessing')(delayed(convert)(o) for o in orders)", id="one worker"),
        pytest.param(
            "kind = 'multiprocessing' if orders else 'threading'\n"
            "    return Parallel(4, backend=kind)(delayed(convert)(o) for o in orders)",
            id="threads as well",
        ),
        pytest.param(
            "options = {'backend': 'multiprocessing'} if orders else {'prefer': 'threads'}\n"
            "    return Parallel(4, **options)(delayed(convert)(o) for o in orders)",
            id="threads by another argument",
        ),
        pytest.param(
            "import multiprocessing\n"
            "    multiprocessing.set_start_method('fork')\n"
            "    return Parallel(4, 'multiprocessing')(delayed(convert)(o) for o in orders)",
            id="forked",
        ),
        pytest.param("return Parallel(4, 'multiprocessing')(delayed(str)(o) for o in orders)", id="of the module"),
    ],
)
def test_processes_that_lack_nothing(start: str, tmp_path: Path) -> None:
    assert _found(tmp_path, rates=RATES, main=MAIN.format(start=start)) == []


def test_functions_of_a_script_that_processes_import_again(tmp_path: Path) -> None:
    script = SCRIPT.format(end=GUARDED).replace("n_jobs=4", "n_jobs=4, backend='multiprocessing'")
    found = _found(tmp_path, convert=script)
    assert sorted(set(found)) == [("LP208", Confidence.LIKELY, LACKING)]
