"""How far one finding walks through lintpickle: the README's example is checked, and each call from one module into
another is counted.

python -m tools.walk
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from types import FrameType

from lintpickle.commands import app
from tools.generate import example

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lintpickle"


class Walk:
    """Follows one run. `modules` counts the calls into each module from another one, `packages` those between
    packages, by pairs."""

    def __init__(self) -> None:
        self.modules: Counter[str] = Counter()
        self.packages: Counter[tuple[str, str]] = Counter()
        self.first: list[str] = []
        """The packages in the order in which the run first enters them."""
        self._names: dict[str, str | None] = {}

    def follow(self, frame: FrameType, event: str, _: object) -> None:
        """A profile function for `sys.setprofile`."""
        name = self._name(frame.f_code.co_filename)
        if event != "call" or name is None:
            return
        package = name.partition(".")[0]
        if package not in self.first:
            self.first.append(package)
        caller = frame.f_back
        while caller is not None and self._name(caller.f_code.co_filename) is None:
            caller = caller.f_back
        came_from = self._name(caller.f_code.co_filename) if caller is not None else None
        if came_from is not None and came_from != name:
            self.modules[name] += 1
            if came_from.partition(".")[0] != package:
                self.packages[came_from.partition(".")[0], package] += 1

    def _name(self, file: str) -> str | None:
        """The module of a file below the package; None for all others."""
        if file not in self._names:
            path = Path(file)
            is_ours = path.is_relative_to(PACKAGE)
            self._names[file] = ".".join(path.relative_to(PACKAGE).with_suffix("").parts) if is_ours else None
        return self._names[file]


def main() -> None:
    """Print what the walk was."""
    walk = Walk()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "train.py").write_text(
            example((ROOT / "README.md").read_text(encoding="utf-8")), encoding="utf-8"
        )
        os.chdir(folder)
        arguments = ["check", "--isolated", "--no-cache", "--jobs", "1", "train.py"]
        sys.setprofile(walk.follow)
        try:
            with redirect_stdout(io.StringIO()):
                app.main(arguments, prog_name="lintpickle")
        except SystemExit:
            pass
        finally:
            sys.setprofile(None)
            os.chdir(ROOT)
    print(f"{len(walk.modules)} modules, {walk.modules.total()} calls from one into another")
    print(f"{len(walk.first)} packages, {walk.packages.total()} calls from one into another, entered in this order:")
    print("  " + ", ".join(walk.first))
    for (start, to), count in walk.packages.most_common(12):
        print(f"  {count:6} {start} -> {to}")


if __name__ == "__main__":
    main()
