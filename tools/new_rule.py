"""Begins a new rule: writes skeletons of the rule, its page and its tests.

python -m tools.new_rule lock-in-closure --family LP1 --hook crossing

Everything marked with FILL THIS IN is left to the author; tests fail until no mark is left.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

from lintpickle.diagnostics import StartMethod
from lintpickle.rulebook.pages import HEADINGS
from lintpickle.rulebook.summaries import FAMILIES
from lintpickle.rules import all_rules
from lintpickle.rules.base import HOOKS, Rule

ROOT = Path(__file__).resolve().parent.parent
FILL_IN = "FILL THIS IN"
_LAST = 99
_NEEDED = {
    "crossing": f"    marks = ALL_MARKS  # {FILL_IN}: the forms of code that can be the hazard\n",
    **dict.fromkeys(
        ("class_", "function", "module"),
        f'    words = frozenset({{"{FILL_IN}: a word that occurs in every text with the hazard"}})\n',
    ),
}
"""The declarations without which importing a rule with the hook raises a TypeError. Instead of `words`, a rule can
declare `marks`, if each of them has a row in `lintpickle.prefilter.forms`."""
_BLOCK = """```python {kind}
"{fill_in}: {what}"{mark}
```"""
_METHODS = tuple(method.value for method in StartMethod)
_PROOF = f"""\
{FILL_IN}: the versions, as in "CPython 3.11, torch 2.13.0:". A cell says what happens when the proof block runs below
the block: `ok`, the error word for word (`TypeError: cannot pickle 'dict_keys' object`), `wrong: …`, `died: …` or
`hang` (`tests/proofs/harness.py` defines them). Each bad and each fixed block needs a row.

| block | {" | ".join(_METHODS)} |
|{" --- |" * (len(_METHODS) + 1)}
| bad |{f" {FILL_IN} |" * len(_METHODS)}

```python proof
if __name__ == "__main__":
    import multiprocessing
    import sys

    context = multiprocessing.get_context(sys.argv[1])
    # {FILL_IN}: use what the block defines, so that it crosses to a process of `context`
```"""
_SECTIONS = {
    "What it finds": f"{FILL_IN}: the pattern, in a sentence.",
    "Why it breaks": f"{FILL_IN}: what fails when, with the error word for word.",
    "Example": _BLOCK.format(kind="bad", fill_in=FILL_IN, what="code that must be found", mark="  # {code}"),
    "Use instead": _BLOCK.format(kind="good", fill_in=FILL_IN, what="code that looks alike and is right", mark=""),
    "Proof": _PROOF,
    "Fix safety": f"{FILL_IN}: why the fix is safe, or why there is none.",
    "Known gaps": f"{FILL_IN}: what is not found, and what is found though it is right.",
    "References": f"- {FILL_IN}: where the documentation says so.",
}


def next_code(family: str) -> str:
    """The code after the highest one of a family (LP1). Gaps are not filled, because their codes may have been used
    before. Raises ValueError if the family has no code left."""
    highest = max((int(rule.code[3:]) for rule in all_rules() if rule.code.startswith(family)), default=0)
    if highest == _LAST:
        raise ValueError(f"{family} has no code left after {family}{_LAST}")
    return f"{family}{highest + 1:02}"


def files(name: str, family: str, hook: str) -> dict[Path, str]:
    """The files of a new rule: the text of each, by its path from the root."""
    code, module = next_code(family), name.replace("-", "_")
    return {
        Path("lintpickle", "rules", f"{module}.py"): rule_text(code, name, hook),
        Path("rules", f"{code}-{name}.md"): page_text(code, name),
        Path("tests", "rules", f"test_{module}.py"): test_text(code, name),
    }


def rule_text(code: str, name: str, hook: str) -> str:
    """A rule that can be imported and finds nothing."""
    signature = inspect.signature(getattr(Rule, hook))
    shown = list(signature.parameters.values())[1]
    needed = _NEEDED.get(hook, "")
    imported = sorted({shown.annotation, "Hazard", "Linker", "Rule"} | {"ALL_MARKS"} & set(needed.split()))
    return f'''\
from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules.authoring import {", ".join(imported)}


class {"".join(part.capitalize() for part in name.split("-"))}(Rule):
    """{FILL_IN}: what is found, in one line."""

    code = "{code}"
    name = "{name}"
{needed}    message = "{FILL_IN}: what is kept or passed where: {{error}}"
    help = "{FILL_IN}: what to do instead"

    def {hook}(self, {shown.name}: {shown.annotation}, linker: Linker) -> Iterable[Hazard]:
        return ()  # {FILL_IN}
'''


def page_text(code: str, name: str) -> str:
    """A page that can be read, with all headings."""
    sections = "\n\n".join(f"## {heading}\n\n{_SECTIONS[heading]}" for heading in HEADINGS)
    return f"# {code}: {name}\n\nfix: none\n\n{sections.replace('{code}', code)}\n"


def test_text(code: str, name: str) -> str:
    """Tests that fail."""
    return f'''\
"""{code}: {name}."""

from __future__ import annotations

import pytest

from tests.pages import PageTests


class TestPage(PageTests):
    code = "{code}"


def test_what_must_be_found() -> None:
    pytest.fail("{FILL_IN}: forms of the hazard that the page does not show (`tests.support.marks` lints a text)")


def test_what_must_not_be_found() -> None:
    pytest.fail("{FILL_IN}: code that looks alike and is right")
'''


@click.command()
@click.argument("name")
@click.option("--family", type=click.Choice([*FAMILIES]), required=True, help="The beginning of its code.")
@click.option(
    "--hook", type=click.Choice(HOOKS), default="crossing", show_default=True, help="The hook: what it receives."
)
def main(name: str, family: str, hook: str) -> None:
    """Begin a rule called NAME (kebab-case, names the bad pattern) with the next free code of a family."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise click.UsageError(f"{name!r} is not kebab-case, like dict-view-attribute")
    try:
        texts = files(name, family, hook)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    taken = [path for path in texts if (ROOT / path).exists()]
    taken += [Path(rule.name) for rule in all_rules() if rule.name == name]
    if taken:
        raise click.UsageError(f"{taken[0].as_posix()} exists already")
    for path, text in texts.items():
        (ROOT / path).write_text(text, encoding="utf-8")
        print(f"wrote {path.as_posix()}")
    print(f"Replace every {FILL_IN!r} in them, then run `python -m tools.generate`. CONTRIBUTING.md says what follows.")


if __name__ == "__main__":
    sys.exit(main())
