"""Repositories as someone would make them who means harm: each a function that fills a tree, and what is run on it.

Beside the tree is a folder `outside` that holds what must neither change nor be shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SECRET = "CANARY_2b7e"
"""Stands in every file outside, on lines that must not be shown."""

HAZARD = """\
from torch.utils.data import DataLoader

class Data:
    def __init__(self, d):
        self.k = d.keys()

def main():
    for batch in DataLoader(Data({}), num_workers=2):
        pass
"""
VICTIM = HAZARD.replace("self.k = d.keys()", f"self.{SECRET} = d.keys()")
ESCAPE = "\x1b]0;owned\x07\x1b[31m"
STOP = "::stop-commands::x"
AZURE = "##vso[task.setvariable variable=x]y"
SITE = ".venv/lib/python3.11/site-packages"


@dataclass(frozen=True)
class Hostile:
    """`build` fills the tree; `arguments` follow `lintpickle check`; `environ` may name the tree as {tree}."""

    build: Callable[[Path], None]
    arguments: tuple[str, ...] = (".",)
    environ: tuple[tuple[str, str], ...] = ()


def write(tree: Path, name: str, text: str | bytes) -> Path:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    return path


def files(**texts: str | bytes) -> Callable[[Path], None]:
    """A tree of files; `__` in a name stands for a slash and `_dot_` for a dot."""

    def build(tree: Path) -> None:
        for name, text in texts.items():
            write(tree, name.replace("__", "/").replace("_dot_", "."), text)

    return build


def only(name: str, text: str | bytes, **others: str | bytes) -> Callable[[Path], None]:
    """A tree with a file of that name, and with others."""

    def build(tree: Path) -> None:
        files(**others)(tree)
        write(tree, name, text)

    return build


def linked(name: str, target: str, **others: str | bytes) -> Callable[[Path], None]:
    """A tree with a link."""

    def build(tree: Path) -> None:
        files(**others)(tree)
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target.format(tree=tree, outside=tree.parent / "outside"))

    return build


def _settings(text: str) -> Callable[[Path], None]:
    return only("lintpickle.toml", text, a_dot_py=HAZARD)


def _links() -> Iterator[tuple[str, Hostile]]:
    fix = ("--fix", "--unsafe-fixes", ".")
    yield "fix through a link", Hostile(linked("link.py", "../outside/victim.py"), fix)
    yield "fix through an absolute link", Hostile(linked("link.py", "{outside}/victim.py"), fix)
    yield "fix through a link in a package", Hostile(linked("pkg/link.py", "../../outside/victim.py"), fix)
    yield "fix through a linked folder", Hostile(linked("pkg", "../outside"), fix)
    yield "fix through a linked folder that is named", Hostile(linked("pkg", "../outside"), (*fix[:2], "pkg"))
    yield "fix through a link that is named", Hostile(linked("link.py", "../outside/victim.py"), (*fix[:2], "link.py"))
    below = (*fix[:2], "pkg/victim.py")
    yield "fix of a file below a linked folder", Hostile(linked("pkg", "../outside"), below)
    comments = ("--add-ignore", "so", ".")
    yield "comments through a link", Hostile(linked("link.py", "../outside/victim.py"), comments)
    yield "lines of a link", Hostile(linked("link.py", "../outside/secret.txt"))
    yield "lines of a link that is named", Hostile(linked("link.py", "../outside/secret.txt"), ("link.py",))
    yield "cells of a link", Hostile(linked("link.ipynb", "../outside/secret.txt"))
    yield (
        "lines on the way",
        Hostile(linked("helper.py", "../outside/victim.py", a_dot_py="import helper\nhelper.main()\n")),
    )
    report = ("-o", "report.txt", ".")
    yield "a report through a link", Hostile(linked("report.txt", "../outside/secret.txt", a_dot_py=HAZARD), report)
    yield "a report to a new file outside", Hostile(linked("report.txt", "../outside/new", a_dot_py=HAZARD), report)
    baseline = ("--write-baseline", "known.json", ".")
    yield "a baseline through a link", Hostile(linked("known.json", "../outside/secret.txt", a_dot_py=HAZARD), baseline)
    known = ("--baseline", "known.json", ".")
    yield "a baseline that is something else", Hostile(linked("known.json", "../outside/secret.txt"), known)
    for name in ("lintpickle.toml", ".lintpickle.toml", "pyproject.toml", ".gitignore", ".ignore"):
        yield f"{name} as a link", Hostile(linked(name, "../outside/secret.toml", a_dot_py=HAZARD))
    yield "catalog outside", Hostile(_settings('catalog = ["../outside/secret.toml"]\n'))
    yield "catalog anywhere", Hostile(_settings('catalog = ["/etc/passwd"]\n'))
    yield "catalog in a home", Hostile(_settings('catalog = ["~/secret.toml"]\n'))
    mine = 'catalog = ["c.toml"]\n'
    yield "catalog as a link", Hostile(linked("c.toml", "../outside/secret.toml", lintpickle_dot_toml=mine))
    yield "extend outside", Hostile(_settings('extend = "../outside/secret.toml"\n'))
    yield "extend anywhere", Hostile(_settings('extend = "/etc/passwd"\n'))
    yield (
        "extend as a link",
        Hostile(linked("c.toml", "../outside/secret.toml", lintpickle_dot_toml='extend = "c.toml"')),
    )
    yield (
        "extend what extends outside",
        Hostile(only("b.toml", 'extend = "../outside/secret.toml"', lintpickle_dot_toml='extend = "b.toml"')),
    )
    yield "src outside", Hostile(_settings('src = ["../outside"]\n'))
    yield "a circle of links", Hostile(linked("a.py", "a.py"))
    yield "a folder in itself", Hostile(linked("pkg/pkg", ".", pkg__a_dot_py=HAZARD))


ENDLESS = (
    "mod.py",
    "stub.pyi",
    "note.ipynb",
    ".gitignore",
    ".ignore",
    ".git/info/exclude",
    "lintpickle.toml",
    "pyproject.toml",
    "catalog.toml",
    "known.json",
    ".venv/pyvenv.cfg",
    f"{SITE}/x.pth",
    f"{SITE}/x-1.0.dist-info/RECORD",
    f"{SITE}/x-1.0.dist-info/METADATA",
    f"{SITE}/x-1.0.dist-info/top_level.txt",
    f"{SITE}/x.py",
)


def _endless() -> Iterator[tuple[str, Hostile]]:
    for name in ENDLESS:
        for kind in ("zero", "pipe", "huge"):
            yield f"{name} without end: {kind}", Hostile(_at(name, kind), _arguments(name))


def _arguments(name: str) -> tuple[str, ...]:
    if name == "known.json":
        return ("--baseline", name, ".")
    return ("--config", 'catalog = ["catalog.toml"]', ".") if name == "catalog.toml" else (".",)


def _at(name: str, kind: str) -> Callable[[Path], None]:
    def build(tree: Path) -> None:
        write(tree, "a.py", "import x\nimport mod\n" + HAZARD)
        if name.startswith(".venv"):
            write(tree, ".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n")
            write(tree, f"{SITE}/x.py", "")
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "zero":
            path.symlink_to("/dev/zero")
        else:
            path.touch()
            os.truncate(path, 3_000_000_000)

    return build


def _patterns() -> Iterator[tuple[str, Hostile]]:
    name = "a" * 200 + ".py"
    stars = "*a" * 30 + "b"
    yield "stars in .gitignore", Hostile(only(name, HAZARD, _dot_gitignore=f"{stars}\n" * 50))
    yield (
        "folders in .gitignore",
        Hostile(only("/".join(["a"] * 100) + "/a.py", HAZARD, _dot_gitignore="**/a/" * 20 + "b\n")),
    )
    for key in ("exclude", "extend-exclude"):
        yield f"stars in {key}", Hostile(only(name, HAZARD, lintpickle_dot_toml=f'{key} = ["{stars}"]\n'))
    table = f'[per-file-ignores]\n"{stars}" = ["LP1"]\n'
    yield "stars in per-file-ignores", Hostile(only(name, HAZARD, lintpickle_dot_toml=table))
    catalog = 'catalog = ["c.toml"]\n'
    for pattern in ("(a+)+$", "(\\\\w+)*x", "(.*)(.*)(.*)(.*)(.*)z", "(?=(a+))\\\\1b"):
        wording = f'[[wording]]\nsince = "3.0"\npattern = "{pattern}"\ntext = "x"\n'
        product = f'[[product]]\ncall = "m.f"\nkind = "lock"\nerror = "{"a" * 5000}!"\n'
        code = "import m\n" + HAZARD.replace("d.keys()", "m.f()")
        build = files(c_dot_toml=wording + product, lintpickle_dot_toml=catalog, a_dot_py=code)
        yield f"wording {pattern}", Hostile(build)
    yield "a pattern without end", Hostile(only(name, HAZARD, _dot_gitignore=" " * 400_000 + "x\n" + "[" * 400_000))


ALL_FORMATS = (
    "concise",
    "full",
    "grouped",
    "github",
    "azure",
    "junit",
    "json",
    "json-lines",
    "sarif",
    "gitlab",
    "rdjson",
)


def _injections() -> Iterator[tuple[str, Hostile]]:
    evil = ESCAPE + "\n" + STOP + "\n" + AZURE
    quoted = evil.replace("\x1b", "\\u001b").replace("\x07", "\\u0007").replace("\n", "\\n")
    for what, text in {
        "key": f'"{quoted}" = 1',
        "selector": f'select = ["{quoted}"]',
        "pattern": f'exclude = ["[{quoted}"]',
        "glob": f'[per-file-ignores]\n"{quoted}" = 1',
        "format": f'output-format = "{quoted}"',
        "version": f'target-version = "{quoted}"',
        "method": f'start-methods = ["{quoted}"]',
        "path": f'extend = "{quoted}"',
        "python": f'python = "{quoted}"',
        "syntax": f"select = {ESCAPE}",
    }.items():
        yield f"injected by a setting: {what}", Hostile(_settings(text))
    shown = f'exclude = ["{quoted}"]'
    yield "injected by settings that are shown", Hostile(_settings(shown), ("--show-settings", "."))
    for what, text in {"table": f'[["{quoted}"]]\nx = 1', "key": f'[[product]]\n"{quoted}" = 1'}.items():
        yield (
            f"injected by a catalog: {what}",
            Hostile(only("c.toml", text, lintpickle_dot_toml='catalog = ["c.toml"]')),
        )
    product = f'[[product]]\ncall = "m.f"\nkind = "lock"\nerror = "{quoted}"\nnote = "{quoted}"\n'
    code = "import m\n" + HAZARD.replace("d.keys()", "m.f()")
    build = files(c_dot_toml=product, lintpickle_dot_toml='catalog = ["c.toml"]', a_dot_py=code)
    for format_ in ALL_FORMATS:
        yield f"injected by an error of a catalog in {format_}", Hostile(build, ("--output-format", format_, "."))
    code = f'"""\n{STOP}\n{AZURE}\n{ESCAPE}\x9b31m\n"""\n' + HAZARD.replace("d.keys()", f"d.keys()  # {ESCAPE}{AZURE}")

    def names(tree: Path) -> None:
        write(tree, f"{STOP}.py", code)
        write(tree, f"{ESCAPE}\n{STOP}\n.py", code)
        write(tree, "\x9b31m\u202e##[error]x.py", code)
        write(tree, f"{STOP}/broken\r{STOP}.py", f"{STOP}\n")
        write(tree, "note\n::error::x.ipynb", "{")

    for format_ in ALL_FORMATS:
        yield f"injected by names in {format_}", Hostile(names, ("--output-format", format_, "."))
    for option in ("--show-files", "--diff", "--statistics", "--verbose", "--profile"):
        yield f"injected by names with {option}", Hostile(names, (option, "."))
    yield "injected by names that are fixed", Hostile(names, ("--fix", "--unsafe-fixes", "--show-fixes", "."))
    yield "injected by names in colour", Hostile(names, ("--color", "always", "."))
    yield "injected by a name that is not there", Hostile(files(), (f"{ESCAPE}\n{STOP}",))
    yield "injected by an option", Hostile(files(), (f"--{ESCAPE}\n{STOP}",))


def _odd() -> Iterator[tuple[str, Hostile]]:
    for codec in (
        "idna",
        "raw_unicode_escape",
        "unicode_escape",
        "punycode",
        "utf_7",
        "rot13",
        "zlib",
        "utf_16",
        "x/../y",
    ):
        yield f"coding {codec}", Hostile(only("a.py", f"# coding: {codec}\nx = '\\ud800 +2AA-'\n".encode()))
    digits, deep = "9" * 5000, "[" * 3000 + "]" * 3000
    yield "a long integer in settings", Hostile(_settings(f"x = {digits}\n"))
    yield "a long float in settings", Hostile(_settings(f"x = {digits}.0e{digits}\n"))
    yield "deep settings", Hostile(_settings(f"x = {deep}\n"))
    keys = ".".join("a" for _ in range(5000))
    yield "deep keys in settings", Hostile(_settings(f"{keys} = 1\n"))
    other = f"[tool.other]\nx = {digits}\ny = {deep}\n"
    for section in ("", "[tool.lintpickle]\nselect = ['LP1']\n", "[project]\nrequires-python = '>=3.10'\n"):
        yield (
            f"deep sections of others beside {section[:16]!r}",
            Hostile(only("pyproject.toml", section + other, a_dot_py=HAZARD)),
        )
    for version in (f">=3.{digits}", f">={digits}", f"3.{digits}", ">=3.10," * 5000 + "<3", "~=3." + "1" * 12):
        text = f"[project]\nrequires-python = '{version}'\n"
        yield f"requires-python {version[:12]}", Hostile(only("pyproject.toml", text, a_dot_py=HAZARD))
        yield f"target-version {version[:12]}", Hostile(_settings(f"target-version = '{version}'\n"))
    cfg = f"home = /usr/bin\nversion = 3.{digits}\nversion_info = {digits}\n"
    yield "a long version of an environment", Hostile(only(".venv/pyvenv.cfg", cfg, a_dot_py=HAZARD))
    for key in ("extend", "python"):
        yield f"{key} of nobody", Hostile(_settings(f'{key} = "~nosuchuser/x"\n'))
        yield f"{key} with a NUL", Hostile(_settings(f'{key} = "a\\u0000b"\n'))
    for key in ("catalog", "src", "exclude"):
        yield f"{key} of nobody", Hostile(_settings(f'{key} = ["~nosuchuser/x"]\n'))
        yield f"{key} with a NUL", Hostile(_settings(f'{key} = ["a\\u0000b"]\n'))
    catalog = 'catalog = ["c.toml"]\n'
    circle = '[[alias]]\nname = "m.f"\nof = "m.g"\n[[alias]]\nname = "m.g"\nof = "m.f"\n'
    code = "import m\n" + HAZARD.replace("d.keys()", "m.f()").replace("DataLoader(", "m.g(")
    yield "aliases in a circle", Hostile(files(c_dot_toml=circle, lintpickle_dot_toml=catalog, a_dot_py=code))
    for text in (r"\\9", r"\\g<x>", r"\\g<1", "\\\\"):
        wording = f'[[wording]]\nsince = "3.0"\npattern = "cannot"\ntext = "{text}"\n'
        yield f"a bad template {text}", Hostile(files(c_dot_toml=wording, lintpickle_dot_toml=catalog, a_dot_py=HAZARD))
    wording = f'[[wording]]\nsince = "3.{digits}"\npattern = "x"\ntext = "x"\n'
    yield (
        "a long version in a catalog",
        Hostile(files(c_dot_toml=wording, lintpickle_dot_toml=catalog, a_dot_py=HAZARD)),
    )
    yield "a deep catalog", Hostile(files(c_dot_toml=f"x = {deep}\n", lintpickle_dot_toml=catalog, a_dot_py=HAZARD))
    yield "a catalog that is no text", Hostile(only("c.toml", b"\xff\0", lintpickle_dot_toml=catalog))
    yield "a deep notebook", Hostile(only("note.ipynb", "[" * 100_000))
    yield "a long integer in a notebook", Hostile(only("note.ipynb", f'{{"cells": [], "x": {digits}}}'))
    yield (
        "a baseline with a long integer",
        Hostile(only("known.json", f'{{"version": {digits}}}'), ("--baseline", "known.json", ".")),
    )
    yield "a deep baseline", Hostile(only("known.json", "[" * 100_000), ("--baseline", "known.json", "."))

    def chain(tree: Path) -> None:
        write(tree, "a.py", HAZARD)
        write(tree, "lintpickle.toml", 'extend = "0.toml"\n')
        for number in range(1500):
            write(tree, f"{number}.toml", f'extend = "{number + 1}.toml"\n')
        write(tree, "1500.toml", "pedantic = true\n")

    def nested(tree: Path) -> None:
        folder = str(tree)
        for _ in range(1500):
            folder += "/d"
            os.mkdir(folder)
        with open(f"{folder}/a.py", "w") as file:
            file.write(HAZARD)

    yield "a chain of settings", Hostile(chain)
    yield "deep folders", Hostile(nested)
    yield "a path with a NUL", Hostile(files(), ("--stdin-filename", "x" * 5000, "-"))
    yield "a long path", Hostile(files(), ("x" * 5000,))


def _shapes() -> Iterator[tuple[str, Hostile]]:
    count = 10_000
    shapes = {
        "and": "x = " + " and ".join(["a"] * count),
        "or": "x = " + " or ".join(["a"] * count),
        "and in a call": "f(" + " and ".join(["a"] * count) + ")",
        "not": "x = " + "not " * 3000 + "a",
        "minus": "x = " + "-" * 3000 + "a",
        "plus": "x = " + "+".join(["a"] * count),
        "power": "x = " + "**".join(["a"] * 3000),
        "compared": "x = " + "<".join(["a"] * count),
        "strings": "x = " + " ".join(['"a"'] * count),
        "f-strings": "x = " + " ".join(['f"{a}"'] * count),
        "attributes": "x = a" + ".a" * count,
        "calls": "x = a" + "()" * count,
        "items": "x = a" + "[0]" * count,
        "conditional": "x = " + "a if b else " * 3000 + "c",
        "lambdas": "x = " + "lambda: " * 3000 + "a",
        "parentheses": "x = " + "(" * 150 + "a" + ")" * 150,
        "lists": "x = " + "[" * 150 + "a" + "]" * 150,
        "elif": "if a: pass\n" + "elif a: pass\n" * count,
        "targets": "x = " + "a = " * count + "b",
        "decorators": "@a\n" * count + "def f(): pass",
        "fors": "x = [a " + "for a in b " * 3000 + "]",
        "ifs": "x = [a for a in b " + "if a " * 3000 + "]",
        "with": "with " + ", ".join(["a"] * count) + ": pass",
        "cases": "match a:\n" + "    case 1: pass\n" * count,
        "alternatives": "match a:\n    case " + " | ".join(["1"] * count) + ": pass",
        "excepts": "try: pass\n" + "except a: pass\n" * count,
        "blocks": "".join(" " * depth + "if a:\n" for depth in range(99)) + " " * 99 + "pass",
        "functions": "".join(" " * depth + "def f():\n" for depth in range(99)) + " " * 99 + "pass",
        "classes": "".join(" " * depth + "class A:\n" for depth in range(99)) + " " * 99 + "pass",
        "statements": "a;" * count + "a",
        "arguments": "f(" + ", ".join(["*a"] * count) + ")",
        "bases": "class A(" + ", ".join(["b"] * count) + "): pass",
        "a long integer": "x = " + "9" * 20_000,
        "a long name": "x" * 1_000_000 + " = 1",
        "backslashes": "x = 1 + \\\n" * 0 + "x = (1 +" + "\n" * 100_000 + " 2)",
        "awaits": "async def f():\n    x = " + "await " * 2000 + "a",
        "mixed": "x = " + " and ".join(["a or b"] * 5000),
        "annotations": "x: " + "a[" * 100 + "b" + "]" * 100 + " = 1",
        "unions": "x: " + " | ".join(["a"] * count) + " = 1",
        "imports": "from a import (" + ", ".join(["b"] * count) + ")",
        "deletes": "del " + ", ".join(["a"] * count),
        "globals": "def f():\n    global " + ", ".join(f"a{number}" for number in range(count)),
    }
    for what, code in shapes.items():
        # Hazards around it, so that it is read in full.
        body = HAZARD.replace("        self.k = d.keys()\n", "        self.k = d.keys()\n") + "\n" + code + "\n"
        inner = "\n".join(f"        {row}" for row in code.split("\n"))
        within = body + HAZARD.replace("class Data", "class More").replace("self.k =", "self.k =") + "\n"
        yield f"many: {what}", Hostile(files(a_dot_py=within, b_dot_py=_in_init(inner)), ("a.py", "b.py"))


def _in_init(rows: str) -> str:
    return HAZARD.replace("        self.k = d.keys()\n", f"        self.k = d.keys()\n{rows}\n")


def _planted() -> Iterator[tuple[str, Hostile]]:
    build = only("a.py", HAZARD, _dot_cache__lintpickle__CACHEDIR_dot_TAG="")
    yield "a cache that the environment leads to", Hostile(build, (".",), (("XDG_CACHE_HOME", "{tree}/.cache"),))
    key = only("data/lintpickle/key", "k" * 32, a_dot_py=HAZARD)
    yield "a key of the repository", Hostile(key, (".",), (("XDG_DATA_HOME", "{tree}/data"),))
    yield "a pipe as the cache", Hostile(_at("pipe", "pipe"), ("--cache-dir", "pipe", "."))


_ALWAYS = (_links, _planted)
_SOMETIMES = (_endless, _patterns, _injections, _odd, _shapes)
_EACH = 5

REPOSITORIES: dict[str, Hostile] = dict(each for family in (*_ALWAYS, *_SOMETIMES) for each in family())
SAMPLE: tuple[str, ...] = (
    *(name for family in _ALWAYS for name, _ in family()),
    *(name for family in _SOMETIMES for name, _ in list(family())[::_EACH]),
)
"""What every test run takes: all that could write or show something outside, and of the others some of each kind."""
