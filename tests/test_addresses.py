"""Addresses that other formats must repeat are those of `lintpickle.addresses`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from lintpickle import addresses
from lintpickle.rulebook.summaries import rule_url
from lintpickle.toml_text import read_toml

ROOT = Path(__file__).resolve().parent.parent


def test_the_package_links_to_them() -> None:
    urls = read_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls == {
        "Homepage": f"{addresses.SITE}/",
        "Documentation": f"{addresses.SITE}/",
        "Repository": addresses.REPOSITORY,
        "Issues": addresses.ISSUES,
        "Changelog": addresses.CHANGELOG,
    }


def test_the_site_knows_where_it_is() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert f"site_url: {addresses.SITE}/\n" in text
    assert f"repo_url: {addresses.REPOSITORY}\n" in text
    assert f"repo_name: {addresses.REPOSITORY.partition('github.com/')[2]}\n" in text


def test_the_extension_links_to_the_repository() -> None:
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    assert package["repository"]["url"] == f"{addresses.REPOSITORY}.git"
    assert package["bugs"]["url"] == addresses.ISSUES
    assert package["homepage"].startswith(f"{addresses.SITE}/")


def test_messages_take_them_from_there() -> None:
    written = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "lintpickle").rglob("*.py"))
        if re.search(r"lintpickle\.dev|github\.com/lintpickle", path.read_text(encoding="utf-8"))
    ]
    assert written == ["lintpickle/addresses.py"]


def test_pages_of_rules_are_where_the_site_has_them() -> None:
    assert rule_url("LP101", "dict-view-attribute") == f"{addresses.SITE}/rules/LP101-dict-view-attribute/"


def test_pages_link_to_no_other_place() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.yml", "*.json", "*.toml"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    allowed = (addresses.SITE, addresses.REPOSITORY)
    for name in listed:
        found = re.findall(
            r"https://(?:lintpickle\.|github\.com/lintpickle)[^\s)\"'>`]*", (ROOT / name).read_text("utf-8")
        )
        assert [link for link in found if not link.startswith(allowed)] == []
