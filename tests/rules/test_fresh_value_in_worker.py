"""LP214: fresh-value-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import marks

USED = "def g():\n    print(N)\ndef main():\n    print(N)\n    mp.Process(target=g).start()\n"
GUARD = "if __name__ == '__main__':\n    main()\n"


class TestPage(PageTests):
    code = "LP214"


@pytest.mark.parametrize(
    "made",
    [
        "import uuid\nN = uuid.uuid4()",
        "import uuid\nN: str = str(uuid.uuid4())[:8]",
        "from uuid import uuid4\nN = 'run-' + uuid4().hex",
        "import uuid\nM = uuid.uuid4().hex\nN = f'runs/{M}'",
        "import tempfile, pathlib\nN = pathlib.Path(tempfile.mkdtemp()) / 'out'",
        "import tempfile\nN = tempfile.TemporaryDirectory().name",
        "import os, tempfile\nF, N = tempfile.mkstemp()",
        "import time\nN = f'run-{int(time.time())}'",
        "import time\nN = time.strftime('%Y-%m-%d_%H%M')",
        "from datetime import datetime\nN = datetime.now().strftime('%H%M')",
        "import os\nN = f'/tmp/socket-{os.getpid()}'",
        "import random\nN = [random.random() for _ in range(3)]",
        "import random\nN = list(range(9))\nrandom.shuffle(N)",
        "import numpy as np\nN = np.random.rand(3)",
        "N = hash('name')",
        "N = list({'a', 'b'})",
        "N = [name for name in set('a b'.split())]",
        "N = {name: place for place, name in enumerate(set(['a', 'b']))}",
    ],
)
def test_what_each_process_makes_anew(made: str) -> None:
    assert codes(f"{made}\n{USED}{GUARD}") == ["LP214"]


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("import uuid\nN = uuid.uuid5(uuid.NAMESPACE_DNS, 'a')", id="computed from a name"),
        pytest.param("import uuid\nN = uuid.uuid4\n", id="not called"),
        pytest.param("import uuid\nN = lambda: uuid.uuid4()\n", id="called later"),
        pytest.param("import uuid\nN = len(uuid.uuid4().hex)\n", id="of which the length counts"),
        pytest.param("import uuid\nN = {'id': uuid.uuid4(), 'rate': 1}\n", id="in a dictionary"),
        pytest.param("import uuid\nN = uuid.uuid4()\nN = 'run'", id="replaced"),
        pytest.param("import time\nN = time.time()", id="a bare time"),
        pytest.param("import time\nN = time.strftime('%Y-%m-%d')", id="a day"),
        pytest.param("from datetime import datetime\nN = f'{datetime.now():%Y%m%d}'", id="a day in a text"),
        pytest.param("from datetime import datetime\nN = f'{datetime.now().year}'", id="a year"),
        pytest.param("import os\nN = os.getpid()", id="a bare process id"),
        pytest.param("import random\nrandom.seed(3)\nN = random.random()", id="seeded"),
        pytest.param(
            "import random\nfrom tools import set_seed\nset_seed(3)\nN = random.random()", id="seeded by name"
        ),
        pytest.param("import random\nN = random.Random(3).random()", id="a generator with a seed"),
        pytest.param("N = hash(17)", id="the hash of a number"),
        pytest.param("N = sorted({'a', 'b'})", id="sorted"),
        pytest.param("N = list({1, 2})", id="a set of numbers"),
        pytest.param("N = {'a', 'b'}", id="a set"),
        pytest.param("import os\nN = os.getcwd()", id="a folder that nobody changes"),
    ],
)
def test_what_is_the_same_or_rarely_matters(made: str) -> None:
    assert codes(f"{made}\n{USED}{GUARD}") == []


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        pytest.param(
            "def g():\n    print(N)\ndef main():\n    mp.Process(target=g).start()\n", False, id="workers alone"
        ),
        pytest.param(
            "def g():\n    pass\ndef main():\n    print(N)\n    mp.Process(target=g).start()\n", False, id="main"
        ),
        pytest.param(
            "def g(n):\n    print(n)\ndef main():\n    mp.Process(target=g, args=(N,)).start()\n", False, id="passed"
        ),
        pytest.param(
            "def g():\n    N = 1\n    print(N)\ndef main():\n    print(N)\n    mp.Process(target=g).start()\n",
            False,
            id="another name",
        ),
        pytest.param(
            "def g():\n    return N\ndef main():\n    g()\n    mp.Process(target=g).start()\n",
            True,
            id="called by main",
        ),
        pytest.param(
            "def h():\n    return N\ndef g():\n    h()\ndef main():\n    print(N)\n    mp.Process(target=g).start()\n",
            True,
            id="by a function that workers call",
        ),
        pytest.param(
            "def g():\n    return N\ndef main():\n    print(N)\n    mp.get_context('fork').Process(target=g).start()\n",
            False,
            id="forked",
        ),
    ],
)
def test_who_uses_it(body: str, fires: bool) -> None:
    assert codes(f"import uuid\nN = uuid.uuid4()\n{body}{GUARD}") == ["LP214"] * fires


def test_an_attribute_of_a_class() -> None:
    body = (
        "import uuid\nclass C:\n    run = uuid.uuid4().hex\ndef g():\n    print(C.run)\ndef main():\n    print(C.run)\n"
    )
    assert codes(f"{body}    mp.Process(target=g).start()\n{GUARD}") == ["LP214"]


def test_what_stands_under_the_guard_is_no_value_of_workers() -> None:
    body = "import uuid\nN = ''\nif __name__ == '__main__':\n    N = uuid.uuid4().hex\ndef g():\n    print(N)\n"
    assert "LP214" not in codes(f"{body}def main():\n    print(N)\n    mp.Process(target=g).start()\n{GUARD}")


STARTED = """\
import multiprocessing
import uuid

FOLDER = f"run-{{uuid.uuid4()}}"


def write(name):
    print(FOLDER, name)


def run(names):
    print(FOLDER)
    with multiprocessing.Pool() as pool:
        pool.map(write, names)


{start}
"""


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("run(['a', 'b'])", ["LP203"]),
        ("if len(FOLDER) > 3:\n    run(['a', 'b'])", ["LP203"]),
        ("if __name__ == '__main__':\n    run(['a', 'b'])", ["LP214"]),
    ],
)
def test_workers_that_fail_before_they_read_it(start: str, expected: list[str]) -> None:
    assert [code for _, code in marks(STARTED.format(start=start))] == expected


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("process_uuid", []),
        ("WORKER_ID", []),
        ("run_id", ["LP214"]),
        ("processed", ["LP214"]),
    ],
)
def test_a_name_that_says_that_each_process_has_its_own(name: str, shown: list[str]) -> None:
    made = "import uuid\nN = uuid.uuid4().hex\n"
    assert codes(f"{made}{USED}{GUARD}".replace("N", name)) == shown


TIME = "import time\nN = time.strftime('%H:%M:%S')\ndef g(out):\n    {body}\ndef main():\n    g(open('o', 'w'))\n"
START = "    mp.Process(target=g, args=('o',)).start()\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out.write(f'# made at {N}')", []),
        ("out.write('# made at ' + N)", []),
        ("out.write(N)\n    open(f'{N}.log', 'w')", ["LP214"]),
        ("out.write(made(N))", ["LP214"]),
        ("count = out.write(N)", ["LP214"]),
        ("print(N)", ["LP214"]),
    ],
)
def test_a_time_that_stands_in_the_text_of_a_file(body: str, expected: list[str]) -> None:
    assert codes(f"{TIME.format(body=body)}{START}{GUARD}") == expected


def test_a_time_in_a_file_that_names_one_elsewhere() -> None:
    body = "out.write(N)\n    h()\ndef h():\n    open(f'{N}.log', 'w')"
    assert codes(f"{TIME.format(body=body)}{START}{GUARD}") == ["LP214"]
    other = TIME.replace("import time\nN = time.strftime('%H:%M:%S')", "import uuid\nN = uuid.uuid4().hex")
    assert codes(f"{other.format(body='out.write(N)')}{START}{GUARD}") == ["LP214"]
