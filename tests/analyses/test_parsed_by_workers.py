"""LP208: attributes that workers set themselves as they read options."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_MAIN = """\
import multiprocessing
import optparse

import config


def parse(args):
    parser = optparse.OptionParser()
    parser.add_option("--cov", dest="{dest}", default=None)
    parser.parse_args(args, values=config)


def prepare(folder):
    config.cov_path = folder + "/all.cov"


def work(args):
    {first}
    return open(config.cov_path).read()


def main(folders):
    prepare(folders[0])
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [["--cov", folder] for folder in folders]))


if __name__ == "__main__":
    main(["a", "b"])
"""


@pytest.mark.parametrize(
    ("dest", "first", "fires"),
    [
        ("cov_path", "parse(args)", False),
        ("cov_path", "print(args)", True),
        ("bed_path", "parse(args)", True),
    ],
)
def test_workers_that_parse_the_option(dest: str, first: str, fires: bool, tmp_path: Path) -> None:
    (tmp_path / "config.py").write_text("cov_path = None\n")
    (tmp_path / "main.py").write_text(_MAIN.format(dest=dest, first=first))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert ("LP208" in [each.code for each in found]) is fires
