"""What an index shows of the package: its long description has whole addresses, and links to what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintpickle import __version__, addresses
from lintpickle.toml_text import read_toml

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def described() -> str:
    """The README as the build hook rewrites it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    hooks = read_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["metadata"]["hooks"]
    for rule in hooks["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    return text.replace("$HFPR_VERSION", __version__)


def test_every_link_is_whole(described: str) -> None:
    links = [target for _, target in LINK.findall(described)]
    assert len(links) > 50
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def test_links_into_the_repository_lead_to_files(described: str) -> None:
    pages, files = (
        f"{addresses.REPOSITORY}/blob/v{__version__}/",
        addresses.REPOSITORY.replace("github.com", "raw.githubusercontent.com") + f"/v{__version__}/",
    )
    for is_picture, target in LINK.findall(described):
        if target.startswith((pages, files)):
            assert target.startswith(files if is_picture else pages)
            name = target.removeprefix(pages).removeprefix(files).partition("#")[0]
            assert (ROOT / name).exists(), name


def test_code_is_left_alone(described: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
    assert code.findall(described) == code.findall(readme)


def test_classifiers_name_the_pythons_that_are_supported() -> None:
    project = read_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert f">={versions[0]}" == project["requires-python"]
    assert versions == [f"3.{minor}" for minor in range(10, 10 + len(versions))]
