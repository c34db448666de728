"""What to do about globals that are missing: lines that run before the file is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.saved_files.records import Need, Place, Standing


def cures_of(needs: Sequence[Need]) -> tuple[str, ...]:
    """Lines of Python that let a file load: the names that it asks for lead to where things are now. Only for what is
    in exactly one place."""
    known = [(need, need.elsewhere[0]) for need in needs if need.standing.is_missing and len(need.elsewhere) == 1]
    if not known:
        return ()
    imports = dict.fromkeys(f"import {place.module}" for _, place in known)
    lines = dict.fromkeys(line for need, place in known for line in _lines(need, place))
    uses_sys = any("sys.modules" in line for line in lines)
    uses_types = any("types.ModuleType" in line for line in lines)
    ours = [*(["import sys"] if uses_sys else []), *(["import types"] if uses_types else [])]
    return (*ours, *sorted(imports), *lines)


def _lines(need: Need, place: Place) -> Iterator[str]:
    first = need.name.partition(".")[0]
    match need.standing:
        case Standing.MAIN:
            yield f'sys.modules["{need.module}"].{first} = {place.path}'
        case Standing.GONE:
            yield f"import {need.module}"
            yield f"{need.module}.{first} = {place.path}"
        case _:
            if need.parent:
                yield f"import {need.parent}"
            parts = need.module.split(".")
            for count in range(need.parent.count(".") + 1 if need.parent else 0, len(parts)):
                gone = ".".join(parts[: count + 1])
                yield f'sys.modules.setdefault("{gone}", types.ModuleType("{gone}"))'
            yield f'sys.modules["{need.module}"].{first} = {place.path}'
