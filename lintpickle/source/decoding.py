"""From bytes to text by PEP 263: byte order mark, coding cookie, and errors."""

from __future__ import annotations

import codecs
import re
from encodings import normalize_encoding
from encodings.aliases import aliases

from msgspec import Struct


class UnreadableSource(Exception):
    """A file that cannot be decoded. `row` and `column` are 1-based; `reason` is one sentence without a full stop. The
    user's command is not wrong: callers report a diagnostic of that file and go on."""

    def __init__(self, path: str, row: int, column: int, reason: str) -> None:
        super().__init__(f"{path}:{row}:{column}: {reason}")
        self.path = path
        self.row = row
        self.column = column
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.path, self.row, self.column, self.reason), self.__dict__)


class Decoded(Struct, frozen=True):
    """Text without its byte order mark, newlines as they are, and what is needed to encode it again."""

    text: str
    encoding: str
    bom: bytes


_ROWS = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_EDITOR_SUFFIX = re.compile(r"^(utf-8|latin-1|iso-8859-1|iso-latin-1)-.*")  # Emacs writes "utf-8-unix"
_NO_CODE = re.compile(rb"[ \t\f]*(?:#.*)?")
_CODECS = re.compile(
    r"ascii|big5(?:hkscs)?|cp(?:437|7\d\d|8[56]\d|874|9\d\d|1006|1125|125\d)|euc_\w+|gb\w+|hp_roman8|hz|iso2022_\w+|"
    r"iso8859_\d+|johab|koi8_\w|kz1048|latin_1|mac_\w+|ptcp154|shift_jis\w*|tis_620|utf_7|utf_8(?:_sig)?"
)
"""The text encodings that are accepted. Python's other codecs are not used for files, or are unsafe."""
_WIDE_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


def decode_python(raw: bytes, path: str) -> Decoded:
    """Decode Python source as Python does. Raises `UnreadableSource`."""
    if raw.startswith(_WIDE_BOMS):
        raise UnreadableSource(path, 1, 1, "the file is UTF-16 or UTF-32, which Python cannot read; save it as UTF-8")
    bom = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    body = raw[len(bom) :]
    cookie, row = coding_cookie(body)
    encoding = _encoding(cookie, path, row)
    if bom and encoding != "utf-8":
        reason = f"the file starts with a UTF-8 byte order mark but declares the encoding {cookie!r}"
        raise UnreadableSource(path, row, 1, reason)
    return Decoded(_decode(body, encoding, path), encoding, bom)


def decode_json(raw: bytes, path: str) -> Decoded:
    """Decode a notebook, which is UTF-8. Raises `UnreadableSource`."""
    bom = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    return Decoded(_decode(raw[len(bom) :], "utf-8", path), "utf-8", bom)


def coding_cookie(body: bytes) -> tuple[str | None, int]:
    """The encoding that the first or second row declares, as written, or None; and that row's number."""
    offset = 0
    for row in (1, 2):
        line = _ROWS.match(body, offset)
        if line is None:
            break
        cookie = _COOKIE.match(line[1])
        if cookie is not None:
            return cookie[1].decode("ascii"), row
        if not _NO_CODE.fullmatch(line[1]):
            break
        offset = line.end()
    return None, 1


def codec_name(cookie: str | None) -> str | None:
    """Python's name of a text encoding ("utf-8" if nothing is declared); None if it is not accepted."""
    if cookie is None:
        return "utf-8"
    plain = normalize_encoding(_EDITOR_SUFFIX.sub(r"\1", cookie.lower().replace("_", "-"))).lower()
    module = aliases.get(plain, plain)
    if not _CODECS.fullmatch(module):
        return None
    try:
        return codecs.lookup(module).name
    except LookupError:
        return None


def _encoding(cookie: str | None, path: str, row: int) -> str:
    encoding = codec_name(cookie)
    if encoding is None:
        raise UnreadableSource(path, row, 1, f"the file declares the unknown encoding {cookie!r}")
    return encoding


def _decode(body: bytes, encoding: str, path: str) -> str:
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        row, column = _end_position(body[: error.start].decode(encoding, errors="replace"))
        what = f"byte 0x{body[error.start]:02x}" if error.start < len(body) else "the end of the file"
        reason = f"{what} is not valid {encoding} (position {error.start}); save the file as UTF-8"
        raise UnreadableSource(path, row, column, reason) from None
    except UnicodeError as error:
        raise UnreadableSource(path, 1, 1, f"the file is not valid {encoding}: {error}") from None
    if encoding != "utf-8":
        _refuse_surrogates(text, encoding, path)
    nul = text.find("\0")
    if nul >= 0:
        row, column = _end_position(text[:nul])
        raise UnreadableSource(path, row, column, "the file holds a NUL byte, which Python does not accept")
    return text


def _refuse_surrogates(text: str, encoding: str, path: str) -> None:
    """Raise `UnreadableSource` for lone surrogates, which some codecs decode and no text can contain."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        row, column = _end_position(text[: error.start])
        reason = f"{text[error.start]!a}, as {encoding} reads it, is half a character; save the file as UTF-8"
        raise UnreadableSource(path, row, column, reason) from None


def _end_position(text: str) -> tuple[int, int]:
    """The 1-based row and column behind a text."""
    rows = re.split(r"\r\n|\r|\n", text)
    return len(rows), len(rows[-1]) + 1
