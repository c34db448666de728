"""LP211: process-setting-in-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint


class TestPage(PageTests):
    code = "LP211"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "import torch\ntorch.set_default_dtype(torch.float64)\ndef g():\n    return torch.zeros(1)\n"
            "def main():\n    mp.Process(target=g)\n",
            id="set at import",
        ),
        pytest.param(
            "import torch\ndef g():\n    return 1\ndef main():\n    torch.set_default_dtype(torch.float64)\n"
            "    mp.Process(target=g)\n",
            id="no worker depends on it",
        ),
        pytest.param(
            "import torch\ndef g():\n    return torch.zeros(1, dtype=torch.int64)\ndef main():\n"
            "    torch.set_default_dtype(torch.float64)\n    mp.Process(target=g)\n",
            id="the call says the type",
        ),
        pytest.param(
            "import torch\ndef g(x) -> torch.Tensor:\n    y: torch.Tensor = x\n    return y\ndef main():\n"
            "    torch.set_default_dtype(torch.float64)\n    mp.Process(target=g, args=(1,))\n",
            id="named in annotations alone",
        ),
        pytest.param(
            "import torch\ndef g(x):\n    return isinstance(x, torch.Tensor)\ndef main():\n"
            "    torch.set_default_dtype(torch.float64)\n    mp.Process(target=g, args=(1,))\n",
            id="a class that is asked for",
        ),
        pytest.param(
            "import torch\ndef g():\n    return torch.zeros(1)\ndef load():\n    torch.set_default_dtype(torch.half)\n"
            "    build()\n    torch.set_default_dtype(torch.float)\ndef build():\n    pass\ndef main():\n    load()\n"
            "    mp.Process(target=g)\n",
            id="set, and set back",
        ),
        pytest.param(
            "import torch\ndef s():\n    torch.set_default_dtype(torch.float64)\ndef g():\n    s()\n"
            "    return torch.zeros(1)\ndef main():\n    s()\n    mp.Process(target=g)\n",
            id="set in the worker, too",
        ),
        pytest.param(
            "import torch\nfrom torch import set_default_dtype as use\ndef g():\n    use(torch.float64)\n"
            "    return torch.zeros(1)\ndef main():\n    use(torch.float64)\n    mp.Process(target=g)\n",
            id="set in the worker, too, under another name",
        ),
        pytest.param(
            "import torch\ndef g(model):\n    return torch.zeros(1)\ndef main(model):\n"
            "    model.set_default_dtype(torch.float64)\n    mp.Process(target=g, args=(1,))\n",
            id="a method of something else with the name",
        ),
        pytest.param(
            "import warnings\ndef g():\n    warnings.warn('x')\ndef load():\n    with warnings.catch_warnings():\n"
            "        warnings.simplefilter('ignore')\n        g()\ndef main():\n    load()\n    mp.Process(target=g)\n",
            id="set for a while",
        ),
        pytest.param(
            "import logging\ndef g():\n    logging.info('x')\ndef main():\n    logging.basicConfig()\n"
            "    mp.Process(target=g)\n",
            id="logging is for who moves",
        ),
        pytest.param(
            "import torch\ndef g():\n    return torch.zeros(1)\ndef main():\n"
            "    torch.set_default_dtype(torch.float64)\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_settings_that_workers_have(body: str) -> None:
    assert codes(f"{body}if __name__ == '__main__':\n    main()\n") == []


@pytest.mark.parametrize("body", ["return torch.zeros(1)", "x: torch.Tensor = torch.Tensor([1])\n    return x"])
def test_what_workers_make_without_the_setting(body: str) -> None:
    program = (
        f"import torch\ndef g():\n    {body}\ndef main():\n    torch.set_default_dtype(torch.float64)\n"
        "    mp.Process(target=g)\n"
    )
    assert codes(f"{program}if __name__ == '__main__':\n    main()\n") == ["LP211"]


@pytest.mark.parametrize(
    ("imports", "setting"),
    [
        ("import torch", "torch.set_default_dtype(torch.float64)"),
        ("import torch\nfrom torch import set_default_dtype", "set_default_dtype(torch.float64)"),
        ("import torch\nfrom torch import set_default_dtype as use", "use(torch.float64)"),
        ("import torch\nimport torch as t", "t.set_default_dtype(t.float64)"),
        ("import torch\nimport torch as t", "t.set_default_dtype (\n        t.float64)"),
    ],
)
def test_ways_to_name_what_makes_a_setting(imports: str, setting: str) -> None:
    program = (
        f"{imports}\ndef g():\n    return torch.zeros(1)\ndef main():\n    {setting}\n    mp.Process(target=g)\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    assert codes(program) == ["LP211"]


def test_workers_that_start_while_it_is_set() -> None:
    program = (
        "import warnings\ndef g():\n    warnings.warn('x')\ndef main():\n    with warnings.catch_warnings():\n"
        "        warnings.simplefilter('ignore')\n        mp.Process(target=g).start()\n"
    )
    assert codes(f"{program}if __name__ == '__main__':\n    main()\n") == ["LP211"]


WORK = "import torch\ndef work():\n    return torch.zeros(1)\n"
SETS_WHEN_RUN = f"{WORK}if __name__ == '__main__':\n    torch.set_default_dtype(torch.float64)\n"
STARTS = "    import multiprocessing as mp\n    mp.Process(target=work).start()\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"work.py": SETS_WHEN_RUN, "run.py": f"from work import work\nif __name__ == '__main__':\n{STARTS}"}, []),
        ({"work.py": f"{SETS_WHEN_RUN}{STARTS}"}, ["LP211"]),
    ],
    ids=["imported", "run"],
)
def test_the_main_guard_of_a_module_counts_where_that_is_run(
    tmp_path: Path, files: dict[str, str], found: list[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True))
    assert [each.code for each in outcome.diagnostics if each.code != "LP203"] == found


START = "mp.Process(target=g).start()"
OF_POOL = "p.map(g, [1])"


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        pytest.param(f"with decimal.localcontext():\n        {START}", True, id="around the start"),
        pytest.param(f"with decimal.localcontext(), mp.Pool(1) as p:\n        {OF_POOL}", True, id="in one statement"),
        pytest.param(f"with decimal.localcontext():\n        pass\n    {START}", False, id="before"),
        pytest.param(f"p = mp.Pool(1)\n    with decimal.localcontext():\n        {OF_POOL}", False, id="they run"),
        pytest.param(f"with open('f'):\n        {START}", False, id="another context"),
    ],
)
def test_contexts_around_the_start_of_workers(body: str, fires: bool) -> None:
    program = f"import decimal\ndef g(n=1):\n    return decimal.Decimal(1) / n\ndef main():\n    {body}\n"
    assert codes(f"{program}if __name__ == '__main__':\n    main()\n") == ["LP211"] * fires


HELPED = """\
import decimal
import multiprocessing as mp

def work(number):
    return decimal.Decimal(number) / 7

def main():
    decimal.getcontext().prec = 50
    {started}

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("started", "place"),
    [
        ("mp.Process(target=work, args=(1,)).start()", "also in the function that the process runs"),
        ("mp.Pool(2).map(work, range(9))", "also in an `initializer` or `worker_init_fn`"),
    ],
)
def test_the_help_names_what_workers_of_that_kind_have(started: str, place: str) -> None:
    [found] = lint(HELPED.format(started=started)).diagnostics
    assert found.code == "LP211"
    assert place in (found.help or "")
