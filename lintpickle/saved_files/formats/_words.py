"""Sentences that several formats share."""

from __future__ import annotations

from lintpickle.report.summary import plural
from lintpickle.saved_files.records import Inspection, Need, PickledPart, Standing, TorchVerdict

SCANNER = (
    "do not load it unless you trust who wrote it; lintpickle is no scanner: look at it with one, such as picklescan, "
    "modelscan or fickling"
)
_RULES = {Standing.MAIN: "LP502"}
REFUSED_RULE = "LP503"
LOADS, REFUSED, UNSURE = "loads", "refused", "cannot be told"


def size_of(count: int) -> str:
    """A size for people."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return plural(count, "byte")


def headline(found: Inspection) -> str:
    """What a file is, in a few words."""
    kind = found.contents.kind or "unknown file"
    return f"{kind}, {size_of(found.size)}"


def part_line(part: PickledPart) -> str:
    """One pickle: where it is, its protocol and its size."""
    facts = part.facts
    where = f"{part.member} ({part.role})" if part.member else f"{part.role} at byte {facts.offset:,}"
    said = [f"protocol {facts.protocol}", plural(facts.count, "opcode"), size_of(facts.size)]
    if facts.frames:
        said.insert(1, plural(facts.frames, "frame"))
    if facts.arrays:
        said.append(plural(facts.arrays, "array") + " between the opcodes")
    said += [f"{plural(count, 'persistent id')} ({kind})" for kind, count in facts.persistent.items()]
    return f"{where}: {', '.join(said)}"


def trouble(found: Inspection) -> list[str]:
    """What could not be read, with where."""
    said = list(found.contents.problems)
    for part in found.contents.parts:
        where = f"{part.member}: " if part.member else ""
        if part.facts.problem is not None:
            said.append(f"{where}{part.facts.problem}; what comes before is listed")
        if part.facts.cut is not None:
            said.append(f"{where}{part.facts.cut}; only what comes before is listed")
    return said


def remarks(found: Inspection) -> list[str]:
    """What a reader should know besides."""
    said = list(found.contents.notes)
    for part in found.contents.parts:
        for code in part.facts.extensions:
            said.append(f"extension code {code}: what it stands for, the program has to say with copyreg.add_extension")
        if part.facts.unnamed:
            said.append(
                f"{plural(part.facts.unnamed, 'global')} whose name is made while loading, or too far back: not listed"
            )
    if any(need.path == "torch.storage._load_from_bytes" for need in found.needs):
        said.append(
            "each tensor in it is a file of torch by itself, read with weights_only=False; those are not listed"
        )
    return said


def times(count: int) -> str:
    """How often, where that is worth a word."""
    return f"x{count:,}" if count != 1 else ""


def explanation(need: Need) -> list[str]:
    """Why something is missing, and what that means."""
    if need.standing is Standing.MAIN:
        said = [
            f"it was defined in the script that wrote the file, so only a program whose own script defines {need.name} "
            "can load it",
            f"others say `AttributeError: Can't get attribute '{need.name}' on <module '__main__'>`",
        ]
    elif need.standing is Standing.GONE:
        said = [f"{need.why}: `AttributeError: Can't get attribute '{need.name}'`"]
    else:
        said = [f"{need.why}: `ModuleNotFoundError: No module named '{_first_missing(need)}'`"]
    rule = _RULES.get(need.standing)
    if rule is not None:
        said.append(f"`lintpickle rule {rule}` says how such files come about")
    return said


def _first_missing(need: Need) -> str:
    parts = need.module.split(".")
    return ".".join(parts[: need.parent.count(".") + 2 if need.parent else 1])


def outcome_of(verdict: TorchVerdict) -> str:
    """What a torch does, in a word or two."""
    if verdict.loads is None:
        return UNSURE
    return LOADS if verdict.loads else REFUSED


def closing(inspections: list[Inspection]) -> str:
    """The last line: how many files, and what is wrong with them."""
    missing = sum(len(each.missing) for each in inspections)
    unread = sum(not each.is_whole for each in inspections)
    marked = sum(len(each.dangers) for each in inspections)
    said = [f"{missing} missing"]
    if unread:
        said.append(f"{plural(unread, 'file')} not read to the end")
    if marked:
        said.append(f"{marked} that can run code")
    return f"{plural(len(inspections), 'file')}: {', '.join(said)}."
