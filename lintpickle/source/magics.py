"""IPython syntax in notebook cells: everything that is not Python is masked with text of the same length, so that
positions stay valid."""

from __future__ import annotations

import re

from lintpickle.diagnostics import Span
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.source.layout import read_logical_line

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
_ASSIGNED = re.compile(r"(?P<target>[^=!%#;]*[^-+*/%&|^<>=!:@#;])=[ \t]*(?P<magic>[!%].*)")
_HELP = re.compile(r"(?:[^#'\"()\[\]{}]*[ \t=,;])?[\w.*]+(?:\[[^\]]*\])*\?{1,2}[ \t]*")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_ESCAPES = "%!?,;/"
_INDENT = re.compile(r"[ \t]*")
_ROW = re.compile(r"[^\r\n]*")
_INDENTED = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*[ \t]+[^\s#]")
_PROMPTED = re.compile(r"\s*(?:>>>(?: |[\r\n]|$)|In \[\d+\]: )")
_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)|^(?:In \[\d+\]: |[ \t]*\.{3,}: ?)", re.MULTILINE)
_OF_DATABRICKS = re.compile(
    r"%(?:fs|md|md-sandbox|r|scala|sh|sql)(?P<given>[ \t][^\r\n]*)?(?:\r\n|\r|\n)(?P<rest>.*\S.*)", re.DOTALL
)
"""Magics in the first row of a cell by which Databricks chooses the language of the whole cell."""
_FIRST_WORD = re.compile(r"(?:\s*#[^\n]*\n)*\s*(?P<word>[^\s#]+)")
_NEWLINE = re.compile(r"\r\n|\r|\n")


def is_python_cell(source: str) -> bool:
    """False for a cell that another language or a tool reads: `%%bash`, or `pip install torch` without its
    `%`.

    IPython takes a magic without `%` only if nothing else stands in the cell, so the first row that is no comment
    decides.
    """
    if any(name not in _PYTHON_CELL_MAGICS for name in _CELL_MAGIC.findall(source)):
        return False
    elsewhere = _OF_DATABRICKS.match(source)
    if elsewhere is not None and not (elsewhere["given"] and is_python(mask_magics(elsewhere["rest"]))):
        return False
    first = _FIRST_WORD.match(source)
    if first is None or first["word"] not in _AUTOMAGICS:
        return True
    row = source[first.start("word") :].split("\n", 1)[0]
    return is_python(row)


def is_python(text: str) -> bool:
    """Whether a text can be parsed as Python after masking its magics."""
    try:
        parse(text)
    except BrokenSyntax:
        return False
    return True


def is_indented(code: str) -> bool:
    """Whether the code of a masked cell begins with white space, which IPython removes from all of its rows."""
    return _INDENTED.match(code) is not None


def mask_magics(source: str) -> str:
    """The cell with its magics, shell escapes and help requests masked, character for character. `%matplotlib inline`
    becomes `0#################`, `files = !ls` becomes `files = 0##`. A `%` that continues an expression of the row
    above is left alone. Prompts that were copied with the code become spaces. Before rows that are indented, `%%time`
    becomes `if 1:#`."""
    if _PROMPTED.match(source):
        source = _PROMPT.sub(lambda prompt: " " * len(prompt[0]), source)
    if not any(mark in source for mark in _ESCAPES):
        return source
    pieces: list[str] = []
    done = offset = 0
    while offset < len(source):
        magic = _magic_at(source, offset)
        if magic is None:
            offset = read_logical_line(source, Span(offset, len(source))).next_offset
            continue
        done, start = magic.end, done
        pieces += source[start : magic.start], _mask(source, magic)
        offset = done
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
    if row.rstrip().endswith("?") and _HELP.fullmatch(row):
        return Span(start, row_end)
    assigned = _ASSIGNED.fullmatch(row)
    if assigned is not None and _is_balanced(assigned["target"]):
        return Span(start + assigned.start("magic"), _joined_end(source, row_end))
    return None


def _is_balanced(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)


def _row_end(source: str, offset: int) -> int:
    match = _ROW.match(source, offset)
    return match.end() if match else offset


def _joined_end(source: str, row_end: int) -> int:
    while source[row_end - 1 : row_end] == "\\" and row_end < len(source):
        row_end = _row_end(source, row_end + (2 if source.startswith("\r\n", row_end) else 1))
    return row_end


def _mask(source: str, magic: Span) -> str:
    text = source[magic.start : magic.end]
    is_header = text.startswith("%%") and len(text) > len("if 1:") and "\n" not in text
    opening = "if 1:" if is_header and is_indented(source[magic.end :].lstrip("\r\n")) else "0"
    return opening + re.sub(r"[^\r\n]", "#", text[len(opening) :])
