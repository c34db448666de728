"""The packages of lintpickle and what they import from each other, read from the source: a table and a picture for
`docs/architecture.md`.

python -m tools.generate writes both with everything else that is generated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from lintpickle import limits

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "lintpickle"
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "pictures" / "packages.svg"

_TABLE = re.compile(r"(<!-- packages:start -->\n).*?(<!-- packages:end -->)", re.DOTALL)
_LIMITS = re.compile(r"(<!-- limits:start -->\n).*?(<!-- limits:end -->)", re.DOTALL)
_FRONT_ENDS = ("cli", "commands", "server", "integrations")

WIDTH, HEIGHT, GAP, LEFT, TOP = 180, 26, 16, 20, 20
"""Pixels: of a box, between boxes, and around them."""
STEP = 13
"""Pixels by which an arrow that spans one more box swings out further."""


@dataclass(frozen=True)
class Package:
    """A package, or (`is_file`) a top-level module that is one by itself, and what it imports from."""

    name: str
    purpose: str
    is_file: bool
    imports: frozenset[str]


def packages() -> list[Package]:
    """All packages, each behind those that it imports.

    Raises ValueError if there is a circle.
    """
    found = {path.stem: path for path in sorted((ROOT / PACKAGE).iterdir()) if _is_package(path)}
    read = {name: _read(name, path, frozenset(found)) for name, path in found.items()}
    return list(_ordered(read))


def _is_package(path: Path) -> bool:
    if path.is_dir():
        return (path / "__init__.py").is_file()
    return path.suffix == ".py" and path.stem not in ("__init__", "__main__")


def _read(name: str, path: Path, known: frozenset[str]) -> Package:
    files = [path / "__init__.py", *sorted(path.rglob("*.py"))] if path.is_dir() else [path]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    text = (ast.get_docstring(trees[0]) or "").split("\n\n")[0].replace("\n", " ")
    imports = frozenset(target for tree in trees for target in _imported(tree)) & known - {name}
    return Package(name, text.split(". ")[0].removesuffix(".") + ".", path.is_file(), imports)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The package of every name that is imported from lintpickle, wherever the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            first, _, rest = node.module.partition(".")
            if first == PACKAGE:
                yield from (rest.split(".")[0] or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith(f"{PACKAGE}."))


def _ordered(read: Mapping[str, Package]) -> Iterator[Package]:
    """The lowest first; of those that may come next, the one that is named first in the alphabet."""
    left = dict(read)
    while left:
        name = next((name for name, package in left.items() if left.keys().isdisjoint(package.imports)), None)
        if name is None:
            raise ValueError(f"packages that import each other: {', '.join(left)}")
        yield left.pop(name)


def table(found: list[Package]) -> str:
    """The packages from the front ends down to what knows nothing of the others."""
    rows = ["| package | what it is for |", "| --- | --- |"]
    rows += [f"| `{package.name}` | {package.purpose} |" for package in reversed(found)]
    return "\n".join(rows)


def limits_table() -> str:
    """All limits on following code, and the modules that keep them."""
    code = {
        ".".join(path.relative_to(ROOT / PACKAGE).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
    }
    constants = {limit.name: name for name, limit in vars(limits).items() if isinstance(limit, limits.Limit)}
    rows = ["| limit | at most | of | kept by |", "| --- | ---: | --- | --- |"]
    for limit in limits.LIMITS.values():
        asked = re.compile(rf"\b{constants[limit.name]}\.most\b")
        homes = ", ".join(f"`{module}`" for module, text in code.items() if asked.search(text))
        minor = " (minor)" if limit.minor else ""
        rows.append(f"| `{limit.name}`{minor} | {limit.most:,} | {limit.counts} | {homes} |")
    return "\n".join(rows)


def picture(found: list[Package]) -> str:
    """The packages in a column, the front ends on top, with an arrow for each import that does not follow from
    others."""
    shown = [package for package in reversed(found) if not package.is_file]
    rows = {package.name: index for index, package in enumerate(shown)}
    arrows = sorted(_needed({package.name: _among(package, rows) for package in shown}))
    longest = max((rows[to] - rows[start] for start, to in arrows), default=1)
    width = LEFT + WIDTH + (longest + 1) * STEP + LEFT
    height = TOP * 2 + len(shown) * (HEIGHT + GAP) - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="ui-monospace, monospace" font-size="13">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_box(package, rows[package.name]) for package in shown),
        *(_arrow(rows[start], rows[to]) for start, to in arrows),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _among(package: Package, rows: Mapping[str, int]) -> frozenset[str]:
    return package.imports & rows.keys()


def _needed(imports: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """The imports that are not also found by way of another one: the transitive reduction."""
    for start, direct in imports.items():
        farther = {name for middle in direct for name in _reached(middle, imports)}
        yield from ((start, to) for to in direct - farther)


def _reached(start: str, imports: Mapping[str, frozenset[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [*imports[start]]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(imports[name])
    return found


def _box(package: Package, row: int) -> str:
    y = TOP + row * (HEIGHT + GAP)
    fill = "#ddf4ff" if package.name in _FRONT_ENDS else "#f6f8fa"
    return (
        f'<g><title>{escape(package.purpose)}</title><rect x="{LEFT}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"'
        f' fill="{fill}" stroke="#d0d7de"/><text x="{LEFT + 12}" y="{y + 18}" fill="#1f2328">{package.name}</text></g>'
    )


def _arrow(start: int, to: int) -> str:
    x = LEFT + WIDTH
    y1, y2 = (TOP + row * (HEIGHT + GAP) + HEIGHT / 2 for row in (start, to))
    out = x + (to - start + 1) * STEP
    path = f"M{x} {y1 + 4} C{out} {y1 + 8} {out} {y2 - 8} {x + 2} {y2 - 3}"
    return f'<path d="{path}" fill="none" stroke="#57606a" marker-end="url(#tip)"/>'


def architecture() -> dict[Path, str]:
    """The page with its tables, and the picture."""
    found = packages()
    text, count = _TABLE.subn(
        lambda match: f"{match[1]}\n{table(found)}\n\n{match[2]}", PAGE.read_text(encoding="utf-8")
    )
    text, limits_count = _LIMITS.subn(lambda match: f"{match[1]}\n{limits_table()}\n\n{match[2]}", text)
    if (count, limits_count) != (1, 1):
        raise ValueError(f"{PAGE.name} needs one place for the packages, and one for the limits")
    return {PAGE: text, PICTURE: picture(found)}
