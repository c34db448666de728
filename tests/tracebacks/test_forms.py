"""Every form in which a traceback can be pasted leads to the same error, boundary and line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from lintpickle.tracebacks.cleaning import streams

from .reading import PRINTED, explained, line, printed, reading

PLAIN = printed("python-3.11")
CULPRIT = "data.py:9"


def each_line(write: Callable[[str], str], text: str = PLAIN) -> str:
    return "".join(f"{write(row)}\n" for row in text.splitlines())


def interleaved(*texts: str) -> str:
    """The rows of several texts in turn."""
    rows = [text.splitlines() for text in texts]
    longest = max(map(len, rows))
    return "".join(f"{text[at]}\n" for at in range(longest) for text in rows if at < len(text))


def numbered(prefix: str, text: str = PLAIN) -> str:
    """A text as four ranks write it at once."""
    ranks = (prefix.format(rank) for rank in range(4))
    return interleaved(*("".join(f"{rank}{row}\n" for row in text.splitlines()) for rank in ranks))


ELASTIC = json.dumps(
    {"message": {"message": "TypeError: cannot pickle 'dict_keys' object", "extraInfo": {"py_callstack": PLAIN}}}
)
NOTEBOOK = json.dumps({"output_type": "error", "ename": "TypeError", "traceback": printed("ipython").splitlines()})

WRITTEN = {
    "ranks of torch": numbered("[rank{}]: "),
    "ranks of mpirun": numbered("[1,{}]<stderr>:"),
    "ranks of torchrun --tee": numbered("[default{}]:"),
    "workers of ray": numbered("(TrainWorker pid=10{}, ip=10.0.0.7) "),
    "containers": numbered("trainer-{}  | "),
    "times before ranks": numbered("2026-03-01 10:00:0{}.123 [rank0]: "),
    "GitHub": each_line(lambda row: f"2026-03-01T10:00:00.1234567Z {row}"),
    "Azure": each_line(lambda row: f"2026-03-01T10:00:00.1234567Z ##[error]{row}"),
    "kubernetes": each_line(lambda row: f"2026-03-01T10:00:00.123456789Z stderr F {row}"),
    "journal": each_line(lambda row: f"Mar 01 10:00:00 host trainer[812]: {row}"),
    "logging": each_line(lambda row: f"2026-03-01 10:00:00,123 - trainer - ERROR - {row}"),
    "basic logging": "ERROR:root:training failed\n" + PLAIN,
    "quoted": each_line(lambda row: f"> {row}"),
    "fenced": f"It fails:\n```\n{PLAIN}```\nPlease help.\n",
    "Windows line ends": PLAIN.replace("\n", "\r\n"),
    "progress bars": "  0%|          | 0/31 [00:00<?, ?it/s]\r 10%|#         | 3/31\r" + PLAIN,
    "no top": "\n".join(PLAIN.splitlines()[5:]),
    "written as a string": json.dumps(PLAIN)[1:-1],
    "error file of torchrun": ELASTIC,
    "output of a notebook": NOTEBOOK,
    "colours spelt out": each_line(lambda row: f"\\x1b[31m{row}\\x1b[0m"),
}
FORMS = {**{path.stem: printed(path.stem) for path in sorted(PRINTED.glob("*.txt"))}, **WRITTEN}


@pytest.mark.parametrize("form", FORMS)
def test_the_error_is_recognised(form: str) -> None:
    read = reading(FORMS[form])
    assert read.error is not None
    assert (read.error.kind.kind, read.error.type) == ("cannot-pickle", "dict_keys")


@pytest.mark.parametrize("form", FORMS)
def test_the_line_is_named(form: str) -> None:
    explanation = explained(FORMS[form])
    assert line(explanation) == CULPRIT
    if form not in ("no top", "python-3.14"):
        assert explanation.boundary is not None
        assert (explanation.boundary.row, explanation.read.boundary.kind) == (16, "process")


@pytest.mark.parametrize("form", ["ranks of torch", "containers", "workers of ray"])
def test_ranks_are_told_apart(form: str) -> None:
    raised = reading(FORMS[form]).all
    assert len(raised) == 4
    assert {len(each.frames) for each in raised} == {len(reading(PLAIN).all[0].frames)}


def test_notes_are_read_in_their_order() -> None:
    error = reading(printed("python-3.14")).error
    assert error is not None
    assert error.raised.notes == (
        "when serializing dict item 'names'",
        "when serializing data.Config state",
        "when serializing data.Config object",
        "when serializing list item 0",
        "when serializing dict item 'parts'",
        "when serializing data.Samples state",
        "when serializing data.Samples object",
    )


def test_notes_are_read_below_an_error_that_is_quoted_in_a_text() -> None:
    read = reading(
        "It fails so:\n\n    TypeError: cannot pickle 'x' object\n    when serializing dict item 'a'\n\nHelp!\n"
    )
    assert read.error is not None
    assert read.error.raised.notes == ("when serializing dict item 'a'",)


@pytest.mark.parametrize("filler", ["\n", "step 1 loss 0.3\n", 'File "a.py", line 3, in f\n'])
def test_long_logs_are_read_from_their_end(filler: str) -> None:
    read = reading(filler * 300_000 + PLAIN)
    assert read.error is not None and read.error.type == "dict_keys"


def test_the_cause_counts() -> None:
    read = reading(printed("chained"))
    assert [each.type for each in read.all] == ["TypeError", "RuntimeError"]
    assert read.error is not None and read.error.raised is read.all[0]


def test_the_parents_error_counts_before_the_workers() -> None:
    half = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/usr/lib/python3.11/multiprocessing/spawn.py", line 132, in _main
    self = reduction.pickle.load(from_parent)
EOFError: Ran out of input
"""
    alone = reading(half).error
    assert alone is not None and alone.kind.kind == "half-of-it" and alone.kind.symptom
    both = reading(half + PLAIN).error
    assert both is not None and both.kind.kind == "cannot-pickle"


def test_what_stands_in_no_traceback_is_no_error() -> None:
    assert reading("DEBUG: all is well\n2026-03-01 10:00:00 epoch 3\n").error is None
    assert reading("").error is None


def test_indentation_is_kept_behind_prefixes() -> None:
    assert streams('[rank0]:   File "a.py", line 1, in f\n[rank0]:     g()')[0] == [
        '  File "a.py", line 1, in f',
        "    g()",
    ]


@pytest.mark.parametrize("text", ["(" * 50_000, "\x1b[" * 50_000, "a" * 200_000, "[rank0]: " * 20_000, "│" * 100_000])
def test_odd_texts_are_read_to_their_end(text: str) -> None:
    assert reading(text).error is None
    assert reading(f"{text}\n{PLAIN}").error is not None
