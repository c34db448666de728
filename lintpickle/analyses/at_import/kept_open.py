"""Files that the import of a module opens and keeps open, as for a lock that ends when they are closed."""

from __future__ import annotations

import ast
import re

from lintpickle.analyses.at_import.import_statements import CallAtImport
from lintpickle.parsing.syntax import dotted

_FREED = re.compile(r"\bLOCK_UN\b|\bF_UNLCK\b")
_NUMBER = ".fileno"


def is_kept_open(call: CallAtImport) -> bool:
    """Whether the first argument of a call at import is a file that stays open and locked as far as the module says: it
    stands under a name of the module or in an object, or the function that locks it gives it back."""
    given = call.call.args[0] if call.call.args else None
    if isinstance(given, ast.Call):
        written = dotted(given.func).removesuffix(_NUMBER)
    else:
        written = dotted(given) if given is not None else ""
    module = call.module
    if not written or _FREED.search(module.code):
        return False
    name = re.escape(written)
    if re.search(rf"(?<![\w.]){name}\.close\(|\bclose\(\s*{name}\s*\)|\bas\s+{name}\s*[:,)]", module.code):
        return False
    if "." in written or module.outline.binding(written):
        return True
    block = module.code[call.block.start : call.block.end]
    return re.search(rf"\breturn\s+{name}\b|=\s*{name}\s*$|\.append\(\s*{name}\s*\)", block, re.MULTILINE) is not None
