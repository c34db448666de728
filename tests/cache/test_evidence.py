"""Whatever a check asks the file system or the environment for is part of the evidence of its answer."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import lintpickle
from lintpickle import __version__
from lintpickle.cache.answers import ENVIRONMENT
from lintpickle.cache.key import key_file
from lintpickle.cache.stamps import Stamps
from lintpickle.cache.store import SUFFIX, CacheStore
from lintpickle.disk import NOTHING, remembered
from lintpickle.imports.environment_search import find_environment
from lintpickle.tree import MARKERS

from .test_stamps import CONTENTS, HAZARD, SITE

TRACER = Path(__file__).with_name("tracer.py")
PACKAGE = Path(lintpickle.__file__).parent
OF_THE_CACHE = {"LINTPICKLE_CACHE_DIR", "LINTPICKLE_NO_CACHE", "XDG_CACHE_HOME", "_LINTPICKLE_COMPLETE"}
KEY = key_file(os.environ)

TREE = {
    "project/pyproject.toml": "[tool.lintpickle]\nextend = '../shared.toml'\ncatalog = ['own.toml']\n",
    "shared.toml": "ignore = ['LP902']\n",
    "project/own.toml": "[[product]]\ncall = 'mylib.connect'\nkind = 'database'\ntype = 'mylib.Connection'\n",
    "project/train.py": HAZARD.format(module="installed"),
    "project/package/__init__.py": "",
    "project/package/deep/inner.py": HAZARD.format(module="sibling"),
    "project/package/deep/sibling.py": CONTENTS[3],
    "project/broken.py": CONTENTS[5],
    "project/note.ipynb": "{}",
    "project/.gitignore": "ignored/\n",
    "project/ignored/never.py": "",
    ".git/info/exclude": "*.log\n",
    "loose/script.py": HAZARD.format(module="helper"),
    "loose/helper.py": CONTENTS[3],
    "loose/other/big.py": "",
    f"env/{SITE.removeprefix('.venv/')}/installed.py": CONTENTS[3],
    f"env/{SITE.removeprefix('.venv/')}/paths.pth": "../../../../src\n",
    f"env/{SITE.removeprefix('.venv/')}/installed-1.0.dist-info/top_level.txt": "installed\n",
    f"env/{SITE.removeprefix('.venv/')}/__editable___thing_finder.py": "MAPPING = {'thing': '/nowhere/thing'}\n",
    f"env/{SITE.removeprefix('.venv/')}/thing.pth": "import __editable___thing_finder\n",
    "env/pyvenv.cfg": "version = 3.11.2\nhome = /nowhere/bin\ninclude-system-site-packages = true\n",
    "env/bin/python": "",
    "src/there.py": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


def _trace(cwd: Path, cache: Path, arguments: list[str], environ: Mapping[str, str]) -> dict[str, list[str]]:
    report = cache.with_name("report.json")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("LINTPICKLE_", "CONDA"))}
    surroundings.pop("VIRTUAL_ENV", None)
    surroundings |= {"LINTPICKLE_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **environ}
    ran = subprocess.run(
        [sys.executable, str(TRACER), str(report), "check", *arguments],
        cwd=cwd,
        env=surroundings,
        capture_output=True,
        text=True,
    )
    assert ran.returncode in (0, 1), ran.stderr
    traced: dict[str, list[str]] = json.loads(report.read_text(encoding="utf-8"))
    return traced


def _kept(cache: Path) -> Stamps:
    (entry,) = (cache / "answers").glob(f"*{SUFFIX}")
    _, answer = _content(entry)
    stamps: Stamps = answer[2]
    return stamps


def _content(entry: Path) -> tuple[str, tuple[int, object, Stamps]]:
    import marshal

    from lintpickle.cache.store import _DIGEST, _HEADER

    content: tuple[str, tuple[int, object, Stamps]] = marshal.loads(entry.read_bytes()[len(_HEADER) + _DIGEST :])
    return content


class Covered:
    """Which of the touched paths are told of by stamps."""

    def __init__(self, stamps: Stamps) -> None:
        folders, kinds, real_paths = stamps
        self.files = {folder + name for folder, _, names, _ in folders for name in names}
        self.listed = {folder.rstrip(os.sep) or os.sep for folder, listed, _, _ in folders if listed}
        self.kinds = dict(kinds)
        self.on_the_way = {
            str(above) for pair in real_paths for path in pair for above in (Path(path), *Path(path).parents)
        }

    def read(self, path: str) -> bool:
        return path in self.files or self.kinds.get(path) == 0 or self._is_missing(path)

    def enumerated(self, path: str) -> bool:
        return path in self.listed or self.kinds.get(path) == 0 or self._is_missing(path)

    def asked(self, path: str) -> bool:
        above = os.path.dirname(path)
        return (
            self.read(path)
            or path in self.listed
            or path in self.kinds
            or path in self.on_the_way
            or above in self.listed
        )

    def _is_missing(self, path: str) -> bool:
        """Whether it is not there, and the folder in which it or the folder above it would appear is told of."""
        while not os.path.lexists(path):
            if self.kinds.get(path) == 0 or os.path.dirname(path) in self.listed:
                return True
            path = os.path.dirname(path)
        return False


def _matters(path: str, cache: Path) -> bool:
    """Paths of lintpickle itself and of the system do not."""
    if path.endswith("/LC_MESSAGES/messages.mo") or PACKAGE.is_relative_to(path) or cache.is_relative_to(path):
        return False  # click looks for translations of its help; where lintpickle and the cache are
    if KEY is not None and (Path(KEY).is_relative_to(path) or Path(path).is_relative_to(Path(KEY).parent)):
        return False  # without the key, nothing is found
    if os.path.basename(path) in MARKERS:
        return False  # also asked of what options name: a cache in a tree that is checked is not used
    noted = PACKAGE.parent / f"lintpickle-{__version__}.dist-info"  # Each entry has what it says: see `stamps.build`.
    own = (PACKAGE, noted, PACKAGE.parent / "rules", PACKAGE.parent / "tests", cache, cache.with_name("report.json"))
    return not any(Path(path).is_relative_to(folder) for folder in (*own, "/dev", "/proc", "/sys"))


CASES: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "environment given": ("project", ["--python", "../env"], {}),
    "interpreter given": ("project", ["--python", "../env/bin/python"], {}),
    "active environment": ("project", ["."], {"VIRTUAL_ENV": "{tree}/env"}),
    "environment beside": ("project", ["package"], {"PATH": "{tree}/env/bin"}),
    "no environment": ("project", ["package/deep/inner.py"], {"PATH": "{tree}/nothing:{tree}/loose", "HOME": "{tree}"}),
    "conda": ("loose", ["script.py"], {"CONDA_PREFIX": "{tree}/env"}),
    "loose folder": ("loose", ["."], {"PATH": ""}),
    "from above": ("", ["project", "loose/script.py", "--isolated"], {"VIRTUAL_ENV": "{tree}/env"}),
    "another configuration": ("loose", ["--config", "../shared.toml"], {}),
    "files": ("project", ["--show-files", "."], {}),
    "settings": ("project", ["--show-settings", "package"], {}),
    "diff": ("project", ["--diff", "."], {"VIRTUAL_ENV": "{tree}/env"}),
    "json": ("project", ["--output-format", "json"], {"VIRTUAL_ENV": "{tree}/env", "CI_PROJECT_DIR": "{tree}"}),
    "sarif": ("project", ["--output-format", "sarif"], {"VIRTUAL_ENV": "{tree}/env"}),
}


@pytest.mark.skipif(sys.platform == "win32", reason="os.path asks Windows itself, which cannot be watched")
@pytest.mark.parametrize("case", CASES)
def test_all_that_is_asked_is_in_the_stamps(tree: Path, tmp_path: Path, case: str) -> None:
    folder, arguments, environ = CASES[case]
    cache = tmp_path / "cache"
    traced = _trace(tree / folder, cache, arguments, {name: value.format(tree=tree) for name, value in environ.items()})
    covered = Covered(_kept(cache))
    asked = {what: [path for path in paths if _matters(path, cache)] for what, paths in traced.items()}
    assert [path for path in asked["open"] if not covered.read(path)] == []
    assert [path for path in asked["list"] if not covered.enumerated(path)] == []
    assert [path for path in asked["ask"] if not covered.asked(path)] == []
    assert "LINTPICKLE_NO_CACHE" in traced["variables"]
    assert set(traced["variables"]) - OF_THE_CACHE <= set(ENVIRONMENT)


def test_every_file_of_the_program_is_in_the_stamps(tree: Path, tmp_path: Path) -> None:
    """Whichever process reads it, and also what leads nowhere."""
    cache, site = tmp_path / "cache", tree / "env" / SITE.removeprefix(".venv/")
    _trace(tree / "project", cache, ["."], {"VIRTUAL_ENV": str(tree / "env")})
    sources = [path for path in (tree / "project").rglob("*") if path.suffix in (".py", ".ipynb")]
    expected = {str(path) for path in sources if path.parent.name != "ignored"}
    assert expected | {str(site / "installed.py")} <= Covered(_kept(cache)).files


def test_an_interpreter_by_name_may_appear_earlier_on_the_path(tree: Path) -> None:
    (tree / "env/bin/python").chmod(0o755)
    environ = {"PATH": os.pathsep.join([str(tree / "nothing"), str(tree / "loose"), str(tree / "env/bin")])}
    with remembered() as evidence:
        assert find_environment("python", tree / "project", environ, sys.prefix).prefix == str(tree / "env")
    assert evidence.kinds[str(tree / "nothing/python")] == NOTHING
    assert evidence.kinds[str(tree / "loose/python")] == NOTHING


def test_a_baseline_is_evidence(tree: Path, tmp_path: Path) -> None:
    cache, baseline = tmp_path / "cache", tree / "project" / "known.json"
    _trace(tree / "project", tmp_path / "other", ["--write-baseline", "known.json"], {})
    _trace(tree / "project", cache, ["--baseline", "known.json"], {})
    assert str(baseline) in Covered(_kept(cache)).files


ASKS = {
    "os": {"stat", "lstat", "listdir", "scandir", "readlink", "access", "open"},
    "path": {"exists", "isfile", "isdir", "islink", "lexists", "realpath", "getmtime", "getsize", "samefile"},
    "": {"read_text", "read_bytes", "is_file", "is_dir", "is_symlink", "iterdir", "glob", "rglob", "lstat", "exists"},
}
NOT_A_CHECK = {
    "disk.py": "it is what the others ask",
    "cache": "it is not evidence of itself",
    "rulebook/pages.py": "it reads files of this package, which are stamped as a whole",
    "fixes/write.py": "it writes, and such runs are not kept",
    "tree.py": "who wants evidence has it ask the disk module; others ask for the cache or before they write",
    "commands/_adopting.py": "it writes, and such runs are not kept",
    "commands/_group.py": "it asks for a better error message, and errors are not kept",
    "commands/_watching.py": "what is watched is not kept",
    "catalog/unpickling": "it reads files of this package, which are stamped as a whole",
    "engine/suspects.py": "its markers lie in the cache",
    "engine/processes.py": "what it opens are pipes",
    "watchdog.py": "it asks how much memory this process has",
    "migration": "its answers are not kept",
    "probing": "its answers are not kept",
    "saved_files": "its answers are not kept",
    "tracebacks": "its answers are not kept",
    "server": "editors have no cache of answers",
    "integrations": "hosts have no cache of answers",
    "graph": "its answers are not kept",
    "audit.py": "its answers are not kept",
}


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The files of the package, parsed once for both tests of them."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@pytest.mark.xdist_group("trees")
def test_only_the_disk_module_asks_the_disk(trees: dict[str, ast.Module]) -> None:
    found = {}
    for name, tree in trees.items():
        rows = _asking_rows(tree)
        if rows and not any(name == known or name.startswith(f"{known}/") for known in NOT_A_CHECK):
            found[name] = rows
    assert len(found.pop("rulebook/known_rules.py")) == 2, "the list and the rules of this package, stamped as a whole"
    own_catalog, missing_path = found.pop("catalog/reading.py"), found.pop("source/discovery.py")
    assert len(own_catalog) == 1, "the catalog files of this package, which are stamped as a whole"
    assert len(missing_path) == 1, "whether a path exists that the user named; if not, it is an error"
    assert found == {}


def _asking_rows(tree: ast.Module) -> list[int]:
    rows = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="open")):
                rows.append(node.lineno)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="disk"))):
                continue
            case ast.Call(func=ast.Attribute(value=ast.Name(id="entry"))):
                continue  # it was listed
            case ast.Call(func=ast.Attribute(value=ast.Name(id=base) | ast.Attribute(attr=base), attr=name)):
                if name in ASKS.get(base, ()) or (name in ASKS[""] and base not in ASKS):
                    rows.append(node.lineno)
            case ast.Call(func=ast.Attribute(attr=name)):
                if name in ASKS[""]:
                    rows.append(node.lineno)
    return rows


@pytest.mark.xdist_group("trees")
def test_every_variable_that_is_named_anywhere_counts(trees: dict[str, ast.Module]) -> None:
    """Also those that no run of the tests asks for."""
    named = set()
    for tree in trees.values():
        for node in ast.walk(tree):
            match node:
                case (
                    ast.Call(
                        func=ast.Attribute(value=ast.Name(id="environ") | ast.Attribute(attr="environ"), attr="get"),
                        args=[ast.Constant(value=str(name)), *_],
                    )
                    | ast.Call(keywords=[*_, ast.keyword(arg="envvar", value=ast.Constant(value=str(name)))])
                ):
                    named.add(name)
    of_the_platform, of_probed_programs = {"LOCALAPPDATA"}, {"PYTHONPATH"}
    assert {"NO_COLOR", "VIRTUAL_ENV", "LINTPICKLE_OUTPUT_FORMAT"} <= named
    assert named - OF_THE_CACHE - of_the_platform - of_probed_programs <= set(ENVIRONMENT)


def test_the_store_of_the_tests_is_read_back(tmp_path: Path) -> None:
    """`_content` reads entries as `CacheStore` writes them."""
    store = CacheStore(str(tmp_path / "cache"))
    store.save("answers", "key", (0, (), ((), (), ())))
    assert _kept(tmp_path / "cache") == ((), (), ())
