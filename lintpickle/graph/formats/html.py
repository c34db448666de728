"""One self-contained page: trees that fold, everything in it, hazards open from the start."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.model import Graph, HazardMark, Node, Sort, Tree
from lintpickle.report.summary import plural

_CSS = """\
:root{color-scheme:light dark;--fg:#1f2328;--bg:#fff;--dim:#59636e;--line:#d1d9e0;--card:#f6f8fa;--bad:#cf222e;
--soft:#ffebe9;--good:#1a7f37;--accent:#0969da}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--dim:#9198a1;--line:#3d444d;--card:#161b22;
--bad:#f85149;--soft:#3c1618;--good:#3fb950;--accent:#4493f8}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1080px;padding:24px;color:var(--fg);background:var(--bg);
font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:20px;margin:0}.lead{color:var(--dim);margin:4px 0 16px}code,.what,.label{font-family:ui-monospace,
SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12.5px}
.bar{display:flex;gap:8px;margin:0 0 16px}.bar button{font:inherit;color:inherit;background:var(--card);
border:1px solid var(--line);border-radius:6px;padding:3px 12px;cursor:pointer}
.bar button[aria-pressed=true]{border-color:var(--accent);color:var(--accent)}
section{border:1px solid var(--line);border-radius:8px;margin:0 0 14px;background:var(--card)}
section>details>summary{padding:10px 14px}section>details>.in{padding:0 14px 12px;border:0;margin:0}
h2{display:inline;font-size:15px;margin:0}.note{color:var(--dim);font-size:12.5px}
summary{cursor:pointer;display:flex;gap:0 8px;align-items:baseline;list-style:none;flex-wrap:wrap}
summary::-webkit-details-marker{display:none}
summary::before{content:"▸";color:var(--dim);flex:0 0 10px}details[open]>summary::before{content:"▾"}
.leaf{display:flex;gap:0 8px;align-items:baseline;padding-left:18px;flex-wrap:wrap}
.in{margin-left:5px;padding-left:14px;border-left:1px solid var(--line)}.label{font-weight:600}
.what{color:var(--accent)}.plain .what,.unknown .what{color:var(--dim)}.place{margin-left:auto;color:var(--dim);
font-size:12px;white-space:nowrap}.hazard{background:var(--soft);border-radius:6px;padding-right:6px}
.hazard .what{color:var(--bad);font-weight:600}.badge{background:var(--bad);color:#fff;border-radius:4px;
padding:0 6px;font-size:11px;font-weight:700}.error{color:var(--bad);flex-basis:100%;padding-left:18px;font-size:12.5px}
.good{color:var(--good)}body.only .quiet{display:none}
"""
_SCRIPT = """\
const only=document.getElementById("only");
only.onclick=()=>{const on=document.body.classList.toggle("only");only.setAttribute("aria-pressed",on)};
for(const [id,open] of [["open",true],["close",false]])
document.getElementById(id).onclick=()=>document.querySelectorAll("details").forEach(d=>d.open=open);
"""


class Html:
    name = "html"
    human = False

    def render(self, graph: Graph, canvas: Canvas) -> str:
        found = plural(graph.hazards, "hazard")
        only = "" if canvas.everything or not graph.hazards else "only"
        body = "\n".join(part for tree in graph.trees for part in _tree(tree, canvas))
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>lintpickle: {found}</title>\n<style>\n{_CSS}</style></head>\n"
            f'<body class="{only}"><h1>What crosses process boundaries</h1>\n'
            f'<p class="lead">{found} in {plural(len(graph.trees), "tree")}</p>\n'
            f'<div class="bar"><button id="only" aria-pressed="{"true" if only else "false"}">Only hazards</button>'
            '<button id="open">Unfold all</button><button id="close">Fold all</button></div>\n'
            f"{body}\n<script>\n{_SCRIPT}</script></body></html>\n"
        )


def _tree(tree: Tree, canvas: Canvas) -> Iterator[str]:
    quiet = "" if tree.hazards else ' class="quiet"'
    count = f'<span class="badge">{tree.hazards}</span>' if tree.hazards else '<span class="good">✓</span>'
    methods = ", ".join(method.value for method in tree.start_methods)
    note = f"{tree.confidence.value} under {methods}" if methods else tree.confidence.value
    yield f"<section{quiet}><details{' open' if tree.hazards else ''}><summary><h2>{escape(tree.title)}</h2> {count}"
    yield f'<span class="note">{escape(note)}</span>{_place(canvas.place(tree.place))}</summary><div class="in">'
    if tree.by_kind:
        yield f'<div class="note">{escape(tree.why)}</div>'
    for way in tree.ways:
        for call in way:
            yield f'<div class="leaf note">{escape(call.message)}{_place(canvas.place(call.place))}</div>'
    for mark in tree.marks:
        yield f'<div class="leaf hazard">{_badge(mark)}<span>{escape(mark.message)}</span>'
        yield f"{_place(canvas.place(mark.place))}</div>"
    for node in tree.nodes:
        yield from _node(node, canvas)
    yield "</div></details></section>"


def _node(node: Node, canvas: Canvas) -> Iterator[str]:
    classes = " ".join(
        name
        for name, holds in (
            ("hazard", bool(node.marks)),
            ("quiet", not node.hazards and node.sort in (Sort.PLAIN, Sort.UNKNOWN)),
            (node.sort.value, True),
        )
        if holds
    )
    label = f'<span class="label">{escape(node.label)}</span>' if node.label != node.what else ""
    place = _place(canvas.place(node.place)) if node.place is not None else ""
    errors = "".join(f'<span class="error">{escape(mark.error or mark.message)}</span>' for mark in node.marks)
    line = f'{label}<span class="what">{escape(node.what)}</span>{"".join(map(_badge, node.marks))}{place}{errors}'
    if not node.children:
        yield f'<div class="leaf {classes}">{line}</div>'
        return
    yield f'<details{" open" if node.hazards else ""}><summary class="{classes}">{line}</summary><div class="in">'
    for child in node.children:
        yield from _node(child, canvas)
    yield "</div></details>"


def _badge(mark: HazardMark) -> str:
    return f'<span class="badge" title="{escape(mark.message)}">{mark.code} {escape(mark.name)}</span>'


def _place(text: str) -> str:
    return f'<span class="place">{escape(text)}</span>'
