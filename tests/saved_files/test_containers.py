"""Every kind of file: only its pickles are read, and all of them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import struct
import tarfile
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest

from .support import Made, Named, dumped, inspected, objects, tensor, torch_legacy, torch_zip

VALUE = {"args": Made("argparse.Namespace"), "weights": tensor()}
ASKED = {"argparse.Namespace", "torch._utils._rebuild_tensor_v2", "torch.FloatStorage", "collections.OrderedDict"}


def asked(path: Path) -> set[str]:
    return {need.path for need in inspected(path).needs}


def test_a_zip_of_torch(tmp_path: Path) -> None:
    found = inspected(torch_zip(tmp_path / "a.bin", VALUE))
    assert (found.contents.kind, found.contents.torch) == ("PyTorch file", "zip")
    assert [(part.member, part.role) for part in found.contents.parts] == [("archive/data.pkl", "saved object")]
    assert found.contents.parts[0].facts.persistent == {"storage": 1}
    assert {need.path for need in found.needs} == ASKED


def test_a_compressed_zip(tmp_path: Path) -> None:
    assert asked(torch_zip(tmp_path / "a.pt", VALUE, deflated=True)) == ASKED


def test_tensors_of_a_zip_are_not_read(tmp_path: Path) -> None:
    path = torch_zip(tmp_path / "a.pt", 1)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("archive/data/1.pkl", dumped(Named("os.system")))
    assert asked(path) == set()


def test_a_second_data_pkl_is_read_as_well(tmp_path: Path) -> None:
    path = torch_zip(tmp_path / "a.pt", 1)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("archive/data.pkl", dumped(Named("os.system")))
    assert asked(path) == {"os.system"}


def test_the_format_of_torch_before_1_6(tmp_path: Path) -> None:
    found = inspected(torch_legacy(tmp_path / "a.pt", VALUE))
    assert found.contents.torch == "legacy"
    assert [part.role for part in found.contents.parts] == [
        "magic number",
        "protocol version",
        "system",
        "saved object",
        "keys of storages",
    ]
    assert {need.path for need in found.needs} == ASKED
    assert found.is_whole


def test_one_of_them_that_is_cut_off(tmp_path: Path) -> None:
    path = torch_legacy(tmp_path / "a.pt", VALUE)
    path.write_bytes(path.read_bytes()[:150])
    assert not inspected(path).is_whole


def test_the_tar_format_of_torch_before_0_1_10(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    storages = (
        pickle.dumps(1, 2) + dumped((7, "cpu", Named("torch.FloatStorage"))) + struct.pack("<q", 3) + b"\x80\x04." * 4
    ) + pickle.dumps([], 2)
    tensors = (
        pickle.dumps(1, 2) + dumped((8, 7, Named("torch.FloatTensor"))) + struct.pack("<ii2q2qq", 2, 0, 1, 3, 3, 1, 0)
    )
    members = {"sys_info": b"", "pickle": dumped(VALUE), "storages": storages, "tensors": tensors}
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    found = inspected(path)
    assert found.contents.problems == []
    assert found.is_whole
    assert {need.path for need in found.needs} == ASKED | {"torch.FloatTensor"}
    assert [verdict.loads for verdict in found.verdicts] == [False]


def test_another_tar(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        archive.add(__file__, "a.pkl")
    assert "none that torch wrote" in inspected(path).contents.notes[0]


def test_torchscript(tmp_path: Path) -> None:
    path = torch_zip(tmp_path / "a.pt", VALUE)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("archive/constants.pkl", dumped(()))
    found = inspected(path)
    assert (found.contents.kind, found.needs) == ("TorchScript archive", ())
    assert "TorchScript" in found.verdicts[0].never[0].what


def test_a_package(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/.data/extern_modules", "sys\n")
        archive.writestr("a/.data/version", "6")
        archive.writestr("a/mypkg/model.py", "class Net: pass")
        archive.writestr("a/model/model.pkl", dumped([Named("mypkg.model.Net"), Named("elsewhere.Net")], 4))
    found = inspected(path)
    assert found.contents.kind == "torch.package archive"
    assert {need.path: need.standing.value for need in found.needs}["mypkg.model.Net"] == "in the file itself"


def npy(descr: str, data: bytes, version: int = 1) -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': (1,), }}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def test_npy_with_and_without_objects(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(npy("'|O'", dumped(Named("decimal.Decimal"), 4)))
    assert asked(path) == {"decimal.Decimal"}
    path.write_bytes(npy("[('a', '<f8'), ('b', '|O')]", dumped(Named("decimal.Decimal"), 4), 2))
    assert asked(path) == {"decimal.Decimal"}
    path.write_bytes(npy("'<f8'", dumped(Named("decimal.Decimal"), 4)))
    found = inspected(path)
    assert (found.needs, found.is_good) == ((), True)
    assert "no pickle" in found.contents.notes[0]
    path.write_bytes(npy("'|O'", b"")[:-5])
    assert not inspected(path).is_good


def test_npz(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", npy("'<f8'", b"\0" * 8))
        archive.writestr("y.npy", npy("'|O'", dumped(Named("decimal.Decimal"), 4)))
    found = inspected(path)
    assert found.contents.kind == "NumPy archive (npz)"
    assert [(part.member, part.role) for part in found.contents.parts] == [("y.npy", "array of objects")]


def test_safetensors(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    header = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 8)
    found = inspected(path)
    assert (found.contents.kind, found.is_good) == ("safetensors file", True)
    assert "no pickle" in found.contents.notes[0]


def test_a_pickle_that_looks_like_safetensors_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    text = b"\0{" + b"x" * 3
    data = b"\x80\x02X\x05\0\0\0" + text + b"0cos\nsystem\n."
    path.write_bytes(data + b"\0" * int.from_bytes(data[:8], "little"))
    assert data[8:9] == b"{"
    assert asked(path) == {"os.system"}


@pytest.mark.parametrize(
    "compress",
    [zlib.compress, gzip.compress, bz2.compress, lzma.compress, lambda data: lzma.compress(data, lzma.FORMAT_ALONE)],
)
@pytest.mark.parametrize("parts", [1, 3])
def test_compressed_pickles(tmp_path: Path, compress: Callable[[bytes], bytes], parts: int) -> None:
    data = dumped([b"filler" * 50_000, Named("decimal.Decimal"), list(range(100_000))], 4)
    size = -(-len(data) // parts)
    path = tmp_path / "a.joblib"
    path.write_bytes(b"".join(compress(data[at : at + size]) for at in range(0, len(data), size)))
    if parts > 1 and compress(b"")[:1] == b"x":
        return  # nobody writes several zlib streams
    found = inspected(path)
    assert found.is_whole, found
    assert {need.path for need in found.needs} == {"decimal.Decimal"}
    assert "compressed by" in found.contents.kind


def test_broken_compression(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl.gz"
    data = gzip.compress(dumped(list(range(100_000)), 4))
    path.write_bytes(data[: len(data) // 2])
    found = inspected(path)
    assert "end too early" in (found.contents.parts[0].facts.problem or "")
    path.write_bytes(data[:200] + b"\xff" * 50 + data[250:])
    assert not inspected(path).is_good


def test_compression_that_is_not_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.joblib"
    path.write_bytes(b"\x04\x22\x4d\x18" + b"\0" * 20)
    assert "lz4" in inspected(path).contents.problems[0]


def wrapped(shape: tuple[int, ...], code: str, *, aligned: bool = True) -> Made:
    flags = 63 if code.startswith("O") else 0
    dtype = Made("numpy.dtype", code, False, True, state=(3, "<", None, None, None, -1, -1, flags))
    state = {"subclass": Named("numpy.ndarray"), "shape": shape, "order": "C", "dtype": dtype, "allow_mmap": True}
    if aligned:
        state["numpy_array_alignment_bytes"] = 16
    return Made("joblib.numpy_pickle.NumpyArrayWrapper", state=state)


def joblib_file(wrapper: Made, data: bytes) -> bytes:
    """A wrapper in a dictionary, with the data right behind the opcode that gives it its state."""
    frameless = dumped({"a": wrapper, "b": Named("decimal.Decimal")}, 3)
    at = frameless.index(b"b", frameless.rindex(b"u", 0, frameless.index(b"decimal")))
    return frameless[: at + 1] + data + frameless[at + 1 :]


TRAP = b"cos\nsystem\n."


@pytest.mark.parametrize(
    ("wrapper", "data"),
    [
        (wrapped((2, 3), "f8"), b"\x05" + b"\xff" * 5 + (TRAP * 5)[:48]),
        (wrapped((2, 3), "f8", aligned=False), (TRAP * 5)[:48]),
        (wrapped((4,), "U3"), b"\0" + (TRAP * 5)[:48]),
        (wrapped((), "V16"), b"\0" + TRAP + b"...."),
        (wrapped((0,), "f4"), b"\0"),
        (wrapped((1,) * 12, "f8"), b"\0" + TRAP[:8]),
        (wrapped((2,), "O8"), dumped([Named("fractions.Fraction")], 5)),
    ],
)
def test_arrays_of_joblib_are_passed_over(tmp_path: Path, wrapper: Made, data: bytes) -> None:
    path = tmp_path / "a.joblib"
    path.write_bytes(joblib_file(wrapper, data))
    found = inspected(path)
    assert found.is_whole, found
    assert found.contents.kind == "joblib file"
    names = {need.path for need in found.needs}
    assert "decimal.Decimal" in names and "os.system" not in names
    assert ("fractions.Fraction" in names) is (data[:1] == b"\x80")


def test_an_array_of_joblib_whose_size_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "a.joblib"
    path.write_bytes(joblib_file(wrapped((-1,), "f8"), b""))
    assert "shape or dtype is not known" in (inspected(path).contents.parts[0].facts.problem or "")


def test_several_pickles(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    path.write_bytes(dumped(Named("decimal.Decimal")) + dumped(Named("fractions.Fraction"), 4) + b"\xffrest")
    found = inspected(path)
    assert {need.path for need in found.needs} == {"decimal.Decimal", "fractions.Fraction"}
    assert [part.role for part in found.contents.parts] == ["pickle 1", "pickle 2"]
    assert any("no pickle begins" in note for note in found.contents.notes)
    assert found.is_whole


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"),
        (b"hello world, this is text", "it is no pickle"),
        (b"PK\x03\x04" + b"\0" * 100, "cut off"),
        (b"\x93NUMPY\x01", "cut off"),
        (b"\x80\x05\x95", "in the middle of a pickle"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a.pt"
    path.write_bytes(data)
    found = inspected(path)
    assert not found.is_good
    assert any(
        said in line for line in [*found.contents.problems, *(p.facts.problem or "" for p in found.contents.parts)]
    )


def test_files_of_other_kinds(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0" * 100)
    found = inspected(path)
    assert (found.contents.kind, found.is_good) == ("HDF5 file", True)


def test_every_protocol_in_a_file(tmp_path: Path) -> None:
    for protocol in range(6):
        path = tmp_path / f"{protocol}.pkl"
        path.write_bytes(pickle.dumps(objects(), protocol))
        found = inspected(path)
        assert found.is_whole
        assert OrderedDict.__name__ in {need.name for need in found.needs}
