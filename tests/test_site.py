"""What the site is made of: every page in the navigation, documented commands that exist, settings that are valid."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from lintpickle import addresses
from lintpickle.commands import app
from lintpickle.rules import all_rules
from lintpickle.settings import SettingsResolver
from tests.test_docs import DOCS
from tools.site import pages

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
SHELL = re.compile(r"^[ ]*```(?:sh|console)\n(.*?)^[ ]*```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`(lintpickle [^`\n]+)`")
NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def _commands() -> list[tuple[str, str]]:
    found = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        lines = [line.strip().removeprefix("$ ") for block in SHELL.findall(text) for line in block.splitlines()]
        written = [line for line in lines if line.startswith("lintpickle ")] + INLINE.findall(text)
        found += [(path.name, line) for line in dict.fromkeys(written)]
    return found


@pytest.mark.parametrize(("page", "line"), _commands())
def test_documented_commands_exist(page: str, line: str) -> None:
    words = shlex.split(re.split(r" [|>] | >> ", line)[0], comments=True)[1:]
    words = [re.sub(r"\[=?[^]]*\]$", "", word) for word in words]
    known = click.Context(app)
    if words[0].startswith("-"):
        return
    command = app.get_command(known, {"explain": "rule"}.get(words[0], words[0]))
    if words[0].isupper():
        return
    assert command is not None, f"{page}: there is no command {words[0]!r}"
    options = {name: option for option in command.params for name in (*option.opts, *option.secondary_opts)}
    end = words.index("--") if "--" in words else len(words)
    given = [word.partition("=")[0] for word in words[1:end] if word.startswith("--")]
    if words[0] == "probe":
        given = []  # what stands behind the program is the program's
    assert [name for name in given if name not in options and name != "--help"] == []


def test_the_sidebar_has_every_rule_under_its_family() -> None:
    for rule in all_rules():
        assert f"          - {rule.code} {rule.name}: rules/{rule.code}-{rule.name}.md\n" in NAVIGATION


def test_the_home_page_has_version_repository_and_install_command() -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    from lintpickle import __version__

    assert f"Version {__version__}" in text
    assert f"[Repository]({addresses.REPOSITORY})" in text
    assert re.search(r"```sh\npip install ", text)


def test_the_index_of_the_rules_is_narrow() -> None:
    rows = [line for line in pages()["index.md"].splitlines() if line.startswith("| [LP")]
    assert len(rows) == len(all_rules())
    assert {row.replace("\\|", "").count("|") for row in rows} == {5}


def test_settings_that_pages_show_are_valid(tmp_path: Path) -> None:
    shown = 0
    for path in DOCUMENTS:
        for block in re.findall(r"```toml\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            if "[tool.lintpickle" not in block:
                continue
            shown += 1
            folder = tmp_path / f"{path.stem}{shown}" / "project"
            folder.mkdir(parents=True)
            (folder.parent / ".git").mkdir()
            (folder.parent / "lintpickle.toml").touch()
            (folder / "pyproject.toml").write_text(block, encoding="utf-8")
            SettingsResolver(cwd=folder).for_path("train.py")
    assert shown > 3
