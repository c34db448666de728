"""Which loggers get the records of which, by their names: a handler gets those of the logger that it is added to, and
of all below."""

from __future__ import annotations

import re
from functools import partial

from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.program.module import Module


def gets_records_of(owner: str, module: Module, dependence: Dependence) -> bool | None:
    """Whether a logger, as a module writes it, gets the records of the one that a worker uses; None if that is not
    known."""
    used, _, _ = dependence.written.rpartition(".")
    home = dependence.function.module
    if home is module and owner == used:
        return True
    above, below = name_of_logger(owner, module), name_of_logger(used, home)
    if above == "":
        return True
    if above is None or below is None:
        return None
    return below == above or below.startswith(f"{above}.")


def name_of_logger(written: str, module: Module) -> str | None:
    """The name of a logger that a module writes so, "" for the root; None if it is not known."""
    if written in ("logging", "logging.root"):
        return ""
    return module.remembered(("name of the logger", written), partial(_find_name, written, module))


def _find_name(written: str, module: Module) -> str | None:
    if "getLogger" not in written:
        made = re.compile(rf"^[ \t]*{re.escape(written)}\s*=\s*((?:\w+\.)?getLogger\([^()\n]*\))", re.MULTILINE)
        found = made.findall(module.code)
        written = found[0] if len(set(found)) == 1 else ""
    given = re.fullmatch(r"(?:\w+\.)?getLogger\(\s*(?:['\"]([\w.]*)['\"]|(__name__))?\s*\)", written)
    if given is None:
        return None
    return module.name if given[2] else given[1] or ""
