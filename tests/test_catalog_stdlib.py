"""Every entry for the standard library, tried for real on the running interpreter."""

from __future__ import annotations

import copy
import importlib
import pickle
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

import pytest

from lintpickle.catalog import Catalog, KnownArguments, Product, load_catalog
from lintpickle.catalog.reading import builtin_rows
from lintpickle.pythons import NEWEST

PYTHON = sys.version_info[:2]
LAST_MEASURED = NEWEST

# Where the call needs arguments, or the object is not what `path()` makes. FILE, ZIP, TAR and GZ exist.
BUILD = {
    "builtins.open": "open('FILE')",
    "builtins.memoryview": "memoryview(b'x')",
    "builtins.compile": "compile('1', 'f', 'eval')",
    "builtins.__import__": "__import__('json')",
    "builtins.property": "property(len)",
    "builtins.staticmethod": "staticmethod(len)",
    "builtins.classmethod": "classmethod(len)",
    "io.open": "io.open('FILE')",
    "os.fdopen": "os.fdopen(os.open('FILE', os.O_RDONLY))",
    "os.dup": "os.dup(1)",
    "os.dup2": "os.dup2(1, 200)",
    "os.eventfd": "os.eventfd(0)",
    "os.memfd_create": "os.memfd_create('memory')",
    "os.open": "os.open(os.devnull, os.O_RDONLY)",
    "os.pipe2": "os.pipe2(0)",
    "os.popen": "os.popen('true')",
    "io.FileIO": "io.FileIO('FILE')",
    "io.BufferedReader": "io.BufferedReader(io.BytesIO())",
    "io.BufferedWriter": "io.BufferedWriter(io.BytesIO())",
    "io.BufferedRandom": "io.BufferedRandom(io.BytesIO())",
    "io.TextIOWrapper": "io.TextIOWrapper(io.BytesIO())",
    "codecs.open": "codecs.open('FILE', 'r', 'utf8')",
    "gzip.open": "gzip.open('GZ')",
    "gzip.GzipFile": "gzip.GzipFile('GZ')",
    "bz2.open": "bz2.open('FILE')",
    "bz2.BZ2File": "bz2.BZ2File('FILE')",
    "lzma.open": "lzma.open('FILE')",
    "lzma.LZMAFile": "lzma.LZMAFile('FILE')",
    "wave.open": "wave.open('NEW', 'wb')",
    "urllib.request.urlopen": "urllib.request.urlopen('file:' + os.path.abspath('FILE'))",
    "zipfile.ZipFile": "zipfile.ZipFile('ZIP')",
    "zipfile.PyZipFile": "zipfile.PyZipFile('ZIP')",
    "zipfile.Path": "zipfile.Path('ZIP')",
    "tarfile.open": "tarfile.open('TAR')",
    "tarfile.TarFile": "tarfile.TarFile('TAR')",
    "tarfile.TarFile.open": "tarfile.TarFile.open('TAR')",
    "sqlite3.connect": "sqlite3.connect(':memory:')",
    "sqlite3.Connection": "sqlite3.Connection(':memory:')",
    "csv.reader": "csv.reader(open('FILE'))",
    "csv.DictReader": "csv.DictReader(open('FILE'))",
    "csv.writer": "csv.writer(io.StringIO())",
    "csv.DictWriter": "csv.DictWriter(io.StringIO(), ['a'])",
    "os.walk": "os.walk('.')",
    "os.fwalk": "os.fwalk('.')",
    "glob.iglob": "glob.iglob('*')",
    "tokenize.generate_tokens": "tokenize.generate_tokens(io.StringIO().readline)",
    "ast.walk": "ast.walk(ast.parse('1'))",
    "ast.iter_child_nodes": "ast.iter_child_nodes(ast.parse('1'))",
    "mmap.mmap": "mmap.mmap(-1, 16)",
    "hashlib.new": "hashlib.new('md5')",
    "hmac.new": "hmac.new(b'k', digestmod='sha1')",
    "hmac.HMAC": "hmac.HMAC(b'k', digestmod='sha1')",
    "struct.Struct": "struct.Struct('<i')",
    "struct.iter_unpack": "struct.iter_unpack('<i', b'abcd')",
    "pickle.Pickler": "pickle.Pickler(io.BytesIO())",
    "pickle.Unpickler": "pickle.Unpickler(io.BytesIO())",
    "ctypes.CDLL": "ctypes.CDLL(None)",
    "ctypes.PyDLL": "ctypes.PyDLL(None)",
    "ctypes.cdll.LoadLibrary": "ctypes.cdll.LoadLibrary(None)",
    "ctypes.pointer": "ctypes.pointer(ctypes.c_int(1))",
    "ctypes.byref": "ctypes.byref(ctypes.c_int(1))",
    "ssl.SSLContext": "ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)",
    "http.client.HTTPSConnection": "http.client.HTTPSConnection('h')",
    "socket.create_server": "socket.create_server(('127.0.0.1', 0))",
    "socket.create_connection": (
        "(lambda server: socket.create_connection(server.getsockname()))(socket.create_server(('127.0.0.1', 0)))"
    ),
    "socketserver.TCPServer": "socketserver.TCPServer(('127.0.0.1', 0), None)",
    "socketserver.UDPServer": "socketserver.UDPServer(('127.0.0.1', 0), None)",
    "socketserver.ThreadingTCPServer": "socketserver.ThreadingTCPServer(('127.0.0.1', 0), None)",
    "http.server.HTTPServer": "http.server.HTTPServer(('127.0.0.1', 0), None)",
    "http.server.ThreadingHTTPServer": "http.server.ThreadingHTTPServer(('127.0.0.1', 0), None)",
    "socketserver.BaseServer": "socketserver.BaseServer(('127.0.0.1', 0), None)",
    "socketserver.UnixStreamServer": "socketserver.UnixStreamServer(tempfile.mktemp(), None)",
    "socketserver.ThreadingUDPServer": "socketserver.ThreadingUDPServer(('127.0.0.1', 0), None)",
    "socketserver.ForkingTCPServer": "socketserver.ForkingTCPServer(('127.0.0.1', 0), None)",
    "socketserver.ForkingUDPServer": "socketserver.ForkingUDPServer(('127.0.0.1', 0), None)",
    "wsgiref.simple_server.WSGIServer": "wsgiref.simple_server.WSGIServer(('127.0.0.1', 0), None)",
    "wsgiref.simple_server.make_server": "wsgiref.simple_server.make_server('127.0.0.1', 0, None)",
    "xmlrpc.server.SimpleXMLRPCServer": "xmlrpc.server.SimpleXMLRPCServer(('127.0.0.1', 0))",
    "threading.Barrier": "threading.Barrier(2)",
    "threading.Timer": "threading.Timer(1, print)",
    "multiprocessing.Barrier": "multiprocessing.Barrier(2)",
    "multiprocessing.Value": "multiprocessing.Value('i', 0)",
    "multiprocessing.Array": "multiprocessing.Array('i', 3)",
    "multiprocessing.RawValue": "multiprocessing.RawValue('i', 0)",
    "multiprocessing.RawArray": "multiprocessing.RawArray('i', 3)",
    "multiprocessing.Pool": "multiprocessing.Pool(1)",
    "multiprocessing.pool.Pool": "multiprocessing.pool.Pool(1)",
    "multiprocessing.pool.ThreadPool": "multiprocessing.pool.ThreadPool(1)",
    "multiprocessing.dummy.Pool": "multiprocessing.dummy.Pool(1)",
    "subprocess.Popen": "subprocess.Popen(['true'])",
    "logging.FileHandler": "logging.FileHandler('NEW')",
    "logging.handlers.RotatingFileHandler": "logging.handlers.RotatingFileHandler('NEW')",
    "logging.handlers.TimedRotatingFileHandler": "logging.handlers.TimedRotatingFileHandler('NEW')",
    "logging.handlers.WatchedFileHandler": "logging.handlers.WatchedFileHandler('NEW')",
    "logging.handlers.QueueHandler": "logging.handlers.QueueHandler(queue.Queue())",
    "logging.handlers.QueueListener": "logging.handlers.QueueListener(queue.Queue())",
    "logging.handlers.MemoryHandler": "logging.handlers.MemoryHandler(1)",
    "logging.handlers.SocketHandler": "logging.handlers.SocketHandler('h', 1)",
    "logging.handlers.DatagramHandler": "logging.handlers.DatagramHandler('h', 1)",
    "logging.handlers.HTTPHandler": "logging.handlers.HTTPHandler('h', '/')",
    "logging.handlers.SMTPHandler": "logging.handlers.SMTPHandler('h', 'from', 'to', 'subject')",
    "logging.Logger": "logging.Logger('mine')",
    "weakref.ref": "weakref.ref(logging.getLogger('n'))",
    "weakref.WeakMethod": "weakref.WeakMethod(logging.getLogger('n').info)",
    "dataclasses.fields": "dataclasses.fields(dataclasses.make_dataclass('A', ['v']))",
    "types.MappingProxyType": "types.MappingProxyType({'a': 1})",
    "contextvars.ContextVar": "contextvars.ContextVar('v')",
    "re.match": "re.match('a', 'a')",
    "re.search": "re.search('a', 'a')",
    "re.fullmatch": "re.fullmatch('a', 'a')",
    "re.finditer": "re.finditer('a', 'aa')",
    "itertools.pairwise": "itertools.pairwise([1, 2])",
    "itertools.batched": "itertools.batched([1, 2], 2)",
    "itertools.accumulate": "itertools.accumulate([1])",
    "itertools.chain.from_iterable": "itertools.chain.from_iterable([[1]])",
    "itertools.combinations": "itertools.combinations([1], 1)",
    "itertools.combinations_with_replacement": "itertools.combinations_with_replacement([1], 1)",
    "itertools.compress": "itertools.compress([1], [1])",
    "itertools.cycle": "itertools.cycle([1])",
    "itertools.dropwhile": "itertools.dropwhile(bool, [1])",
    "itertools.filterfalse": "itertools.filterfalse(bool, [1])",
    "itertools._grouper": "next(itertools.groupby([1]))[1]",
    "itertools.groupby": "itertools.groupby([1])",
    "itertools.islice": "itertools.islice([1], 1)",
    "itertools.permutations": "itertools.permutations([1])",
    "itertools.repeat": "itertools.repeat(1)",
    "itertools.starmap": "itertools.starmap(pow, [(1, 1)])",
    "itertools.takewhile": "itertools.takewhile(bool, [1])",
    "importlib.import_module": "importlib.import_module('json')",
    "functools.cmp_to_key": "functools.cmp_to_key(len)",
    "xml.etree.ElementTree.iterparse": "xml.etree.ElementTree.iterparse(io.BytesIO(b'<a/>'))",
    "cmd.Cmd": "cmd.Cmd(stdin=sys.__stdin__, stdout=sys.__stdout__)",
    "pdb.Pdb": "pdb.Pdb(stdin=sys.__stdin__, stdout=sys.__stdout__)",
    "pprint.PrettyPrinter": "pprint.PrettyPrinter(stream=sys.__stdout__)",
    "unittest.TextTestRunner": "unittest.TextTestRunner(stream=sys.__stderr__)",
    "heapq.merge": "heapq.merge([1], [2])",
    "difflib.unified_diff": "difflib.unified_diff(['a'], ['b'])",
    "difflib.context_diff": "difflib.context_diff(['a'], ['b'])",
    "difflib.ndiff": "difflib.ndiff(['a'], ['b'])",
    "dis.get_instructions": "dis.get_instructions('a')",
    "dis.findlinestarts": "dis.findlinestarts(compile('a', 'a', 'exec'))",
    "dis.Bytecode": "dis.Bytecode('a')",
    "tokenize.tokenize": "tokenize.tokenize(io.BytesIO(b'a').readline)",
    "concurrent.futures.as_completed": "concurrent.futures.as_completed([])",
    "traceback.walk_stack": "traceback.walk_stack(None)",
    "traceback.walk_tb": "traceback.walk_tb(None)",
    "symtable.symtable": "symtable.symtable('a', 'a', 'exec')",
    "types.ModuleType": "types.ModuleType('mine')",
    "importlib.util.module_from_spec": "importlib.util.module_from_spec(importlib.util.find_spec('json'))",
    "ctypes.create_string_buffer": "ctypes.create_string_buffer(3)",
    "shelve.open": "shelve.open('NEW')",
    "dbm.open": "dbm.open('NEW', 'c')",
}
# What depends on the platform, the build of dbm, a running event loop or a handled exception.
ELSEWHERE = {
    "asyncio.Future",
    "asyncio.Task",
    "asyncio.create_task",
    "asyncio.current_task",
    "asyncio.ensure_future",
    "asyncio.gather",
    "asyncio.get_event_loop",
    "asyncio.get_running_loop",
    "asyncio.run_coroutine_threadsafe",
    "asyncio.shield",
    "asyncio.wrap_future",
    "dbm.open",
    "shelve.open",
    "sys.exc_info",
    "zoneinfo.ZoneInfo.from_file",
}

# Owner, method, expression.
METHODS = [
    ("pathlib.Path", "open", "pathlib.Path('FILE').open()"),
    ("pathlib.Path", "glob", "pathlib.Path('.').glob('*')"),
    ("pathlib.Path", "rglob", "pathlib.Path('.').rglob('*')"),
    ("pathlib.Path", "iterdir", "pathlib.Path('.').iterdir()"),
    ("archive", "open", "zipfile.ZipFile('ZIP').open('a')"),
    ("archive", "extractfile", "tarfile.open('TAR').extractfile('FILE')"),
    ("sqlite3.Connection", "cursor", "sqlite3.connect(':memory:').cursor()"),
    ("sqlite3.Connection", "execute", "sqlite3.connect(':memory:').execute('select 1')"),
    ("sqlite3.Connection", "iterdump", "sqlite3.connect(':memory:').iterdump()"),
    ("io.BytesIO", "getbuffer", "io.BytesIO(b'x').getbuffer()"),
    ("socket.socket", "makefile", "socket.socket().makefile()"),
    ("ipaddress.ip_network", "hosts", "ipaddress.ip_network('10.0.0.0/8').hosts()"),
    ("ipaddress.IPv4Network", "subnets", "ipaddress.IPv4Network('10.0.0.0/8').subnets()"),
    ("re.Pattern", "match", "re.compile('a').match('a')"),
    ("re.Pattern", "finditer", "re.compile('a').finditer('a')"),
    ("xml.etree.ElementTree.Element", "iter", "xml.etree.ElementTree.fromstring('<a/>').iter()"),
    ("xml.etree.ElementTree.Element", "iterfind", "xml.etree.ElementTree.fromstring('<a/>').iterfind('a')"),
    ("mp-context", "Lock", "multiprocessing.get_context('spawn').Lock()"),
    ("mp-context", "Event", "multiprocessing.get_context('spawn').Event()"),
    ("mp-context", "Queue", "multiprocessing.get_context('spawn').Queue()"),
    ("mp-context", "Value", "multiprocessing.get_context('spawn').Value('i', 0)"),
    ("mp-context", "Process", "multiprocessing.get_context('spawn').Process(target=print)"),
    ("pool", "submit", "concurrent.futures.ThreadPoolExecutor().submit(print, end='')"),
    ("_queue.SimpleQueue", "map", "concurrent.futures.ThreadPoolExecutor().map(abs, [1])"),
    ("event-loop", "create_future", "asyncio.new_event_loop().create_future()"),
]

# Receiver, method, expression; the None receiver is a dict.
VIEWS: list[tuple[str | None, str, str]] = [
    (None, "keys", "{'a': 1}.keys()"),
    ("dict", "values", "{'a': 1}.values()"),
    ("collections.defaultdict", "items", "collections.defaultdict(int).items()"),
    ("collections.Counter", "keys", "collections.Counter('a').keys()"),
    ("collections.OrderedDict", "keys", "collections.OrderedDict(a=1).keys()"),
    ("collections.OrderedDict", "items", "collections.OrderedDict(a=1).items()"),
    ("os.environ", "keys", "os.environ.keys()"),
    ("weakref.WeakValueDictionary", "keys", "weakref.WeakValueDictionary().keys()"),
    ("weakref.WeakKeyDictionary", "items", "weakref.WeakKeyDictionary().items()"),
    ("collections.UserDict", "keys", "collections.UserDict(a=1).keys()"),
    ("collections.ChainMap", "items", "collections.ChainMap({}).items()"),
    ("configparser.ConfigParser", "values", "configparser.ConfigParser().values()"),
    ("xml.etree.ElementTree.Element", "keys", "xml.etree.ElementTree.fromstring('<a b=\"1\"/>').keys()"),
]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def _error(failure: Exception) -> str:
    """As a traceback ends, without addresses."""
    kind = type(failure)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return re.sub(r"0x[0-9a-f]+", "0x…", f"{module}{kind.__qualname__}: {failure}")


def _evaluate(expression: str) -> Any:
    for module in re.findall(r"\b([a-z_]\w*(?:\.[a-z_]\w*)*)", expression):
        with suppress(ImportError):
            importlib.import_module(module)
        with suppress(ImportError):
            importlib.import_module(module.rpartition(".")[0] or module)
    modules = {name: module for name, module in sys.modules.items() if "." not in name}
    return eval(expression, dict(modules))


def _check(catalog: Catalog, product: Product | None, made: object) -> None:
    """The product says of the object what pickle and copy do with it."""
    dumps = ForkingPickler.dumps if product is not None and product.kind == "shared-memory" else pickle.dumps
    if product is None or not product.fails_on(PYTHON) or product.fails == "worker":
        dumps(made)
        return
    with pytest.raises(Exception) as caught:
        dumps(made)
    if PYTHON <= LAST_MEASURED:
        assert _error(caught.value) == catalog.error_on(product, PYTHON)
    try:
        copy.deepcopy(made)
    except Exception:  # whatever it is: only the fact counts
        assert "deepcopy" not in product.crosses
    else:
        assert "deepcopy" in product.crosses


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import gzip
    import tarfile
    import zipfile

    monkeypatch.chdir(tmp_path)
    Path("FILE").write_text("a,b\n1,2\n", encoding="utf-8")
    gzip.open("GZ", "wb").close()
    with zipfile.ZipFile("ZIP", "w") as archive:
        archive.writestr("a", "b")
    with tarfile.open("TAR", "w") as tar:
        tar.add("FILE")
    yield


def _release(made: object) -> None:
    names = ("server_close",) if hasattr(made, "server_close") else ("terminate", "shutdown", "close", "release")
    for name in names:
        with suppress(Exception):  # whatever can be given back is given back
            getattr(made, name)()


def _stdlib(table: str, key: str) -> list[str]:
    """The names that the catalog files of the standard library enter unconditionally."""
    rows = [row for row in builtin_rows() if Path(row.file).name.startswith("stdlib-")]
    found = {path for row in rows if row.table == table and "when" not in row.values for path in row.paths(key)}
    return sorted(found - ELSEWHERE)


def _exists(path: str) -> bool:
    with suppress(AttributeError, ImportError):
        _evaluate(path)
        return True
    return False


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # half-made copies are dropped
@pytest.mark.parametrize("path", _stdlib("product", "call"))
def test_stdlib_products_for_real(catalog: Catalog, workspace: None, path: str) -> None:
    if not _exists(path):
        pytest.skip(f"no {path} here")
    made = _evaluate(BUILD.get(path, f"{path}()"))
    try:
        _check(catalog, catalog.product(path), made)
    finally:
        _release(made)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize(
    ("path", "arguments", "expression"),
    [
        ("builtins.open", {0: "FILE", 1: "rb"}, "open('FILE', 'rb')"),
        ("builtins.open", {0: "NEW", 1: "wb"}, "open('NEW', 'wb')"),
        ("builtins.open", {0: "FILE", 1: "r+b"}, "open('FILE', 'r+b')"),
        ("builtins.open", {0: "FILE", 1: "rb", 2: 0}, "open('FILE', 'rb', 0)"),
        ("gzip.open", {0: "GZ", 1: "rt"}, "gzip.open('GZ', 'rt')"),
        ("lzma.open", {0: "NEW", 1: "wb"}, "lzma.open('NEW', 'wb')"),
        ("zipfile.ZipFile", {0: "NEW", "mode": "w"}, "zipfile.ZipFile('NEW', mode='w')"),
        ("tarfile.open", {0: "NEW", 1: "w:gz"}, "tarfile.open('NEW', 'w:gz')"),
        ("tempfile.NamedTemporaryFile", {"mode": "w"}, "tempfile.NamedTemporaryFile(mode='w')"),
        ("multiprocessing.Value", {"lock": False}, "multiprocessing.Value('i', 0, lock=False)"),
    ],
)
def test_stdlib_products_by_their_arguments_for_real(
    catalog: Catalog, workspace: None, path: str, arguments: KnownArguments, expression: str
) -> None:
    made = _evaluate(expression)
    try:
        _check(catalog, catalog.product(path, arguments), made)
    finally:
        _release(made)


@pytest.mark.parametrize("path", _stdlib("value", "name"))
def test_stdlib_values_for_real(catalog: Catalog, path: str) -> None:
    if path.startswith("sys.std"):
        path = path.replace("sys.std", "sys.__std") + "__"  # pytest has replaced them
    value = catalog.value(path)
    assert value is not None
    _check(catalog, value, _evaluate(path))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(("owner", "method", "expression"), METHODS)
def test_stdlib_methods_for_real(catalog: Catalog, workspace: None, owner: str, method: str, expression: str) -> None:
    product = catalog.method_product(owner, method)
    assert product is not None
    made = _evaluate(expression)
    try:
        _check(catalog, product, made)
    finally:
        _release(made)


@pytest.mark.parametrize(("receiver", "method", "expression"), VIEWS)
def test_stdlib_views_for_real(catalog: Catalog, receiver: str | None, method: str, expression: str) -> None:
    product = catalog.view_product(receiver, method)
    made = _evaluate(expression)
    if product is None:
        pickle.dumps(made)
        return
    with pytest.raises(Exception) as caught:
        pickle.dumps(made)
    if PYTHON <= LAST_MEASURED:
        assert _error(caught.value) == catalog.error_on(product, PYTHON)


@pytest.mark.parametrize(
    ("expression", "crosses"),
    [
        ("map(str, {}.keys())", True),
        ("zip({}.keys(), [])", True),
        ("enumerate({}.items())", True),
        ("itertools.islice({}.keys(), 1)", True),
        ("itertools.groupby({}.keys())", True),
        ("itertools.chain({}.keys())", False),
        ("itertools.repeat({}.keys())", False),
    ],
)
@pytest.mark.skipif(PYTHON >= (3, 14), reason="itertools no longer pickle")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_iterating_a_view_makes_it_harmless_and_keeping_it_does_not(
    catalog: Catalog, expression: str, crosses: bool
) -> None:
    name = expression.partition("(")[0]
    path = name if "." in name else f"builtins.{name}"
    assert catalog.converter(path) == ("iterate" if crosses else "keep")
    if crosses:
        pickle.dumps(_evaluate(expression))
    else:
        with pytest.raises(TypeError, match="cannot pickle 'dict_keys' object"):
            pickle.dumps(_evaluate(expression))
