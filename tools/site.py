"""Puts the rule book (docs/rules/, from rules/) and the changelog into the documentation. Run it
before `zensical build`.

python -m tools.site
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from lintpickle.rulebook.pages import page_for
from lintpickle.rulebook.summaries import RuleInfo, rule_infos
from lintpickle.rules import all_rules
from lintpickle.rules.base import Rule

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "rules"
CHANGELOG = ROOT / "docs" / "changelog.md"

TITLES = {"bad": "Breaks", "fixed": "Mended", "good": "Fine", "proof": "Proof"}
_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})python (?P<kind>bad|fixed|good|proof)(?:=\S+)?$", re.MULTILINE)
_FIX_LINE = re.compile(r"^fix: \w+\n+", re.MULTILINE)
_TITLE = re.compile(r"^# .*\n+")


def pages() -> dict[str, str]:
    """File name in docs/rules and content, for every page of the rule book and its index."""
    index = (ROOT / "rules" / "README.md").read_text(encoding="utf-8")
    found = {"index.md": index.partition("-->\n")[2].lstrip("\n") if index.startswith("<!--") else index}
    for info in rule_infos().values():
        if info.explanation is not None:
            found[f"{info.code}-{info.name}.md"] = page(info)
    return found


def page(info: RuleInfo) -> str:
    """A page as the site shows it: with its facts below the title, and titles above its code."""
    text = _FENCE.sub(lambda match: f'{match["fence"]}python title="{TITLES[match["kind"]]}"', info.explanation or "")
    body = _FIX_LINE.sub("", _TITLE.sub("", text, count=1), count=1)
    rule = next(rule for rule in all_rules() if rule.code == info.code)
    methods = ", ".join(method.value for method in info.start_methods)
    facts = [
        f"**{info.severity.value}**",
        f"under {methods}" if methods else "",
        f"fix: {info.applicability.value}" if info.applicability else "no fix",
        f"confidence: {confidence(rule)}",
        f"since {info.since}",
        "" if info.default else "off by default",
        proved_on(info.code),
    ]
    return f"# {info.name} ({info.code})\n\n{' · '.join(filter(None, facts))}\n\n{body}"


_CONFIDENCE_OF_HOOK = {
    "crossing": ("certain", "likely", "possible"),
    "boundary": ("certain",),
    "worker": ("certain", "likely"),
    "class_": ("likely",),
    "function": ("likely",),
    "module": ("certain",),
}


def confidence(rule: type[Rule]) -> str:
    """The confidences that the rule's hooks give by default, strongest first."""
    given = {name for hook in rule.hooks() for name in _CONFIDENCE_OF_HOOK[hook]}
    return ", ".join(name for name in ("certain", "likely", "possible") if name in given) or "certain"


def proved_on(code: str) -> str:
    """ "proved on" with the versions that the *Proof* section of a page begins with ("CPython 3.11, torch 2.13.0")."""
    page = page_for(code)
    versions = page.sections["Proof"].partition(":")[0].partition(". ")[0].replace("\n", " ") if page.proof else ""
    return f"proved on {versions}" if versions else ""


def main() -> int:
    """Write the folder and the changelog anew. Returns the exit code."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "CHANGELOG.md", CHANGELOG)
    return 0


if __name__ == "__main__":
    sys.exit(main())
