"""LP215: files that a module reads at import in the current folder, which main has left before it starts workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

HEAD = """\
import contextlib
import json
import multiprocessing as mp
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

"""
READ = 'with open("labels.json") as file:\n    LABELS = json.load(file)\n'
GOES = "    os.chdir(tempfile.mkdtemp())\n"
START = "    process = mp.Process(target=work)\n    process.start()\n    process.join()\n"
INSIDE = START.replace("    process", "        process")
GUARD = "if __name__ == '__main__':\n    main()\n"
OWN_CONTEXT = (
    "@contextlib.contextmanager\ndef within(path):\n    old = os.getcwd()\n    os.chdir(path)\n    try:\n"
    "        yield\n    finally:\n        os.chdir(old)\n"
)
CLASS_CONTEXT = (
    "class Within:\n    def __init__(self, path):\n        self.path = path\n    def __enter__(self):\n"
    "        self.old = os.getcwd()\n        os.chdir(self.path)\n    def __exit__(self, *error):\n"
    "        os.chdir(self.old)\n"
)
METHODS = (
    "class Job:\n    def prepare(self):\n        self.old = os.getcwd()\n        os.chdir(tempfile.mkdtemp())\n"
    "    def done(self):\n        os.chdir(self.old)\n"
)
HELPER = "def go(path):\n    os.chdir(path)\n"


def program(main: str = GOES + START, read: str = READ, before: str = "") -> str:
    return f"{HEAD}{read}def work(number=0):\n    return LABELS\n{before}def main():\n{main}{GUARD}"


def codes(folder: Path, **files: str) -> list[str]:
    found = lint_files(folder, {f"{name}.py": text for name, text in files.items()})
    return [each.code for each in found if each.code.startswith("LP2")]


@pytest.mark.parametrize(
    "read",
    [
        READ,
        'LABELS = Path("labels.json").read_text()\n',
        'LABELS = json.loads((Path("conf") / "labels.json").read_text())\n',
        'FOLDER = "conf"\nLABELS = open(os.path.join(FOLDER, "labels.json"), encoding="utf-8").read()\n',
        'NAME = "labels"\nLABELS = open(f"conf/{NAME}.json").read()\n',
        'LABELS = open("conf/{}.json".format("labels")).read()\n',
        'LABELS = open(os.path.abspath("labels.json"), "rb").read()\n',
        'FILE = Path("labels.json").resolve()\nLABELS = FILE.read_text()\n',
        'LABELS = (Path.cwd() / "labels.json").read_text()\n',
        'LABELS = sorted(os.listdir("conf"))\n',
        'import numpy as np\nLABELS = np.load("labels.npy")\n',
        'import pandas as pd\nLABELS = pd.read_csv("labels.csv")\n',
        'def load(path):\n    with open(path) as file:\n        return json.load(file)\nLABELS = load("labels.json")\n',
        'def load(path="labels.json"):\n    return json.load(open(path))\nLABELS = load()\n',
        'def load():\n    path = "labels.json"\n    return open(path).read()\nLABELS = load()\n',
        "class Labels:\n    def __init__(self, path):\n        self.all = json.load(open(path))\n"
        'LABELS = Labels("labels.json")\n',
    ],
)
def test_what_is_read_in_the_current_folder(tmp_path: Path, read: str) -> None:
    assert codes(tmp_path, run=program(read=read)) == ["LP215"]


@pytest.mark.parametrize(
    "read",
    [
        pytest.param('LABELS = open("/etc/labels.json").read()\n', id="an absolute path"),
        pytest.param('LABELS = open(Path(__file__).parent / "labels.json").read()\n', id="beside the module"),
        pytest.param(
            'FOLDER = os.path.dirname(__file__)\nLABELS = open(os.path.join(FOLDER, "labels.json")).read()\n',
            id="in the folder of the module",
        ),
        pytest.param('LABELS = open(os.path.expanduser("~/labels.json")).read()\n', id="at home"),
        pytest.param("LABELS = open(sys.argv[1]).read()\n", id="a path from outside"),
        pytest.param('LABELS = []\nLOG = open("log.txt", "a")\n', id="not read"),
        pytest.param('LABELS = []\nif __name__ == "__main__":\n    open("labels.json")\n', id="under the guard"),
        pytest.param('def load():\n    return open("labels.json").read()\nLABELS = []\n', id="not called"),
        pytest.param(
            'try:\n    LABELS = open("labels.json").read()\nexcept FileNotFoundError:\n    LABELS = ""\n', id="caught"
        ),
        pytest.param(
            'LABELS = []\nif os.path.exists("labels.json"):\n    LABELS = json.load(open("labels.json"))\n', id="asked"
        ),
        pytest.param(f"os.chdir(os.path.dirname(os.path.abspath(__file__)))\n{READ}", id="the import goes there"),
    ],
)
def test_what_workers_find_or_need_not(tmp_path: Path, read: str) -> None:
    assert codes(tmp_path, run=program(read=read)) == []


@pytest.mark.parametrize(
    ("main", "before"),
    [
        (GOES + START, ""),
        ('    os.chdir("/")\n' + START, ""),
        ('    os.chdir("conf")\n' + START, ""),
        ("    os.chdir(sys.argv[1])\n" + START, ""),
        ("    prepare()\n" + START, f"def prepare():\n{GOES}"),
        ("    with contextlib.chdir(tempfile.mkdtemp()):\n" + INSIDE, ""),
        ("    with within(tempfile.mkdtemp()):\n" + INSIDE, OWN_CONTEXT),
        ("    with Within(tempfile.mkdtemp()):\n" + INSIDE, CLASS_CONTEXT),
        ("    with within(tempfile.mkdtemp()):\n        start()\n", f"{OWN_CONTEXT}def start():\n{START}"),
        ("    job = Job()\n    job.prepare()\n" + START + "    job.done()\n", METHODS),
        ("    old = os.getcwd()\n    go(tempfile.mkdtemp())\n" + START + "    go(old)\n", HELPER),
        (
            "    old = os.getcwd()\n    for folder in sys.argv:\n        os.chdir(folder)\n"
            f"{INSIDE}        os.chdir(old)\n",
            "",
        ),
        (GOES + "    with mp.Pool(2) as pool:\n        pool.map(work, [1])\n", ""),
        ("    with ProcessPoolExecutor() as pool:\n    " + GOES + "        pool.submit(work, 1)\n", ""),
        ("    process = mp.Process(target=work)\n" + GOES + "    process.start()\n", ""),
        (START + GOES + START, ""),
    ],
)
def test_ways_to_another_folder(tmp_path: Path, main: str, before: str) -> None:
    assert codes(tmp_path, run=program(main, before=before)) == ["LP215"]


@pytest.mark.parametrize(
    ("main", "before"),
    [
        pytest.param(START, "", id="nowhere"),
        pytest.param(START + GOES, "", id="later"),
        pytest.param("    old = os.getcwd()\n" + GOES + "    os.chdir(old)\n" + START, "", id="back"),
        pytest.param(
            "    old = os.getcwd()\n    try:\n    " + GOES + "    finally:\n        os.chdir(old)\n" + START,
            "",
            id="back at last",
        ),
        pytest.param(
            "    other()\n" + START, f"def other():\n    old = os.getcwd()\n{GOES}    os.chdir(old)\n", id="a function"
        ),
        pytest.param("    with contextlib.chdir('/'):\n        print()\n" + START, "", id="a context that is left"),
        pytest.param("    with within('/'):\n        print()\n" + START, OWN_CONTEXT, id="an own one"),
        pytest.param("    with Within('/'):\n        print()\n" + START, CLASS_CONTEXT, id="one of a class"),
        pytest.param(
            "    with contextlib.chdir(os.path.dirname(__file__)):\n" + INSIDE, "", id="a context in the same folder"
        ),
        pytest.param("    job = Job()\n    job.prepare()\n    job.done()\n" + START, METHODS, id="back by a method"),
        pytest.param("    old = os.getcwd()\n    go('/')\n    go(old)\n" + START, HELPER, id="back by a helper"),
        pytest.param("    os.chdir(os.path.dirname(os.path.abspath(__file__)))\n" + START, "", id="of the script"),
        pytest.param("    os.chdir(Path(sys.argv[0]).resolve().parent)\n" + START, "", id="of the script by name"),
        pytest.param("    os.chdir('conf')\n    os.chdir('..')\n" + START, "", id="up again"),
        pytest.param(
            "    if sys.argv[1:]:\n        os.chdir(sys.argv[1])\n" + START, "", id="perhaps: that is only possible"
        ),
        pytest.param(
            "    mp.Process(target=elsewhere).start()\n" + START, "def elsewhere():\n    os.chdir('/')\n", id="a worker"
        ),
        pytest.param(
            "    with mp.Pool(2) as pool:\n    " + GOES + "        pool.map(work, [1])\n", "", id="after the pool"
        ),
        pytest.param(
            "    with ProcessPoolExecutor() as pool:\n        pool.submit(work, 1).result()\n    "
            + GOES
            + "        pool.submit(work, 1)\n",
            "",
            id="after the first task",
        ),
        pytest.param(
            "    old = os.getcwd()\n" + GOES + "    process = mp.Process(target=work)\n    os.chdir(old)\n"
            "    process.start()\n",
            "",
            id="back before the start",
        ),
        pytest.param(GOES + START.replace("mp.", "mp.get_context('fork')."), "", id="forked"),
    ],
)
def test_where_workers_start_in_the_same_folder(tmp_path: Path, main: str, before: str) -> None:
    assert codes(tmp_path, run=program(main, before=before)) == []


def test_the_import_itself_leaves_the_folder(tmp_path: Path) -> None:
    assert codes(tmp_path, run=program(START, READ + "os.chdir('/')\n")) == ["LP215"]


LIBRARY = f"{HEAD}import labels\ndef work():\n    return labels.LABELS\ndef run(folder):\n    os.chdir(folder)\n{START}"


@pytest.mark.parametrize(("folder", "expected"), [("tempfile.mkdtemp()", ["LP215"]), ("os.getcwd()", [])])
def test_several_modules(tmp_path: Path, folder: str, expected: list[str]) -> None:
    run = f"{HEAD}import library, labels\ndef main():\n    library.run({folder})\n{GUARD}"
    assert codes(tmp_path, run=run, library=LIBRARY, labels=HEAD + READ) == expected


def test_a_path_of_another_module(tmp_path: Path) -> None:
    read = "from names import NAME\nLABELS = open(NAME).read()\n"
    assert codes(tmp_path, run=program(read=read), names='NAME = "labels.json"\n') == ["LP215"]


def test_another_module_goes_to_a_folder_at_import(tmp_path: Path) -> None:  # gap: which comes first, is not asked
    there = "import os\nos.chdir(os.path.dirname(os.path.abspath(__file__)))\n"
    assert codes(tmp_path, run=program(read=f"import there\n{READ}"), there=there) == []
