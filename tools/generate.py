"""Writes what is derived: the index of the rule book, the README's rules table and example output, the configuration
page, the schemas, the limits and the precision tables of the documentation, and the pictures of terminals.

python -m tools.generate            write
python -m tools.generate --check    write nothing; exit with 1 if something is out of date
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from lintpickle import __version__
from lintpickle.addresses import REPOSITORY
from lintpickle.input_limits import INPUT_LIMITS
from lintpickle.limits import LIMITS
from lintpickle.rulebook.known_rules import LIST, KnownRule
from lintpickle.rulebook.pages import Page, page_for
from lintpickle.rulebook.summaries import FAMILIES
from lintpickle.rules import all_rules
from lintpickle.rules.base import Rule
from tools.architecture import architecture
from tools.catalogs import catalogs
from tools.configuration import configuration
from tools.extension import extension
from tools.navigation import navigation
from tools.pictures import pictures
from tools.sweep.figures import tables

ROOT = Path(__file__).resolve().parent.parent
RULES = re.compile(r"(<!-- rules:start -->\n).*?(<!-- rules:end -->)", re.DOTALL)
EXAMPLE = re.compile(r"<!-- example: train\.py -->\n```python\n(.*?)```", re.DOTALL)
OUTPUT = re.compile(r"(<!-- output: lintpickle check train\.py -->\n```text\n).*?(```)", re.DOTALL)
INSTALL = re.compile(r"(<!-- install:start -->\n).*?(<!-- install:end -->)", re.DOTALL)
FIRST = re.compile(
    r"(<!-- output: lintpickle check examples/first --show-fixes --exit-zero -->\n```text\n).*?(```)", re.DOTALL
)
RUN = re.compile(r"(<!-- run: (\S+): ([^>\n]+) -->\n```console\n).*?(```)", re.DOTALL)
TRAIL = re.compile(r"(<!-- trail:start -->\n).*?(<!-- trail:end -->)", re.DOTALL)
LIMITS_TABLE = re.compile(r"(<!-- limits:start -->\n).*?(<!-- limits:end -->)", re.DOTALL)
INPUT_LIMITS_TABLE = re.compile(r"(<!-- input-limits:start -->\n).*?(<!-- input-limits:end -->)", re.DOTALL)


def outputs() -> dict[Path, str]:
    """Every generated file and what it should contain."""
    entries = [(rule, page_for(rule.code)) for rule in all_rules()]
    path = ROOT / "README.md"
    readme = path.read_text(encoding="utf-8")
    readme = replaced(RULES, readme_table(entries), readme)
    readme = replaced(OUTPUT, example_output(readme), readme)
    readme = replaced(FIRST, first_output(), readme)
    return {
        ROOT / "rules" / "README.md": index(entries),
        LIST: known_rules_list(),
        path: readme,
        **configuration(),
        **catalogs(),
        **navigation(),
        **extension(),
        **architecture(),
        **home(),
        **how_it_works(),
        **pictures_in_text(),
        **precision(),
        **pictures(example(readme)),
    }


def replaced(pattern: re.Pattern[str], content: str, text: str) -> str:
    """`text` with `content` between the two groups of the one match of `pattern`.

    Raises ValueError if there is not exactly one match.
    """
    result, count = pattern.subn(lambda match: match[1] + content + match[2], text)
    if count != 1:
        raise ValueError(f"there are {count} places for {pattern.pattern}, not one")
    return result


def known_rules_list() -> str:
    """What runs know of each rule before they load it, one line a rule."""
    rules = (KnownRule(rule.code, rule.name, rule.severity, rule.default) for rule in all_rules())
    return "[\n" + ",\n".join(msgspec.json.encode(rule).decode() for rule in rules) + "\n]\n"


def example_output(readme: str) -> str:
    """What `lintpickle check train.py` prints on the README's example."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "train.py").write_text(example(readme), encoding="utf-8")
        environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
        run = subprocess.run(
            [sys.executable, "-m", "lintpickle", "check", "--isolated", "train.py"],
            cwd=folder,
            env={**environment, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
    if run.returncode != 1:
        raise ValueError(f"the example gave exit code {run.returncode}: {run.stderr or run.stdout}")
    return run.stdout


def first_output() -> str:
    """What the README's first command prints on the example project."""
    environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    run = subprocess.run(
        [sys.executable, "-m", "lintpickle", "check", "examples/first", "--show-fixes", "--exit-zero", "--no-cache"],
        cwd=ROOT,
        env={**environment, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if run.returncode != 0 or "LP101" not in run.stdout:
        raise ValueError(f"the first command gave exit code {run.returncode}: {run.stderr or run.stdout}")
    return run.stdout


def example(readme: str) -> str:
    """The README's example train.py. Raises ValueError if there is none."""
    found = EXAMPLE.search(readme)
    if found is None:
        raise ValueError("the README has no example train.py")
    return found[1]


def home() -> dict[Path, str]:
    """The first page of the site, with the version, the address of the repository and the command that installs it."""
    path = ROOT / "docs" / "index.md"
    command = f'pip install "git+{REPOSITORY}"'
    links = f"Version {__version__} · [Repository]({REPOSITORY}) · [Changelog](changelog.md)"
    content = f"\n```sh\n{command}\nlintpickle check\n```\n\n{links}\n\n"
    return {path: replaced(INSTALL, content, path.read_text(encoding="utf-8"))}


def how_it_works() -> dict[Path, str]:
    """The page that shows the trail of the founding case, as the fixture has it, and lists the limits."""
    path = ROOT / "docs" / "how-it-works.md"
    known = (ROOT / "tests" / "fixtures" / "uniad_shape" / "trails.txt").read_text(encoding="utf-8")
    text = replaced(TRAIL, f"\n```text\n{known.strip()}\n```\n\n", path.read_text(encoding="utf-8"))
    text = replaced(LIMITS_TABLE, f"\n{limits_table()}\n", text)
    return {path: replaced(INPUT_LIMITS_TABLE, f"\n{input_limits_table()}\n", text)}


def pictures_in_text() -> dict[Path, str]:
    """The page on graph and audit, with what the commands print on projects of this repository."""
    path = ROOT / "docs" / "graph-and-audit.md"

    def ran(match: re.Match[str]) -> str:
        return f"{match[1]}$ lintpickle {match[3]}\n{printed(ROOT / match[2], *match[3].split())}{match[4]}"

    return {path: RUN.sub(ran, path.read_text(encoding="utf-8"))}


def printed(folder: Path, *arguments: str) -> str:
    """What a command prints in a folder. Raises ValueError if it ends with an error."""
    environment = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    run = subprocess.run(
        [sys.executable, "-m", "lintpickle", *arguments],
        cwd=folder,
        env={**environment, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT), "LINTPICKLE_NO_CACHE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if run.returncode not in (0, 1) or not run.stdout:
        raise ValueError(f"lintpickle {' '.join(arguments)} gave exit code {run.returncode}: {run.stderr}")
    return run.stdout


def limits_table() -> str:
    """All limits: how much of what, what is cut beyond, and what a user loses."""
    rows = ["| at most | of | beyond that | what may be missing | name |", "| ---: | --- | --- | --- | --- |"]
    for limit in LIMITS.values():
        rows.append(f"| {limit.most:,} | {limit.counts} | {limit.cut} | {limit.lost} | `{limit.name}` |")
    return "\n".join(rows) + "\n"


def input_limits_table() -> str:
    """All limits of what is read: how much of what, and what happens beyond."""
    rows = ["| at most | of | beyond that |", "| ---: | --- | --- |"]
    rows += [f"| {limit.most:,} | {limit.counts} | {limit.beyond} |" for limit in INPUT_LIMITS.values()]
    return "\n".join(rows) + "\n"


def precision() -> dict[Path, str]:
    """The page that says how many findings are right, from the figures of the sweeps."""
    path = ROOT / "docs" / "precision.md"
    text = path.read_text(encoding="utf-8")
    for name, table in zip(("releases", "costs", "rules"), tables(), strict=True):
        place = re.compile(rf"(<!-- {name}:start -->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        text = replaced(place, f"\n{table}\n", text)
    return {path: text}


def readme_table(entries: list[tuple[type[Rule], Page]]) -> str:
    """Code, name, summary and fix of every rule, for the README."""
    rows = ["| code | name | what it finds | fix |", "| --- | --- | --- | --- |"]
    for rule, page in entries:
        link = f"[{rule.code}](rules/{file_name(page)})"
        rows.append(f"| {link} | {rule.name} | {summary(rule)} | {fix(rule)} |")
    return "\n".join(rows) + "\n"


def index(entries: list[tuple[type[Rule], Page]]) -> str:
    """The index of the rule book, by family."""
    lines = [
        "<!-- generated by tools/generate.py; edit the rules and their pages instead -->",
        "",
        "# The rules",
        "",
        "Each page says what is found, why it breaks, what to write instead, and under which start methods real Python "
        "and torch",
        "fail. A *safe* fix keeps what the program does; an *unsafe* one may change it and is written only with "
        "`--unsafe-fixes`.",
        "",
    ]
    for family, title in FAMILIES.items():
        members = [(rule, page) for rule, page in entries if rule.code.startswith(family)]
        if not members:
            continue
        lines += [
            f"## {family}xx: {title}",
            "",
            "| code | name | what it finds | fix |",
            "| --- | --- | --- | --- |",
        ]
        lines += [
            f"| [{rule.code}]({file_name(page)}) | {rule.name} | {summary(rule)} | {fix(rule)} |"
            for rule, page in members
        ]
        lines.append("")
    return "\n".join(lines)


def summary(rule: type[Rule]) -> str:
    """The first line of the rule's docstring, fit for a table cell. Raises ValueError if its sentence does not end
    there."""
    first, _, rest = (rule.__doc__ or "").strip().partition("\n")
    if not first.endswith(".") or rest.partition("\n")[0].strip():
        raise ValueError(f"{rule.__name__}: the first line of the docstring is no whole sentence: {first!r}")
    return first.removesuffix(".").replace("|", "\\|")


def fix(rule: type[Rule]) -> str:
    """Who may apply the rule's fix."""
    return rule.applicability.value if rule.applicability else ""


def file_name(page: Page) -> str:
    """The page's file in the rule book."""
    return f"{page.code}-{page.name}.md"


def main() -> int:
    """Write, or with --check compare. Returns the exit code."""
    stale = [
        (path, text)
        for path, text in outputs().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} is out of date: run `python -m tools.generate`", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return int(bool(stale) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
