"""What workers ask for by a name that only the main process gives: attributes of functions, handlers of errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

ENCODER = """\
from concurrent.futures import ProcessPoolExecutor
{top}

{decorator}
def encode(label):
    {read}

{after}

def fit(labels):
    encode.vocab = {{label: i for i, label in enumerate(sorted(set(labels)))}}


def main():
    labels = ["cat", "dog"]
    fit(labels)
    with ProcessPoolExecutor(max_workers=2) as pool:
        print(list(pool.map(encode, labels)))


if __name__ == "__main__":
    main()
"""
READS = "return encode.vocab[label]"
CAUGHT = "try:\n        return encode.vocab[label]\n    except AttributeError:\n        return None"


def test_an_attribute_that_only_main_gives_a_function_is_missing(tmp_path: Path) -> None:
    found = migrated(tmp_path, ENCODER.format(top="", decorator="", read=READS, after=""))
    assert worst(found) is Verdict.BREAKS
    [finding] = found.boundaries[0].findings
    assert "`encode.vocab`" in finding.diagnostic.message
    assert finding.diagnostic.error == "AttributeError: 'function' object has no attribute 'vocab'"


@pytest.mark.parametrize(
    ("read", "after"),
    [
        pytest.param(CAUGHT, "", id="caught"),
        pytest.param("return getattr(encode, 'vocab', {}).get(label)", "", id="with a default"),
        pytest.param(READS, "encode.vocab = {}", id="given at import, too"),
    ],
)
def test_an_attribute_that_a_function_has_or_may_lack_is_no_error(read: str, after: str, tmp_path: Path) -> None:
    code = ENCODER.format(top="", decorator="", read=read, after=after)
    assert worst(migrated(tmp_path, code)) is not Verdict.BREAKS


@pytest.mark.parametrize(
    ("read", "after"),
    [
        pytest.param("return len(label)", "", id="never read"),
        pytest.param("fit([label])\n    return encode.vocab[label]", "", id="workers give it, too"),
    ],
)
def test_an_attribute_that_workers_do_not_miss_is_ready(read: str, after: str, tmp_path: Path) -> None:
    code = ENCODER.format(top="", decorator="", read=read, after=after)
    assert worst(migrated(tmp_path, code)) is Verdict.READY


EXPORT = """\
import codecs
import multiprocessing as mp


def fallback(error):
    return "?", error.end


def install():
    codecs.register_error("plain", fallback)

{top}

def export(row):
    {first}
    return {made}


def main():
    install()
    with mp.Pool(2) as pool:
        print(pool.map(export, ["a", "b"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("made", ['row.encode("ascii", errors="plain")', "row.encode('ascii', 'plain')"])
def test_a_handler_that_only_main_registers_is_unknown(made: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, EXPORT.format(top="", first="pass", made=made))) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("top", "first", "made"),
    [
        pytest.param("install()", "pass", 'row.encode("ascii", errors="plain")', id="at import"),
        pytest.param("", "install()", 'row.encode("ascii", errors="plain")', id="workers, too"),
        pytest.param("", "pass", 'row.encode("ascii", errors="replace")', id="another handler"),
        pytest.param("", "pass", "row.encode()", id="none"),
    ],
)
def test_a_handler_that_workers_have_or_do_not_need_is_ready(top: str, first: str, made: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, EXPORT.format(top=top, first=first, made=made))) is Verdict.READY


NAMED = """\
import codecs
import multiprocessing as mp


def fallback(error):
    return "?", error.end


def install(name="plain"):
    codecs.register_error(name, fallback)


def encoded(row, errors{default}):
    return row.encode("ascii", errors)


def export(row):
    return {made}


def main():
    {main}
    with mp.Pool(2) as pool:
        print(pool.map(export, ["a", "b"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("default", "made", "main"),
    [
        ('="plain"', "encoded(row)", "install()"),
        ("", 'encoded(row, "plain")', "install()"),
        ('="strict"', 'encoded(row, errors="house")', 'install("house")'),
        ("", 'encoded(row, "house")', 'install(name="house")'),
    ],
)
def test_a_handler_whose_name_is_given(default: str, made: str, main: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, NAMED.format(default=default, made=made, main=main))
    assert worst(found) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("default", "made", "main"),
    [
        pytest.param('="strict"', "encoded(row)", "install()", id="another by default"),
        pytest.param('="plain"', 'encoded(row, "replace")', "install()", id="another is given"),
        pytest.param('="replace"', "encoded(row)", 'install("house")', id="none of the names"),
    ],
)
def test_a_handler_of_another_name_is_ready(default: str, made: str, main: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, NAMED.format(default=default, made=made, main=main))) is Verdict.READY
