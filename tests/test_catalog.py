"""The catalog against the truth: what fails is a product with its error, what crosses is none."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lintpickle.catalog import Catalog, KnownArguments, load_catalog
from lintpickle.catalog.reading import builtin_rows

BOOLEAN_DISPATCH = "AttributeError: Can't pickle local object 'boolean_dispatch.<locals>.fn'"
NOT_TASKS = "objects should only be shared between processes through inheritance"
RESIZE = "RuntimeError: unable to resize file <filename not specified> to the right size: Invalid argument (22)"
CTYPES = "ValueError: ctypes objects containing pointers cannot be pickled"
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
FAILING: list[tuple[str, str, KnownArguments, str]] = [
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
    ("openslide.OpenSlide", "openslide.OpenSlide", {0: "a.svs"}, CTYPES),
    ("openslide.OpenSlide", "openslide.open_slide", {0: "a.svs"}, CTYPES),
    ("openslide.DeepZoomGenerator", "openslide.deepzoom.DeepZoomGenerator", {}, CTYPES),
    ("av.container", "av.open", {0: "v.mp4"}, NO_REDUCE),
    (
        "decord.VideoReader",
        "decord.VideoReader",
        {},
        CTYPES,
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
    ("torch.tensor.Generator", "torch.Generator", {}, RESIZE),
    (
        "torch.ema.AveragedModel_get_ema_multi_avg_fn",
        "torch.optim.swa_utils.get_ema_multi_avg_fn",
        {},
        "AttributeError: Can't pickle local object 'get_ema_multi_avg_fn.<locals>.ema_update'",
    ),
]

# Measured as these rows are: web applications and clients.
FAILING += [
    ("flask.Flask", "flask.Flask", {}, "AttributeError: Can't pickle local object 'Flask.__init__.<locals>.<lambda>'"),
    ("dash.Dash", "dash.Dash", {}, "AttributeError: Can't pickle local object 'Flask.__init__.<locals>.<lambda>'"),
    (
        "quart.Quart",
        "quart.Quart",
        {},
        "AttributeError: Can't pickle local object 'Scaffold.__init__.<locals>.<lambda>'",
    ),
    (
        "fastapi.FastAPI",
        "fastapi.FastAPI",
        {},
        "AttributeError: Can't pickle local object 'FastAPI.setup.<locals>.openapi'",
    ),
    ("pymavlink.udp", "pymavlink.mavutil.mavlink_connection", {0: "udpin:0.0.0.0:15000"}, cannot("socket")),
    ("zmq.Context", "zmq.Context", {}, "TypeError: self.handle cannot be converted to a Python object for pickling"),
    ("paho.Client", "paho.mqtt.client.Client", {}, cannot("_thread.lock")),
    ("pysam.AlignmentFile", "pysam.AlignmentFile", {}, NO_REDUCE),
    ("pysam.AlignmentFile", "pysam.Samfile", {}, NO_REDUCE),
    ("pyBigWig.open", "pyBigWig.open", {}, cannot("pyBigWig.bigWigFile")),
    ("pyfastx.Fasta", "pyfastx.Fasta", {}, cannot("Fasta")),
    ("annoy.AnnoyIndex", "annoy.AnnoyIndex", {}, cannot("annoy.Annoy")),
    ("psycopg2.connect", "psycopg2.connect", {}, cannot("psycopg2.extensions.connection")),
    ("confluent_kafka.Producer", "confluent_kafka.Producer", {}, cannot("cimpl.Producer")),
    ("selenium.Remote", "selenium.webdriver.Firefox", {}, cannot("_thread.lock")),
    ("bottle.Bottle", "bottle.Bottle", {}, cannot("weakref.ReferenceType")),
    ("pygame.Clock", "pygame.time.Clock", {}, cannot("pygame.time.Clock")),
    ("tkinter.StringVar", "tkinter.StringVar", {}, cannot("_tkinter.tkapp")),
    ("PyQt5.QThread", "PyQt5.QtCore.QThread", {}, cannot("QThread")),
    ("openbabel.OBMol", "openbabel.openbabel.OBMol", {}, cannot("SwigPyObject")),
    ("ortools.CpModel", "ortools.sat.python.cp_model.CpModel", {}, cannot("CpModel")),
    ("gurobipy.Model", "gurobipy.Model", {}, cannot("PyCapsule")),
]

# Rows of the truth that cross: id, call, known arguments.
CROSSING: list[tuple[str, str, KnownArguments]] = [
    ("log.Logger", "logging.getLogger", {}),
    ("data.re_compile", "re.compile", {}),
    ("fn.lru_cache_module_fn", "functools.lru_cache", {}),
    ("requests.Session", "requests.Session", {}),
    ("iter.iter_list", "builtins.iter", {}),
    ("iter.map_builtin", "builtins.map", {}),
    ("io.BytesIO", "io.BytesIO", {}),
    ("io.SpooledTemporaryFile", "tempfile.SpooledTemporaryFile", {}),
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
    ("fastapi.APIRouter", "fastapi.APIRouter", {}),
    ("serial.Serial", "serial.Serial", {}),
    ("serial.Serial", "serial.Serial", {"port": None, "baudrate": 9600}),
    ("zmq.Poller", "zmq.Poller", {}),
    ("pika.ConnectionParameters", "pika.ConnectionParameters", {0: "localhost"}),
]


@pytest.mark.parametrize(("row", "path", "arguments", "error"), FAILING, ids=[row[0] for row in FAILING])
def test_what_fails_is_a_product_with_its_error(
    catalog: Catalog, row: str, path: str, arguments: KnownArguments, error: str
) -> None:
    product = catalog.product(path, arguments)
    assert product is not None
    assert product.error == error


@pytest.mark.parametrize(("row", "path", "arguments"), CROSSING, ids=[row[0] for row in CROSSING])
def test_what_crosses_is_no_product(catalog: Catalog, row: str, path: str, arguments: KnownArguments) -> None:
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
    main = "on <module '__main__' (built-in)>"
    assert catalog.error_on(main, (3, 11)) == main
    assert catalog.error_on(main, (3, 12)) == "on <module '__main__' (<class '_frozen_importlib.BuiltinImporter'>)>"


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
        ("torch.utils.data.random_split", "parts"),
        ("copy.deepcopy", "copy"),
        ("typing.cast", "last"),
        ("builtins.len", None),
        ("mypkg.build", None),
    ],
)
def test_converters(catalog: Catalog, path: str, converter: str | None) -> None:
    assert catalog.converter(path) == converter


@pytest.mark.parametrize("path", ["builtins.len", "builtins.int", "os.path.join", "numpy.array", "json.loads"])
def test_safe_functions(catalog: Catalog, path: str) -> None:
    assert catalog.is_safe_function(path)


@pytest.mark.parametrize(
    "path",
    ["builtins.list", "builtins.open", "numpy.nditer", "cv2.createCLAHE", "torch.Generator", "mypkg.f"],
)
def test_functions_that_are_not_safe(catalog: Catalog, path: str) -> None:
    assert not catalog.is_safe_function(path)


def test_modules_return_themselves_and_store_hooks(catalog: Catalog) -> None:
    assert catalog.method_converter("torch.nn.Linear", "to") == "self"
    assert catalog.method_converter("module", "register_forward_hook") == "store"
    assert catalog.method_converter("module", "forward") is None


def test_opencv_functions_that_use_its_thread_pool(catalog: Catalog) -> None:
    assert all(catalog.uses_thread_pool(f"cv2.{name}") for name in ("resize", "cvtColor", "warpAffine", "remap"))
    assert not any(catalog.uses_thread_pool(f"cv2.{name}") for name in ("imread", "imdecode", "flip", "putText"))


def test_words_hold_the_last_identifiers(catalog: Catalog) -> None:
    words = catalog.words()
    assert {"open", "Queue", "max_pool2d", "DataLoader", "Dataset", "VideoCapture"} <= words
    assert not any("." in word or "*" in word for word in words)


def test_calling_again_reads_nothing_again() -> None:
    assert load_catalog() is load_catalog()


def test_no_name_is_entered_twice() -> None:
    for table, key in (("value", "name"), ("class", "name"), ("callback", "name"), ("threads", "name")):
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


def test_results_whose_methods_matter(catalog: Catalog) -> None:
    assert catalog.returns("re.compile") == "re.Pattern"
    assert catalog.returns("collections.OrderedDict") == "collections.OrderedDict"
    assert catalog.returns("builtins.len") is None
