"""IPython syntax in notebook cells: what is not Python is masked at equal length, so that positions hold."""

from __future__ import annotations

import re

from lintpickle.diagnostics import Span
from lintpickle.source.layout import read_logical_line
from lintpickle.source.syntax import BrokenSyntax, parse

# Cell magics behind which the cell is still Python that shares its names with the notebook.
_PYTHON_CELL_MAGICS = frozenset(("capture", "debug", "ipytest", "prun", "pypy", "python", "python3", "time", "timeit"))

_AUTOMAGICS = frozenset(  # lines that IPython takes without "%"
    re.findall(
        r"\w+",
        """
        alias alias_magic autoawait autocall automagic bookmark cat cd code_wrap colors conda config cp debug
        dhist dirs doctest_mode edit env gui hist history killbgscripts ldir less lf lk ll load load_ext
        loadpy logoff logon logstart logstate logstop ls lsmagic lx macro magic mamba man matplotlib
        micromamba mkdir more mv notebook page pastebin pdb pdef pdoc pfile pinfo pinfo2 pip popd pprint
        precision prun psearch psource pushd pwd pycat pylab quickref recall rehashx reload_ext rep rerun
        reset reset_selective rm rmdir run save sc set_env store sx system tb time timeit unalias unload_ext
        uv who who_ls whos writefile xdel xmode
        """,
    )
)
_CELL_MAGIC = re.compile(r"^[ \t]*%%(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"""[^\W\d][\w.\[\], *"']*=[ \t]*(?P<magic>[!%].*)""")
_HELP = re.compile(r"[\w.*]+(?:\[[^\]]*\])*\?{1,2}[ \t]*")
_ESCAPES = "%!?,;/"
_INDENT = re.compile(r"[ \t]*")
_ROW = re.compile(r"[^\r\n]*")
_NEWLINE = re.compile(r"\r\n|\r|\n")


def is_python_cell(source: str) -> bool:
    """False for a cell that another language or a tool reads: `%%bash`, or `pip install torch` without its
    `%`.

    IPython takes a magic without `%` only if nothing else stands in the cell, so the first row decides.
    """
    if any(name not in _PYTHON_CELL_MAGICS for name in _CELL_MAGIC.findall(source)):
        return False
    row = source.lstrip().split("\n", 1)[0]
    if not row or row.split()[0] not in _AUTOMAGICS:
        return True
    try:
        parse(row)
    except BrokenSyntax:
        return False
    return True


def mask_magics(source: str) -> str:
    """The cell with its magics, shell escapes and help requests made harmless, code point for code point.

    `%matplotlib inline` becomes `0#################`, `files = !ls` becomes `files = 0##`. A `%` that
    continues an expression on the row above is left alone.
    """
    if not any(mark in source for mark in _ESCAPES):
        return source
    pieces: list[str] = []
    done = offset = 0
    while offset < len(source):
        magic = _magic_at(source, offset)
        if magic is None:
            offset = read_logical_line(source, Span(offset, len(source))).next_offset
            continue
        pieces += source[done : magic.start], _mask(source[magic.start : magic.end])
        done = offset = magic.end
        newline = _NEWLINE.match(source, offset)
        offset = newline.end() if newline else offset
    return "".join(pieces) + source[done:]


def _magic_at(source: str, row_start: int) -> Span | None:
    """The magic on the row that starts a logical line, with the rows that backslashes join to it."""
    indent = _INDENT.match(source, row_start)
    start = indent.end() if indent else row_start
    row_end = _row_end(source, start)
    row = source[start:row_end]
    if row[:1] and row[0] in _ESCAPES:
        return Span(start, _joined_end(source, row_end))
    if _HELP.fullmatch(row):
        return Span(start, row_end)
    assigned = _ASSIGNED.fullmatch(row)
    if assigned is not None:
        return Span(start + assigned.start("magic"), _joined_end(source, row_end))
    return None


def _row_end(source: str, offset: int) -> int:
    match = _ROW.match(source, offset)
    return match.end() if match else offset


def _joined_end(source: str, row_end: int) -> int:
    while source[row_end - 1 : row_end] == "\\" and row_end < len(source):
        row_end = _row_end(source, row_end + (2 if source.startswith("\r\n", row_end) else 1))
    return row_end


def _mask(magic: str) -> str:
    return "0" + re.sub(r"[^\r\n]", "#", magic[1:])
