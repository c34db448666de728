"""Files that an import writes as a whole, and that the rest of the program only reads: workers write the same again."""

from __future__ import annotations

import ast
import re

from lintpickle.analyses.at_import.fresh_values import is_fresh
from lintpickle.analyses.at_import.import_statements import CallAtImport
from lintpickle.analyses.at_import.run_statements import block_read
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_READ_BY = re.compile(r"\b(?:open|exists|isfile|is_file|getsize|getmtime|read_\w+)\(\s*$")
_AS_READ = re.compile(
    r"""['"]?\s*(?:,\s*(?:mode\s*=\s*)?['"]r[bt]?['"]|,\s*(?:encoding|newline|errors)\s*=[^,()]+)*\s*\)"""
)
_READ_ITSELF = re.compile(r"\.(?:read_text|read_bytes|exists|is_file|stat)\(")


def is_written_whole(call: CallAtImport, linker: Linker) -> bool:
    """Whether a call opens a file for a `with` that closes it again, among statements that make nothing which is
    another one in each process."""
    block = call.module.outline.block_at(call.span.start)
    tree = block_read(block, call.module).tree if block is not None else ast.Module([], [])
    opened = (item.context_expr for node in within(tree) if isinstance(node, ast.With) for item in node.items)
    if not any(each is call.call for each in opened):
        return False
    calls = (node for node in within(tree) if isinstance(node, ast.Call))
    return not any(is_fresh(each, call.module, linker) for each in calls)


def is_only_read_elsewhere(module: Module, start: int, end: int) -> bool:
    """Whether code that names a file between two offsets opens it for reading, or asks for it."""
    code = module.code
    is_argument = _READ_BY.search(code, max(0, start - 40), start) is not None and _AS_READ.match(code, end) is not None
    return is_argument or _READ_ITSELF.match(code, end) is not None
