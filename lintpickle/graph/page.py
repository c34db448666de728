"""A self-contained HTML page of foldable sections: its style and its script."""

from __future__ import annotations

CSS = """\
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
SCRIPT = """\
const only=document.getElementById("only");
only.onclick=()=>{const on=document.body.classList.toggle("only");only.setAttribute("aria-pressed",on)};
for(const [id,open] of [["open",true],["close",false]])
document.getElementById(id).onclick=()=>document.querySelectorAll("details").forEach(d=>d.open=open);
"""


def page(title: str, heading: str, lead: str, only: str, body: str, is_filtered: bool) -> str:
    """The page, of parts that are HTML already. `only` names the button that hides what is quiet; with `is_filtered`,
    it is pressed from the start."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title>\n<style>\n{CSS}</style></head>\n"
        f'<body class="{"only" if is_filtered else ""}"><h1>{heading}</h1>\n'
        f'<p class="lead">{lead}</p>\n'
        f'<div class="bar"><button id="only" aria-pressed="{"true" if is_filtered else "false"}">{only}</button>'
        '<button id="open">Unfold all</button><button id="close">Fold all</button></div>\n'
        f"{body}\n<script>\n{SCRIPT}</script></body></html>\n"
    )
