"""LP110: open-handle-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import held
from tests.rules.pickling_hooks import rows
from tests.support import fixed, lint, marks


class TestPage(PageTests):
    code = "LP110"


def test_what_a_method_of_a_held_object_returns_is_known() -> None:
    assert held("import lmdb\nself.transaction = lmdb.open('path').begin()") == ["LP110"]


LOGGER = """
import sys
from torch.utils.data import Dataset

class Log(Dataset):
    def __init__(self, file):
        self.file = file
    def __getstate__(self):
        state = self.__dict__.copy()
        {parent}
        return state

class Console(Log):
    def __init__(self):
        super().__init__(open("log.txt"))
        self.bar = None
    def __getstate__(self):
        state = {own}
        del state["bar"]
        return state
"""


@pytest.mark.parametrize(
    ("parent", "own", "found"),
    [
        ("state['file'] = self.file.name", "super().__getstate__()", []),
        ("state['file'] = self.file.name", "self.__dict__.copy()", [15]),
        ("pass", "super().__getstate__()", [15]),
    ],
)
def test_what_the_hook_of_a_parent_leaves_out_is_left_out(parent: str, own: str, found: list[int]) -> None:
    assert rows(LOGGER.format(parent=parent, own=own), "LP110") == found


_PARSED = """
import argparse
import multiprocessing as mp


def parser_of(name):
    parser = argparse.ArgumentParser(name)
    parser.add_argument("--name", default="job")
    parser.add_argument({argument})
    return parser


class Job:
    def __init__(self, options, name):
        self.options = options
        self.name = name


def work(job):
    print(job)


def main():
    args = parser_of("job").parse_args()
    mp.Process(target=work, args=({given},)).start()
"""


@pytest.mark.parametrize(
    ("argument", "given", "fires"),
    [
        ("'--out', type=argparse.FileType('w'), default='out.txt'", "args", True),
        ("'rows', type=open", "args", True),
        ("'-o', '--out-file', type=argparse.FileType('w')", "args.out_file", True),
        ("'--out', type=argparse.FileType('w')", "Job(args, 1)", True),
        ("'--out', dest='sink', type=argparse.FileType('w')", "[args.sink]", True),
        ("'--out', type=argparse.FileType('w')", "args.name", False),
        ("'--out', type=argparse.FileType('w')", "Job(args.name, 1)", False),
        ("'--out', type=argparse.FileType('w')", "args.out.name", False),
        ("'--out', type=str, default='out.txt'", "args", False),
        ("'--out', type=lambda path: path", "args", False),
    ],
)
def test_files_that_a_parser_opens(argument: str, given: str, fires: bool) -> None:
    found = [code for _, code in marks(_PARSED.format(argument=argument, given=given))]
    assert ("LP110" in found) is fires


MAPPED = """\
import mmap
from multiprocessing import Process


class Shared:
    def __init__(self, file, size):
        self.size = size
        self.memory = mmap.mmap({descriptor}, 100)


def work(shared):
    print(shared.memory[0])


def main(file):
    Process(target=work, args=(Shared(file, 4),)).start()


if __name__ == "__main__":
    main(open("data"))
"""


@pytest.mark.parametrize(("descriptor", "is_fixed"), [("3", True), ("-1", False)])
def test_memory_of_no_file_cannot_be_mapped_again(descriptor: str, is_fixed: bool) -> None:
    (finding,) = lint(MAPPED.format(descriptor=descriptor)).diagnostics
    assert finding.code == "LP110"
    assert "shared_memory" in (finding.help or "")
    assert (finding.fix is not None) is is_fixed


_OPENED = """\
import sqlite3
import multiprocessing


class Table:
    def __init__(self, path):
        self.path = path
        {opened}

    def read(self):
        return self.handle

    def fill(self):
        self.handle.execute("insert into cell values (1)")


def work(table):
    return table.read()


if __name__ == "__main__":
    multiprocessing.get_context("spawn").Process(target=work, args=(Table("cells"),)).start()
"""


def _is_fixed(opened: str) -> bool:
    text = _OPENED.format(opened=opened.replace("\n", "\n        "))
    assert "LP110" in [code for _, code in marks(text)]
    return fixed(text, unsafe=True) != text


@pytest.mark.parametrize(
    "opened",
    ["self.handle = sqlite3.connect(path)", "self.handle = open(path)", "self.handle = sqlite3.connect('a.db')"],
)
def test_handles_that_can_be_opened_again(opened: str) -> None:
    assert _is_fixed(opened)


@pytest.mark.parametrize(
    "opened",
    [
        "self.handle = sqlite3.connect(':memory:')",
        "self.handle = sqlite3.connect('file:cells?mode=memory', uri=True)",
        "self.handle = sqlite3.connect('')",
        "self.handle = sqlite3.connect(path)\nself.handle.execute('create temp table cell (id integer)')",
        "self.handle = sqlite3.connect(path)\nself.handle.row_factory = sqlite3.Row",
        "self.handle = open(path)\nself.handle.seek(10)",
        "self.handle = open(path)\nself.head = next(self.handle)",
        "handle = open(path)\nhandle.readline()\nself.handle = handle",
    ],
)
def test_handles_that_are_not_the_same_when_they_are_opened_again(opened: str) -> None:
    assert not _is_fixed(opened)


_CLOSED = """
import os
import lmdb
from torch.utils.data import DataLoader, Dataset


class Structures(Dataset):
    def __init__(self, path, reset=False):
        self.path = path
        self.env = None
        self.load(reset)

    def connect(self):
        self.close()
        self.env = lmdb.open(self.path)

    def close(self):
        if self.env is not None:
            self.env.close()
        self.env = None

    def load(self, reset):
        if not reset and os.path.exists(self.path):
            self.{first}
            self.names = list(self.env.begin().cursor())
            {then}

    def __getitem__(self, index):
        self.connect()
        return self.env.begin().get(self.names[index])

    def __len__(self):
        return len(self.names)


if __name__ == "__main__":
    for item in DataLoader(Structures("rows"), num_workers=2):
        print(item)
"""


@pytest.mark.parametrize(
    ("first", "then", "fires"),
    [
        ("connect()", "self.close()", False),
        ("connect()", "self.env = None", False),
        ("env = lmdb.open(self.path)", "self.close()", False),
        ("env = lmdb.open(self.path)", "self.env = None", False),
        ("connect()", "pass", True),
        ("connect()", "if reset: self.close()", True),
        ("connect()", "if reset: self.env = None", True),
        ("connect()", "self.close(); self.connect()", True),
    ],
)
def test_what_a_branch_of_the_constructor_opens_and_closes(first: str, then: str, fires: bool) -> None:
    assert bool(rows(_CLOSED.format(first=first, then=then), "LP110")) is fires


_REOPENED = """
import os
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None
        self.pid = None
        self.ensure_open()
        self.size = len(self.file.readline())
        self.file = None

    def ensure_open(self):
        {first}
        if {test}:
            self.file, self.kept = open(self.path), open(self.path)
            self.pid = os.getpid()

    def __getitem__(self, index):
        self.ensure_open()
        return self.file.readline()

    def __len__(self):
        return self.size


if __name__ == "__main__":
    for item in DataLoader(Rows("rows"), num_workers=2):
        print(item)
"""
_FIRST = "if self.file is None: self.file = open(self.path); self.pid = os.getpid()"


@pytest.mark.parametrize(
    ("first", "test", "fires"),
    [
        (_FIRST, "self.pid != os.getpid()", False),
        (_FIRST, "os.getpid() != self.pid", False),
        (_FIRST, "self.pid == os.getpid()", True),
        ("pass", "self.pid != os.getpid()", True),
        ("self.parent = os.getpid()", "self.pid != os.getpid()", True),
    ],
)
def test_what_only_another_process_opens_again(first: str, test: str, fires: bool) -> None:
    assert bool(rows(_REOPENED.format(first=first, test=test), "LP110")) is fires


ARCHIVE = """
import glob
import os
from multiprocessing import Process
from pathlib import Path

import numpy as np


def work(arrays):
    print(arrays)


def send(folder: Path, other):
    {before}
    Process(target=work, args=({sent},)).start()
"""


def _sent(sent: str, before: str = "pass") -> list[str]:
    return [each.code for each in lint(ARCHIVE.format(sent=sent, before=before)).diagnostics]


@pytest.mark.parametrize(
    "path",
    [
        "'a.npz'",
        "folder / 'a.npz'",
        "folder / f'a-{other}.npz'",
        "folder.joinpath('parts', 'a.npz')",
        "other.with_suffix('.npz')",
        "Path(other, 'a.npz').resolve()",
        "str(folder / 'a.npz')",
        "os.path.join(other, 'a.npz')",
        "other + '/a.npz'",
        "f'{other}/a.npz'",
        "sorted(folder.glob('*.npz'))[0]",
        "sorted(glob.glob('data/**/part-*.npz'))[1]",
    ],
)
def test_a_path_that_ends_as_archives_do(path: str) -> None:
    assert _sent(f"np.load({path})") == ["LP110"]
    assert _sent(f"np.load({path})['x']") == []
    assert _sent(f"np.load({path.replace('npz', 'npy')})") == []


@pytest.mark.parametrize("path", ["other", "folder", "folder / other", "other + folder", "next(folder.glob('*'))"])
def test_a_path_of_which_the_end_is_not_known(path: str) -> None:
    assert _sent(f"np.load({path})") == []


def test_the_files_of_a_folder_one_after_the_other() -> None:
    loop = "for path in sorted(folder.rglob('*.npz')):\n        Process(target=work, args=(np.load(path),)).start()"
    assert _sent("1", loop) == ["LP110"]
    assert _sent("1", loop.replace("path in sorted(folder.rglob('*.npz'))", "_, path in enumerate(files)")) == []
    counted = "_, path in enumerate(sorted(folder.rglob('*.npz')))"
    assert _sent("1", loop.replace("path in sorted(folder.rglob('*.npz'))", counted)) == ["LP110"]
    assert _sent("[np.load(path) for path in folder.glob('*.npz')]") == ["LP110"]
    assert _sent("[np.load(path) for path in folder.glob('*.np?')]") == []


@pytest.mark.parametrize(
    ("reads", "codes"),
    [
        ("print(data.files)", ["LP110"]),
        ("print(data['x'], data['y'])", ["LP110"]),
        ("print(data)", []),
        ("print(data[0])", []),
        ("print(data['x'], data.shape)", []),
        ("print(data['x'], data[0])", []),
        ("data['x'] = 1", []),
        ("data = data.item()\n    print(data['x'])", []),
        ("data = {key: data[key] for key in data.files}", []),
    ],
)
def test_what_is_read_by_names_is_an_archive_wherever_it_is(reads: str, codes: list[str]) -> None:
    assert _sent("data", f"data = np.load(other)\n    {reads}") == codes


KEPT = """
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Shard(Dataset):
    def __init__(self, path):
        self.arrays = {load}

    def __len__(self):
        return len({length})

    def __getitem__(self, index):
        return self.arrays["x"][index]


def main(path):
    for batch in DataLoader(Shard(path), num_workers=2):
        print(batch)
"""


@pytest.mark.parametrize(
    ("load", "length", "codes"),
    [
        ("np.load(path)", "self.arrays['y']", ["LP110"]),
        ("np.load(path)", "self.arrays", ["LP110"]),
        ("np.load(path)", "self.arrays[0]", []),
        ("np.load(path).item()", "self.arrays['y']", []),
        ("dict(np.load(path))", "self.arrays['y']", []),
    ],
)
def test_an_attribute_that_the_class_reads_by_names_is_an_archive(load: str, length: str, codes: list[str]) -> None:
    found = lint(KEPT.format(load=load, length=length)).diagnostics
    assert [each.code for each in found if each.code == "LP110"] == codes


FACES = """
import h5py
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Faces(Dataset):
    def __init__(self, split):
        self.split = split
        data = h5py.File("faces.h5", "r")
        if split == "train":
            self.pixels = data["train"]
            {then}
        else:
            self.pixels = np.asarray(data["test"])

    def __len__(self):
        return len(self.pixels)

    def __getitem__(self, index):
        return self.pixels[index]


def main(split):
    for batch in DataLoader(Faces(split), num_workers=2):
        print(batch)


if __name__ == "__main__":
    main("train")
"""


@pytest.mark.parametrize(
    ("then", "codes"),
    [
        pytest.param("self.pixels = np.asarray(self.pixels)", [], id="read into an array"),
        pytest.param(
            "self.pixels = np.asarray(self.pixels)\n            self.pixels = self.pixels.reshape(-1, 48, 48)",
            [],
            id="read and reshaped",
        ),
        pytest.param("self.size = len(self.pixels)", ["LP110"], id="only asked"),
        pytest.param("self.rows = np.asarray(self.pixels)", ["LP110"], id="read into another attribute"),
        pytest.param(
            "if len(data) > 1:\n                self.pixels = np.asarray(self.pixels)",
            ["LP110"],
            id="at times",
        ),
    ],
)
def test_what_is_replaced_in_the_same_branch_does_not_cross(then: str, codes: list[str]) -> None:
    assert [code for _, code in marks(FACES.format(then=then)) if code == "LP110"] == codes


def test_what_is_replaced_after_the_start_crosses() -> None:
    text = """
import multiprocessing
import threading


class Job:
    def __init__(self, parallel):
        if parallel:
            self.lock = threading.Lock()
            process = multiprocessing.get_context("spawn").Process(target=self.run)
            process.start()
            self.lock = None
            process.join()

    def run(self):
        print("runs")


if __name__ == "__main__":
    Job(True)
"""
    assert [code for _, code in marks(text)] == ["LP111"]


@pytest.mark.parametrize("imported", ["telethon", "telethon.sync"])
@pytest.mark.parametrize(("given", "found"), [("client", ["LP110"]), ("client.session.filename", []), ("'bot'", [])])
def test_a_client_that_is_given_to_a_process(imported: str, given: str, found: list[str]) -> None:
    code = (
        f"from multiprocessing import Process\nfrom {imported} import TelegramClient\n\n\ndef serve(client):\n"
        "    print(client)\n\n\nif __name__ == '__main__':\n    client = TelegramClient('bot', 1, 'hash')\n"
        f"    Process(target=serve, args=({given},)).start()\n"
    )
    assert [each for _, each in marks(code)] == found


_RECORDS = """\
import multiprocessing as mp

from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    def __init__(self, path):
        self.stream = {opened}

    def __getitem__(self, index):
        self.stream.seek(8 * index)
        return self.stream.read(8)

    def __len__(self):
        return 100


if __name__ == "__main__":
    {start}
    {use}
"""


@pytest.mark.parametrize(
    ("opened", "start", "use", "is_told"),
    [
        pytest.param("open(path, 'rb')", "pass", "DataLoader(Records('rows.bin'), num_workers=2)", True, id="a loader"),
        pytest.param(
            "open(path, 'ab')", "pass", "DataLoader(Records('rows.bin'), num_workers=2)", False, id="for writing"
        ),
        pytest.param(
            "open(path, 'rb')",
            "mp.set_start_method('spawn')",
            "DataLoader(Records('rows.bin'), num_workers=2)",
            False,
            id="spawn alone",
        ),
        pytest.param(
            "open(path, 'rb')",
            "pass",
            "mp.Pool(2).map(Records('rows.bin').__getitem__, [1, 2])",
            False,
            id="always pickled",
        ),
        pytest.param(
            "__import__('sqlite3').connect(path)",
            "pass",
            "DataLoader(Records('rows.bin'), num_workers=2)",
            False,
            id="no file",
        ),
    ],
)
def test_what_becomes_of_a_file_in_forked_workers(opened: str, start: str, use: str, is_told: bool) -> None:
    found = lint(_RECORDS.format(opened=opened, start=start, use=use)).diagnostics
    helps = [each.help or "" for each in found if each.code == "LP110"]
    assert any("forked workers would share its position" in each for each in helps) is is_told


_BLOCKS = """
import multiprocessing as mp
from dataclasses import dataclass


@dataclass
class Block:
    offset: int
    payload: memoryview


def blocks(data: bytes, size: int):
    view = memoryview(data)
    for offset in range(0, len(view), size):
        yield Block(offset, {payload})


def digest(block):
    return hash(bytes(block.payload))


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(list(pool.imap(digest, blocks(b"rows" * 1000, 512))))
"""


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        ("view[offset:offset + size]", [15]),
        ("view[offset:][:size]", [15]),
        ("view[offset:].toreadonly()", [15]),
        ("view[offset:offset + 8].cast('i')", [15]),
        ("bytes(view[offset:offset + size])", []),
        ("view[offset:offset + size].tobytes()", []),
        ("view[offset:offset + size].tolist()", []),
        ("view[offset]", []),
        ("view.nbytes", []),
    ],
)
def test_a_slice_of_a_memoryview_is_one(payload: str, found: list[int]) -> None:
    assert rows(_BLOCKS.format(payload=payload), "LP110") == found


FILE_SYSTEMS = """\
import ssl
from multiprocessing import Pool

import fsspec
from fsspec.implementations.http import HTTPFileSystem
from upath import UPath

CONTEXT = ssl.create_default_context()


class Reader:
    def __init__(self, address):
        self.source = {source}

    def read(self, name):
        return self.source


if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(Reader("https://example.org").read, ["a", "b"])
"""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("fsspec.filesystem('https', client_kwargs={'ssl': CONTEXT})", ["LP110"]),
        ("HTTPFileSystem(client_kwargs={'ssl': CONTEXT})", ["LP110"]),
        ("UPath(address, ssl=CONTEXT)", ["LP110"]),
        ("fsspec.open(address, client_kwargs={'ssl': CONTEXT})", ["LP110"]),
        ("fsspec.filesystem('https', block_size=1024)", []),
        ("UPath(address, anon=True)", []),
    ],
)
def test_options_of_file_systems_are_sent_with_them(source: str, found: list[str]) -> None:
    assert [code for _, code in marks(FILE_SYSTEMS.format(source=source))] == found


PORT = """\
import multiprocessing as mp
import serial
class Robot:
    def __init__(self, port):
        {keeps}
    def run(self):
        self.port.write(b"on")
def main():
    mp.{started}
if __name__ == "__main__":
    main()
"""
STARTED = "Process(target=Robot('/dev/ttyS0').run).start()"


@pytest.mark.parametrize(
    ("keeps", "started", "is_found"),
    [
        ("self.port = serial.Serial(port, 9600)", STARTED, True),
        ("self.port = serial.Serial(baudrate=9600, port=port)", STARTED, True),
        ("self.port = serial.Serial()\n        self.port.port = port", STARTED, False),
        ("self.port = serial.Serial(None, 9600)", STARTED, False),
        ("self.port = serial.Serial(port, 9600)", "Queue().put(Robot('/dev/ttyS0'))", False),
        ("self.port = serial.Serial(port, 9600)", f"get_context('fork').{STARTED}", False),
    ],
    ids=["opened", "by keyword", "not opened", "without a port", "put into a queue", "forked"],
)
def test_a_serial_port_that_is_open(keeps: str, started: str, is_found: bool) -> None:
    found = [each for each in lint(PORT.format(keeps=keeps, started=started)).diagnostics if each.code == "LP110"]
    assert [each.confidence.value for each in found] == ["likely"] * is_found
    assert all("write failed: [Errno 9] Bad file descriptor" in (each.error or "") for each in found)
