"""What `lintpickle inspect` says of files that torch and NumPy write, beside what loading them really does."""

from __future__ import annotations

import argparse
import collections
import datetime
import importlib.util
import io
import os
import pathlib
import pickle
import pickletools
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lintpickle.catalog.unpickling import allow_lists, makers
from lintpickle.saved_files import Inspection

from ..saved_files.support import PythonUnpickler, inspected

pytestmark = pytest.mark.proof

if importlib.util.find_spec("torch") is None:
    if os.environ.get("LINTPICKLE_REQUIRE_PROOFS") == "1":
        pytest.fail("torch is not installed, but LINTPICKLE_REQUIRE_PROOFS=1: install the group 'proof'")
    pytest.skip("torch is not installed: `pip install --group proof` to run the proofs", allow_module_level=True)

np: Any = importlib.import_module("numpy")
torch: Any = importlib.import_module("torch")

MODELS = """\
import collections, dataclasses, enum, torch

class Person:
    def __init__(self):
        self.name = "Ann"

class Colour(enum.Enum):
    RED = 1

@dataclasses.dataclass
class Config:
    rate: float = 0.1

Point = collections.namedtuple("Point", "x y")

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)

class Outer:
    class Inner:
        pass

class Items(list):
    pass

class Table(dict):
    pass

def function():
    pass
"""


def made(expression: str) -> Callable[[], Any]:
    return lambda: eval(expression, {**globals(), "models": sys.modules["models"]})


VALUES = {
    "tensor": "torch.zeros(2)",
    "state_dict": "models.Net().state_dict()",
    "optimizer": "torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))]).state_dict()",
    "plain": "{'a': [1, 2.5, None, True, 2**70, 'x', (1, 2, 3, 4)], 'b': {1, 2}, 'c': b'x', 'd': 1j}",
    "OrderedDict": "collections.OrderedDict(a=1)",
    "Counter": "collections.Counter('ab')",
    "device and dtype": "[torch.device('cpu'), torch.float32, torch.Size([1])]",
    "sparse": "torch.eye(2).to_sparse()",
    "quantized": "torch.quantize_per_tensor(torch.zeros(2), 0.1, 0, torch.qint8)",
    "parameter": "torch.nn.Parameter(torch.zeros(1))",
    "whole module": "models.Net()",
    "Sequential": "torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.ReLU(), torch.nn.BatchNorm1d(1))",
    "Namespace": "argparse.Namespace(a=1)",
    "float64": "np.float64(1)",
    "float32": "np.float32(1)",
    "int64": "np.int64(1)",
    "bool_": "np.bool_(True)",
    "str_": "np.str_('x')",
    "datetime64": "np.datetime64('2020-01-01')",
    "array": "np.zeros(2)",
    "array of text": "np.array(['ab', 'c'])",
    "array of objects": "np.array([None, 1], dtype=object)",
    "structured array": "np.zeros(2, dtype=[('a', 'f4'), ('b', 'i8')])",
    "random state": "np.random.get_state()",
    "defaultdict": "collections.defaultdict(list)",
    "filled defaultdict": "collections.defaultdict(list, a=[1])",
    "deque": "collections.deque([1])",
    "Path": "pathlib.PosixPath('a')",
    "datetime": "datetime.datetime(2020, 1, 1)",
    "uuid": "uuid.UUID(int=1)",
    "slice": "slice(1, 2)",
    "range": "range(3)",
    "frozenset": "frozenset({1})",
    "Person": "models.Person()",
    "Enum": "models.Colour.RED",
    "dataclass": "models.Config()",
    "namedtuple": "models.Point(1, 2)",
    "class in a class": "models.Outer.Inner()",
    "list subclass": "models.Items([1, 2])",
    "dict subclass": "models.Table(a=1)",
    "function": "models.function",
    "torch function": "torch.relu",
    "method": "models.Net().forward",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "models.py").write_text(MODELS)
    sys.path.insert(0, str(folder))
    importlib.import_module("models")
    return folder


def inspect(path: Path) -> Inspection:
    return inspected(path, python=sys.prefix)


def asked_by(load: Callable[..., object], path: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What `find_class` is asked for while a file is loaded by torch without weights_only."""
    asked: Counter[str] = Counter()

    class Recording(PythonUnpickler):  # type: ignore[misc]
        def find_class(self, module: str, name: str) -> Any:
            asked[f"{module}.{name}"] += 1
            return super().find_class(module, name)

    class Outermost(Recording):
        """torch's own subclass answers for storages itself, and asks its base for the rest."""

    module = type(pickle)("recording")
    module.Unpickler = Outermost  # type: ignore[attr-defined]
    module.load = lambda file, **options: Outermost(file, **options).load()  # type: ignore[attr-defined]
    load(path, module)
    return asked


def weights_only_error(path: Path) -> str | None:
    try:
        torch.load(path, weights_only=True)
    except Exception as error:
        return str(error)
    return None


def saved(name: str, folder: Path, *, legacy: bool = False) -> Path:
    path = folder / f"{'legacy' if legacy else 'zip'}.pt"
    torch.save(made(VALUES[name])(), path, _use_new_zipfile_serialization=not legacy)
    return path


@pytest.mark.parametrize("legacy", [False, True], ids=["zip", "legacy"])
@pytest.mark.parametrize("name", VALUES)
class TestFilesOfTorch:
    def test_the_list_is_what_loading_asks_for(
        self, name: str, legacy: bool, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = saved(name, project, legacy=legacy)
        asked = asked_by(
            lambda file, module: torch.load(file, pickle_module=module, weights_only=False), path, monkeypatch
        )
        found = inspect(path)
        listed: Counter[str] = Counter()
        for part in found.contents.parts:
            listed.update({each.path: use.asked for each, use in part.facts.globals.items()})
        for storage in [each for each in listed if "Storage" in each]:
            assert hasattr(torch, storage.removeprefix("torch."))
            del listed[storage]  # torch answers for those itself
        assert listed == asked
        assert not found.missing

    def test_the_verdict_is_what_torch_does(self, name: str, legacy: bool, project: Path) -> None:
        path = saved(name, project, legacy=legacy)
        [verdict] = inspect(path).verdicts
        error = weights_only_error(path)
        if verdict.loads is not None:
            assert verdict.loads is (error is None), (verdict, error)
        if error is not None and "Unsupported global: GLOBAL " in error:
            refused = error.partition("Unsupported global: GLOBAL ")[2].partition(" ")[0]
            assert refused in {each.removeprefix("builtins.") for each in verdict.refused}

    def test_the_line_allows_what_it_says(self, name: str, legacy: bool, project: Path) -> None:
        path = saved(name, project, legacy=legacy)
        [verdict] = inspect(path).verdicts
        if verdict.loads:
            assert verdict.allow is None
            return
        torch.serialization.clear_safe_globals()
        try:
            exec("\n".join([*verdict.imports, verdict.allow or ""]), {})
            error = weights_only_error(path)
        finally:
            torch.serialization.clear_safe_globals()
        if verdict.never:
            assert error is not None, verdict
        elif not verdict.unsure:
            assert error is None, (verdict, error)


def test_the_allow_list_is_that_of_torch() -> None:
    unpickling = importlib.import_module("torch._weights_only_unpickler")
    [known] = [each for each in allow_lists() if each.torch == torch.__version__.partition("+")[0]]
    assert known.globals == set(unpickling._get_allowed_globals())
    assert known.blocked == set(unpickling._blocklisted_modules)


def test_the_opcodes_are_those_of_torch() -> None:
    unpickling = importlib.import_module("torch._weights_only_unpickler")

    def is_taken(code: str) -> bool:
        try:
            unpickling.Unpickler(io.BytesIO(code.encode("latin-1") + b"\0" * 40)).load()
        except pickle.UnpicklingError as error:
            return str(error) != f"Unsupported operand {ord(code)}"
        except Exception:
            return True
        return True

    [known] = [each for each in allow_lists() if each.torch == torch.__version__.partition("+")[0]]
    assert known.opcodes == {opcode.name for opcode in pickletools.opcodes if is_taken(opcode.code)}


def test_the_classes_of_dtypes_are_those_of_numpy() -> None:
    for code in (
        *[
            "b1",
            "i1",
            "i2",
            "i4",
            "i8",
            "u1",
            "u2",
            "u4",
            "u8",
            "f2",
            "f4",
            "f8",
            "f16",
            "c8",
            "c16",
            "c32",
            "O",
            "S3",
            "U3",
            "V8",
        ],
        "M8[s]",
        "m8[s]",
    ):
        dtype = np.dtype(code)
        written = pickle.loads(pickle.dumps(dtype)).__reduce__()[1][0]
        assert makers().dtype_class(written) == f"numpy.dtypes.{type(dtype).__name__}"
    for path in makers().plain:
        module, _, name = path.rpartition(".")
        found = getattr(importlib.import_module(module), name)
        assert (found.__module__, found.__qualname__) == (module, name)


class TestStory3:
    """A class of a script, saved by it and loaded elsewhere; and a module that was renamed."""

    SCRIPT = (
        "import pickle, torch\n\n\nclass Person:\n    def __init__(self):\n        self.name = 'Ann'\n\n\n"
        "if __name__ == '__main__':\n    torch.save(Person(), 'p.pt')\n    pickle.dump(Person(), open('p.pkl', 'wb'))\n"
    )

    def run(self, folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=folder, capture_output=True, text=True)

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "person.py").write_text(self.SCRIPT)
        subprocess.run([sys.executable, "person.py"], cwd=tmp_path, check=True)
        return tmp_path

    def test_the_script_s_files(self, folder: Path) -> None:
        for name, load in {
            "p.pkl": "import pickle; print(pickle.load(open('p.pkl', 'rb')).name)",
            "p.pt": "import torch; print(torch.load('p.pt', weights_only=False).name)",
        }.items():
            found = inspect(folder / name)
            assert [need.path for need in found.missing] == ["__main__.Person"]
            before = self.run(folder, load)
            assert "Can't get attribute 'Person' on <module '__main__'" in before.stderr
            after = self.run(folder, *found.cures, load)
            assert after.stdout == "Ann\n", after.stderr

    def test_weights_only(self, folder: Path) -> None:
        [verdict] = inspect(folder / "p.pt").verdicts
        load = "print(torch.load('p.pt').name)"
        before = self.run(folder, "import torch", load)
        assert "GLOBAL __main__.Person was not an allowed global" in before.stderr
        after = self.run(folder, *verdict.imports, verdict.allow or "", load)
        assert after.stdout == "Ann\n", after.stderr

    def test_a_renamed_module(self, folder: Path) -> None:
        (folder / "old.py").write_text("class Person:\n    name = 'Ann'\n")
        self.run(folder, "import old, torch; torch.save(old.Person(), 'q.pt')")
        (folder / "person.py").unlink()
        (folder / "old.py").rename(folder / "new.py")
        found = inspect(folder / "q.pt")
        assert [need.path for need in found.missing] == ["old.Person"]
        load = "import torch; print(torch.load('q.pt', weights_only=False).name)"
        assert "No module named 'old'" in self.run(folder, load).stderr
        assert self.run(folder, *found.cures, load).stdout == "Ann\n"
        [verdict] = found.verdicts
        only = "print(torch.load('q.pt').name)"
        assert self.run(folder, *verdict.imports, verdict.allow or "", only).stdout == "Ann\n"


def test_npy_with_objects(project: Path) -> None:
    np.save(project / "a.npy", np.array([argparse.Namespace(a=1), datetime.date(2020, 1, 1)], dtype=object))
    np.savez_compressed(project / "b.npz", x=np.zeros(3), y=np.array([uuid.UUID(int=1)], dtype=object))
    np.save(project / "c.npy", np.zeros((3, 4)))
    assert "argparse.Namespace" in {need.path for need in inspect(project / "a.npy").needs}
    assert "uuid.UUID" in {need.path for need in inspect(project / "b.npz").needs}
    assert inspect(project / "c.npy").needs == ()


def test_a_package_of_torch(project: Path) -> None:
    with importlib.import_module("torch.package").PackageExporter(project / "p.pt") as exporter:
        exporter.intern("models")
        exporter.extern("torch.**")
        exporter.save_pickle("model", "model.pkl", made("models.Net()")())
    found = inspect(project / "p.pt")
    assert found.contents.kind == "torch.package archive"
    assert {need.path: need.standing.value for need in found.needs}["models.Net"] == "in the file itself"
    assert found.is_good


def test_torchscript(project: Path) -> None:
    torch.jit.script(torch.nn.Linear(1, 1)).save(str(project / "s.pt"))
    found = inspect(project / "s.pt")
    assert found.contents.kind == "TorchScript archive"
    assert "TorchScript" in (weights_only_error(project / "s.pt") or "")


assert pathlib and collections  # for the expressions above
