"""LP503: what a dict holds last under each of its keys, when a checkpoint is made of it."""

from __future__ import annotations

import pytest

from tests.support import lint

_TEXT = """\
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

KEY = "root"


@dataclass
class Config:
    root: Path = Path("runs")
    hidden: int = 8

    def to_dict(self, short=False):
        {body}


def save(net, config, path):
    torch.save({{"net": net.state_dict(), "config": config.to_dict()}}, path)


def main(net):
    save(net, Config(root=Path("other")), "last.pt")
    return torch.load("last.pt")
"""


def _is_found(*body: str) -> bool:
    text = _TEXT.format(body="\n        ".join(body))
    return [each.code for each in lint(text).diagnostics] == ["LP503"]


@pytest.mark.parametrize("made", ["asdict(self)", "dict(vars(self))", "vars(self).copy()", "self.__dict__.copy()"])
@pytest.mark.parametrize(
    ("change", "stays"),
    [
        ("out['root'] = str(self.root)", False),
        ("out['root'] = out['root'].as_posix()", False),
        ("out[KEY] = str(out[KEY])", False),
        ("out.update(root=str(self.root))", False),
        ("out.update({'root': str(self.root)})", False),
        ("out |= {'root': str(self.root)}", False),
        ("del out['root']", False),
        ("out.pop('root')", False),
        ("out['path'] = str(out.pop('root'))", False),
        ("for name in ('hidden', 'root'): out[name] = str(out[name])", False),
        ("out['hidden'] = 3", True),
        ("out.update(hidden=3)", True),
        ("out.pop('hidden')", True),
        ("out.setdefault('root', str(self.root))", True),
        ("out['root'] = self.root.resolve()", True),
        ("if short: out['root'] = str(self.root)", True),
        ("for name in ('hidden', 'other'): out[name] = str(name)", True),
        ("out['root'] = str(self.root); out['root'] = Path(out['root'])", True),
    ],
)
def test_what_is_put_in_later_replaces_what_was_there(made: str, change: str, stays: bool) -> None:
    assert _is_found(f"out = {made}", change, "return out") is stays


@pytest.mark.parametrize(
    ("made", "stays"),
    [
        ("{**asdict(self), 'root': str(self.root)}", False),
        ("{**vars(self), KEY: str(self.root)}", False),
        ("dict(asdict(self), root=str(self.root))", False),
        ("asdict(self) | {'root': str(self.root)}", False),
        ("{**asdict(self), **({'root': '.'} if short else {'root': str(self.root)})}", False),
        ("{'root': str(self.root), **asdict(self)}", True),
        ("{**asdict(self), 'step': 3}", True),
        ("dict(asdict(self), step=3)", True),
        ("{'root': str(self.root)} | asdict(self)", True),
        ("{**asdict(self), **({'root': '.'} if short else {})}", True),
    ],
)
def test_the_last_of_a_display_is_written(made: str, stays: bool) -> None:
    assert _is_found(f"return {made}") is stays


@pytest.mark.parametrize(
    ("element", "stays"),
    [
        ("str(value) if isinstance(value, Path) else value", False),
        ("value if not isinstance(value, Path) else str(value)", False),
        ("str(value)", False),
        ("str(value) if isinstance(value, int) else value", True),
        ("value", True),
    ],
)
def test_a_comprehension_may_convert_what_is_of_some_type(element: str, stays: bool) -> None:
    assert _is_found(f"return {{key: {element} for key, value in asdict(self).items()}}") is stays


@pytest.mark.parametrize(
    ("loop", "condition", "stays"),
    [
        ("key, value in out.items()", "isinstance(value, Path)", False),
        ("key, value in list(out.items())", "isinstance(value, Path)", False),
        ("key in list(out)", "isinstance(out[key], Path)", False),
        ("key, value in out.items()", "isinstance(value, int)", True),
        ("key, value in out.items()", "isinstance(value, Path) and short", True),
        ("key, value in config.items()", "isinstance(value, Path)", True),
    ],
)
def test_a_loop_may_convert_what_is_of_some_type(loop: str, condition: str, stays: bool) -> None:
    lines = ("out = asdict(self)", "config = {}", f"for {loop}:", f"    if {condition}:", "        out[key] = str(key)")
    assert _is_found(*lines, "return out") is stays


def test_other_values_under_an_inner_key_stay() -> None:
    assert _is_found("out = {'run': asdict(self)}", "out['run']['step'] = 3", "return out")
    assert not _is_found("out = {'run': asdict(self)}", "out['run']['root'] = '.'", "return out")
