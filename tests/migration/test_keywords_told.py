"""Attributes of a class that a method stores under names which it makes of the keywords that callers give it. The
programs were run with CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

SETTINGS = """\
class Settings:
    USER_AGENT = "bot/1"
    OPT_LIMIT = 40
    KEEP = 0

    @classmethod
    def update(cls, **values):
        for key, value in values.items():
            name = {name}
            setattr(cls, name, value)
"""
MAIN = """\
import multiprocessing
from settings import Settings


def work(page):
    return page, Settings.{read}


if __name__ == "__main__":
    Settings.update({given})
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [1, 2]))
"""


@pytest.mark.parametrize(
    ("name", "given", "read", "verdict"),
    [
        ("key.upper()", "user_agent='mine', limit=3", "USER_AGENT", Verdict.CHANGES),
        ("key.strip().upper()", "user_agent='mine'", "USER_AGENT", Verdict.CHANGES),
        ('f"OPT_{key.upper()}"', "limit=3", "OPT_LIMIT", Verdict.CHANGES),
        ("key", "USER_AGENT='mine'", "USER_AGENT", Verdict.CHANGES),
        ("key.upper()", "user_agent='mine'", "KEEP", Verdict.READY),
        ('f"OPT_{key.upper()}"', "limit=3", "USER_AGENT", Verdict.READY),
        ("key", "user_agent='mine'", "USER_AGENT", Verdict.READY),
        ("key.replace('-', '_')", "USER_AGENT='mine'", "USER_AGENT", Verdict.CHANGES),
        ("key.removeprefix('x_')", "x_USER_AGENT='mine'", "USER_AGENT", Verdict.CANNOT_TELL),
    ],
)
def test_names_made_of_keywords(tmp_path: Path, name: str, given: str, read: str, verdict: Verdict) -> None:
    (tmp_path / "settings.py").write_text(SETTINGS.format(name=name), encoding="utf-8")
    assert worst(migrated(tmp_path, MAIN.format(given=given, read=read))) is verdict
