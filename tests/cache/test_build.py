"""Builds of one version that are told apart, so that none is given the answers of another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lintpickle import __version__
from lintpickle.cache.stamps import build

COMMIT = '{"url": "https://git.example/lintpickle", "vcs_info": {"vcs": "git", "commit_id": "COMMIT"}}'
FOLDER = '{"dir_info": {}, "url": "file:///home/ann/lintpickle"}'


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    folder = tmp_path / f"lintpickle-{__version__}.dist-info"
    folder.mkdir()
    (folder / "RECORD").write_text("lintpickle/cli.py,,\n")
    return folder / "direct_url.json"


def _build(noted: Path) -> str:
    return build(str(noted.parent.parent / "lintpickle"))


def test_a_release_is_known_by_its_version(noted: Path) -> None:
    assert _build(noted) == ""


def test_a_checkout_has_no_build() -> None:
    assert build(os.path.join(os.sep, "nowhere", "lintpickle")) == ""


def test_builds_of_two_commits(noted: Path) -> None:
    noted.write_text(COMMIT.replace("COMMIT", "1"))
    first = _build(noted)
    (noted.parent / "RECORD").write_text("elsewhere/lintpickle/cli.py,,\n")
    assert _build(noted) == first != ""
    noted.write_text(COMMIT.replace("COMMIT", "2"))
    assert _build(noted) != first


def test_a_folder_that_is_installed_again(noted: Path) -> None:
    noted.write_text(FOLDER)
    first = _build(noted)
    assert _build(noted) == first != ""
    os.utime(noted.parent / "RECORD", ns=(1, 1))
    assert _build(noted) != first
