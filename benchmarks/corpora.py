"""The code that is linted: Python files of published packages, pinned by version and hash."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lintpickle.diagnostics import LintpickleError

_PLATFORM = ("--python-version", "3.11", "--platform", "manylinux_2_28_x86_64")
"""The same wheels everywhere; nothing of them is installed or run."""

_PYPROJECT = '[project]\nname = "corpus"\nversion = "1"\n'


@dataclass(frozen=True)
class Package:
    """A wheel of the package index, with the SHA-256 of its file."""

    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class Recipe:
    """What a corpus is made of. With more than one copy, each is a folder of its own, and each file of it ends with a
    comment of its own: a cache by content must not take four files for one."""

    name: str
    packages: tuple[Package, ...]
    copies: int = 1

    @property
    def folder_name(self) -> str:
        """Another one for every content."""
        return f"{self.name}-{hashlib.sha256(repr(self).encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class Corpus:
    """An unpacked corpus and its size; `packages` are named as in "timm 1.0.31"."""

    name: str
    folder: Path
    packages: tuple[str, ...]
    files: int
    lines: int
    bytes: int


_SMALL = (
    Package("nuscenes-devkit", "1.2.0", "76cee0e7f96ec96d6269ee3acb4ff69e8ac2f9413e974d9eb542233ea7479bf1"),
    Package("mmdet3d", "1.4.0", "ef5fc90ee2defff21ee76d45ef0adb8cf719ae1f19b111d0595ac0d978c5fdda"),
)
_MEDIUM = (
    Package("torchvision", "0.29.2", "0875f7a23bd298813240f716c56df44ce72ddb45146589442a38edd0e1f59637"),
    Package("timm", "1.0.31", "5bd50f7d0fe6d09bf9285ac2523234a1b7e6bf075c0be3e7aed09139fcb617c7"),
    Package("kornia", "0.9.0", "7a1632fe004a305c94f2b979fc6ab4df26e01f925e74bdb9f8b8a03a1229caaf"),
    Package("monai", "1.6.1", "dbd3b1dd309e752e0477ed73fde03b92f80ac74bfb8a8c4260f018b5d6ab2b0b"),
)
_TRANSFORMERS = Package("transformers", "5.23.0", "018e82fd07490ad5bb58414f65e31576033dc7f36bed10c574843f69b90991bf")
_LARGE = (*_SMALL, *_MEDIUM, _TRANSFORMERS)

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("small", _SMALL),
        Recipe("medium", _MEDIUM),
        Recipe("large", _LARGE),
        Recipe("large-x4", _LARGE, copies=4),
    )
}


def prepare(recipe: Recipe, cache: Path) -> Corpus:
    """The corpus below the folder `cache`, downloaded by pip and unpacked if it is not there.

    Raises LintpickleError if pip cannot download a package, or what it downloads is not what was pinned.
    """
    folder = cache / "corpora" / recipe.folder_name
    if not folder.is_dir():
        wheels = [_wheel(package, cache / "archives") for package in recipe.packages]
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for number in range(recipe.copies):
            _unpack(wheels, unfinished / f"copy{number}" if recipe.copies > 1 else unfinished, number)
        (unfinished / "pyproject.toml").write_text(_PYPROJECT, encoding="utf-8")
        make_environment(unfinished)
        unfinished.rename(folder)
    sources = [path.read_bytes() for path in folder.rglob("*.py")]
    return Corpus(
        recipe.name,
        folder,
        tuple(str(package) for package in recipe.packages),
        len(sources),
        sum(source.count(b"\n") for source in sources),
        sum(len(source) for source in sources),
    )


def make_environment(project: Path) -> None:
    """Give a project an environment in which nothing is installed, so that no other is looked for."""
    version = "{}.{}".format(*sys.version_info)
    (project / ".venv" / "lib" / f"python{version}" / "site-packages").mkdir(parents=True)
    (project / ".venv" / "pyvenv.cfg").write_text(f"version = {version}\n", encoding="utf-8")


def _wheel(package: Package, archives: Path) -> Path:
    folder = archives / f"{package.name}-{package.version}"
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", *_PLATFORM]
        done = subprocess.run([*pip, "--dest", str(folder), f"{package.name}=={package.version}"], check=False)
        wheels = list(folder.glob("*.whl"))
        if done.returncode or not wheels:
            raise LintpickleError(f"pip cannot download {package}: see its message above")
    wheel = wheels[0]
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != package.sha256:
        raise LintpickleError(f"{wheel} is not {package} as it was pinned: remove it to download it again")
    return wheel


def _unpack(wheels: Sequence[Path], folder: Path, number: int) -> None:
    for path in wheels:
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                if name.endswith(".py"):
                    target = Path(wheel.extract(name, folder))
                    if number:
                        target.write_bytes(target.read_bytes() + f"\n# copy {number}\n".encode())
