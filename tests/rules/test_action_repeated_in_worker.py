"""LP215: action-repeated-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes

IMPORTS = "import atexit, contextlib, fcntl, logging, os, pathlib, shutil, socket, sqlite3, sys\n"
REST = "def g():\n    pass\ndef main():\n    open('out/x')\n    mp.Process(target=g).start()\n"
GUARD = "if __name__ == '__main__':\n    main()\n"


class TestPage(PageTests):
    code = "LP215"


@pytest.mark.parametrize(
    "done",
    [
        "os.makedirs('out')",
        "os.mkdir('out')",
        "os.makedirs('out', exist_ok=False)",
        "pathlib.Path('out').mkdir(parents=True)",
        "OUT = pathlib.Path('out') / 'a'\nOUT.parent.mkdir()",
        "for name in 'ab':\n    os.mkdir(name)",
        "def make():\n    os.mkdir('out')\nmake()",
        "def make():\n    inner()\ndef inner():\n    os.mkdir('out')\nmake()",
        "import multiprocessing\nif multiprocessing.parent_process() is None:\n    os.mkdir('out')",
        "try:\n    os.mkdir('out')\nexcept KeyError:\n    pass",
        "open('lock', 'x')",
        "from numpy import *\nfrom subprocess import *\nopen('lock', 'x')",
        "os.open('lock', os.O_CREAT | os.O_EXCL)",
        "try:\n    os.mkdir('out')\nexcept OSError:\n    sys.exit(1)",
        "try:\n    os.mkdir('out')\nexcept OSError:\n    print('there')\n    raise",
        "H = open('lock', 'a')\nfcntl.flock(H, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "H = open('lock', 'a')\nfcntl.lockf(H.fileno(), operation=fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "H = open('lock', 'a')\nfcntl.flock(H, fcntl.LOCK_EX)",
        "H = os.open('lock', os.O_RDWR)\ntry:\n    fcntl.flock(H, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError:\n    sys.exit('it runs')",
        "def lock():\n    file = open('lock', 'a')\n    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "    return file\nH = lock()",
        "shutil.rmtree('out')",
        "shutil.rmtree('out', ignore_errors=True)\nos.mkdir('out')",
        "if os.path.isdir('out'):\n    shutil.rmtree('out')",
        "os.remove('old')",
        "if os.path.exists('out/x'):\n    os.remove('out/x')",
        "with open('out/x', 'w') as file:\n    file.write('a')\ndef f():\n    open('out/x', 'a').write('b')",
        "with open('out/x', 'w') as file:\n    file.write('a')\ndef f():\n    append('out/x', 'b')",
        "import uuid\nwith open('out/x', 'w') as file:\n    file.write(str(uuid.uuid4()))",
        "X = 'out/x'\nwith open(X, 'w') as file:\n    file.write('a')\ndef f():\n    open(X, 'r+').write('b')",
        "if not os.path.exists('other'):\n    open('out/x', 'w').close()",
        "if os.path.exists('out/x'):\n    open('out/x', 'w').close()",
        "if os.path.isfile('out/x') or os.path.isfile('y'):\n    open('out/x', 'w').close()",
        "if os.environ.get('NEW') or not os.path.isfile('y'):\n    open('out/x', 'w').close()",
        "if not os.path.isfile('out/x') or not os.path.isfile('y'):\n    open('out/x', 'w').close()",
        "X = 'out/x'\nif not (os.path.exists(X) and os.path.exists('y')):\n    open(X, 'w').close()\n"
        "def f():\n    open(X)",
        "FILE = open('other', mode='w')\ndef f():\n    FILE.write('a')",
        "pathlib.Path('out/x').write_text('a')",
        "logging.basicConfig(filename='log', filemode='w')",
        "logging.basicConfig(filemode='w', **{'filename': 'log'})",
        "logging.getLogger().addHandler(logging.FileHandler('log', 'w'))",
        "class Log:\n    def __init__(self):\n        logging.getLogger().addHandler(logging.FileHandler('log', 'w'))\n"
        "LOG = Log()",
        "class Log:\n    def __init__(self):\n        self.add()\n    def add(self):\n"
        "        self.handler = logging.FileHandler('log', mode='w')\nLOG = Log()",
        "class Out:\n    def __init__(self, path):\n        self.file = open(path, 'w')\nOUT = Out('other')\n"
        "def f():\n    OUT.file.write('a')",
        "class Folder:\n    def __init__(self):\n        os.mkdir('out')\ndef make():\n    return Folder()\nmake()",
        "S = socket.socket()\nS.bind(('', 8000))",
        "D = sqlite3.connect('d')\nD.execute('CREATE TABLE t (a)')",
        "N = sys.argv.pop(1)",
        "N = input()",
        "atexit.register(shutil.rmtree, 'out')",
        "def end():\n    shutil.rmtree('out')\natexit.register(end)",
        "@atexit.register\ndef end():\n    shutil.rmtree('out')",
    ],
)
def test_what_breaks_or_destroys_something_again(done: str) -> None:
    assert codes(f"{IMPORTS}{done}\n{REST}{GUARD}") == ["LP215"]


@pytest.mark.parametrize(
    "done",
    [
        "from gzip import *\nopen('lock', 'x')",
        pytest.param("os.makedirs('out', exist_ok=True)", id="may be there"),
        pytest.param("if not os.path.exists('out'):\n    os.mkdir('out')", id="asked before"),
        pytest.param("OUT = pathlib.Path('out')\nif not OUT.is_dir():\n    OUT.mkdir()", id="asked by a method"),
        pytest.param("try:\n    os.mkdir('out')\nexcept OSError:\n    pass", id="caught"),
        pytest.param("with contextlib.suppress(FileExistsError):\n    os.mkdir('out')", id="suppressed"),
        pytest.param("def make():\n    os.mkdir('out')", id="not called"),
        pytest.param("class A:\n    def __init__(self):\n        os.mkdir('out')", id="not made"),
        pytest.param("class A:\n    def make(self):\n        os.mkdir('out')\nA()", id="a method not called"),
        pytest.param(
            "class A:\n    def __init__(self, path, new=False):\n        if new:\n            os.mkdir(path)\nA('out')",
            id="made under a condition",
        ),
        pytest.param(
            "class A:\n    def __init__(self, path):\n        self.file = open(path, 'w')\nOTHER = A('other')",
            id="kept, and used nowhere",
        ),
        pytest.param(
            "class A:\n    def __init__(self):\n        os.mkdir('out')\n    @staticmethod\n    def f():\n"
            "        pass\nA.f()",
            id="a function of the class",
        ),
        pytest.param("os.open('lock', os.O_CREAT)", id="opened, whether it is there or not"),
        pytest.param("H = open('lock', 'a')\nfcntl.flock(H, fcntl.LOCK_SH | fcntl.LOCK_NB)", id="locked for several"),
        pytest.param(
            "with open('lock', 'a') as file:\n    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)", id="closed again"
        ),
        pytest.param(
            "H = open('lock', 'a')\nfcntl.flock(H, fcntl.LOCK_EX)\nfcntl.flock(H, fcntl.LOCK_UN)", id="unlocked again"
        ),
        pytest.param(
            "H = open('lock', 'a')\ntry:\n    fcntl.flock(H, fcntl.LOCK_EX | fcntl.LOCK_NB)\nexcept OSError:\n"
            "    H = None",
            id="another one may hold it",
        ),
        pytest.param(
            "def lock():\n    file = open('lock', 'a')\n    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\nlock()",
            id="let go with its function",
        ),
        pytest.param(
            "def make():\n    if os.path.exists('out'):\n        return\n    os.mkdir('out')\nmake()", id="left"
        ),
        pytest.param("if not os.path.exists('out/x'):\n    open('out/x', 'w').close()", id="a file that is not there"),
        pytest.param(
            "import configparser\nCONFIG = configparser.ConfigParser()\nCONFIG.read('out/x')\n"
            "if not CONFIG.has_section('a') or not os.path.isfile('out/x'):\n    CONFIG.add_section('a')\n"
            "    with open('out/x', 'w') as file:\n        CONFIG.write(file)",
            id="where the file is, what it says decides",
        ),
        pytest.param(
            "if os.environ.get('NEW') or not os.path.isfile('out/x'):\n    open('out/x', 'w').close()",
            id="where the file is, something else decides",
        ),
        pytest.param(
            "def old(path):\n    return 'v1' in open(path).read()\nif os.path.exists('out/x'):\n"
            "    file_exists = not old('out/x')\n    if not file_exists:\n        os.remove('out/x')",
            id="what the file itself says",
        ),
        pytest.param(
            "if os.path.exists('out/x'):\n    pass\nelif os.path.exists('a'):\n    open('out/x', 'w').close()",
            id="a file that is not there, in elif",
        ),
        pytest.param(
            "X = pathlib.Path('out/x')\nif not (X.exists() or X.is_dir()):\n    X.write_text('a')\n"
            "def f():\n    X.read_text()",
            id="a path that is not there",
        ),
        pytest.param(
            "def make():\n    if os.path.exists('out/x'):\n        return\n    open('out/x', 'w').close()\nmake()",
            id="a file that is not there, in a function",
        ),
        pytest.param("if __name__ == '__main__':\n    os.mkdir('out')", id="under the guard"),
        pytest.param(
            "import multiprocessing\nif multiprocessing.current_process().name == 'MainProcess':\n    os.mkdir('out')",
            id="under the name of the process",
        ),
        pytest.param("if 'x' in sys.argv:\n    os.mkdir('out')", id="under some condition"),
        pytest.param("if len(sys.argv) > 1:\n    N = sys.argv.pop(1)", id="if there is an argument"),
        pytest.param("N = sys.argv[1]", id="an argument that stays"),
        pytest.param("import uuid\nos.mkdir(f'out/{uuid.uuid4()}')", id="another folder each time"),
        pytest.param("FILE = open('other', 'a')\ndef f():\n    FILE.write('a')", id="appended"),
        pytest.param("with open('other', 'w') as file:\n    file.write('a')", id="used nowhere"),
        pytest.param("with open('out/x', 'w') as file:\n    file.write('a')", id="written as before, and read"),
        pytest.param(
            "X = 'out/x'\ndef version():\n    with open(X, 'w') as file:\n        file.write('1')\n    return '1'\n"
            "V = version()\ndef f():\n    if os.path.isfile(X):\n        print(open(X, 'rb'))",
            id="written as before by a function, and read",
        ),
        pytest.param(
            "X = pathlib.Path('out/x')\nwith open(X, 'w') as file:\n    file.write('a')\ndef f():\n    X.read_text()",
            id="written as before, and read by its path",
        ),
        pytest.param("logging.basicConfig(filename='log')", id="a log that goes on"),
        pytest.param("logging.basicConfig(level='INFO', filemode='w')", id="a mode for no file"),
        pytest.param("logging.basicConfig(filename=None, filemode='w')", id="None for a file"),
        pytest.param("S = socket.socket()\nS.bind(('', 0))", id="any free port"),
        pytest.param(
            "D = sqlite3.connect('d')\nD.execute('CREATE TABLE IF NOT EXISTS t (a)')", id="if it is not there"
        ),
        pytest.param("D = sqlite3.connect(':memory:')\nD.execute('CREATE TABLE t (a)')", id="in memory"),
        pytest.param("print('banner')", id="a banner"),
        pytest.param("atexit.register(print, 'bye')", id="a word at the end"),
        pytest.param("import tempfile\nT = tempfile.mkdtemp()\natexit.register(shutil.rmtree, T)", id="its own folder"),
        pytest.param("def end():\n    shutil.rmtree('out')", id="not registered"),
        pytest.param(
            "def write(path):\n    open(path, 'w').close()\ndef f(path):\n    return path\nwrite('a')", id="a parameter"
        ),
        pytest.param("@atexit.register\ndef end():\n    stop(['out'])", id="its own things put away"),
        pytest.param("class C:\n    def f(self):\n        os.mkdir('out')", id="a method"),
        pytest.param("from helpers import input\nN = input()", id="another function of that name"),
    ],
)
def test_what_may_be_repeated_or_is_not(done: str) -> None:
    assert codes(f"{IMPORTS}{done}\n{REST}{GUARD}") == []


def test_forked_workers_import_nothing() -> None:
    forked = REST.replace("mp.Process", "mp.get_context('fork').Process")
    assert codes(f"{IMPORTS}os.mkdir('out')\n{forked}{GUARD}") == []
