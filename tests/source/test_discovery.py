from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.source.discovery import discover, is_excluded, sort_out


@dataclass(frozen=True)
class FakeSettings:
    root: Path
    exclude: tuple[str, ...] = (".git", ".venv", "dist")
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True


class FakeResolver:
    """The same settings everywhere, but for folders that are named."""

    def __init__(self, default: FakeSettings, **by_folder: FakeSettings) -> None:
        self._default = default
        self._by_folder = by_folder

    def for_folder(self, folder: str | Path) -> FakeSettings:
        return self._by_folder.get(Path(folder).name, self._default)


def make(root: Path, files: str | dict[str, str]) -> None:
    """Files with their text, or a list of empty files divided by spaces."""
    for name, text in (dict.fromkeys(files.split(), "") if isinstance(files, str) else files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(root: Path, *paths: str, **settings: Any) -> list[str]:
    resolver = FakeResolver(FakeSettings(root, **settings))
    result = discover([root / path for path in paths or (".",)], resolver)
    assert result.notices == ()
    return [Path(path).relative_to(root).as_posix() for path in result.files]


def test_sources_below_a_folder_sorted(tmp_path: Path) -> None:
    make(tmp_path, "b.py a.pyi n.ipynb x.txt x.pyc py sub/deep/c.py .hidden/d.py .h.py")
    assert found(tmp_path) == [".h.py", ".hidden/d.py", "a.pyi", "b.py", "n.ipynb", "sub/deep/c.py"]


def test_what_macos_puts_beside_files_is_never_taken(tmp_path: Path) -> None:
    make(tmp_path, "a.py ._a.py sub/._b.ipynb sub/._init.py/c.py ._")
    assert found(tmp_path) == ["a.py", "sub/._init.py/c.py"]
    assert found(tmp_path, "._a.py", "a.py") == ["a.py"]


def test_a_folder_with_a_source_suffix_is_walked(tmp_path: Path) -> None:
    make(tmp_path, "a.py/b.py")
    assert found(tmp_path) == ["a.py/b.py"]


def test_paths_are_relative_to_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "sub/a.py b.py")
    monkeypatch.chdir(tmp_path / "sub")
    resolver = FakeResolver(FakeSettings(tmp_path))
    assert discover([".", "../b.py"], resolver).files == (str(tmp_path / "b.py"), str(tmp_path / "sub/a.py"))


def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match="gone does not exist"):
        found(tmp_path, "gone")


def test_files_named_twice_are_found_once(tmp_path: Path) -> None:
    make(tmp_path, "sub/a.py")
    assert found(tmp_path, "sub/a.py", ".", "sub", "sub/../sub/a.py") == ["sub/a.py"]


def test_a_named_file_is_taken_whatever_its_suffix(tmp_path: Path) -> None:
    make(tmp_path, "script tool.py")
    assert found(tmp_path, "script") == ["script"]


def test_excluded_folders_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.py dist/b.py sub/dist/c.py sub/.venv/lib/d.py distant/e.py dist.py")
    assert found(tmp_path) == ["a.py", "dist.py", "distant/e.py"]


def test_excluded_paths_that_are_named_are_taken(tmp_path: Path) -> None:
    make(tmp_path, "dist/b.py dist/sub/c.py dist/dist/d.py")
    assert found(tmp_path, "dist") == ["dist/b.py", "dist/sub/c.py"]
    assert found(tmp_path, "dist/dist/d.py") == ["dist/dist/d.py"]


def test_force_exclude_leaves_out_what_is_named(tmp_path: Path) -> None:
    make(tmp_path, "dist/b.py dist/sub/c.py a.py")
    assert found(tmp_path, "dist", "dist/sub", "dist/sub/c.py", "a.py", force_exclude=True) == ["a.py"]


def test_force_exclude_does_not_look_above_the_root(tmp_path: Path) -> None:
    root = tmp_path / "dist" / "project"
    make(root, "a.py sub/b.py")
    assert found(root, ".", "a.py", force_exclude=True) == ["a.py", "sub/b.py"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("third_party", ["a_test.py", "src/gen/x.py", "src/third.py"]),
        ("*_test.py", ["src/gen/x.py", "src/third.py", "third_party/z.py"]),
        ("src/gen", ["a_test.py", "src/third.py", "third_party/z.py"]),
        ("./src/gen/", ["a_test.py", "src/third.py", "third_party/z.py"]),
        ("src/**/x.py", ["a_test.py", "src/third.py", "third_party/z.py"]),
        ("gen/x.py", ["a_test.py", "src/gen/x.py", "src/third.py", "third_party/z.py"]),
        ("/third.py", ["a_test.py", "src/gen/x.py", "src/third.py", "third_party/z.py"]),
    ],
)
def test_exclude_patterns_are_relative_to_the_root(tmp_path: Path, pattern: str, left: list[str]) -> None:
    make(tmp_path, "a_test.py src/gen/x.py src/third.py third_party/z.py")
    assert found(tmp_path, extend_exclude=(pattern,)) == left
    assert found(tmp_path, "src", extend_exclude=(pattern,)) == [item for item in left if item[:3] == "src"]


def test_all_paths_that_are_missing_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path, "a.py sub/b.py")
    named = sort_out(["gone.py", "a.py", "no\0file", "sub", Path("lost")])
    assert named.usable == ("a.py", "sub")
    assert [line.split(" ", 1) for line in named.problems] == [
        ["gone.py", "does not exist"],
        ["no\0file", "does not exist"],
        ["lost", "does not exist"],
    ]
    with pytest.raises(LintpickleError, match=r"gone.py does not exist; .*lost does not exist"):
        found(tmp_path, "gone.py", "a.py", "lost")


def test_a_negated_exclude_takes_in_again(tmp_path: Path) -> None:
    make(tmp_path, "third_party/ours/a.py third_party/b.py dist/c.py")
    assert found(tmp_path, extend_exclude=("third_party/*", "!ours")) == ["third_party/ours/a.py"]


def test_a_bad_exclude_pattern_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match=r'exclude: "a\[" is no pattern'):
        found(tmp_path, extend_exclude=("a[",))


def test_each_folder_has_its_own_settings(tmp_path: Path) -> None:
    make(tmp_path, "a.py sub/a.py sub/deep/b.py")
    own = FakeSettings(tmp_path / "sub", exclude=("a.py",))
    result = discover([tmp_path], FakeResolver(FakeSettings(tmp_path), sub=own))
    assert result.files == (str(tmp_path / "a.py"), str(tmp_path / "sub/deep/b.py"))


def test_nested_ignore_files(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            ".git/info/exclude": "private.py\n",
            ".gitignore": "\ufeff# generated\r\n*_pb2.py\r\n/build/\r\nlogs\r\n",
            "keep_pb2.py": "",
            "build/a.py": "",
            "sub/build/a.py": "",
            "sub/logs/a.py": "",
            "sub/.gitignore": "!keep_pb2.py\nlocal.py\n!private.py",
            "sub/keep_pb2.py": "",
            "sub/other_pb2.py": "",
            "sub/local.py": "",
            "sub/deep/local.py": "",
            "sub/private.py": "",
            "local.py": "",
            "private.py": "",
        },
    )
    expected = ["local.py", "sub/build/a.py", "sub/keep_pb2.py", "sub/private.py"]
    assert found(tmp_path) == expected
    assert found(tmp_path, "sub") == expected[1:]
    assert len(found(tmp_path, respect_gitignore=False)) == 11


def test_dot_ignore_wins_over_gitignore(tmp_path: Path) -> None:
    files = {".gitignore": "a.py\n", ".ignore": "!a.py\nb.py\n", "sub/.gitignore": "!b.py\n"}
    make(tmp_path, {**files, "a.py": "", "sub/b.py": "", "sub/c.py": ""})
    assert found(tmp_path) == ["a.py", "sub/c.py"]


def test_gitignore_counts_without_a_repository_but_not_above_the_named_folder(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "a.py\n", "a.py": "", "sub/a.py": "", "sub/b.py": ""})
    assert found(tmp_path) == ["sub/b.py"]
    assert found(tmp_path, "sub") == ["sub/a.py", "sub/b.py"]


def test_a_repository_inside_starts_anew(tmp_path: Path) -> None:
    make(
        tmp_path,
        {".git/HEAD": "", ".gitignore": "a.py\n", "inner/.git/HEAD": "", "inner/a.py": "", "a.py": ""},
    )
    assert found(tmp_path) == found(tmp_path, "inner") == ["inner/a.py"]


def test_ignored_paths_that_are_named_are_taken(tmp_path: Path) -> None:
    make(tmp_path, {".git/HEAD": "", ".gitignore": "gen/\n*.tmp.py\n", "gen/sub/a.py": "", "b.tmp.py": ""})
    assert found(tmp_path) == []
    assert found(tmp_path, "gen", "b.tmp.py") == ["b.tmp.py", "gen/sub/a.py"]
    assert found(tmp_path, "gen/sub") == ["gen/sub/a.py"]
    assert found(tmp_path, "gen/sub/a.py", force_exclude=True) == ["gen/sub/a.py"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "real/a.py")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real/loop").symlink_to("..")
    (tmp_path / "broken.py").symlink_to("nowhere.py")
    assert found(tmp_path) == ["real/a.py"]
    assert found(tmp_path, "link") == ["link/a.py"]
    assert found(tmp_path, "link", "real") == ["real/a.py"]
    with pytest.raises(LintpickleError, match=r"broken.py does not exist"):
        found(tmp_path, "broken.py")


def test_links_to_files_are_the_same_file(tmp_path: Path) -> None:
    make(tmp_path, "sub/real.py outside.txt")
    (tmp_path / "a.py").symlink_to("sub/real.py")
    (tmp_path / "b.py").symlink_to("outside.txt")
    (tmp_path / "c.py").symlink_to("outside.txt")
    assert found(tmp_path) == ["b.py", "sub/real.py"]


def test_an_unreadable_folder_is_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.py locked/b.py")
    scandir = os.scandir

    def guarded(path: str) -> Iterator[os.DirEntry[str]]:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    result = discover([tmp_path], FakeResolver(FakeSettings(tmp_path)))
    assert result.files == (str(tmp_path / "a.py"),)
    assert result.notices == (f"{tmp_path / 'locked'}: the folder cannot be read: Permission denied",)


def test_an_unreadable_ignore_file_says_nothing(tmp_path: Path) -> None:
    make(tmp_path, "a.py .gitignore/b.py")
    assert found(tmp_path) == [".gitignore/b.py", "a.py"]


def test_is_excluded_asks_the_folders_above(tmp_path: Path) -> None:
    settings = FakeSettings(tmp_path, extend_exclude=("src/gen",))
    assert is_excluded(tmp_path / "dist/sub/a.py", settings)
    assert is_excluded(tmp_path / "src/gen/new.py", settings)
    assert not is_excluded(tmp_path / "src/a.py", settings)
    assert not is_excluded(tmp_path.parent / "src/gen/a.py", settings)


PATTERNS = [
    *(
        "a",
        "a/",
        "/a",
        "a/*",
        "!a/b",
        "*.py",
        "!x.py",
        "/x.py",
        "**/x.py",
        "a/**",
        "a/**/b",
        "!a/",
        "lib/data",
    ),
    *("!lib/data/", "data/*", "!data/x.py", "x.*", "?", "[ab]", "*", "!*/", "!/lib/x.py", "b/x.py", "!*.py"),
    *("**", "/*", "!/lib", "lib/**/y.py", "!lib/**", "/**/a", "*/a", "!b"),
]


@pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")
@pytest.mark.parametrize("seed", range(12))
def test_the_same_files_as_git(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    folders = [tmp_path]
    for _ in range(6):
        folders.append(draw.choice(folders) / draw.choice(["a", "b", "lib", "data"]))
    for folder in folders:
        make(folder, "x.py y.py")
        if draw.random() < 0.5:
            make(folder, {".gitignore": "\n".join(draw.sample(PATTERNS, 4))})
    options = ["-c", "core.excludesFile=/dev/null"]
    command = ["git", *options, "ls-files", "-z", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert found(tmp_path) == sorted(filter(None, listed.split("\0")))


class TestScripts:
    """Files without a suffix."""

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("#!/usr/bin/env python3", ["tool"]),
            ("#!/usr/bin/python3.11 -u", ["tool"]),
            ("#! /usr/bin/env -S uv run --script", ["tool"]),
            ("#!/usr/bin/env pypy3", ["tool"]),
            ("#!/bin/sh", []),
            ("#!/usr/bin/python2.7", []),
            ("#!/bin/sh\n'''exec' python3 \"$0\" \"$@\"\n' '''", ["tool"]),
            ('#!/bin/sh\n\n# bilingual\n\n""":"\nexec python3 "$0" "$@"\n":"""', ["tool"]),
            ('#!/bin/bash\n"exec" "python3" "$0" "$@"', ["tool"]),
            ('#!/bin/sh\nexec python3 -m tool "$@"', []),
            ('#!/bin/sh\n# """:" python\nexec python3 -m tool "$@"', []),
            ('#!/bin/sh\n"$HOME/bin/python3" "$@"', []),
            ("#!/usr/bin/env pythonista", []),
            ("import sys  #!/usr/bin/env python3", []),
            ("", []),
        ],
    )
    def test_the_first_line_says_what_runs_them(self, line: str, expected: list[str], tmp_path: Path) -> None:
        make(tmp_path, {"tool": f"{line}\nprint(1)\n"})
        assert scripts(tmp_path) == expected

    def test_further_down_only_those_that_can_be_executed_or_lie_among_scripts(self, tmp_path: Path) -> None:
        names = (
            "bin/tool",
            "scripts/run",
            "lib/scripts/deep",
            "share/tool",
            "share/data",
            "bin/more/data",
            "robin/data",
        )
        make(tmp_path, dict.fromkeys(names, "#!/usr/bin/env python3\n"))
        (tmp_path / "share/tool").chmod(0o755)
        assert scripts(tmp_path) == ["bin/tool", "lib/scripts/deep", "scripts/run", "share/tool"]

    def test_no_other_file_is_opened(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        make(tmp_path, dict.fromkeys(("a.txt", "data/b", "dist/c", "skipped/d", "e"), "#!/usr/bin/env python3\n"))
        make(tmp_path, {".gitignore": "skipped\n"})
        opened: list[str] = []
        real = disk.opened

        def noted(path: disk.StrPath) -> AbstractContextManager[FileIO]:
            opened.append(Path(path).name)
            return real(path)

        monkeypatch.setattr(disk, "opened", noted)
        assert scripts(tmp_path) == ["e"]
        assert opened == ["e"]


def scripts(root: Path) -> list[str]:
    result = discover([root], FakeResolver(FakeSettings(root)))
    return [Path(path).relative_to(root).as_posix() for path in result.files]
