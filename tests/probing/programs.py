"""Running small programs under `lintpickle probe`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120


def lintpickle(folder: Path, *arguments: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run lintpickle in a folder. The program that it starts does not see lintpickle on its path."""
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from lintpickle.cli import main; sys.exit(main())"
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=LIMIT, env=environ)


def probed(folder: Path, program: str, *options: str, arguments: tuple[str, ...] = ()) -> Any:
    """The JSON that probing a script gives."""
    (folder / "program.py").write_text(program)
    command = ("probe", "--isolated", "--python", sys.executable, "--output-format", "json", *options)
    ran = lintpickle(folder, *command, "program.py", *arguments)
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)
