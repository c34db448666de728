"""A self-contained HTML page of foldable sections: its style, its script, and text that is made safe for it."""

from __future__ import annotations

import re
from html import escape

from lintpickle.terminal import visible

CSS = """\
:root{color-scheme:light dark;--fg:#1f2328;--bg:#fff;--dim:#59636e;--line:#d1d9e0;--card:#f6f8fa;--bad:#cf222e;
--soft:#ffebe9;--good:#1a7f37;--accent:#0969da;--badge:#fff}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--dim:#9198a1;--line:#3d444d;--card:#161b22;
--bad:#f85149;--soft:#3c1618;--good:#3fb950;--accent:#4493f8;--badge:#0d1117}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1080px;padding:24px;color:var(--fg);background:var(--bg);
font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
h1{font-size:20px;margin:0}.lead{color:var(--dim);margin:4px 0 16px}code,.what,.label{font-family:ui-monospace,
SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12.5px}
.bar{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 16px;position:sticky;top:0;padding:8px 0;background:var(--bg);
z-index:1}.bar button,.bar input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);
border-radius:6px;padding:3px 12px}.bar button{cursor:pointer}.bar input{flex:1 1 12em;min-width:0}
.bar button[aria-pressed=true]{border-color:var(--accent);color:var(--accent)}#said{color:var(--dim);align-self:center}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
section{border:1px solid var(--line);border-radius:8px;margin:0 0 14px;background:var(--card);
content-visibility:auto;contain-intrinsic-size:auto 46px}
section>details>summary{padding:10px 14px}section>details>.in{padding:0 14px 12px;border:0;margin:0}
h2{display:inline;font-size:15px;margin:0}.note{color:var(--dim);font-size:12.5px}
summary{cursor:pointer;display:flex;gap:0 8px;align-items:baseline;list-style:none;flex-wrap:wrap}
summary::-webkit-details-marker{display:none}
summary::before{content:"▸";color:var(--dim);flex:0 0 10px}details[open]>summary::before{content:"▾"}
.leaf{display:flex;gap:0 8px;align-items:baseline;padding-left:18px;flex-wrap:wrap}
.in{margin-left:5px;padding-left:14px;border-left:1px solid var(--line)}.label{font-weight:600}
.what{color:var(--accent)}.plain .what,.unknown .what{color:var(--dim)}.place{margin-left:auto;color:var(--dim);
font-family:inherit;font-size:12px;background:none;border:0;padding:0;cursor:copy;text-align:right}
.place:hover{color:var(--accent);text-decoration:underline}
.hazard{background:var(--soft);border-radius:6px;padding-right:6px}
.hazard .what{color:var(--bad);font-weight:600}.badge{background:var(--bad);color:var(--badge);border-radius:4px;
padding:0 6px;font-size:11px;font-weight:700}.error{color:var(--bad);flex-basis:100%;padding-left:18px;font-size:12.5px}
.good{color:var(--good)}body.only .quiet,.miss{display:none!important}
"""
SCRIPT = """\
const $=id=>document.getElementById(id),only=$("only"),find=$("find"),said=$("said");
if(only)only.onclick=()=>{const on=document.body.classList.toggle("only");only.setAttribute("aria-pressed",on)};
const rows=[...document.querySelectorAll("summary,.leaf")],texts=rows.map(r=>r.textContent.toLowerCase());
const blocks=[...document.querySelectorAll("section,details")];
const all=on=>{for(const d of document.querySelectorAll("details"))d.open=on};
$("open").onclick=()=>all(true);$("close").onclick=()=>all(false);
let before=null;
function search(){
const words=find.value.trim().toLowerCase();
for(const m of document.querySelectorAll(".miss"))m.classList.remove("miss");
if(!words){if(before)before.forEach((on,d)=>d.open=on);before=null;said.textContent="";return}
if(!before)before=new Map([...document.querySelectorAll("details")].map(d=>[d,d.open]));
const keep=new Set();let count=0;
rows.forEach((row,i)=>{if(!texts[i].includes(words))return;count++;keep.add(row);
for(let up=row.parentElement;up&&up!==document.body;up=up.parentElement)keep.add(up);
const own=row.tagName==="SUMMARY"?row.parentElement:null;
if(own)for(const inside of own.querySelectorAll("summary,.leaf,details"))keep.add(inside)});
for(const block of blocks){if(keep.has(block)){if(block.tagName==="DETAILS")block.open=true}
else block.classList.add("miss")}
for(const row of rows)if(row.className.includes("leaf")&&!keep.has(row))row.classList.add("miss");
said.textContent=count===1?"1 line":count+" lines"}
let timer;find.oninput=()=>{clearTimeout(timer);timer=setTimeout(search,120)};
async function copy(text){try{await navigator.clipboard.writeText(text)}
catch{const area=document.createElement("textarea");area.value=text;
document.body.append(area);area.select();document.execCommand("copy");area.remove()}
said.textContent="copied "+text}
document.addEventListener("click",event=>{const place=event.target.closest(".place");
if(place){event.preventDefault();copy(place.textContent)}});
const shown=row=>row.getClientRects().length>0;
document.addEventListener("keydown",event=>{
if(event.target===find){if(event.key==="Escape"){find.value="";search();find.blur()}return}
if(event.ctrlKey||event.metaKey||event.altKey)return;
if(event.key==="/"){event.preventDefault();find.focus()}
else if(event.key==="ArrowDown"||event.key==="ArrowUp"){
const lines=[...document.querySelectorAll("summary")].filter(shown);if(!lines.length)return;
event.preventDefault();const at=lines.indexOf(document.activeElement),step=event.key==="ArrowDown"?1:-1;
lines[at<0?(step>0?0:lines.length-1):Math.min(Math.max(at+step,0),lines.length-1)].focus()}
else if(event.key==="ArrowRight"||event.key==="ArrowLeft"){
const line=document.activeElement;if(line&&line.tagName==="SUMMARY"){event.preventDefault();
line.parentElement.open=event.key==="ArrowRight"}}});
"""


_QUIET = re.compile(r'class="(?:[^"]* )?quiet[ "]')


def page(title: str, heading: str, lead: str, only: str | None, body: str, is_filtered: bool) -> str:
    """The page, of parts that are HTML already. `only` names the button that hides what is quiet (None: there is
    nothing to hide, or nothing else); with `is_filtered`, it is pressed from the start."""
    pressed = "true" if is_filtered else "false"
    button = f'<button id="only" aria-pressed="{pressed}">{only}</button>' if only is not None else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title>\n<style>\n{CSS}</style></head>\n"
        f'<body class="{"only" if is_filtered and only is not None else ""}"><h1>{heading}</h1>\n'
        f'<p class="lead">{lead}</p>\n'
        f'<div class="bar">{button}'
        '<button id="open">Unfold all</button><button id="close">Fold all</button>'
        '<input id="find" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off">'
        '<span id="said" role="status"></span></div>\n'
        f"{body}\n<script>\n{SCRIPT}</script></body></html>\n"
    )


def hides(body: str) -> bool:
    """Whether there is anything quiet in a body, which the first button hides."""
    return _QUIET.search(body) is not None


def safe(text: str) -> str:
    """Text of a repository as HTML shows it: no markup, and no characters that are not seen."""
    return escape(visible(text))


def placed(text: str) -> str:
    """A path with a row, which a click copies."""
    return f'<button type="button" class="place" title="Copy">{safe(text)}</button>'
