"""Methods that construction runs by a class: `Base.open(self)`, also where the class is one of several, or kept."""

from __future__ import annotations

from textwrap import dedent

import pytest

from lintpickle.diagnostics import Confidence
from tests.support import lint

OBSERVATION = """
    import mmap
    import sys
    from multiprocessing import Process


    class Filterbank:
        def __init__(self, path):
            self.fp = open(path, "rb")
            self.data = mmap.mmap(self.fp.fileno(), 0, access=mmap.ACCESS_READ)

        @staticmethod
        def suffix(path):
            return path.rpartition(".")[2]


    class Fits:
        def __init__(self, path):
            self.path = path

        def close(self):
            self.fp = None
            self.data = None


    class Table(Fits):
        pass


    FORMATS = {{"fil": Filterbank, "fits": Fits}}
    PLAIN = {{"fits": Fits, "table": Table}}


    class Observation(Table, Filterbank):
        def __init__(self, path):
            {body}


    class Writer:
        def __init__(self, observation):
            self.observation = observation

        def write(self):
            print(self.observation)


    if __name__ == "__main__":
        writer = Writer(Observation(sys.argv[1]))
        process = Process(target=writer.write)
        process.start()
        process.join()
    """
_KIND = "FORMATS[path.rpartition('.')[2]]"


def _found(lines: str) -> list[tuple[str, Confidence]]:
    body = "\n            ".join(lines.split("; "))
    found = lint(dedent(OBSERVATION.format(body=body))).diagnostics
    return [(each.code, each.confidence) for each in found]


@pytest.mark.parametrize(
    "lines",
    [
        f"self.format = {_KIND}; self.format.__init__(self, path)",
        f"format = {_KIND}; format.__init__(self, path)",
        f"{_KIND}.__init__(self, path)",
        "self.format = Filterbank if path.endswith('.fil') else Fits; self.format.__init__(self, path)",
        f"self.format = {_KIND}; self.open(path)\n\n        def open(self, path):; self.format.__init__(self, path)",
    ],
)
def test_the_class_is_one_of_several(lines: str) -> None:
    assert _found(lines) == [("LP110", Confidence.LIKELY)] * 2


@pytest.mark.parametrize(
    "lines",
    [
        "Filterbank.__init__(self, path)",
        "self.format = Filterbank; self.format.__init__(self, path)",
        "self.format = FORMATS['fil']; self.format.__init__(self, path)",
        "self.format = Fits; self.format = Filterbank; self.format.__init__(self, path)",
    ],
)
def test_the_class_is_known(lines: str) -> None:
    assert _found(lines) == [("LP110", Confidence.CERTAIN)] * 2


@pytest.mark.parametrize(
    "lines",
    [
        "self.format = PLAIN[path.rpartition('.')[2]]; self.format.__init__(self, path)",
        "self.format = FORMATS['fits']; self.format.__init__(self, path)",
        "self.format = Filterbank; self.format = Fits; self.format.__init__(self, path)",
        f"self.format = {_KIND}; self.suffix = self.format.suffix(path)",
        f"self.format = {_KIND}; self.path = path",
        "Filterbank.__init__(self, path); self.kind = Fits; self.kind.close(self)",
        "Filterbank.__init__(self, path); PLAIN[path].close(self)",
        f"self.format = {_KIND}; self.format.__init__(self, path); self.fp = self.data = None",
    ],
)
def test_nothing_of_the_file_is_kept(lines: str) -> None:
    assert _found(lines) == []
