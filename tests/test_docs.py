"""The documentation: its examples are valid, its links lead somewhere, the site has every rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintpickle.rules import all_rules
from lintpickle.settings import SettingsResolver, options
from tools.pictures import draw
from tools.site import pages

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "changelog.md")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#]+)(?:#[^)]*)?\)")
PACKAGE = ROOT / "lintpickle"
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
DOTTED = re.compile(r"(?<![\w./-])([a-z]\w*)\.([a-z_]\w*)(?:\.(\w+))?")


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    generated = {f"rules/{name}" for name in pages()} | {"changelog.md"}
    links = LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in links if link not in generated and not (path.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_of_the_repository_lead_somewhere(name: str) -> None:
    links = LINK.findall((ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r"^ +- [^:]+: (\S+)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert {path.name for path in DOCS} <= named
    assert all((ROOT / "docs" / page).exists() or page.startswith(("rules/", "changelog.md")) for page in named)


@pytest.mark.parametrize("option", options(), ids=lambda option: option.name)
def test_the_configuration_page_has_valid_examples(option: object, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    name = getattr(option, "name", "")
    example = re.search(rf"^### `{name}`\n.*?```toml\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    assert example is not None
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(example[1])
    (tmp_path / "lintpickle.toml").write_text("")
    (tmp_path / ".git").mkdir()
    settings = SettingsResolver(cwd=folder).for_path("train.py")
    assert getattr(option, "attribute", "") in settings.origins


def test_the_modules_of_the_architecture_page_exist() -> None:
    trees = re.findall(r"^```text\n(.*?)^```", ARCHITECTURE, re.DOTALL | re.MULTILINE)
    named = [*re.findall(r"`([^`\n]+)`", ARCHITECTURE), *trees]
    packages = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    found = {match.groups() for text in named for match in DOTTED.finditer(text) if match[1] in packages}
    assert len(found) > 60
    lost = {f"{package}.{module}" for package, module, name in found if not _is_there(PACKAGE / package / module, name)}
    assert lost == set()


def _is_there(path: Path, name: str | None) -> bool:
    """Whether there is a module with that name in it, or a package with that module."""
    if path.is_dir():
        return not name or (path / f"{name}.py").exists()
    file = path.with_suffix(".py")
    return file.exists() and (not name or name in file.read_text(encoding="utf-8"))


def _rows(start: str) -> list[list[str]]:
    """The cells of the table below a line of the architecture page."""
    table = ARCHITECTURE.partition(start)[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in table.strip().splitlines()]
    return [row for row in rows if row[0].strip("- ")]


@pytest.mark.parametrize("row", _rows("| what | where |\n"), ids=lambda row: row[0][:30])
def test_what_the_architecture_page_looks_for_is_there(row: list[str]) -> None:
    names = [name for cell in row[1:] for name in re.findall(r"`([^`]+)`", cell)]
    paths = [name for name in names if "/" in name]
    files = [file for path in paths for file in PACKAGE.glob(path)]
    assert len(files) >= len(paths) > 0
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    lost = [part for name in set(names) - set(paths) for part in name.split(".") if not re.search(rf"\b{part}\b", text)]
    assert (lost, [path for path in paths if not any(PACKAGE.glob(path))]) == ([], [])


@pytest.mark.parametrize("row", _rows("| record | says | in |\n"), ids=lambda row: row[0].split(",")[0])
def test_the_records_of_the_architecture_page_are_where_it_says(row: list[str]) -> None:
    text = (PACKAGE / row[2].strip("`")).read_text(encoding="utf-8")
    assert [name for name in re.findall(r"`(\w+)`", row[0]) if not re.search(rf"^class {name}\b", text, re.M)] == []


class TestRulePages:
    def test_the_site_has_every_rule(self) -> None:
        found = pages()
        assert {f"{rule.code}-{rule.name}.md" for rule in all_rules()} | {"index.md"} == set(found)
        assert found["index.md"].startswith("# The rules\n")

    def test_what_kind_of_code_a_block_is_becomes_its_title(self) -> None:
        text = pages()["LP101-dict-view-attribute.md"]
        assert text.startswith("# dict-view-attribute (LP101)\n\n**error** · under spawn, forkserver · fix: safe · ")
        assert '```python title="Breaks"\n' in text
        assert '```python title="Mended"\n' in text
        assert not re.search(r"^```python (bad|fixed|good|proof)", text, re.MULTILINE)
        assert "fix: safe\n\n## What it finds" not in text.partition("since")[2]


class TestPictures:
    def test_text_is_escaped_and_coloured(self) -> None:
        picture = draw("run <x>", "\033[1;31merror\033[0m a<b & \033[2mdim\033[0m\n\n  end\n")
        assert "run &lt;x&gt;" in picture
        assert 'font-weight="bold" fill="#ff7b72">error</tspan>' in picture
        assert ">a&lt;b &amp;</tspan>" in picture
        assert 'opacity="0.65">dim</tspan>' in picture
        assert "\033" not in picture

    def test_pieces_stand_at_their_columns(self) -> None:
        picture = draw("x", "    abc")
        assert f'x="{18 + 4 * 8.4:g}" textLength="{3 * 8.4:.1f}"' in picture
