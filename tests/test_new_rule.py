"""A rule that is begun by `tools.new_rule` loads, and no test lets it pass before it is filled in."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.rulebook.pages import parse_page
from lintpickle.rules import all_rules
from lintpickle.rules.base import HOOKS
from tests.proofs.harness import Observed, agrees
from tools.new_rule import FILL_IN, files, main, next_code

ROOT = Path(__file__).resolve().parent.parent
_HELPERS = tuple(
    f"tests/{path.name}" for path in (ROOT / "tests").glob("*.py") if not path.name.startswith(("test_", "conftest"))
)
_COPIED = ("lintpickle", "rules", "tools", "pyproject.toml", *_HELPERS)
RULE = '''\
from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.loader_arguments import literal
from lintpickle.rules.authoring import BoundaryCall, Hazard, Linker, Rule


class SevenWorkers(Rule):
    """A DataLoader with seven workers."""

    code = "{code}"
    name = "seven-workers"
    message = "seven workers: {{error}}"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        if literal(call, "num_workers", linker) == 7:
            yield Hazard(call.site, "the loader", "RuntimeError: seven")
'''
EXAMPLE = """\
from torch.utils.data import DataLoader


def load(data):
    return DataLoader(data, num_workers={})
"""
TESTS = '''\
"""{code}: seven-workers."""

from __future__ import annotations

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "{code}"


def test_eight_workers() -> None:
    assert marks("from torch.utils.data import DataLoader\\nDataLoader([1], num_workers=8)\\n") == []
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what begins rules and tests them."""
    for name in _COPIED:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (tmp_path / "tests" / "rules").mkdir()
    (tmp_path / "tests" / "rules" / "__init__.py").touch()
    return tmp_path


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *command], cwd=tree, env=environment, capture_output=True, text=True, encoding="utf-8"
    )


def begin(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(tree, "-m", "tools.new_rule", *arguments)


def outcome(tree: Path) -> str:
    """What pytest says of the tests of the new rule."""
    done = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rules/test_seven_workers.py")
    return done.stdout + done.stderr


def test_a_rule_from_its_beginning_until_it_is_filled_in(tree: Path) -> None:
    code = next_code("LP4")
    begun = begin(tree, "seven-workers", "--family", "LP4", "--hook", "boundary")
    assert (begun.returncode, begun.stdout.count("wrote ")) == (0, 3), begun.stderr
    rule, page, tests = (tree / path for path in files("seven-workers", "LP4", "boundary"))
    loaded = run(tree, "-m", "lintpickle", "rule", "seven-workers")
    assert (loaded.returncode, code in loaded.stdout) == (0, True), loaded.stderr

    said = outcome(tree)
    assert "fill this in:" in said
    for place in (rule, page, tests):
        assert f"{place.relative_to(tree).as_posix()}:" in said
    failed = {line.split("::")[-1].split(" ")[0] for line in said.splitlines() if line.startswith("FAILED")}
    assert failed >= {
        "test_nothing_is_left_to_fill_in",
        "test_a_bad_block_gives_exactly_the_diagnostics_marked[bad]",
        "test_what_must_be_found",
        "test_what_must_not_be_found",
    }

    rule.write_text(RULE.format(code=code))
    tests.write_text(TESTS.format(code=code))
    text = page.read_text()
    for kind, workers, mark in (("bad", 7, f"  # {code}"), ("good", 6, "")):
        start = text.index(f"```python {kind}\n") + len(f"```python {kind}\n")
        example = EXAMPLE.format(workers).rstrip("\n") + mark + "\n"
        text = text[:start] + example + text[text.index("```", start) :]
    page.write_text(text)
    assert f"{page.name}:7: {FILL_IN}" in outcome(tree)
    row = "| bad | ok | RuntimeError: seven | RuntimeError: seven |"
    page.write_text(re.sub(r"\| bad \|.*", row, text).replace(FILL_IN, "Said"))
    said = outcome(tree)
    assert " passed" in said, said
    assert "failed" not in said, said


@pytest.mark.parametrize("hook", HOOKS)
def test_a_rule_loads_with_any_hook(hook: str) -> None:
    texts = files("toy-rule", "LP1", hook)
    names: dict[str, object] = {"__name__": "toy_rule"}
    exec(texts[Path("lintpickle/rules/toy_rule.py")], names)
    assert getattr(names["ToyRule"], "hooks", tuple)() == (hook,)
    assert all(FILL_IN in text for text in texts.values())


def test_the_page_begins_with_a_table_and_a_block_to_prove_it() -> None:
    name, text = next(
        (path.name, text) for path, text in files("toy-rule", "LP1", "crossing").items() if path.suffix == ".md"
    )
    page = parse_page(text, name)
    [row] = page.proof
    assert (row.label, set(row.outcomes.values())) == ("bad", {FILL_IN})
    assert "sys.argv[1]" in page.of_kind("proof")[0].code
    with pytest.raises(AssertionError, match=FILL_IN):
        agrees(FILL_IN, Observed("ok", ""))


def test_the_next_code_is_after_the_highest() -> None:
    highest = max(rule.code for rule in all_rules() if rule.code.startswith("LP1"))
    assert next_code("LP1") == f"LP{int(highest[2:]) + 1}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("Toy_Rule", "--family", "LP1"), "'Toy_Rule' is not kebab-case"),
        (("lambda-attribute", "--family", "LP2"), "lintpickle/rules/lambda_attribute.py exists already"),
        (("toy-rule", "--family", "LP7"), "'LP7' is not one of"),
        (("toy-rule", "--family", "LP1", "--hook", "visit"), "'visit' is not one of"),
    ],
)
def test_what_it_refuses(arguments: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, said in done.output) == (2, True), done.output
