"""LP211: process-setting-in-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths, lint_source
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
            "import warnings\ndef g():\n    warnings.warn('x')\ndef main():\n    mp.Process(target=g).start()\n"
            "    with warnings.catch_warnings(record=True) as seen:\n"
            "        warnings.simplefilter('ignore')\n        g()\n    print(seen)\n    mp.Process(target=g).start()\n",
            id="set for a block that starts nothing",
        ),
        pytest.param(
            "import warnings\ndef g():\n    warnings.warn('x')\ndef load(rows):\n    with warnings.catch_warnings():\n"
            "        warnings.simplefilter('ignore')\n        return sum(map(abs, rows))\n"
            "def main():\n    load([1])\n    mp.Process(target=g).start()\n",
            id="set for a block that maps here",
        ),
        pytest.param(
            "import numpy as np\ndef g():\n    return np.sqrt(2)\ndef main():\n"
            "    np.seterr(divide='ignore', invalid='ignore')\n    mp.Process(target=g).start()\n",
            id="numpy prints less",
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


@pytest.mark.parametrize("given", ["all='raise'", "divide='ignore', invalid='raise'", "**options"])
def test_numpy_that_does_more_than_to_say_less(given: str) -> None:
    program = (
        "import numpy as np\noptions = {'all': 'raise'}\ndef g():\n    return np.sqrt(2)\ndef main():\n"
        f"    np.seterr({given})\n    mp.Process(target=g).start()\n"
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
        ("mp.Pool(2).map(work, range(9))", "also in an `initializer`, or"),
    ],
)
def test_the_help_names_what_workers_of_that_kind_have(started: str, place: str) -> None:
    [found] = lint(HELPED.format(started=started)).diagnostics
    assert found.code == "LP211"
    assert place in (found.help or "")


ENVIRONMENT = """\
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor


def work(value=0):
    return {read}


def main():
{body}


if __name__ == "__main__":
    main()
"""
POOL = "with multiprocessing.Pool(2) as pool:\n"
RUN = "    print(pool.map(work, range(2)))\n"
SET = 'os.environ["MODE"] = "fast"\n'
FIRST = "first = multiprocessing.Process(target=print)\n"


def _environment(body: str, read: str = 'os.environ["MODE"]') -> list[tuple[str, str, tuple[str, ...]]]:
    text = ENVIRONMENT.format(read=read, body="".join(f"    {line}\n" for line in body.splitlines()))
    found = lint(text).diagnostics
    return [(each.code, each.confidence.value, tuple(m.value for m in each.start_methods)) for each in found]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{POOL}    pool.map(abs, range(2))\n{SET}{POOL}{RUN}", id="after a first pool"),
        pytest.param(f"{POOL}    {SET}{RUN}", id="after the pool itself was made"),
        pytest.param(f"manager = multiprocessing.Manager()\n{SET}{POOL}{RUN}", id="after a manager"),
        pytest.param(f"{FIRST}first.start()\n{SET}{POOL}{RUN}", id="after a process"),
        pytest.param(
            f"with ProcessPoolExecutor(2) as pool:\n    pool.submit(print).result()\n    {SET}{RUN}",
            id="after the first task of an executor",
        ),
    ],
)
@pytest.mark.parametrize("read", ['os.environ["MODE"]', 'os.getenv("MODE")', 'os.environ.get("MODE", "slow")'])
def test_a_variable_of_the_environment_that_the_server_does_not_get(body: str, read: str) -> None:
    """Measured with CPython 3.11 under forkserver: the server keeps the environment with which it has started."""
    assert _environment(body, read) == [("LP211", "likely", ("forkserver",))]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{SET}{POOL}{RUN}", id="before the first pool"),
        pytest.param(f"lock = multiprocessing.Lock()\n{SET}{POOL}{RUN}", id="a lock starts no server"),
        pytest.param(f"with ProcessPoolExecutor(2) as pool:\n    {SET}{RUN}", id="an executor without tasks"),
        pytest.param(f"{FIRST}{SET}first.start()\n{POOL}{RUN}", id="a process that starts later"),
        pytest.param(
            f"{FIRST}first.start()\n{SET}with multiprocessing.get_context('spawn').Pool(2) as pool:\n{RUN}",
            id="workers that are spawned",
        ),
        pytest.param(f"if os.name == 'nt':\n    {FIRST}    first.start()\n{SET}{POOL}{RUN}", id="perhaps a process"),
    ],
)
def test_a_variable_of_the_environment_that_workers_get(body: str) -> None:
    """Measured with CPython 3.11: workers of spawn get the environment as it is when they start."""
    assert _environment(body) == []


def test_another_variable_of_the_environment() -> None:
    body = f"{POOL}    pool.map(abs, range(2))\n{SET}{POOL}{RUN}"
    assert _environment(body, 'os.environ["HOME"]') == []


LOGGING = """\
import logging
import multiprocessing
{top}
logger = logging.getLogger(__name__)


def work(value):
    {log}
    return value


def main():
    {configure}
    with multiprocessing.Pool(2{initializer}) as pool:
        print(pool.map(work, range(2)))


if __name__ == "__main__":
    main()
"""


def _logging(configure: str, log: str, top: str = "", initializer: str = "") -> list[tuple[str, str]]:
    text = LOGGING.format(configure=configure, log=log, top=top, initializer=initializer)
    return [(each.code, each.confidence.value) for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    ("configure", "log"),
    [
        ("logging.basicConfig(level=logging.INFO)", 'logger.info("working on %s", value)'),
        ("logging.basicConfig(level=logging.INFO, format='%(message)s')", 'logging.info("working")'),
        ("logging.basicConfig(level='DEBUG')", 'logger.debug("working")'),
        ("logging.basicConfig(level=logging.DEBUG)", 'logger.warning("slow")\n    logger.info("working")'),
        ("logging.basicConfig(filename='run.log')", 'logger.warning("slow")'),
        ("logging.basicConfig(filename='run.log', level=level_of(main))", 'logger.error("failed")'),
        ("logging.basicConfig(filename='run.log', level='INFO')", 'logger.info("working")'),
    ],
)
def test_records_of_workers_that_are_lost(configure: str, log: str) -> None:
    """Measured with CPython 3.11 under spawn and forkserver."""
    assert _logging(configure, log) == [("LP211", "likely")]


@pytest.mark.parametrize(
    ("configure", "log"),
    [
        ("logging.basicConfig(level=logging.INFO)", 'logger.warning("slow")'),  # goes to stderr
        ("logging.basicConfig(level=logging.INFO)", 'logger.debug("working")'),  # nobody shows it
        ("logging.basicConfig(level=logging.WARNING)", 'logger.info("working")'),
        ("logging.basicConfig(format='%(message)s')", 'logger.info("working")'),
        ("logging.basicConfig(filename=None)", 'logger.warning("slow")'),
        ("logging.basicConfig(filename='run.log')", 'logger.info("working")'),  # the file gets warnings only
        ("logging.basicConfig(filename='run.log', level='INFO')", 'logger.debug("working")'),
        ("logging.basicConfig(filename='run.log', level=level_of(main))", 'logger.debug("working")'),
        ("logging.getLogger().setLevel(logging.INFO)", 'logger.info("working")'),  # without a handler
        ("logging.basicConfig(level=level_of(main))", 'logger.info("working")'),  # gap: what that gives is not known
        ("logging.basicConfig(level=logging.INFO)", 'console.info("working")'),
    ],
)
def test_records_that_are_not_lost_by_it(configure: str, log: str) -> None:
    assert _logging(configure, log) == []


_DICT = """{{
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {{"all": {{"class": "logging.{handler}", "filename": "run.log"{more}}}}},
        "loggers": {{"jobs": {{{jobs}}}}},
        "root": {{{root}}},
    }}"""
_TO_ALL, _AT_INFO = '"handlers": ["all"]', '"handlers": ["all"], "level": "INFO"'


WRAPPED = """\
import functools
import logging
import multiprocessing as mp

logger = logging.getLogger(__name__)


def wrapped(function):
    @functools.wraps(function)
    def wrapper(server, *args, session=None, **kwargs):
        {calls}

    return wrapper


@wrapped
def post(server, blocks, *, merge=False, session=None):
    if merge:
        logger.info("fetching")
    return blocks


def work(blocks):
    return post("here", blocks{given})


def main(blocks):
    logging.basicConfig(level=logging.INFO)
    with mp.Pool(4) as pool:
        print(pool.map({task}, blocks))


if __name__ == "__main__":
    main([1, 2])
"""
PASSES_ON = "return function(server, *args, **kwargs, session=session or 3)"


@pytest.mark.parametrize(
    ("given", "calls", "task", "fires"),
    [
        ("", PASSES_ON, "work", False),
        (", merge=False", PASSES_ON, "work", False),
        (", merge=True", PASSES_ON, "work", True),
        (", merge=blocks is not None", PASSES_ON, "work", True),
        (", **blocks", PASSES_ON, "work", True),
        ("", "return function(server, *args, merge=True, session=session)", "work", True),
        ("", PASSES_ON, "post", True),
    ],
    ids=["default", "off", "on", "asked", "any", "the decorator asks for it", "the task itself, given anything"],
)
def test_a_decorated_function_does_what_its_callers_ask_for(given: str, calls: str, task: str, fires: bool) -> None:
    text = WRAPPED.format(given=given, calls=calls, task=task)
    assert ("LP211" in {each.code for each in lint(text).diagnostics}) is fires


@pytest.mark.parametrize(
    ("after", "fires"),
    [
        ("return 1", True),
        ("try:\n        return copy.copy(items)\n    finally:\n        del copyreg.dispatch_table[Items]", False),
        ("copy.copy(items)\n    copyreg.dispatch_table.pop(Items, None)", False),
        ("mp.Pool(2).map(work, items)\n    del copyreg.dispatch_table[Items]", True),
        ("del table[Items]", True),
    ],
)
def test_a_reducer_that_is_taken_out_again(after: str, fires: bool) -> None:
    text = (
        "import copy\nimport copyreg\nimport multiprocessing as mp\nclass Items:\n    pass\n"
        "def work(item):\n    return copy.copy(item)\n"
        f"def convert(items):\n    copyreg.pickle(Items, lambda each: (dict, ()))\n    {after}\n"
        "def main(items):\n    convert(items)\n    print(mp.Pool(2).map(work, items))\n"
        'if __name__ == "__main__":\n    main([1])\n'
    )
    assert ("LP211" in {each.code for each in lint(text).diagnostics}) is fires


def _dict(handler: str = "FileHandler", more: str = "", jobs: str = "", root: str = "") -> str:
    return f"logging.config.dictConfig({_DICT.format(handler=handler, more=more, jobs=jobs, root=root)})"


_JOBS = '\njobs = logging.getLogger("jobs.scan")\n'
_NAMED = f"settings = {_dict(root=_AT_INFO)[26:-1]}\n    logging.config.dictConfig(settings)"


@pytest.mark.parametrize(
    ("configure", "log"),
    [
        (_dict(root=_AT_INFO), 'logger.info("working")'),
        (_dict("StreamHandler", root=_AT_INFO), 'logger.info("working")'),
        (_dict(root=_TO_ALL), 'logger.warning("slow")'),
        (_dict("handlers.RotatingFileHandler", root=_TO_ALL), 'logger.error("failed")'),
        (_dict(jobs=_AT_INFO), 'jobs.info("working")'),
        (_dict(jobs=_AT_INFO + ', "propagate": False'), 'jobs.info("working")'),
        (_dict(jobs='"level": "DEBUG"', root=_TO_ALL), 'jobs.debug("working")'),
        (_dict(jobs='"handlers": ["all"], "level": "DEBUG" if main else "INFO"'), 'jobs.info("working")'),
        (_dict(more=', "level": "INFO"', root=_AT_INFO), 'logger.info("working")'),
        (_dict(jobs=_AT_INFO).replace("False", "True"), 'jobs.info("working")'),
        (_NAMED, 'logger.info("working")'),
    ],
)
def test_records_of_loggers_that_a_dict_configures(configure: str, log: str) -> None:
    """Measured with CPython 3.11 under spawn and forkserver."""
    assert _logging(configure, log, f"import logging.config\n{_JOBS}") == [("LP211", "likely")]


@pytest.mark.parametrize(
    ("configure", "log"),
    [
        pytest.param(_dict(root=_TO_ALL), 'logger.info("working")', id="the level of the root is WARNING"),
        pytest.param(_dict("StreamHandler", root=_AT_INFO), 'logger.warning("slow")', id="goes to stderr"),
        pytest.param(_dict(root=_AT_INFO), 'logger.debug("working")', id="below the level"),
        pytest.param(_dict(root='"level": "INFO"'), 'logger.info("working")', id="no handler"),
        pytest.param(_dict("NullHandler", root=_AT_INFO), 'logger.info("working")', id="writes nothing"),
        pytest.param(_dict(more=', "level": "ERROR"', root=_AT_INFO), 'logger.info("working")', id="above in handler"),
        pytest.param(_dict(more=', "filters": ["f"]', root=_AT_INFO), 'logger.info("working")', id="filtered"),
        pytest.param(_dict(jobs=_AT_INFO), 'logger.info("working")', id="another logger"),
        pytest.param(
            _dict(jobs='"level": "INFO", "propagate": False', root=_AT_INFO), 'jobs.info("working")', id="stops"
        ),
        pytest.param(_dict(root=_AT_INFO).replace("False", "True"), 'logger.info("working")', id="disabled by it"),
        pytest.param("logging.config.dictConfig(read(main))", 'logger.info("working")', id="not known"),
        pytest.param(_dict(root="**read(main)"), 'logger.info("working")', id="not all is known"),
    ],
)
def test_records_that_such_a_dict_does_not_write(configure: str, log: str) -> None:
    assert _logging(configure, log, f"import logging.config\n{_JOBS}") == []


@pytest.mark.parametrize(
    ("top", "initializer"),
    [
        ("\nlogging.basicConfig(level=logging.INFO)\n", ""),
        ("\n\ndef begin():\n    logging.basicConfig(level=logging.INFO)\n\n", ", begin"),
    ],
    ids=["at import", "in the initializer"],
)
def test_workers_that_configure_logging_too(top: str, initializer: str) -> None:
    assert _logging("logging.basicConfig(level=logging.INFO)", 'logger.info("x")', top, initializer) == []


HANDED = """\
import logging
import sys
from multiprocessing import Process

from drawing import draw{imported}


class Console:
    def info(self, text):
        print(text)


def main():
    options = {{"out": sys.argv[1]}}
    {configure}
    options["log"] = {log}
    process = Process(target=draw, args=("image", options, options["log"]))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""
_BASIC = "logging.basicConfig(level=logging.INFO)"
_NAMED = "logging.getLogger('draw')"
_OWN = "log = logging.getLogger(sys.argv[0]); log.setLevel(logging.INFO); log.addHandler(logging.StreamHandler())"
_ROOT = "root = logging.getLogger(); root.setLevel('INFO'); root.addHandler(logging.FileHandler('run.log'))"
_QUIET = "root = logging.getLogger(); root.setLevel('INFO'); show = logging.StreamHandler(); show.setLevel('ERROR')"


def _handed(tmp_path: Path, configure: str, log: str, body: str, imported: str = "") -> list[tuple[str, str, int]]:
    configured = "\n    ".join(configure.split("; "))
    (tmp_path / "run.py").write_text(HANDED.format(configure=configured, log=log, imported=imported))
    (tmp_path / "drawing.py").write_text(f"def draw(image, options, logger):\n    {body}")
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    return [(each.code, each.confidence.value, each.location.start.row) for each in found]


@pytest.mark.parametrize(
    ("configure", "log", "body"),
    [
        (_BASIC, _NAMED, 'options["log"].info("saved %s", image)'),
        (_BASIC, _NAMED, "options['logger'].info(image)"),
        (_BASIC, _NAMED, "logger.info(image)"),
        (_BASIC, _NAMED, 'log = options["log"]\n    log.info(image)'),
        (_OWN, "log", 'options["log"].info(image)'),
        (_OWN, "log", "logger.info(image)"),
        (_ROOT, "root", "logger.info(image)"),
        (_ROOT, _NAMED, "logger.info(image)"),
    ],
)
def test_loggers_that_workers_are_given(tmp_path: Path, configure: str, log: str, body: str) -> None:
    """Measured with CPython 3.11 under spawn and forkserver: a logger is pickled as its name."""
    row = 2 + body.count("\n")
    assert _handed(tmp_path, configure, log, body) == [("LP211", "likely", row)]


@pytest.mark.parametrize(
    ("configure", "log", "body"),
    [
        (_BASIC, _NAMED, 'options["log"].debug(image)'),
        (_BASIC, _NAMED, 'options["log"].warning(image)'),
        (_BASIC, _NAMED, 'options["catalogue"].info(image)'),
        (_BASIC, _NAMED, "image.info()"),
        (_BASIC, "Console()", "log = []\n    log.info(image)"),
        (_BASIC.replace("INFO", "WARNING"), _NAMED, 'options["log"].info(image)'),
        (_OWN.replace("INFO", "WARNING"), "log", "logger.info(image)"),
        (_OWN.replace("StreamHandler", "NullHandler"), "log", "logger.info(image)"),
        (_OWN, "log", "logger.debug(image)"),
        (_OWN, _NAMED, "logger.info(image)"),  # another logger
        (_OWN.partition("; log.setLevel")[0], "log", "logger.info(image)"),
        (f"{_QUIET}; root.addHandler(show)", "root", "logger.info(image)"),
    ],
)
def test_loggers_that_workers_are_given_and_lose_nothing(tmp_path: Path, configure: str, log: str, body: str) -> None:
    assert _handed(tmp_path, configure, log, body) == []


def test_a_worker_that_configures_the_logger_it_is_given(tmp_path: Path) -> None:
    own = "\n\nimport logging\n\n\ndef show_log():\n    logging.basicConfig()\n"
    body = f'show_log()\n    options["log"].info(image)\n{own}'
    assert _handed(tmp_path, _BASIC, _NAMED, body) == []


TARIFF = """\
import decimal
import multiprocessing as mp
from dataclasses import dataclass
from decimal import Decimal

{class_}

def bill(usage):
    {bill}


def prepare():
    {body}


def main():
    {first}
    usages = [Usage("north", {made}("120.5"), {made}("0.31")), Usage("south", {made}("77"), {made}("0.29"))]
    with mp.Pool(2{pool}) as pool:
        print(pool.map(bill, usages))


if __name__ == "__main__":
    main()
"""
DECLARED = "@dataclass\nclass Usage:\n    meter: str\n    hours: Decimal\n    price: Decimal = Decimal('0.3')\n"
ANNOTATED = DECLARED.replace("Decimal", "decimal.Decimal")
QUOTED = DECLARED.replace(": Decimal", ': "Decimal"')
MADE = (
    "class Usage:\n    def __init__(self, meter, hours, price):\n        self.meter = meter\n"
    "        self.hours = Decimal(hours)\n        self.price = Decimal(price)\n"
)
OWN = f"{MADE}\n    def cost(self):\n        return self.hours * self.price\n"
FLOATS = DECLARED.replace("Decimal('0.3')", "0.3").replace("Decimal", "float")


def _tariff(
    class_: str = DECLARED,
    bill: str = "return usage.meter, usage.hours * usage.price / 12",
    body: str = "decimal.getcontext().prec = 6",
    first: str = "prepare()",
    pool: str = "",
    made: str = "Decimal",
) -> list[str]:
    parts = {"class_": class_, "bill": bill, "body": body, "first": first, "pool": pool, "made": made}
    return codes(TARIFF.format(**parts))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"class_": ANNOTATED},
        {"class_": QUOTED},
        {"class_": MADE},
        {"class_": FLOATS},
        {"class_": OWN, "bill": "return usage.cost()"},
        {"bill": "return usage.meter, sum(hour / usage.price for hour in range(3))"},
        {"bill": "total = usage.price\n    return usage.meter, total * 3"},
        {"bill": "total = 0\n    total += usage.price\n    return usage.meter, total"},
        {"body": "decimal.getcontext().rounding = decimal.ROUND_DOWN"},
        {"body": "context = decimal.getcontext()\n    context.prec = 6\n    context.rounding = decimal.ROUND_DOWN"},
        {"body": "decimal.setcontext(decimal.Context(prec=6, rounding=decimal.ROUND_DOWN))"},
        {"body": "decimal.DefaultContext.prec = 6\n    decimal.setcontext(decimal.DefaultContext)"},
    ],
)
def test_numbers_whose_type_their_class_declares(change: dict[str, str]) -> None:
    assert _tariff(**change) == ["LP211"]


@pytest.mark.parametrize(
    "change",
    [
        {"class_": FLOATS, "made": "float"},
        {"pool": ", initializer=prepare"},
        {"bill": "return usage.meter, usage.hours > usage.price"},
        {"bill": "return usage.meter, usage.hours"},
        {"bill": "prepare()\n    return usage.meter, usage.hours * usage.price"},
        {"bill": "with decimal.localcontext(prec=6):\n        return usage.meter, usage.hours * usage.price"},
        {"bill": "return usage.meter * 2, usage.hours"},
        {"body": "decimal.getcontext()"},
        {"body": "return decimal.getcontext().copy()"},
        {"body": "with decimal.localcontext() as context:\n        context.prec = 6\n        print(1 / Decimal(3))"},
        {"first": "Usage('east', 1, 2)", "made": "str", "class_": FLOATS.replace("float", "str")},
        {"first": "with mp.Pool(2) as pool:\n        print(pool.map(len, [[1]]))", "body": "pass"},
    ],
)
def test_numbers_that_do_not_depend_on_it(change: dict[str, str]) -> None:
    assert _tariff(**change) == []


@pytest.mark.parametrize(
    ("given", "worked", "found"),
    [
        ("number: Decimal", "return number / 3", ["LP211"]),
        ("number: decimal.Decimal", "number *= 3\n    return number", ["LP211"]),
        ("number: float", "return number / 3", []),
        ("number: Decimal", "return str(number)", []),
        # gap: what crosses is a Decimal itself, and nothing declares that
        ("number", "return number / 3", []),
    ],
)
def test_numbers_that_are_given(given: str, worked: str, found: list[str]) -> None:
    head = "import decimal\nimport multiprocessing as mp\nfrom decimal import Decimal\n"
    main = "def main():\n    decimal.getcontext().prec = 6\n    mp.Pool(2).map(third, [Decimal(1), Decimal(2)])\n"
    source = f"{head}def third({given}):\n    {worked}\n{main}if __name__ == '__main__':\n    main()\n"
    assert codes(source) == found


@pytest.mark.parametrize(
    ("sets", "uses", "helps"),
    [
        ("np.random.seed(7)", "np.random.rand()", True),
        ("torch.manual_seed(7)", "torch.rand(1)", True),
        ("torch.set_default_dtype(torch.float64)", "torch.zeros(1)", False),
        ("np.seterr(all='raise')", "1 / np.array([0, n])", False),
    ],
)
def test_a_seed_is_not_to_be_repeated(sets: str, uses: str, helps: bool) -> None:
    head = f"import multiprocessing as mp\nimport numpy as np\nimport torch\ndef draw(n):\n    return {uses}\n"
    main = f"def main():\n    {sets}\n    mp.Pool(2).map(draw, [1, 2])\nif __name__ == '__main__':\n    main()\n"
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True, "select": ["LP211"]})
    (found,) = lint_source(head + main, "draws.py", resolver=resolver).diagnostics
    assert ("a seed of its own" in str(found.help)) is helps


@pytest.mark.parametrize(("above", "below", "found"), [("LOGGER", "", ["LP211"]), ("", "    LOGGER\n", ["LP208"])])
def test_a_logger_that_workers_do_not_have(above: str, below: str, found: list[str]) -> None:
    made = 'log = logging.getLogger("capture")'
    head = f"import logging\nimport multiprocessing as mp\n{above}\ndef capture(n):\n    log.warning('late')\n"
    main = f"if __name__ == '__main__':\n{below}    logging.basicConfig(filename='a.log')\n"
    source = f"{head}{main}    mp.Process(target=capture, args=(1,)).start()\n".replace("LOGGER", made)
    assert codes(source) == found
