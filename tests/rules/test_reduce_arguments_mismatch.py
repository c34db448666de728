"""LP608: reduce-arguments-mismatch."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.pickling_hooks import rows

CLASS = """\
class Base:
    def __init__(self, app, size=0):
        self.app = app
        self.size = size
    def __reduce__(self):
        return type(self), (self.app, self.size)
class A{parent}:
    def __init__(self, app, size=0, *, name={default}):
        self.app = app
        self.size = size
        self.label = name
    {method}
"""


class TestPage(PageTests):
    code = "LP608"


def found(returned: str, default: str = "None", parent: str = "", start: str = "def __reduce__(self):") -> list[int]:
    method = f"{start}\n        return {returned}" if returned else "pass"
    return rows(CLASS.format(parent=parent, default=default, method=method), "LP608")


@pytest.mark.parametrize(
    "returned",
    [
        "A, ()",
        "type(self), ()",
        "self.__class__, (self.app, self.size, self.label)",
        "A, (self.size, self.app)",
        "A, (self.label, self.size)",
        "A, (self.size + 1, self.app)",
        "A, (self.size,), self.__dict__",
    ],
)
def test_arguments_that_do_not_fit(returned: str) -> None:
    assert found(returned) == [13]


def test_other_places() -> None:
    assert found("A, (self.app,)", "REQUIRED_BY_KEYWORD").count(13) == 0
    assert rows(CLASS.format(parent="", default="0", method="pass").replace("name=0", "name"), "LP608") == []
    assert found("A, ()", start="def __reduce_ex__(self, protocol):") == [13]


def test_a_parents_method_that_a_constructor_no_longer_fits() -> None:
    text = CLASS.format(parent="(Base)", default="0", method="pass").replace("name=0", "name")
    assert rows(text, "LP608") == []  # gap: only classes with a `__reduce__` of their own are looked at


@pytest.mark.parametrize(
    "returned",
    [
        "A, (self.app, self.size)",
        "A, (self.app,)",
        "A, (self.app, self.size), {'label': self.label}",
        "self.__class__, (self.app,), self.__getstate__()",
        "make, ()",
        "Base, (self.app,)",
        "(A if self.app else Base), ()",
        "A, (self.app, self.count)",
        "A, (self.app.size, self.size)",
        "A, (self.app, self.app)",
        "A, tuple(self)",
        "A, (*self.app,)",
        "super().__reduce__()",
        "'A'",
    ],
)
def test_arguments_that_fit_or_are_not_known(returned: str) -> None:
    assert found(returned) == []


@pytest.mark.parametrize(
    "text",
    [
        "from x import B\nclass A(B):\n    def __init__(self, a): self.a = a\n    def __reduce__(self): return A, ()",
        "class A:\n    def __new__(cls): return object.__new__(cls)\n"
        "    def __init__(self, a): self.a = a\n    def __reduce__(self): return A, ()",
        "class A:\n    def __init__(self, a, b): self.both = (a, b)\n    def __reduce__(self): return A, (*self.both,)",
        "class A(metaclass=M):\n    def __init__(self, a): self.a = a\n    def __reduce__(self): return A, ()",
        "class A:\n    def __init__(self, *a): self.a = a\n    def __reduce__(self): return A, ()",
        "class A:\n    @wrap\n    def __init__(self, a): self.a = a\n    def __reduce__(self): return A, ()",
        "class A:\n    def __init__(self, a): self.a = a\n    @wrap\n    def __reduce__(self): return A, ()",
        "class A:\n    def __init__(self, a, b):\n        self.a = b\n        self.a = a\n"
        "        self.b = b\n    def __reduce__(self): return A, (self.a, self.b)",
    ],
)
def test_classes_of_which_not_all_is_known(text: str) -> None:
    assert rows(text, "LP608") == []


@pytest.mark.parametrize(
    ("passed", "kept", "found"),
    [
        ("self.text", "self.cause = cause", [7]),
        ("self.cause", "self.cause = cause", []),
        ("self.text", "pass", []),
    ],
)
def test_the_text_of_a_parameter(passed: str, kept: str, found: list[int]) -> None:
    text = f"""\
class Failed(Exception):
    def __init__(self, cause=None):
        {kept}
        self.text = repr(cause)
        super().__init__(cause)
    def __reduce__(self):
        return type(self), ({passed},)
"""
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    diagnostics = lint_source(text, str(Path("example.py").absolute()), resolver=resolver).diagnostics
    assert [each.location.start.row for each in diagnostics if each.code == "LP608"] == found


BRANCHES = """\
from library import safe_repr, shorten

class Retry(Exception):
    def __init__(self, message=None, exc=None):
        self.message = message
        if isinstance(exc, str):
            self.exc, self.text = None, exc
        else:
            {stores}
        super().__init__(message, exc)
    def __reduce__(self):
        return self.__class__, (self.message, {passed})
"""


@pytest.mark.parametrize(
    ("stores", "passed", "fires"),
    [
        ("self.exc, self.text = exc, repr(exc)", "self.text", True),
        ("self.exc, self.text = exc, safe_repr(exc) if exc else None", "self.text", True),
        ("from other import safe_repr as told\n            self.exc, self.text = exc, told(exc)", "self.text", True),
        ("self.exc, self.text = exc, repr(exc)", "self.exc", False),
        ("self.exc, self.text = exc, shorten(exc)", "self.text", False),
        ("self.exc, self.text = exc, repr(message)", "self.text", False),
        ("self.exc, self.text = safe_repr(exc), safe_repr(exc)", "self.text", False),
    ],
)
def test_the_text_of_a_parameter_in_a_branch(stores: str, passed: str, fires: bool) -> None:
    text = BRANCHES.format(stores=stores, passed=passed)
    settings = SettingsResolver(isolated=True, overrides={"pedantic": True})
    outcome = lint_source(text, str(Path("example.py").absolute()), resolver=settings)
    assert [each.code for each in outcome.diagnostics] == (["LP608"] if fires else [])


LEFT_OUT = """\
class Base:
    def __init__(self, now=None, app=None):
        self.now = now
        self._app = app

    def told(self):
        return self.now()


class Entry(Base):
    def __init__(self, rule="*", last=None{more}):
        {above}
        self.rule = rule
        self.last = last

    def __reduce__(self):
        return {returned}

    def used(self):
        return self.rule, {used}
"""


@pytest.mark.parametrize(
    ("returned", "more", "above", "used", "lost"),
    [
        ("Entry, (self.rule,)", "", "pass", "self.last", "last"),
        ("self.__class__, (self.rule,), None", "", "pass", "self.last", "last"),
        ("Entry, (self.rule, self.last)", ", **kwargs", "super().__init__(**kwargs)", "1", "now"),
        ("Entry, (self.rule, self.last)", ", **kwargs", "super(Entry, self).__init__(app=1, **kwargs)", "1", "now"),
        ("Entry, (self.rule, self.last)", "", "pass", "self.last", None),
        ("Entry, (self.rule,)", "", "pass", "1", None),
        ("Entry, (self.rule,), self.__dict__", "", "pass", "self.last", None),
        ("make, (self.rule,)", "", "pass", "self.last", None),
        ("Entry, (self.rule, self.last)", ", **kwargs", "super().__init__(now=1, **kwargs)", "1", None),
        ("Entry, (self.rule, self.last)", ", **kwargs", "super().__init__(print, **kwargs)", "1", None),
        ("Entry, (self.rule, self.last)", ", **kwargs", "super().__init__()", "1", None),
    ],
)
def test_a_parameter_that_is_left_out(returned: str, more: str, above: str, used: str, lost: str | None) -> None:
    text = LEFT_OUT.format(returned=returned, more=more, above=above, used=used)
    settings = SettingsResolver(isolated=True, overrides={"pedantic": True})
    outcome = lint_source(text, str(Path("example.py").absolute()), resolver=settings)
    errors = [each.error for each in outcome.diagnostics if each.code == "LP608"]
    assert errors == ([f"silently, `{lost}` is lost"] if lost is not None else [])
