"""Broken and hostile files: no crash, bounded time and memory, and nothing is run."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lintpickle.diagnostics import LintpickleError
from lintpickle.saved_files.bounds import ReadingBudget
from lintpickle.saved_files.containers import opened as opening

from .support import Named, dumped, facts_of, inspected, torch_zip

ROOT = Path(__file__).resolve().parents[2]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")


@POSIX
def test_mutated_files() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.saved_files.driver", "500", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["files"] >= 500
    assert told["naming_os_system"] > 60
    assert told["broken"] > 100
    assert (told["events"], told["sprung"]) == ([], False)
    assert told["slowest"] < 10
    assert told["peak"] < 400_000_000


@POSIX
def test_the_watch_notices(tmp_path: Path) -> None:
    code = (
        "import pickle, pathlib; from tests.saved_files.driver import Watch\n"
        f"w = Watch(pathlib.Path({str(tmp_path)!r})); w.is_on = True\n"
        "pickle.loads(b'cdecimal\\nDecimal\\n.'); open('x', 'w'); exec('1'); import wave\n"
        "w.is_on = False; print(sorted({each.split()[0] for each in w.seen}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert "pickle.find_class" in ran.stdout, ran.stderr
    for event in ("open", "exec", "import"):
        assert f"'{event}'" in ran.stdout


def small(monkeypatch: pytest.MonkeyPatch, **bounds: int) -> None:
    monkeypatch.setattr(opening, "ReadingBudget", lambda: ReadingBudget(**bounds))


def test_endless_opcodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, opcodes=10_000)
    path = tmp_path / "a.pkl"
    path.write_bytes(b"\x80\x04cdecimal\nDecimal\n" + b"N0" * 1_000_000 + b"cos\nsystem\n.")
    found = inspected(path)
    assert [need.path for need in found.needs] == ["decimal.Decimal"]
    assert "too many opcodes" in (found.contents.parts[0].facts.cut or "")
    assert not found.is_good


@pytest.mark.parametrize("kind", ["gzip", "zip"])
def test_bombs(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, inflated=5_000_000)
    data = b"\x80\x04B\x00\x00\x00\x08" + b"\0" * (8 << 24) + b"."
    path = tmp_path / "a.pt"
    if kind == "gzip":
        path.write_bytes(gzip.compress(data))
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a/data.pkl", data)
            archive.writestr("a/version", "3")
    assert path.stat().st_size < 1_000_000
    found = inspected(path)
    assert "5,000,000" not in (found.contents.kind or "")
    assert "bytes come out" in (found.contents.parts[0].facts.cut or "")


def test_an_archive_with_too_many_files(tmp_path: Path) -> None:
    path = torch_zip(tmp_path / "a.pt", 1)
    data = path.read_bytes()
    end = data.rindex(b"PK\x05\x06")
    path.write_bytes(data[: end + 12] + b"\xff\xff\xff\x7f" + data[end + 16 :])
    assert "list of files is too long" in inspected(path).contents.problems[0]


def test_deep_stacks_and_marks() -> None:
    assert "wait" in (facts_of(b"N" * 3_000_000).cut or "")
    assert "marks wait" in (facts_of(b"(" * 3_000_000).cut or "")
    nested = facts_of(b"N" + b"\x85" * 1_000_000 + b".")
    assert nested.is_whole


def test_a_memo_bomb() -> None:
    strings = b"".join(b"\x8c\x08%08d\x940" % number for number in range(300_000))
    facts = facts_of(b"\x80\x04" + strings + b"\x8c\x02os\x8c\x06system\x93.")
    assert facts.is_whole
    assert [each.path for each in facts.globals] == ["os.system"]


def test_what_is_forgotten_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small(monkeypatch, words=10_000)
    strings = b"".join(b"\x8c\x08%08d\x940" % number for number in range(1000))
    path = tmp_path / "a.pkl"
    path.write_bytes(b"\x80\x04" + strings + b"\x8c\x02os\x8c\x06system\x93.")
    found = inspected(path)
    assert found.contents.parts[0].facts.unnamed == 1
    assert found.needs == ()


def test_far_memo_entries() -> None:
    data = b"".join(b"Nr" + number.to_bytes(4, "little") + b"0" for number in range(4_000_000_000, 4_000_200_000))
    assert facts_of(b"\x80\x02" + data + b"N.").is_whole


@pytest.mark.parametrize("length", [b"\xff" * 8, b"\xff\xff\xff\xff\xff\xff\xff\x7f"])
def test_announced_sizes_take_no_memory(length: bytes) -> None:
    for opcode in (b"\x8d", b"\x8e", b"\x96"):
        assert "ends at byte" in (facts_of(b"\x80\x05" + opcode + length + b"x").problem or "")


def test_a_sparse_file_of_a_terabyte(tmp_path: Path) -> None:
    path = tmp_path / "a.pkl"
    size = 1 << 40
    try:
        with open(path, "wb") as file:
            file.write(b"\x80\x04\x8e" + size.to_bytes(8, "little"))
            file.seek(11 + size)
            file.write(b"0" + dumped(Named("os.system"), 4)[2:])
    except OSError:
        pytest.skip("the file system has no files of that size")
    found = inspected(path)
    assert [need.path for need in found.needs] == ["os.system"]
    assert found.is_whole


def test_many_globals_and_pickles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, globals=100, pickles=50)
    path = tmp_path / "a.pkl"
    path.write_bytes(b"\x80\x02" + b"".join(b"cm\nn%d\n0" % number for number in range(1000)) + b"N.")
    assert "too many different globals" in (inspected(path).contents.parts[0].facts.cut or "")
    path.write_bytes(pickle.dumps(1, 2) * 1000)
    assert "more than" in inspected(path).contents.problems[0]


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs pipes")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LintpickleError, match="no regular file"):
        inspected(tmp_path / "pipe")
