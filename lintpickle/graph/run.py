"""From paths to a graph."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from lintpickle.diagnostics import Defect
from lintpickle.engine.findings import Findings
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.graph.build import build_graph, in_order
from lintpickle.graph.model import Graph, Tree
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover


def draw(paths: Sequence[str], resolver: SettingsResolver) -> Graph:
    """What crosses in the given files and folders: trees that start, lead through or end in one of them.

    Raises `LintpickleError` for bad settings and for paths that do not exist.
    """
    trees: list[Tree] = []
    defects: list[Defect] = []
    discovered = discover(paths, resolver)
    named = [folder for path in paths if (folder := resolver.cwd / path).is_dir()]
    for project in projects(discovered.files, resolver, named):
        analysis = Analysis(project, resolver)
        findings = Findings(analysis.linked(), analysis.rules, project.settings.start_methods)
        reported = frozenset(project.reported)
        trees += [tree for tree in build_graph(findings).trees if _touches(tree, reported)]
        defects += findings.defects
    return replace(in_order(trees), defects=tuple(defects))


def _touches(tree: Tree, paths: frozenset[str]) -> bool:
    if tree.place.path in paths or any(call.place.path in paths for way in tree.ways for call in way):
        return True
    return any(mark.place.path in paths for mark in Graph((tree,)).marks())
