"""Draws terminal pictures (SVG) of real runs, for the README and the documentation.

python -m tools.generate writes them with everything else that is generated.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"

COLUMN, LINE, SIZE, MARGIN, BAR = 8.4, 20, 14, 18, 34
"""Pixels: of a character, a line, the letters, around the text, and of the window's bar."""

COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#56d4dd"}
_ESCAPE = re.compile(r"\033\[([\d;]*)m|\033\]8;;[^\033]*\033\\")

WIDTH = 120
"""Columns of a terminal in which a report of a project is shown."""
_REPORT = re.compile(r"```console\n\$ (lintpickle migrate \S+)\n(Off fork.*?)```", re.DOTALL)
_REPORT_COLORS = (
    (re.compile(r"^Off fork.*|^ *help:"), "1;36"),
    (re.compile(r"^breaks\b|\bLP\d{3}\b"), "1;31"),
    (re.compile(r"^changes silently\b"), "1;33"),
    (re.compile(r"^ready\b"), "32"),
    (re.compile(r"[\w./-]+\.py:\d+"), "36"),
)

TRAIN = """\
from torch.utils.data import DataLoader, Dataset

from settings import Settings


class Boxes(Dataset):
    def __init__(self):
        self.settings = Settings({"car": 50, "bus": 40})

    def __len__(self):
        return len(self.settings.class_range)

    def __getitem__(self, index):
        return index


def main():
    for batch in DataLoader(Boxes(), num_workers=4):
        print(batch)


if __name__ == "__main__":
    main()
"""

SETTINGS = """\
class Settings:
    def __init__(self, class_range):
        self.class_range = class_range
        self.class_names = self.class_range.keys()
"""


@dataclass(frozen=True)
class Shot:
    """One picture: the files of a folder, the command that is run there, and the picture's name."""

    name: str
    command: str
    files: Mapping[str, str]


def shots(example: str) -> tuple[Shot, ...]:
    """All pictures; `example` is the train.py of the README."""
    return (
        Shot("check.svg", "lintpickle check train.py", {"train.py": example}),
        Shot("diff.svg", "lintpickle check --diff train.py", {"train.py": example}),
        Shot("trail.svg", "lintpickle check", {"train.py": TRAIN, "settings.py": SETTINGS}),
    )


def pictures(example: str) -> dict[Path, str]:
    """Every picture file and what it should contain."""
    return {
        **{FOLDER / shot.name: draw(shot.command, output(shot)) for shot in shots(example)},
        FOLDER / "migrate.svg": draw(*report_of_a_project((ROOT / "docs" / "python-3.14.md").read_text("utf-8"))),
    }


def report_of_a_project(page: str) -> tuple[str, str]:
    """The command and its report on a project that is not in this repository, as the page has them, in the width and
    the colours of a terminal. Raises ValueError if the page has none."""
    found = _REPORT.search(page)
    if found is None:
        raise ValueError("docs/python-3.14.md has no report")
    lines = (part for line in found[2].splitlines() for part in _wrapped(line))
    return found[1], "\n".join(map(_colored, lines))


def _wrapped(line: str) -> list[str]:
    """A line as a terminal breaks it."""
    return [line[start : start + WIDTH] for start in range(0, len(line), WIDTH)] or [""]


def _colored(line: str) -> str:
    for form, codes in _REPORT_COLORS:
        line = form.sub(f"\033[{codes}m\\g<0>\033[0m", line)
    return line


def output(shot: Shot) -> str:
    """What the command prints on a terminal with colours. Raises ValueError if it does not find anything."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in shot.files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
        run = subprocess.run(
            [sys.executable, "-m", *shot.command.split(), "--isolated", "--color", "always"],
            cwd=folder,
            env={**environment, "COLUMNS": "100", "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
    if run.returncode != 1:
        raise ValueError(f"`{shot.command}` gave exit code {run.returncode}: {run.stdout}")
    return run.stdout


def draw(command: str, text: str) -> str:
    """An SVG of a terminal in which the command was typed and printed the text."""
    lines = [f"\033[1;32m$\033[0m \033[1m{command}\033[0m", *text.rstrip("\n").split("\n")]
    width = round(max(_columns(_ESCAPE.sub("", line)) for line in lines) * COLUMN + 2 * MARGIN)
    height = BAR + len(lines) * LINE + MARGIN
    rows = (
        f'<text x="{MARGIN}" y="{BAR + number * LINE + SIZE}">{"".join(_spans(line))}</text>'
        for number, line in enumerate(lines)
        if line
    )
    dots = "".join(
        f'<circle cx="{18 + 20 * number}" cy="16" r="6" fill="{color}"/>'
        for number, color in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f"<title>{escape(command)}</title>\n"
        '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n'
        f"{dots}\n"
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        f'font-size="{SIZE}" fill="#e6edf3" xml:space="preserve">\n' + "\n".join(rows) + "\n</g>\n</svg>\n"
    )


def _spans(line: str) -> Iterator[str]:
    """The pieces of a line, each where its columns are, whatever the width of the font's letters."""
    codes: list[str] = []
    column = position = 0
    for match in [*_ESCAPE.finditer(line), None]:
        piece = line[position : match.start() if match else len(line)]
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            shown = piece.strip()
            x = MARGIN + (column + lead) * COLUMN
            length = _columns(shown) * COLUMN
            place = f'x="{x:g}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
            yield f"<tspan {place}{_style(codes)}>{escape(shown, quote=False)}</tspan>"
        column += _columns(piece)
        if match is None:
            return
        position = match.end()
        if match[1] is not None:
            codes = [] if match[1] in ("", "0") else [*codes, *match[1].split(";")]


def _style(codes: list[str]) -> str:
    style = ' font-weight="bold"' if "1" in codes else ""
    style += ' opacity="0.65"' if "2" in codes else ""
    color = next((COLORS[code] for code in reversed(codes) if code in COLORS), None)
    return style + (f' fill="{color}"' if color else "")


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
