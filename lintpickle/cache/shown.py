"""Whether a stored output is one that escaping (`lintpickle.escaping`) would not change, and so steers no terminal and
no CI system.

Told without regular expressions, which take longer to load than an answer to give. A test compares it with escaping.
"""

_STEERING = "".join(
    map(
        chr,
        (
            *(set(range(0x20)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1B}),
            *range(0x7F, 0xA0),
            *(0x061C, 0x200E, 0x200F, 0x2028, 0x2029),
            *range(0x202A, 0x202F),
            *range(0x2066, 0x206A),
        ),
    )
)
_COLOURS = frozenset(("0", "1", "2", "31", "32", "33", "34", "36"))
_ISSUES = ("task.logissue type=error;sourcepath=", "task.logissue type=warning;sourcepath=")
_ANNOTATIONS = ("::error title=lintpickle ", "::warning title=lintpickle ")


def is_harmless(text: str) -> bool:
    """Whether a text has no control characters but those of rows, our colours and links, none that turn the writing
    direction, and no workflow commands but the annotations that lintpickle writes for findings."""
    if any(char in text for char in _STEERING) or text.count("\r") != text.count("\r\n"):
        return False
    if "\x1b" in text and not _only_colours_and_links(text):
        return False
    if "##[" in text or any(not rest.startswith(_ISSUES) for rest in text.split("##vso[")[1:]):
        return False
    return "::" not in text or not any(map(_is_command, text.split("\n")))


def _only_colours_and_links(text: str) -> bool:
    in_link = False
    for piece in text.split("\x1b")[1:]:
        if in_link:
            if not piece.startswith("\\"):
                return False
            in_link = False
        elif piece.startswith("]8;;"):
            in_link = True
            if not _is_link(piece[4:]):
                return False
        elif not piece.startswith("[") or "m" not in piece or not _COLOURS.issuperset(_codes(piece)):
            return False
    return not in_link


def _codes(piece: str) -> list[str]:
    return piece[1 : piece.find("m")].split(";")


def _is_link(target: str) -> bool:
    if not target:
        return True
    from lintpickle.addresses import SITE

    return target.startswith(("file://", f"{SITE}/")) and all("!" <= char <= "~" for char in target)


def _is_command(row: str) -> bool:
    """Whether a row is a command that GitHub would obey, behind colours and spaces too."""
    while True:
        row = row.lstrip()
        if not row.startswith("\x1b["):
            break
        row = row[row.find("m") + 1 :]
    return row.startswith("::") and "::" in row[2:] and not row.startswith(_ANNOTATIONS)
