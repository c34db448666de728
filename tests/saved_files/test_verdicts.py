"""What `torch.load(weights_only=True)` makes of files. That it really does so, `tests/proofs/test_saved_files.py`
shows."""

from __future__ import annotations

import collections
from pathlib import Path

import pytest

from lintpickle.saved_files.records import TorchVerdict

from .support import Made, Named, Stored, dumped, inspected, tensor, torch_legacy, torch_zip


def verdict(path: Path, **files: str) -> TorchVerdict:
    for name, text in files.items():
        (path.parent / f"{name}.py").write_text(text)
    [found] = [each for each in inspected(path).verdicts if each.torch == "2.13.0"]
    return found


def of(folder: Path, value: object, *, protocol: int = 2, **files: str) -> TorchVerdict:
    return verdict(torch_zip(folder / "a.pt", value, protocol=protocol), **files)


@pytest.mark.parametrize("write", [torch_zip, torch_legacy])
def test_weights_load(tmp_path: Path, write: object) -> None:
    assert callable(write)
    found = verdict(write(tmp_path / "a.pt", {"w": tensor(), "n": [1, 2.5, None, True, 2**70], "t": (1, "a")}))
    assert found == TorchVerdict("2.13.0", True)


def test_a_class_of_the_project(tmp_path: Path) -> None:
    found = of(tmp_path, Made("models.Net"), models="class Net: ...\n")
    assert (found.loads, found.refused) == (False, ("models.Net",))
    assert (found.imports, found.allow) == (
        ("import torch", "import models"),
        "torch.serialization.add_safe_globals([models.Net])",
    )


def test_a_class_that_is_elsewhere_goes_by_its_name_in_the_file(tmp_path: Path) -> None:
    found = of(tmp_path, [Made("__main__.Net"), Made("old.Net2")], models="class Net: ...\nclass Net2: ...\n")
    assert found.allow == (
        'torch.serialization.add_safe_globals([(models.Net, "__main__.Net"), (models.Net2, "old.Net2")])'
    )


def test_a_class_that_is_handed_on(tmp_path: Path) -> None:
    found = of(tmp_path, Made("handing.Net"), handing="from models import Net\n", models="class Net: ...\n")
    assert found.allow == 'torch.serialization.add_safe_globals([(handing.Net, "handing.Net")])'


def test_builtins_need_no_import(tmp_path: Path) -> None:
    assert of(tmp_path, Made("builtins.slice", 1, 2, None)).allow == "torch.serialization.add_safe_globals([slice])"


def test_what_is_nowhere_cannot_be_allowed(tmp_path: Path) -> None:
    found = of(tmp_path, Made("gone.Net"))
    assert found.allow is None
    assert "nothing here" in found.never[0].what


def test_several_candidates_are_left_to_the_reader(tmp_path: Path) -> None:
    found = of(tmp_path, Made("gone.Net"), a="class Net: ...\n", b="class Net: ...\n")
    assert found.allow is None
    assert "a.Net, b.Net" in found.never[0].what


@pytest.mark.parametrize("name", ["os.system", "posix.system", "sys.exit", "builtins.eval", "subprocess.Popen"])
def test_what_runs_code_is_never_offered(tmp_path: Path, name: str) -> None:
    found = of(tmp_path, [Made(name, "x"), Made("models.Net")], models="class Net: ...\n")
    assert found.allow is None
    assert found.never[0].what.startswith(f"{name}: ")


def test_other_protocols(tmp_path: Path) -> None:
    found = of(tmp_path, {"w": tensor()}, protocol=4)
    assert found.loads is False
    assert "FRAME" in found.never[0].what
    assert of(tmp_path, [1], protocol=3).loads is True


def test_items_of_other_containers(tmp_path: Path) -> None:
    found = of(tmp_path, collections.defaultdict(list, a=[1]))
    assert found.allow == "torch.serialization.add_safe_globals([list, collections.defaultdict])"
    assert [never.what for never in found.never if "items of a collections.defaultdict" in never.what]
    assert of(tmp_path, collections.OrderedDict(a=1)).loads is True
    assert not of(tmp_path, collections.defaultdict(list)).never


def test_dtypes_need_their_classes(tmp_path: Path) -> None:
    dtype = Made("numpy.dtype", "f8", False, True, state=(3, "<", None, None, None, -1, -1, 0))
    allow = of(tmp_path, Made("numpy._core.multiarray.scalar", dtype, b"8")).allow or ""
    assert "numpy.dtypes.Float64DType" in allow
    odd = Made("numpy.dtype", "Q9", False, True, state=(3, "<", None, None, None, -1, -1, 0))
    assert any("Q9" in line for line in of(tmp_path, odd).unsure)


def test_the_state_of_what_a_function_makes(tmp_path: Path) -> None:
    found = of(tmp_path, Made("models.make", state={"a": 1}), models="def make(): ...\n")
    assert any("models.make makes" in line for line in found.unsure)


def test_persistent_ids(tmp_path: Path) -> None:
    assert of(tmp_path, Stored("other", 1)).never
    module = Stored("module", Named("models.Net"), "models.py", "class Net: ...")
    found = verdict(torch_legacy(tmp_path / "b.pt", module), models="class Net: ...\n")
    assert "'module'" in found.never[0].what


def test_calls_of_what_is_no_global(tmp_path: Path) -> None:
    data = b"\x80\x02cmodels\nmake\n)R)R."
    path = torch_zip(tmp_path / "a.pt", 1)
    path.write_bytes(torch_legacy(tmp_path / "b.pt", 1).read_bytes().replace(dumped(1), data, 1))
    assert any("what is no global" in never.what for never in verdict(path).never)


def test_plain_pickles_have_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    path.write_bytes(dumped(Made("decimal.Decimal")))
    assert inspected(path).verdicts == ()
