"""What functions of the standard library give that are texts, or hold nothing but texts, whatever they are given."""

from __future__ import annotations

from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame
from lintpickle.payload.linker import Linker

_URL_PARTS = frozenset({"scheme", "netloc", "path", "params", "query", "fragment", "hostname"})
_PATH_PARTS = frozenset({"name", "stem", "suffix", "anchor", "drive"})
_PARTS = {
    **dict.fromkeys(("urllib.parse.urlsplit", "urllib.parse.urlparse"), _URL_PARTS),
    **dict.fromkeys(("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PosixPath"), _PATH_PARTS),
}
"""The attributes that are texts of what a function or class makes."""
_ITSELF = frozenset({"parent", "absolute", "resolve", "expanduser", "with_suffix", "with_name", "joinpath"})
"""What a path has or gives that is a path again."""
_TEXT_MAKERS = frozenset(
    {f"builtins.{name}" for name in ("str", "repr", "ascii", "format", "bytes", "chr", "hex", "oct", "bin", "input")}
    | {f"os.path.{name}" for name in ("abspath", "basename", "dirname", "join", "normpath", "realpath", "relpath")}
    | {"os.path.expanduser", "os.fspath", "os.fsdecode", "os.fsencode", "os.getcwd", "os.getenv", "json.dumps"}
    | {"re.sub", "re.escape", "urllib.parse.quote", "urllib.parse.unquote", "urllib.parse.urljoin"}
    | {"urllib.parse.urlunsplit", "urllib.parse.urlencode", "socket.gethostname", "platform.node"}
)
"""What gives a text, or bytes."""
_OF_TEXTS = frozenset({"os.listdir", "glob.glob", "glob.iglob", "os.path.split", "os.path.splitext", "shlex.split"})
"""What gives several texts, and nothing else."""
_MATCHING = frozenset({"re.match", "re.search", "re.fullmatch"})
_OF_MATCH = frozenset({"group"})
_OF_GROUPS = frozenset({"groups"})
_JSON = frozenset({"json.load", "json.loads"})


def is_made_text(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression is what the standard library gives that is a text or bytes: a call, or a part of what one
    gives (`urlsplit(url).netloc`, `match(pattern, line)[1]`)."""
    match value:
        case Call(function=Attribute(base=base, name=name)) if name in _OF_MATCH:
            return _is_of(base, _MATCHING, frame, linker)
        case Call():
            return _is_of(value, _TEXT_MAKERS, frame, linker)
        case Attribute(base=base, name=name):
            path = _maker(base, frame, linker)
            return name in _PARTS.get(path or "", ())
        case Item(base=base, key=Constant(value=int())):
            return _is_of(base, _MATCHING, frame, linker) or holds_made_texts(base, frame, linker)
        case _:
            return False


def holds_made_texts(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression is what the standard library gives that holds nothing but texts: a list of them, or a
    document of JSON of which the keys are gone through."""
    match without_narrowing(value):
        case Call(function=Attribute(base=base, name=name)) if name in _OF_GROUPS:
            return _is_of(base, _MATCHING, frame, linker)
        case Call(function=Attribute(base=base, name="keys"), arguments=()):
            return _is_of(base, _JSON, frame, linker)
        case Call() as call:
            return _is_of(call, _OF_TEXTS, frame, linker)
        case _:
            return False


def _is_of(value: Expr, paths: frozenset[str], frame: Frame, linker: Linker) -> bool:
    """Whether a value is what one of some functions gives."""
    inner = without_narrowing(value)
    if not isinstance(inner, Call):
        return False
    called = [traced.value for traced in linker.evaluate(inner.function, frame)]
    return bool(called) and all(isinstance(each, ExternalValue) and each.path in paths for each in called)


def _maker(value: Expr, frame: Frame, linker: Linker) -> str | None:
    """The path of what makes a value; of a path that is made of another one, that of the first."""
    match without_narrowing(value):
        case Attribute(base=base, name=name) | Call(function=Attribute(base=base, name=name)) if name in _ITSELF:
            return _maker(base, frame, linker)
        case Call(function=function):
            called = [traced.value for traced in linker.evaluate(function, frame)]
            paths = {each.path if isinstance(each, ExternalValue) else None for each in called}
            return paths.pop() if len(paths) == 1 else None
        case _:
            return None
