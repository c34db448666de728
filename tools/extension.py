"""Writes the table of settings in the README of the VS Code extension, from its package.json."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "editors" / "vscode"
SETTINGS = re.compile(r"(<!-- settings:start -->\n).*?(<!-- settings:end -->)", re.DOTALL)


def extension() -> dict[Path, str]:
    """The README with its table, by its path."""
    path = FOLDER / "README.md"
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    rows = ["| setting | default | |", "| --- | --- | --- |"]
    for name, setting in package["contributes"]["configuration"]["properties"].items():
        text = setting.get("markdownDescription") or setting["description"]
        text = re.sub(r"`#([\w.]+)#`", r"`\1`", text)
        rows.append(f"| `{name}` | `{json.dumps(setting['default'])}` | {text} |")
    table = "\n".join(rows)
    return {path: SETTINGS.sub(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", path.read_text(encoding="utf-8"))}
