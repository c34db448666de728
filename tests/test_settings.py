"""Where settings are read from, how they are checked, and what holds in the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintpickle.diagnostics import LintpickleError, StartMethod
from lintpickle.rules import all_rules
from lintpickle.selection import RuleSelection
from lintpickle.settings import Option, Settings, SettingsResolver, load_settings, options
from lintpickle.settings.schema import json_schema
from lintpickle.settings.show import settings_toml
from lintpickle.settings.toml_file import parse_toml, row_of_key


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


class TestWhereFrom:
    def test_defaults_without_any_file(self, tmp_path: Path) -> None:
        settings = load_settings("a.py")
        assert settings.source is None
        assert settings.root == tmp_path
        assert settings.src == (tmp_path, tmp_path / "src")
        assert settings.start_methods == tuple(StartMethod)

    def test_own_file_wins_over_pyproject(self, tmp_path: Path) -> None:
        write(tmp_path / "pyproject.toml", "[tool.lintpickle]\npedantic = false\n")
        write(tmp_path / "lintpickle.toml", "pedantic = true\n")
        assert load_settings("a.py").pedantic
        hidden = write(tmp_path / ".lintpickle.toml", "unsafe-fixes = true\n")
        settings = load_settings("a.py")
        assert settings.source == hidden
        assert settings.unsafe_fixes and not settings.pedantic

    def test_pyproject_without_section_is_passed_over(self, tmp_path: Path) -> None:
        outer = write(tmp_path / "pyproject.toml", "[tool.lintpickle]\npedantic = true\n")
        write(tmp_path / "sub" / "pyproject.toml", "[tool.other]\nx = 1\n")
        settings = load_settings("sub/a.py")
        assert settings.source == outer
        assert settings.root == tmp_path

    def test_closest_file_counts_alone(self, tmp_path: Path) -> None:
        write(tmp_path / "lintpickle.toml", 'pedantic = true\nignore = ["LP1"]\n')
        write(tmp_path / "sub" / "lintpickle.toml", "unsafe-fixes = true\n")
        resolver = SettingsResolver()
        inner, outer = resolver.for_path("sub/deep/a.py"), resolver.for_path("a.py")
        assert inner.unsafe_fixes and not inner.pedantic and inner.ignore == ()
        assert outer.pedantic and not outer.unsafe_fixes
        assert resolver.for_path("sub/deep/b.py") is inner

    def test_broken_foreign_pyproject_does_not_matter(self, tmp_path: Path) -> None:
        write(tmp_path / "pyproject.toml", "this is [not toml\nrequires-python = '>=3.10'\n")
        assert load_settings("a.py") == Settings(root=tmp_path)

    def test_isolated_reads_nothing(self, tmp_path: Path) -> None:
        write(
            tmp_path / "pyproject.toml",
            "[project]\nrequires-python='>=3.12'\n[tool.lintpickle]\npedantic = true\n",
        )
        settings = load_settings("a.py", isolated=True)
        assert not settings.pedantic and settings.source is None and settings.target_version is None


class TestExtend:
    def test_child_wins_and_lists_named_extend_add_up(self, tmp_path: Path) -> None:
        write(
            tmp_path / "base.toml",
            'pedantic = true\nextend-exclude = ["a"]\ncatalog = ["c.toml"]\nignore = ["LP2"]\n',
        )
        write(
            tmp_path / "sub" / "lintpickle.toml",
            'extend = "../base.toml"\npedantic = false\nextend-exclude = ["b"]\nextend-select = ["LP3"]\n',
        )
        settings = load_settings("sub/x.py")
        assert not settings.pedantic
        assert settings.extend_exclude == ("a", "b")
        assert settings.catalog == (tmp_path / "c.toml",)
        assert settings.ignore == ("LP2",) and settings.extend_select == ("LP3",)
        assert settings.root == tmp_path / "sub"

    def test_circle(self, tmp_path: Path) -> None:
        write(tmp_path / "lintpickle.toml", 'extend = "b.toml"\n')
        write(tmp_path / "b.toml", 'extend = "lintpickle.toml"\n')
        with pytest.raises(LintpickleError, match="circle"):
            load_settings("a.py")

    def test_missing(self, tmp_path: Path) -> None:
        path = write(tmp_path / "lintpickle.toml", '\nextend = "gone.toml"\n')
        with pytest.raises(LintpickleError) as error:
            load_settings("a.py")
        assert str(error.value) == f'{path}:2: "extend": there is no file {tmp_path / "gone.toml"}'


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("\nselct = []\n", ':2: unknown key "selct". Did you mean "select"?'),
            ("extend_select = []\n", ':1: unknown key "extend_select". Did you mean "extend-select"?'),
            ("zzz = 1\n", ':1: unknown key "zzz". See `lintpickle config`.'),
            ('select = "LP1"\n', ':1: "select": expected a list of strings, got a string'),
            ("select = [1]\n", ':1: "select": expected a list of strings, but it holds an integer: 1'),
            ("pedantic = 1\n", ':1: "pedantic": expected true or false, got an integer'),
            (
                'start-methods = ["spwan"]\n',
                ':1: "start-methods": "spwan" is not one of "fork", "spawn", "forkserver". Did you mean "spawn"?',
            ),
            ("start-methods = []\n", ':1: "start-methods": the list is empty'),
            (
                '# c\n\ntarget-version = "2.7"\n',
                ':3: "target-version": "2.7" is not a Python version or range, as "3.12" or ">=3.10,<3.13"',
            ),
            ("python = 3\n", ':1: "python": expected a path as a string, got an integer'),
            ('per-file-ignores = ["a"]\n', ':1: "per-file-ignores": expected a table'),
            (
                '[per-file-ignores]\n"t" = "LP1"\n',
                ':1: "per-file-ignores": at "t": expected a list of strings',
            ),
            ("output-format = 'jsn'\n", ':1: "output-format": "jsn" is not one of'),
            ("a = \n", ":1:5: this is not valid TOML"),
        ],
    )
    def test_names_file_row_and_remedy(self, tmp_path: Path, text: str, expected: str) -> None:
        path = write(tmp_path / "lintpickle.toml", text)
        with pytest.raises(LintpickleError) as error:
            load_settings("a.py")
        assert str(error.value).startswith(f"{path}{expected}")

    def test_key_path_in_pyproject(self, tmp_path: Path) -> None:
        path = write(tmp_path / "pyproject.toml", "[project]\nselct = 1\n\n[tool.lintpickle]\nselct = []\n")
        with pytest.raises(LintpickleError) as error:
            load_settings("a.py")
        expected = f'{path}:5: unknown key "tool.lintpickle.selct". Did you mean "select"?'
        assert str(error.value) == expected

    def test_not_utf8(self, tmp_path: Path) -> None:
        (tmp_path / "lintpickle.toml").write_bytes(b"# \xff\n")
        with pytest.raises(LintpickleError, match="not UTF-8"):
            load_settings("a.py")

    @pytest.mark.parametrize("value", ["3.14", "py314", "py3.14"])
    def test_spellings_of_versions(self, tmp_path: Path, value: str) -> None:
        assert load_settings("a.py", overrides={"target-version": value}).target_version == "3.14"


class TestCommandLine:
    def test_overrides_win(self, tmp_path: Path) -> None:
        write(tmp_path / "lintpickle.toml", 'pedantic = false\nselect = ["LP1"]\nignore = ["LP101"]\n')
        settings = load_settings("a.py", overrides={"pedantic": True, "extend_select": ["LP2"]})
        assert settings.pedantic
        assert (settings.select, settings.ignore, settings.extend_select) == (("LP1",), ("LP101",), ("LP2",))

    def test_select_starts_anew(self, tmp_path: Path) -> None:
        write(tmp_path / "lintpickle.toml", 'select = ["LP1"]\nignore = ["LP101"]\n')
        settings = load_settings("a.py", overrides={"select": ["LP3"]})
        assert (settings.select, settings.ignore) == (("LP3",), ())

    def test_errors_say_from_the_cli(self) -> None:
        with pytest.raises(LintpickleError, match=r'^from the CLI: "pedantic": expected true or false'):
            load_settings("a.py", overrides={"pedantic": "yes"})

    def test_config_file_counts_for_all_and_from_the_working_folder(self, tmp_path: Path) -> None:
        write(tmp_path / "sub" / "lintpickle.toml", "pedantic = true\n")
        given = write(tmp_path / "etc" / "strict.toml", 'src = ["lib"]\nunsafe-fixes = true\n')
        settings = load_settings("sub/a.py", config="etc/strict.toml")
        assert settings.source == given and settings.root == tmp_path
        assert settings.src == (tmp_path / "lib",)
        assert settings.unsafe_fixes and not settings.pedantic

    def test_inline_toml(self, tmp_path: Path) -> None:
        write(tmp_path / "lintpickle.toml", "unsafe-fixes = true\n")
        settings = load_settings("a.py", config=["pedantic = true", 'tool.lintpickle.ignore = ["LP1"]'])
        assert settings.pedantic and settings.unsafe_fixes and settings.ignore == ("LP1",)

    @pytest.mark.parametrize(
        ("config", "expected"),
        [
            ("gone.toml", "neither a file nor"),
            ("pedantic = ", "--config: this is not valid TOML"),
            ("pedant = true", 'unknown key "pedant". Did you mean "pedantic"'),
        ],
    )
    def test_bad_config(self, config: str, expected: str) -> None:
        with pytest.raises(LintpickleError, match=expected):
            load_settings("a.py", config=config)

    def test_isolated_with_a_config_file(self, tmp_path: Path) -> None:
        write(tmp_path / "x.toml", "")
        with pytest.raises(LintpickleError, match="--isolated"):
            load_settings("a.py", config="x.toml", isolated=True)


class TestTargetVersion:
    @pytest.mark.parametrize(
        ("specifier", "expected"),
        [
            (">=3.10", ">=3.10"),
            ("<3.14", "<3.14"),
            ("^3.10", None),
        ],
    )
    def test_from_requires_python(self, tmp_path: Path, specifier: str, expected: str | None) -> None:
        write(tmp_path / "pyproject.toml", f'[project]\nrequires-python = "{specifier}"\n')
        assert load_settings("pkg/a.py").target_version == expected

    def test_own_key_wins(self, tmp_path: Path) -> None:
        write(tmp_path / "pyproject.toml", '[project]\nrequires-python = ">=3.10"\n')
        write(tmp_path / "lintpickle.toml", 'target-version = "3.14"\n')
        assert load_settings("a.py").target_version == "3.14"


class TestRows:
    TEXT = (
        "a = 1\n[tool]\nother = 2\n[tool.lintpickle] # here\n'quoted' = 1\n"
        'dotted.key = 2\n[tool.lintpickle.per-file-ignores]\n"x/**" = []\n'
    )

    @pytest.mark.parametrize(
        ("key", "row"),
        [
            (("a",), 1),
            (("tool", "other"), 3),
            (("tool", "lintpickle"), 4),
            (("tool", "lintpickle", "quoted"), 5),
            (("tool", "lintpickle", "dotted", "key"), 6),
            (("tool", "lintpickle", "per-file-ignores"), 7),
            (("tool", "lintpickle", "per-file-ignores", "x/**"), 8),
            (("nowhere",), None),
        ],
    )
    def test_row_of_key(self, key: tuple[str, ...], row: int | None) -> None:
        assert row_of_key(self.TEXT, key) == row

    def test_inline_table(self) -> None:
        text = "[tool]\nlintpickle = { select = [],\n}\n"
        assert row_of_key(text, ("tool", "lintpickle", "select")) == 2


class TestDerived:
    def test_schema_has_every_option_and_accepts_its_default(self) -> None:
        schema = json_schema()
        assert schema["additionalProperties"] is False
        assert list(schema["properties"]) == [option.name for option in options()]
        for option in options():
            assert schema["properties"][option.name].get("default") == option.default
        json.dumps(schema)

    def test_every_option_is_documented_by_an_example_that_is_valid(self, tmp_path: Path) -> None:
        for option in options():
            assert option.doc.endswith(".")
            text = option.example
            if "[tool.lintpickle" in text:
                write(tmp_path / "pyproject.toml", f"[tool.lintpickle]\n{text}\n")
                load_settings("a.py")
                (tmp_path / "pyproject.toml").unlink()
            elif option.name != "extend":
                assert load_settings("a.py", config=text).origins.keys() == {option.attribute}

    @pytest.mark.parametrize("option", options(), ids=lambda option: option.name)
    def test_the_example_of_an_option_is_accepted_by_a_run(self, option: Option, tmp_path: Path) -> None:
        folder = tmp_path / "project"
        folder.mkdir()
        write(tmp_path / ".git/HEAD", "ref: refs/heads/main\n")
        write(tmp_path / "lintpickle.toml", "")
        write(folder / "lintpickle-catalog.toml", "")
        text = option.example
        write(folder / "pyproject.toml", text if text.startswith("[") else f"[tool.lintpickle]\n{text}")
        settings = SettingsResolver(cwd=folder).for_path("a.py")
        assert settings.source == folder / "pyproject.toml"
        selection = RuleSelection.build(settings, all_rules())
        assert selection.codes and selection.fixable

    def test_shown_settings_can_be_read_again(self, tmp_path: Path) -> None:
        settings = load_settings("a.py", overrides={"pedantic": True, "per-file-ignores": {"t/*": ["LP1"]}})
        shown = parse_toml(settings_toml(settings), "shown")
        assert shown["pedantic"] is True and shown["per-file-ignores"] == {"t/*": ["LP1"]}
        again = load_settings("a.py", overrides=shown)
        for option in options():
            assert getattr(again, option.attribute) == getattr(settings, option.attribute)

    def test_settings_can_be_keys(self) -> None:
        assert len({load_settings("a.py"), load_settings("b.py")}) == 1
