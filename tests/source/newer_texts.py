"""Files in the syntax of Python 3.11 to 3.15 as people write it, by what is new in them."""

from __future__ import annotations

TEXTS = {
    "alias in a block, over rows": """\
if TYPE_CHECKING:
    type Entry = tuple[
        str,
        tuple[Targets, None],
    ]
    # Used by others
    type Real = tuple[

        str,  # one
        list[Entry],
    ]
""",
    "alias nested deep": """\
def outer():
    class Inner:
        def method(self):
            type Local[
                T: (int, str) = int,

                *Ts = *tuple[int, ...],
                **P = [int],
            ] = dict[
                T,
                Callable[P, tuple[*Ts]],
            ]
            return Local
    return Inner
""",
    "alias behind a semicolon": """\
a = 1; type X = int; b = 2; type Y[T] = list[

    T,
]; c = 3
""",
    "alias in one line of a block": """\
if a: type X = int; b = 1
else: type X = str
""",
    "alias in parentheses": """\
type X = (
    int

    | str  # é
)
""",
    "alias with a continued row": """\
type X \\
    = int | \\
    str
""",
    "alias in a class": """\
class A:
    type Key = str
    type Row = dict[
        Key,
        'A',
    ]
    x: Row = {}
""",
    "alias in other blocks": """\
try:
    type X = int
except E:
    type X = str
else:
    type Y = X
for a in b:
    type Z = [
        a
    ]
with c: type W = a
""",
    "alias with tabs": """\
if a:
	type X = dict[
		int,
		str,
	]
""",
    "alias of a lambda": """\
type X = lambda a: a
""",
    "type as a name": """\
type = 1
type.x = 2
print(type, type(3))
type: int = 4
type, x = 1, 2
match type:
    case type: pass
""",
    "soft keywords": """\
match = case = type = lazy = 1
match (a)
match[a] = 1
""",
    "generic class over rows": """\
class Node[
    Key: Hashable,

    Value = None,
](
    Base[Key],
    metaclass=Meta,
):
    class Inner[T]: x: T
    def method[
        S: (int, str),
    ](
        self, x: S,
    ) -> S: return x
    async def later[*Ts, **P](self, *args: *Ts): ...
    @decorated
    def other[T = int](self): ...
""",
    "generic class without bases": """\
class A[
    T,

]:
    x = 1
class B[T]: pass
class C[T](): pass
""",
    "generic with spaces": """\
def f [T] (x): ...
class A [T] (B): ...
class B [T] : ...
""",
    "nested quotes": """\
x = f"{a["b"]} {f"{c["d"]}"} {f'{f"{1}"}'}"
""",
    "backslash in a hole": """\
x = f"{'\\n'.join(names)} and {chr(10)}"
""",
    "rows in a hole": """\
x = f"{
    a
    +
    b
} text"
y = f'''{
    g(
        1,  # one
    )
}'''
""",
    "comment in a hole": """\
x = f"{  # why
    a!r:>{
        width
    }}"
""",
    "format with quotes": """\
x = f"{a:{"x"}}" f'{b!s:{'>'}{w}}' 'c'
""",
    "debugging hole": """\
print(f"{a['k']=} {b=!r} {c = :>5}")
""",
    "lambda in a hole": """\
x = f"{(lambda y: y["a"])(z)} {a if b["c"] else d}"
""",
    "walrus in a hole": """\
x = f"{(y := g("a"))}{y:=^5}"
""",
    "unicode in holes": """\
x = f"é{a["ü"]}ß" + f"{"ø"}"
""",
    "escapes": """\
x = f"{{a}} {b["c"]} \\N{BULLET} \\{d}" rf'\\d{e['f']}'
""",
    "format string in a call": """\
log(f"{a["b"]}", *[f"{c["d"]}" for c in e], key=f"{f("g")}")
""",
    "format string in a decorator": """\
@mark(f"{a["b"]}")
def f(x=f"{a["b"]}"): ...
""",
    "yield and await in holes": """\
async def f():
    x = f"{await g("a")} {[b async for b in h("c")]}"
    yield f"{x["d"]}"
""",
    "t-strings": """\
x = t"{a} {b!r:>{c}}"
y = t'{d['e']}' t"{f}"
z = rt'\\d{g}' + T"h"
w = tR'\\s{i}'
""",
    "t-string over rows": """\
x = t'''
    <p>{
        a["b"]
    }</p>
'''
""",
    "t-string in an f-string": """\
x = f"{t"{a}"}" + t"{f"{b}"}"
""",
    "except without parentheses": """\
try: a
except A, B: b
except C.d, E: c
except (F, G) as e: d
""",
    "except over groups without parentheses": """\
try:
    a
except* A, B:
    b
except *(C, D) as e:
    c
except* E as f:
    d
else:
    g
finally:
    h
""",
    "except with calls": """\
try: a
except errors(1, 2), B: b
except A[0, 1], C: c
""",
    "match": """\
match command.split():
    case ["go", ("north" | "south") as way]: a
    case [1, 2, *rest] if rest: b
    case {"x": x, **others}: c
    case Point(x=0, y=[_, {"k": (1 | 2)}]): d
    case -1 | 1+2j | None | True: e
    case A.B.c: f
    case str() as s, *_: g
    case (): h
    case _: i
match a, *b:
    case c, *d: e
""",
    "walrus": """\
if (n := len(a)) > 1 and (m := n): b
x = [y := 1, y**2]
z = {(w := 2): w}
a[b := 1]
f(c := 1, d=(e := 2))
[g := h for h in i if (j := h)]
{k := 1, 2}
while chunk := read(): ...
""",
    "async comprehensions": """\
async def f():
    a = [b async for b in c if await d]
    e = {g: [h async for h in i] for g in j}
    k = (l async for l in m async for n in o)
    return {*[await p for p in q]}
""",
    "with in parentheses": """\
with (
    open(a) as b,
    c,
    d as (e, f),
):
    g
async def h():
    async with (i as j, k): ...
""",
    "decorators": """\
@a.b[c](d) if e else f
@(lambda g: g)
@x[0].y
def h(): ...
""",
    "stars": """\
a[*b, 1]
a[*b]
def f(*args: *Ts) -> tuple[*Ts]: ...
for x in *a, *b: ...
return_ = lambda: (yield)
x: tuple[*Ts]
""",
    "positional only": """\
def f(a, /, b, *, c): ...
lambda a, /, *b, c=1, **d: a
""",
    "stars in comprehensions": """\
a = [*b for b in c]
d = {*e for e in f}
g = {**h for h in i}
j = (*k for k in l)
""",
    "lazy imports": """\
lazy import a
lazy from b import c, d
lazy import e.f as g
""",
    "return in finally": """\
def f():
    for a in b:
        try: c
        finally: continue
""",
    "numbers": """\
a = 1_000_000 + 0x_ff + 0b1 + 1e1_0 + 1_0j
b = 1if a else 2
""",
    "windows rows": """\
type X = dict[
    int,
    str,
]
if a:
    type Y = list[
        X
    ]
    x = f"{a["b"]}"
""".replace("\n", "\r\n"),
    "future annotations": """\
from __future__ import annotations
class A[T]:
    def f[S](self: A[T], x: S = f"{1}") -> (S): ...
""",
}
