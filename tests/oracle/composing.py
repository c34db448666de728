"""From a choice of parts to a program: the text of its files."""

from __future__ import annotations

import ast
import builtins
import hashlib
import random
import re
import symtable
from collections.abc import Iterable
from textwrap import dedent, indent

from msgspec import Struct

from .parts import BOUNDARIES, CARRIERS, HAZARDS, IMPORTS, PLACES, Boundary, Carrier, Hazard, Place
from .twins import TWINS, Twin

ENTRY = "main.py"
SITE_PACKAGES = "env/lib/python3.11/site-packages"
_DATA = {
    "one file": "",
    "two modules": "records.py",
    "star import": "records.py",
    "package": "project/records.py",
    "dependency": f"{SITE_PACKAGES}/rowkit/records.py",
}
_MODULE = {"two modules": "records", "star import": "records", "package": ".records", "dependency": "rowkit.records"}
_NAMES = {"Records": ("Records", "Corpus", "Frames", "Samples"), "kept": ("kept", "reader", "lookup", "backend")}


class Choice(Struct, frozen=True, order=True):
    """Names of parts, one of each kind. An empty `twin` is the hazard itself."""

    hazard: str
    carrier: str
    boundary: str
    place: str
    layout: str
    twin: str = ""
    seed: int = 0

    @property
    def name(self) -> str:
        return "/".join((self.hazard, self.carrier, self.boundary, self.place, self.layout, self.twin, str(self.seed)))


class Program(Struct, frozen=True):
    """The texts of a program's files by their paths, `/` between folders; `main.py` is what is run."""

    choice: Choice
    files: dict[str, str]

    @property
    def digest(self) -> str:
        """The key under which it is known what the program does."""
        content = "\0".join(f"{path}\0{text}" for path, text in sorted(self.files.items()))
        return hashlib.sha256(content.encode()).hexdigest()[:10]


class Parts(Struct, frozen=True):
    """What a choice names."""

    hazard: Hazard
    carrier: Carrier
    boundary: Boundary
    place: Place
    twin: Twin


def parts_of(choice: Choice) -> Parts:
    """Raises KeyError if there is no part of that name."""
    return Parts(
        HAZARDS[choice.hazard],
        CARRIERS[choice.carrier],
        BOUNDARIES[choice.boundary],
        PLACES[choice.place],
        TWINS[choice.twin],
    )


def fits(choice: Choice) -> bool:
    """Whether the parts can be put together to a program that makes sense."""
    parts = parts_of(choice)
    carrier, boundary, place = parts.carrier, parts.boundary, parts.place
    return (
        boundary.takes in _TAKEN_BY[carrier.shape]
        and not (boundary.base and carrier.shape != "value" and "Base" not in carrier.code)
        and not (carrier.shape == "dataset" and boundary.base != "Dataset")
        and not (carrier.plain and boundary.base in ("multiprocessing.Process", "torch.nn.Module"))
        and not (boundary.makes_inside and "OBJECT" in place.code)
        and not ("OBJECT" not in boundary.ships and "OBJECT" in place.code)
        and not (parts.hazard.inside == "method" and not _value_in_method(carrier))
        and parts.twin.fits(parts.hazard, carrier, boundary, place)
    )


_TAKEN_BY = {
    "class": ("dataset", "object", "callable", "any"),
    "dataset": ("dataset",),
    "function": ("callable", "any"),
    "value": ("any",),
}


def _value_in_method(carrier: Carrier) -> bool:
    for function in ast.walk(ast.parse(carrier.code)):
        if isinstance(function, ast.FunctionDef) and any(
            isinstance(node, ast.Name) and node.id == "VALUE" for node in ast.walk(function)
        ):
            return [argument.arg for argument in function.args.args][:1] == ["self"]
    return False


def compose(choice: Choice) -> Program:
    """The program for a choice that fits."""
    parts = parts_of(choice)
    data, main = _data(parts), _main(parts)
    files = _laid_out(data, main, choice.layout)
    return Program(choice, {path: _renamed(text, choice) for path, text in files.items()})


def _data(parts: Parts) -> str:
    hazard, twin = parts.hazard, parts.twin
    value, before = (hazard.fine, hazard.fine_before) if twin.value == "fine" else (hazard.value, hazard.before)
    late = _assigned_late(parts) if twin.late else ""
    methods = "\n\n".join(filter(None, [parts.boundary.methods.strip(), twin.methods(parts.carrier)]))
    code = _filled(parts.carrier.code, {"METHODS": _filled(methods, {"WORK": late})})
    if twin.late:
        value, before = "None", ""
    code = _with_base(_filled(code, {"BEFORE": before, "VALUE": value}), parts.boundary.base)
    plain = (
        _with_base(
            _filled(_PLAIN, {"METHODS": _filled(parts.boundary.methods.strip(), {"WORK": ""})}), parts.boundary.base
        )
        if twin.plain
        else ""
    )
    return "\n\n\n".join(filter(None, [hazard.module.strip(), code.strip(), plain.strip()]))


_PLAIN = """
class Plain(Base):
    def __init__(self):
        super().__init__()
        self.limit = 4
    METHODS
"""


def _assigned_late(parts: Parts) -> str:
    return f"{parts.hazard.before.strip()}\nself.{parts.carrier.attribute} = {parts.hazard.value}".strip()


def _main(parts: Parts) -> str:
    carrier, boundary, place, twin, hazard = parts.carrier, parts.boundary, parts.place, parts.twin, parts.hazard
    value, before = (hazard.fine, hazard.fine_before) if twin.value == "fine" else (hazard.value, hazard.before)
    if twin.late:
        value, before = "None", ""
    steps = _filled(carrier.steps.strip(), {"BEFORE": before, "VALUE": value})
    made = carrier.makes
    here = place.named or made
    ships = twin.around(boundary.ships.strip(), here, carrier)
    ships = ships.replace("WORKERS", twin.workers)
    if twin.plain == "shipped":
        shipped = "Plain()"
        ships = f"print(type({here}).__name__)\n{ships}"
    else:
        shipped = here
    if not place.named and steps:
        ships = f"{steps}\n{ships}"
    module = boundary.module.strip()
    if "OBJECT" in module:
        module = _stepped(module, "OBJECT", steps)
        ships = boundary.ships.strip()
    ships = ships.replace("OBJECT", shipped)
    module = module.replace("OBJECT", shipped if not place.named else made)
    code = _stepped(place.code.strip(), "OBJECT", steps) if place.named else place.code.strip()
    code = _filled(code.replace("OBJECT", made), {"SHIPS": ships})
    guarded = _filled(f'if __name__ == "__main__":\n    {place.guarded}', {"SHIPS": ships})
    return "\n\n\n".join(filter(None, [twin.module, module, code, guarded]))


def _stepped(text: str, hole: str, steps: str) -> str:
    """`text` with `steps` before the line that has the hole, as deep as that."""
    if not steps:
        return text
    lines = []
    for line in text.splitlines():
        if hole in line:
            lines.append(indent(steps, line[: len(line) - len(line.lstrip())]))
        lines.append(line)
    return "\n".join(lines)


def _filled(text: str, holes: dict[str, str]) -> str:
    """`text` with what stands in for the holes; a hole that has a line of its own takes as many lines as are needed."""
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        hole = line.strip()
        if hole not in holes or hole == "VALUE":
            lines.append(re.sub(r"\bVALUE\b", lambda _: holes["VALUE"], line) if "VALUE" in holes else line)
            continue
        content = dedent(holes[hole]).strip("\n")
        depth = line[: len(line) - len(line.lstrip())]
        if hole == "METHODS" and content:
            if lines and not lines[-1].rstrip().endswith(":"):
                lines.append("")
            lines.append(indent(content, depth))
        elif content:
            lines.append(indent(content, depth))
        elif lines and lines[-1].rstrip().endswith(":") and hole != "BEFORE":
            lines.append(f"{depth}pass")
    text = "\n".join(lines)
    return re.sub(r"\n{4,}", "\n\n\n", text)


def _with_base(code: str, base: str) -> str:
    if base:
        return re.sub(r"\bBase\b", base, code)
    return code.replace("(Base)", "").replace("(Base, ", "(").replace(", Base)", ")")


def _laid_out(data: str, main: str, layout: str) -> dict[str, str]:
    if layout == "one file":
        return {ENTRY: _with_imports(f"{data}\n\n\n{main}")}
    needed = sorted(_free(main) & _bound(data))
    names = "*" if layout == "star import" else ", ".join(needed)
    body = _with_imports(main, own=f"from {_MODULE[layout]} import {names}", known=needed)
    files = {_DATA[layout]: _with_imports(data)}
    if layout == "package":
        body = body.replace('if __name__ == "__main__":', "def start():")
        files["project/__init__.py"] = ""
        files["project/train.py"] = body
        files[ENTRY] = 'from project.train import start\n\nif __name__ == "__main__":\n    start()\n'
        return files
    if layout == "dependency":
        files[f"{SITE_PACKAGES}/rowkit/__init__.py"] = ""
        files["env/pyvenv.cfg"] = "home = /nowhere/bin\nversion = 3.11.7\n"
    files[ENTRY] = body
    return files


def _with_imports(code: str, own: str = "", known: Iterable[str] = ()) -> str:
    """`code` after the imports that it needs."""
    free = _free(code) - set(known) - set(dir(builtins)) - {"__file__", "__name__"}
    lines = sorted({IMPORTS[name] for name in free}, key=lambda line: (line.startswith("from"), line))
    return "\n".join(filter(None, [*lines, own])) + "\n\n\n" + code.strip() + "\n"


def _free(code: str) -> set[str]:
    """The names that `code` reads and does not define at its top level."""
    table = symtable.symtable(code, "code", "exec")
    tables, names = [table], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        names |= {each.get_name() for each in table.get_symbols() if each.is_global() and each.is_referenced()}
        if table.get_type() == "module":
            names |= {each.get_name() for each in table.get_symbols() if each.is_referenced()}
    return names - _bound(code)


def _bound(code: str) -> set[str]:
    symbols = symtable.symtable(code, "code", "exec").get_symbols()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def _renamed(text: str, choice: Choice) -> str:
    picked = random.Random(f"{choice.hazard} {choice.carrier} {choice.boundary} {choice.seed}")
    for name, names in _NAMES.items():
        text = text.replace(name, picked.choice(names))
    return text
