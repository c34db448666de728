"""The catalog against the truth: library rows against what was measured, stdlib rows against this interpreter."""

from __future__ import annotations

import copy
import importlib
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

import pytest

from lintpickle.catalog import Arguments, Catalog, Product, load_catalog
from lintpickle.catalog.reading import Row, builtin_rows
from lintpickle.diagnostics import LintpickleError, StartMethod

PYTHON = sys.version_info[:2]
LAST_MEASURED = (3, 13)
SPAWNING = (StartMethod.SPAWN, StartMethod.FORKSERVER)
BOOLEAN_DISPATCH = "AttributeError: Can't pickle local object 'boolean_dispatch.<locals>.fn'"
NOT_TASKS = "objects should only be shared between processes through inheritance"
NO_REDUCE = "TypeError: no default __reduce__ due to non-trivial __cinit__"
PANDAS_ROW = (
    "_pickle.PicklingError: Can't pickle <class 'pandas.core.frame.Pandas'>: "
    "attribute lookup Pandas on pandas.core.frame failed"
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def cannot(type_: str) -> str:
    return f"TypeError: cannot pickle '{type_}' object"


# Rows of the truth, Python 3.11.7 and the libraries of November 2026: id, call, known arguments, error.
FAILING: list[tuple[str, str, Arguments, str]] = [
    ("io.open_text", "builtins.open", {0: "f1", 1: "w"}, cannot("_io.TextIOWrapper")),
    ("io.open_binary_read", "builtins.open", {0: "f1", 1: "rb"}, cannot("_io.BufferedReader")),
    ("io.open_binary_rw", "builtins.open", {"mode": "w+b"}, cannot("_io.BufferedRandom")),
    ("io.open_unbuffered", "builtins.open", {1: "wb", "buffering": 0}, cannot("_io.FileIO")),
    ("io.gzip_open", "gzip.open", {1: "wb"}, cannot("_io.BufferedWriter")),
    ("numpy.NpzFile", "numpy.load", {0: "z.npz"}, cannot("_io.BufferedReader")),
    ("numpy.nditer", "numpy.nditer", {}, cannot("numpy.nditer")),
    ("numpy.ndenumerate", "numpy.ndenumerate", {}, cannot("numpy.flatiter")),
    ("pandas.read_csv_chunksize", "pandas.read_csv", {"chunksize": 1}, cannot("_io.BufferedReader")),
    ("pandas.read_csv_iterator", "pandas.read_csv", {"iterator": True}, cannot("_io.BufferedReader")),
    ("pandas.ExcelFile", "pandas.ExcelFile", {}, cannot("_io.BufferedReader")),
    ("h5py.File", "h5py.File", {0: "a.h5", 1: "w"}, "TypeError: h5py objects cannot be pickled"),
    ("h5py.Group", "h5py._hl.group.Group", {}, "TypeError: h5py objects cannot be pickled"),
    ("lmdb.Environment", "lmdb.open", {0: "l.lmdb"}, cannot("Environment")),
    ("pyarrow.ParquetFile", "pyarrow.parquet.ParquetFile", {}, NO_REDUCE),
    ("netCDF4.Dataset", "netCDF4.Dataset", {}, "NotImplementedError: Dataset is not picklable"),
    ("cv2.VideoCapture_opened", "cv2.VideoCapture", {0: "v.avi"}, cannot("cv2.VideoCapture")),
    ("cv2.CLAHE", "cv2.createCLAHE", {}, cannot("cv2.CLAHE")),
    ("cv2.ORB", "cv2.ORB_create", {}, cannot("cv2.ORB")),
    ("cv2.ORB", "cv2.ORB.create", {}, cannot("cv2.ORB")),
    ("cv2.aruco_parameters", "cv2.aruco.DetectorParameters", {}, cannot("cv2.aruco.DetectorParameters")),
    ("PIL.ImageDraw", "PIL.ImageDraw.Draw", {}, cannot("ImagingCore")),
    ("av.container", "av.open", {0: "v.mp4"}, NO_REDUCE),
    (
        "decord.VideoReader",
        "decord.VideoReader",
        {},
        "ValueError: ctypes objects containing pointers cannot be pickled",
    ),
    ("soundfile.SoundFile", "soundfile.SoundFile", {}, cannot("_cffi_backend.__CDataOwn")),
    ("redis.Redis", "redis.Redis", {}, cannot("_thread.RLock")),
    ("pymongo.MongoClient", "pymongo.MongoClient", {}, cannot("_thread.lock")),
    (
        "sqlalchemy.engine",
        "sqlalchemy.create_engine",
        {},
        "AttributeError: Can't pickle local object 'create_engine.<locals>.connect'",
    ),
    ("duckdb.connection", "duckdb.connect", {}, cannot("DuckDBPyConnection")),
    (
        "onnxruntime.InferenceSession",
        "onnxruntime.InferenceSession",
        {},
        cannot("onnxruntime.capi.onnxruntime_pybind11_state.InferenceSession"),
    ),
    ("lxml.Element", "lxml.etree.fromstring", {}, cannot("lxml.etree._Element")),
    ("tqdm.bar", "tqdm.auto.tqdm", {}, cannot("_io.TextIOWrapper")),
    ("rich.Console", "rich.console.Console", {}, cannot("_thread.RLock")),
    ("torch.misc.SummaryWriter", "torch.utils.tensorboard.SummaryWriter", {}, cannot("_thread.lock")),
    ("torch.mp.Queue", "torch.multiprocessing.Queue", {}, f"RuntimeError: Queue {NOT_TASKS}"),
    ("torch.mp.Event", "torch.multiprocessing.Event", {}, f"RuntimeError: Condition {NOT_TASKS}"),
    ("torch.misc.Future", "torch.futures.Future", {}, "RuntimeError: Can not pickle torch.futures.Future"),
    ("torch.tensor.finfo", "torch.finfo", {}, cannot("torch.finfo")),
    (
        "torch.tensor.Generator",
        "torch.Generator",
        {},
        "RuntimeError: unable to resize file <filename not specified> to the right size: Invalid argument (22)",
    ),
    (
        "torch.ema.AveragedModel_get_ema_multi_avg_fn",
        "torch.optim.swa_utils.get_ema_multi_avg_fn",
        {},
        "AttributeError: Can't pickle local object 'get_ema_multi_avg_fn.<locals>.ema_update'",
    ),
]

# Rows of the truth that cross: id, call, known arguments.
CROSSING: list[tuple[str, str, Arguments]] = [
    ("log.Logger", "logging.getLogger", {}),
    ("data.re_compile", "re.compile", {}),
    ("fn.lru_cache_module_fn", "functools.lru_cache", {}),
    ("requests.Session", "requests.Session", {}),
    ("iter.iter_list", "builtins.iter", {}),
    ("iter.map_builtin", "builtins.map", {}),
    ("io.BytesIO", "io.BytesIO", {}),
    ("io.SpooledTemporaryFile", "tempfile.SpooledTemporaryFile", {}),
    ("net.socket", "socket.socket", {}),
    ("sync.mp.Pipe_conn", "multiprocessing.Pipe", {}),
    ("sync.mp.get_context_spawn", "multiprocessing.get_context", {}),
    ("log.NullHandler", "logging.NullHandler", {}),
    ("data.random_Random", "random.Random", {}),
    ("numpy.Generator", "numpy.random.default_rng", {}),
    ("numpy.np_load_mmap_8MB", "numpy.load", {0: "m.npy", "mmap_mode": "r"}),
    ("pandas.groupby", "pandas.DataFrame", {}),
    ("pandas.DataFrame", "pandas.read_csv", {0: "p.csv", "chunksize": None}),
    ("tqdm.bar_disabled", "tqdm.tqdm", {"disable": True}),
    ("zarr.group_local", "zarr.open_group", {}),
    ("fsspec.filesystem_file", "fsspec.filesystem", {}),
    ("PIL.Image_open_png_lazy", "PIL.Image.open", {}),
    ("cv2.function_resize", "cv2.resize", {}),
    ("torch.data.DataLoader", "torch.utils.data.DataLoader", {}),
    ("torch.mod.compile_uncalled", "torch.compile", {}),
    ("torch.misc.profile", "torch.profiler.profile", {}),
    ("torch.mod.Linear", "torch.nn.Linear", {}),
    ("sync.mp.Manager_dict", "multiprocessing.Manager.dict", {}),
    ("joblib.Memory", "joblib.Memory", {}),
    ("jinja.Environment", "jinja2.Environment", {}),
    ("tokenizers.Tokenizer", "tokenizers.Tokenizer", {}),
]

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
    "socketserver.TCPServer": "socketserver.TCPServer(('127.0.0.1', 0), None)",
    "socketserver.UDPServer": "socketserver.UDPServer(('127.0.0.1', 0), None)",
    "socketserver.ThreadingTCPServer": "socketserver.ThreadingTCPServer(('127.0.0.1', 0), None)",
    "http.server.HTTPServer": "http.server.HTTPServer(('127.0.0.1', 0), None)",
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
    "logging.Logger": "logging.Logger('mine')",
    "weakref.ref": "weakref.ref(logging.getLogger('n'))",
    "weakref.WeakMethod": "weakref.WeakMethod(logging.getLogger('n').info)",
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
    "itertools.groupby": "itertools.groupby([1])",
    "itertools.islice": "itertools.islice([1], 1)",
    "itertools.permutations": "itertools.permutations([1])",
    "itertools.repeat": "itertools.repeat(1)",
    "itertools.starmap": "itertools.starmap(pow, [(1, 1)])",
    "itertools.takewhile": "itertools.takewhile(bool, [1])",
    "importlib.import_module": "importlib.import_module('json')",
    "functools.cmp_to_key": "functools.cmp_to_key(len)",
    "xml.etree.ElementTree.iterparse": "xml.etree.ElementTree.iterparse(io.BytesIO(b'<a/>'))",
    "shelve.open": "shelve.open('NEW')",
    "dbm.open": "dbm.open('NEW', 'c')",
}
# The ones that only some platforms or some builds of dbm have, and those that need a running event loop.
ELSEWHERE = {"shelve.open", "dbm.open", "asyncio.get_running_loop", "asyncio.get_event_loop"}

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
    ("re.Pattern", "match", "re.compile('a').match('a')"),
    ("re.Pattern", "finditer", "re.compile('a').finditer('a')"),
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


@pytest.mark.parametrize(("row", "path", "arguments", "error"), FAILING, ids=[row[0] for row in FAILING])
def test_what_fails_is_a_product_with_its_error(
    catalog: Catalog, row: str, path: str, arguments: Arguments, error: str
) -> None:
    product = catalog.product(path, arguments)
    assert product is not None
    assert product.error == error


@pytest.mark.parametrize(("row", "path", "arguments"), CROSSING, ids=[row[0] for row in CROSSING])
def test_what_crosses_is_no_product(catalog: Catalog, row: str, path: str, arguments: Arguments) -> None:
    product = catalog.product(path, arguments)
    assert product is None
    assert catalog.value(path) is None


@pytest.mark.parametrize(
    "name", ["max_pool1d", "max_pool2d", "adaptive_max_pool2d", "fractional_max_pool3d", "unique", "lu"]
)
def test_dispatch_functions_of_torch(catalog: Catalog, name: str) -> None:
    module = "torch" if name in ("unique", "lu") else "torch.nn.functional"
    value = catalog.value(f"{module}.{name}")
    assert value is not None
    assert value.error == BOOLEAN_DISPATCH
    assert "deepcopy" in value.crosses


@pytest.mark.parametrize(
    "path",
    [
        "torch.relu",
        "torch.max_pool2d",
        "torch.nn.functional.relu",
        "torch.nn.functional.avg_pool2d",
        "torch.nn.functional.max_pool2d_with_indices",
        "torch.nn.init.xavier_uniform_",
        "numpy.mean",
        "cv2.INTER_LINEAR",
        "os.sep",
        "logging.root",
    ],
)
def test_names_that_cross_are_no_values(catalog: Catalog, path: str) -> None:
    assert catalog.value(path) is None


@pytest.mark.parametrize(
    ("owner", "method", "error"),
    [
        ("torch.nn.Module", "parameters", cannot("generator")),
        ("torch.nn.Linear", "named_modules", cannot("generator")),
        ("module", "children", cannot("generator")),
        ("pandas.DataFrame", "itertuples", PANDAS_ROW),
        ("h5py.File", "__getitem__", "TypeError: h5py objects cannot be pickled"),
        ("h5py.File", "create_group", "TypeError: h5py objects cannot be pickled"),
        (
            "torch.utils.data.DataLoader",
            "__iter__",
            "NotImplementedError: ('{} cannot be pickled', '_MultiProcessingDataLoaderIter')",
        ),
        ("torch.utils.data.sampler.RandomSampler", "__iter__", cannot("generator")),
    ],
)
def test_methods_of_libraries(catalog: Catalog, owner: str, method: str, error: str) -> None:
    product = catalog.method_product(owner, method)
    assert product is not None
    assert product.error == error


def test_methods_are_found_through_the_product_of_a_call(catalog: Catalog) -> None:
    environment = catalog.product("lmdb.open")
    assert environment is not None
    transaction = catalog.method_product(environment, "begin")
    assert transaction is not None
    cursor = catalog.method_product(transaction, "cursor")
    assert cursor is not None
    assert (environment.type, transaction.type, cursor.type) == ("Environment", "Transaction", "Cursor")
    assert catalog.method_product(transaction, "get") is None
    assert catalog.method_product(environment, "stat") is None


@pytest.mark.parametrize(
    ("owner", "method"),
    [
        ("torch.nn.Module", "state_dict"),
        ("torch.utils.data.SequentialSampler", "__iter__"),
        ("h5py.Dataset", "__getitem__"),
        ("pandas.DataFrame", "keys"),
        ("re.Pattern", "sub"),
        ("pathlib.Path", "exists"),
        ("sqlite3.Cursor", "fetchall"),
    ],
)
def test_methods_whose_results_cross(catalog: Catalog, owner: str, method: str) -> None:
    assert catalog.method_product(owner, method) is None


@pytest.mark.parametrize(
    ("receiver", "method", "type_"),
    [
        ("torch.nn.ModuleDict", "values", "dict_values"),
        ("torch.nn.modules.container.ParameterDict", "items", "generator"),
        ("omegaconf.dictconfig.DictConfig", "keys", "dict_keys"),
        ("zarr.Group", "keys", "generator"),
        ("pandas.DataFrame", "items", "generator"),
    ],
)
def test_views_of_libraries(catalog: Catalog, receiver: str, method: str, type_: str) -> None:
    view = catalog.view_product(receiver, method)
    assert view is not None
    assert view.error == cannot(type_)


@pytest.mark.parametrize(
    ("receiver", "method"),
    [
        ("pandas.DataFrame", "keys"),
        ("omegaconf.DictConfig", "values"),
        ("dict", "copy"),
        ("builtins.list", "items"),
    ],
)
def test_what_is_no_view(catalog: Catalog, receiver: str, method: str) -> None:
    assert catalog.view_product(receiver, method) is None


def test_a_view_of_a_state_dict(catalog: Catalog) -> None:
    receiver = catalog.method_returns("torch.nn.Module", "state_dict")
    view = catalog.view_product(receiver, "keys")
    assert view is not None
    assert view.type == "odict_keys"


def test_h5_views(catalog: Catalog) -> None:
    handle = catalog.product("h5py.File")
    assert handle is not None
    view = catalog.view_product(handle, "keys")
    assert view is not None
    assert view.error == "TypeError: h5py objects cannot be pickled"


def _error(failure: Exception) -> str:
    """As a traceback ends, without addresses."""
    kind = type(failure)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return re.sub(r"0x[0-9a-f]+", "0x..", f"{module}{kind.__qualname__}: {failure}")


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
    if product is None or not product.fails_on(PYTHON):
        dumps(made)
        return
    with pytest.raises(Exception) as caught:  # noqa: PT011  (each object has an error of its own, compared below)
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
    names = ("server_close",) if hasattr(made, "server_close") else ("terminate", "shutdown", "close")
    for name in names:
        with suppress(Exception):  # whatever can be given back is given back
            getattr(made, name)()


def _stdlib(table: str, key: str) -> list[str]:
    """The names that the catalog files of the standard library enter unconditionally."""
    rows: list[Row] = [row for row in builtin_rows() if Path(row.file).name.startswith("stdlib-")]
    found = {
        path for row in rows if row.table == table and "when" not in row.values for path in row.paths(key)
    }
    return sorted(found - ELSEWHERE)


def _exists(path: str) -> bool:
    with suppress(AttributeError, ImportError):
        _evaluate(path)
        return True
    return False


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", _stdlib("product", "call"))
def test_stdlib_products_for_real(catalog: Catalog, workspace: None, path: str) -> None:
    if not _exists(path):
        pytest.skip(f"no {path} here")
    made = _evaluate(BUILD.get(path, f"{path}()"))
    try:
        _check(catalog, catalog.product(path), made)
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
def test_stdlib_methods_for_real(
    catalog: Catalog, workspace: None, owner: str, method: str, expression: str
) -> None:
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
    with pytest.raises(Exception) as caught:  # noqa: PT011  (compared below)
        pickle.dumps(made)
    if PYTHON <= LAST_MEASURED:
        assert _error(caught.value) == catalog.error_on(product, PYTHON)


def test_itertools_stop_pickling_with_python_314(catalog: Catalog) -> None:
    cycle = catalog.product("itertools.cycle")
    assert cycle is not None
    assert not cycle.fails_on((3, 13))
    assert cycle.fails_on((3, 14))


def test_iterdir_pickles_from_python_313(catalog: Catalog) -> None:
    iterdir = catalog.method_product("pathlib.Path", "iterdir")
    assert iterdir is not None
    assert iterdir.fails_on((3, 12))
    assert not iterdir.fails_on((3, 13))


def test_errors_are_reworded_for_later_pythons(catalog: Catalog) -> None:
    opened = catalog.product("builtins.open")
    assert opened is not None
    assert catalog.error_on(opened, (3, 11)) == cannot("_io.TextIOWrapper")
    assert catalog.error_on(opened, (3, 12)) == "TypeError: cannot pickle 'TextIOWrapper' instances"
    local = "AttributeError: Can't pickle local object 'f.<locals>.g'"
    assert catalog.error_on(local, (3, 12)) == local
    assert catalog.error_on(local, (3, 13)) == "AttributeError: Can't get local object 'f.<locals>.g'"


@pytest.mark.parametrize(
    ("path", "converter"),
    [
        ("builtins.list", "consume"),
        ("builtins.sorted", "consume"),
        ("collections.deque", "consume"),
        ("torch.nn.modules.container.ModuleList", "consume"),
        ("builtins.map", "iterate"),
        ("itertools.islice", "iterate"),
        ("itertools.chain", "keep"),
        ("functools.partial", "keep"),
        ("torchvision.transforms.Compose", "keep"),
        ("torchvision.transforms.v2.Lambda", "keep"),
        ("albumentations.core.composition.Compose", "keep"),
        ("torch.utils.data.dataset.Subset", "keep"),
        ("torch.utils.data.random_split", "first"),
        ("copy.deepcopy", "copy"),
        ("typing.cast", "last"),
        ("builtins.len", None),
        ("mypkg.build", None),
    ],
)
def test_converters(catalog: Catalog, path: str, converter: str | None) -> None:
    assert catalog.converter(path) == converter


@pytest.mark.parametrize(
    "path", ["builtins.len", "builtins.int", "os.path.join", "numpy.array", "json.loads"]
)
def test_safe_functions(catalog: Catalog, path: str) -> None:
    assert catalog.is_safe_function(path)


@pytest.mark.parametrize(
    "path",
    ["builtins.list", "builtins.open", "numpy.nditer", "cv2.createCLAHE", "torch.Generator", "mypkg.f"],
)
def test_functions_that_are_not_safe(catalog: Catalog, path: str) -> None:
    assert not catalog.is_safe_function(path)


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


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("torch.utils.data.Dataset", "dataset"),
        ("torch.utils.data.dataset.IterableDataset", "iterable-dataset"),
        ("torchvision.datasets.vision.VisionDataset", "dataset"),
        ("torch_geometric.data.InMemoryDataset", "dataset"),
        ("mmdet.datasets.custom.CustomDataset", "dataset"),
        ("mmdet3d.datasets.NuScenesDataset", "dataset"),
        ("fairseq.data.FairseqDataset", "dataset"),
        ("torch.nn.modules.module.Module", "module"),
        ("torch.nn.Parameter", "tensor"),
        ("pytorch_lightning.LightningModule", "lightning-module"),
        ("lightning.pytorch.LightningDataModule", "datamodule"),
        ("torchvision.transforms.transforms.Compose", "transform"),
        ("monai.transforms.MapTransform", "transform"),
        ("torch.utils.data.BatchSampler", "batch-sampler"),
        ("torch.utils.data.distributed.DistributedSampler", "sampler"),
        ("transformers.DataCollatorWithPadding", "collate"),
        ("torch.multiprocessing.Process", "process"),
        ("builtins.ValueError", "exception"),
        ("torchvision.transforms.functional.resize", None),
        ("h5py.Dataset", None),
        ("builtins.object", None),
    ],
)
def test_kinds_of_classes(catalog: Catalog, path: str, kind: str | None) -> None:
    assert catalog.kind_of_class(path) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("NuScenesDataset", "dataset"),
        ("base.CustomIterableDataset", "iterable-dataset"),
        ("nn.Module", "module"),
        ("pl.LightningModule", "lightning-module"),
        ("MyDataModule", "datamodule"),
        ("ParseError", "exception"),
        ("tf.data.Dataset", None),
        ("xr.Dataset", None),
        ("BaseSampler", None),
        ("MyModule", None),
        ("object", None),
    ],
)
def test_kinds_by_name(catalog: Catalog, name: str, kind: str | None) -> None:
    assert catalog.kind_by_name(name) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("DATASETS.register_module", "dataset"),
        ("mmdet.registry.TRANSFORMS.register_module", "transform"),
        ("HEADS.register_module", "module"),
        ("HOOKS.register_module", None),
        ("register_module", None),
    ],
)
def test_kinds_by_decorator(catalog: Catalog, name: str, kind: str | None) -> None:
    assert catalog.kind_by_decorator(name) == kind


def test_methods_that_run_in_workers(catalog: Catalog) -> None:
    assert "__getitem__" in catalog.worker_methods("dataset")
    assert "__iter__" in catalog.worker_methods("iterable-dataset")
    assert catalog.worker_methods("collate") == ("__call__",)
    assert catalog.worker_methods("sampler") == ()


def test_the_data_loader_ships_its_dataset_but_not_its_sampler(catalog: Catalog) -> None:
    loader = catalog.boundary("torch.utils.data.dataloader.DataLoader")
    assert loader is not None
    assert loader.kind == "dataloader"
    assert loader.payload == ("dataset", "collate_fn", "worker_init_fn")
    assert loader.functions == ("collate_fn", "worker_init_fn")
    assert loader.parameters.index("num_workers") == 5
    assert (loader.workers, loader.workers_default_zero) == ("num_workers", True)
    assert loader.context == "multiprocessing_context"
    assert loader.start_methods == SPAWNING


def test_tasks_of_pools_cross_under_fork_too(catalog: Catalog) -> None:
    pool = catalog.product("torch.multiprocessing.Pool")
    assert pool is not None
    task = catalog.boundary_method(pool, "imap")
    assert task is not None
    assert task.start_methods == tuple(StartMethod)
    assert task.elements == ("iterable",)
    started = catalog.boundary("multiprocessing.Pool")
    assert started is not None
    assert started.start_methods == SPAWNING


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("torch.multiprocessing.Process", "process"),
        ("torch.multiprocessing.spawn", "spawn"),
        ("concurrent.futures.process.ProcessPoolExecutor", "executor"),
        ("torch.save", "save"),
        ("pickle.dumps", "pickle"),
        ("cloudpickle.dump", "cloudpickle"),
        ("copy.deepcopy", "deepcopy"),
        ("joblib.delayed", "joblib"),
    ],
)
def test_boundaries(catalog: Catalog, path: str, kind: str) -> None:
    boundary = catalog.boundary(path)
    assert boundary is not None
    assert boundary.kind == kind


@pytest.mark.parametrize("path", ["threading.Thread", "torch.load", "multiprocessing.Queue", "copy.copy"])
def test_what_is_no_boundary(catalog: Catalog, path: str) -> None:
    assert catalog.boundary(path) is None


def test_methods_of_contexts_executors_and_queues(catalog: Catalog) -> None:
    context = catalog.returns("torch.multiprocessing.get_context")
    assert context == "mp-context"
    process = catalog.boundary_method(context, "Process")
    assert process is not None
    assert process.functions == ("target",)
    assert catalog.boundary_method("process-executor", "submit") is not None
    assert catalog.boundary_method("mp-queue", "put") is not None
    assert catalog.boundary_method("queue", "put") is None
    assert catalog.boundary_method("pool", "submit") is None


def test_modules_return_themselves_and_store_hooks(catalog: Catalog) -> None:
    assert catalog.method_converter("torch.nn.Linear", "to") == "self"
    assert catalog.method_converter("module", "register_forward_hook") == "store"
    assert catalog.method_converter("module", "forward") is None


def test_opencv_functions_that_use_its_thread_pool(catalog: Catalog) -> None:
    assert all(
        catalog.uses_thread_pool(f"cv2.{name}") for name in ("resize", "cvtColor", "warpAffine", "remap")
    )
    assert not any(
        catalog.uses_thread_pool(f"cv2.{name}") for name in ("imread", "imdecode", "flip", "putText")
    )


def test_words_hold_the_last_identifiers(catalog: Catalog) -> None:
    words = catalog.words()
    assert {"open", "Queue", "max_pool2d", "DataLoader", "Dataset", "VideoCapture"} <= words
    assert not any("." in word or "*" in word for word in words)


def test_calling_again_reads_nothing_again() -> None:
    assert load_catalog() is load_catalog()


def test_no_name_is_entered_twice() -> None:
    for table, key in (("value", "name"), ("class", "name"), ("threads", "name")):
        paths = [path for row in builtin_rows() if row.table == table for path in row.paths(key)]
        assert len(paths) == len(set(paths)), table


def test_a_product_comes_after_what_it_is_in_special_cases() -> None:
    seen: set[str] = set()
    for row in builtin_rows():
        if row.table == "product":
            assert not seen & set(row.paths("call")), f"{row.file}: this row is never reached"
            if "when" not in row.values:
                seen.update(row.paths("call"))


def test_importing_the_catalog_reads_no_toml() -> None:
    code = "import sys, lintpickle.catalog; assert not {'tomllib', 'tomli', 'libcst'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_users_file_wins(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        """
        [[product]]
        module = "mylib"
        call = ["connect", "reconnect"]
        kind = "database"
        type = "mylib.Connection"
        reopen = true
        since = "3.12"

        [[product]]
        call = "h5py.File"
        fine = true

        [[class]]
        name = "mylib.**Dataset"
        kind = "dataset"

        [[boundary]]
        call = "mylib.run"
        kind = "process"
        parameters = ["function", "workers"]
        payload = "function"
        functions = "function"
        workers = "workers"
        start-methods = ["spawn"]

        [[function]]
        name = "mylib.wrap"
        result = "keep"
        """,
        encoding="utf-8",
    )
    catalog = load_catalog((str(own),))
    product = catalog.product("mylib.reconnect")
    assert product is not None
    assert (product.error, product.since, product.reopen) == (cannot("mylib.Connection"), (3, 12), True)
    assert catalog.product("h5py.File") is None
    assert catalog.product("lmdb.open") is not None
    assert catalog.kind_of_class("mylib.data.TrainDataset") == "dataset"
    boundary = catalog.boundary("mylib.run")
    assert boundary is not None
    assert boundary.start_methods == (StartMethod.SPAWN,)
    assert catalog.converter("mylib.wrap") == "keep"
    assert load_catalog().product("mylib.connect") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[product]]\ncall = 'a'\nknd = 'file'\n", r"own\.toml:1: in \[\[product\]\]: unknown key 'knd'; did you mean 'kind'\?"),
        ("\n[[prodct]]\ncall = 'a'\n", r"own\.toml:2: unknown table \[\[prodct\]\]; did you mean 'product'\?"),
        ("[[class]]\nname = 'a'\nkind = 'b'\n[[class]]\nname = 3\nkind = 'b'\n", r"own\.toml:4: .*'name' must be a string or a list of strings, not 3"),
        ("[[product]]\ncall = 'a'\n", r"'kind' is missing"),
        ("[[product]]\ncall = 'a'\nkind = 'b'\nreopen = 'yes'\n", r"'reopen' must be true or false, not 'yes'"),
        ("[[product]]\ncall = 'a'\nkind = 'b'\nsince = '3'\n", r"'since' must be a Python version like \"3\.12\""),
        ("[[function]]\nname = 'a'\nresult = 'hold'\n", r"'result' must be one of plain, consume"),
        ("[[boundary]]\ncall = 'a'\nkind = 'b'\nparameters = []\npayload = []\nstart-methods = ['thread']\n", r"knows fork, forkserver, spawn, not 'thread'"),
        ("[product]\ncall = 'a'\n", r"write \[\[product\]\], with two brackets"),
        ("[[product]\n", r"own\.toml: not valid TOML: .*line 1"),
    ],
)  # fmt: skip
def test_a_users_mistake_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(LintpickleError, match=message):
        load_catalog((str(own),))


def test_a_users_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match=r"none\.toml: cannot read this catalog file"):
        load_catalog((str(tmp_path / "none.toml"),))
