"""The whole graph for programs."""

from __future__ import annotations

from typing import Any

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.model import Graph, GraphPlace, HazardMark, Node, Tree
from lintpickle.report.common import to_json


class GraphJson:
    name = "json"
    human = False

    def render(self, graph: Graph, canvas: Canvas) -> str:
        return to_json({"hazards": graph.hazards, "boundaries": [_tree(tree) for tree in graph.trees]})


def _tree(tree: Tree) -> dict[str, Any]:
    return {
        "title": tree.title,
        "why": tree.why,
        "by_kind": tree.by_kind,
        "confidence": tree.confidence.value,
        "start_methods": [method.value for method in tree.start_methods],
        **_place(tree.place),
        "ways": [[{"message": call.message, **_place(call.place)} for call in way] for way in tree.ways],
        "hazards": [_mark(mark) for mark in tree.marks],
        "payload": [_node(node) for node in tree.nodes],
    }


def _node(node: Node) -> dict[str, Any]:
    return {
        "label": node.label,
        "what": node.what,
        "sort": node.sort.value,
        **(_place(node.place) if node.place is not None else {}),
        "hazards": [_mark(mark) for mark in node.marks],
        "children": [_node(child) for child in node.children],
    }


def _mark(mark: HazardMark) -> dict[str, Any]:
    return {
        "code": mark.code,
        "name": mark.name,
        "message": mark.message,
        "error": mark.error,
        **_place(mark.place),
    }


def _place(place: GraphPlace) -> dict[str, Any]:
    return {"filename": place.path, "row": place.row}
