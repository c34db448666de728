"""`lintpickle graph`: the trees, how they are folded, and every format."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from lintpickle.commands._group import app
from lintpickle.diagnostics import Confidence, LintpickleError
from lintpickle.graph import Canvas, graph_format, graph_format_names
from lintpickle.graph.build import in_order
from lintpickle.graph.fold import folded, news
from lintpickle.graph.layout import place_boxes
from lintpickle.graph.model import Graph, GraphPlace, HazardMark, Node, Sort, Tree
from lintpickle.graph.run import draw
from lintpickle.settings import SettingsResolver

from .programs import FIXTURES

PLACE = GraphPlace("/project/data.py", 7)
MARK = HazardMark("LP102", "lambda-attribute", "a lambda is kept", "AttributeError: Can't pickle it", PLACE)


def node(label: str, sort: Sort = Sort.OBJECT, *children: Node, marks: tuple[HazardMark, ...] = ()) -> Node:
    return Node(
        label,
        f"{label.strip('.').title()}",
        sort,
        PLACE,
        marks,
        children,
        len(marks) + sum(child.hazards for child in children),
        len(children) + sum(child.size for child in children),
    )


def tree(*nodes: Node, title: str = "DataLoader(dataset=…)") -> Tree:
    return Tree(title, "torch.utils.data.DataLoader", PLACE, Confidence.CERTAIN, (), False, nodes=nodes)


def project(name: str) -> Graph:
    folder = FIXTURES / name
    return draw([str(folder)], SettingsResolver(cwd=folder))


def drawn(graph: Graph, name: str, folder: Path = Path("/work"), everything: bool = False) -> str:
    return graph_format(name).render(graph, Canvas(folder, everything))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["graph", *arguments])


# What is in the trees


def test_a_payload_is_shown_from_the_boundary_down_to_the_hazard() -> None:
    graph = project("wrapped_loader")
    first = next(each for each in graph.trees if Path(each.place.path).name == "loading.py")
    assert first.title == "DataLoader(dataset=…)"
    images = first.nodes[0]
    assert (images.label, images.what, images.sort) == ("dataset", "Images", Sort.OBJECT)
    transform = next(child for child in images.children if child.marks)
    assert (transform.label, transform.marks[0].code, Path(transform.place.path).name) == (  # type: ignore[union-attr]
        ".transform",
        "LP102",
        "data.py",
    )
    assert Path(transform.marks[0].place.path).name == "train.py"


def test_a_boundary_says_from_where_it_is_reached() -> None:
    ways = [way for tree in project("wrapped_loader").trees for way in tree.ways]
    assert "calls build_dataloader()" in {call.message for way in ways for call in way}


def test_a_class_by_its_kind_is_followed_into_the_environment() -> None:
    graph = project("uniad_shape")
    first = graph.trees[0]
    assert (first.title, first.by_kind, first.hazards) == ("NuScenesE2EDataset", True, 1)
    config = next(child for child in first.nodes[0].children if child.hazards)
    assert (config.label, config.what) == (".eval_detection_configs", "DetectionConfig")
    assert [mark.code for mark in config.children[-1].marks] == ["LP101"]


def test_a_class_that_a_boundary_ships_is_not_shown_by_its_kind_again() -> None:
    titles = [tree.title for tree in project("inherited_attributes").trees]
    assert "PassedThrough" not in titles
    assert "ByKeyword" in titles


def test_a_loader_without_workers_ships_nothing() -> None:
    trees = [tree for tree in project("keyword_dict_loader").trees if tree.place.path.endswith("loaders.py")]
    rows = {tree.place.row for tree in trees if not tree.by_kind}
    source = (FIXTURES / "keyword_dict_loader" / "loaders.py").read_text(encoding="utf-8").splitlines()
    serial = next(row for row, line in enumerate(source, 1) if "def without_workers" in line)
    assert rows
    assert not any(serial < row < serial + 5 for row in rows)


def test_the_same_hazards_are_counted_once() -> None:
    assert Graph((tree(node("a", marks=(MARK,))), tree(node("b", marks=(MARK,)), title="other"))).hazards == 1


def test_trees_with_hazards_come_first() -> None:
    good, bad = tree(node("good"), title="a"), tree(node("bad", marks=(MARK,)), title="b")
    assert in_order([good, bad]).trees == (bad, good)


# Folding


def test_branches_without_hazards_are_folded() -> None:
    quiet = node(".encoder", Sort.OBJECT, node(".layer"), node(".norm"))
    bad = node(".transform", Sort.FUNCTION, marks=(MARK,))
    root = folded(tree(node("dataset", Sort.OBJECT, quiet, bad))).nodes[0]
    assert [(child.what, len(child.children)) for child in root.children] == [("Encoder (+2)", 0), ("Transform", 0)]


def test_plain_data_and_unknown_leaves_share_one_line() -> None:
    leaves = [node(f".a{number}", Sort.PLAIN) for number in range(6)]
    root = folded(tree(node("dataset", Sort.OBJECT, *leaves, node(".t", Sort.FUNCTION, marks=(MARK,))))).nodes[0]
    assert [child.sort for child in root.children] == [Sort.FUNCTION, Sort.FOLDED]
    assert root.children[1].what == "a0, a1, a2 and 3 more: plain data"


def test_a_hazard_is_never_folded() -> None:
    deep = node(".z", Sort.PLAIN, marks=(MARK,))
    for label in [".y", ".x", ".w"]:
        deep = node(label, Sort.CONTAINER, deep)
    assert folded(tree(deep)).hazards == 1
    assert folded(tree(deep)).nodes[0].children[0].children[0].children[0].marks == (MARK,)


def test_a_class_that_shows_nothing_new_is_not_drawn() -> None:
    by_kind = [
        Tree(title, "a Dataset", PLACE, Confidence.LIKELY, (), True, nodes=(node(title, marks=(MARK,)),))
        for title in ("First", "Second")
    ]
    drawn, repeated = news(Graph((*by_kind, tree(node("good")), tree(node("bad", marks=(MARK,))))))
    assert [each.title for each in drawn] == ["First", "DataLoader(dataset=…)"]
    assert [each.title for each in repeated] == ["Second"]


# Layout


def test_boxes_do_not_overlap_and_parents_stand_left_of_their_children() -> None:
    nodes = (node("a", Sort.OBJECT, node("b"), node("c", Sort.OBJECT, node("d"), node("e"))), node("f"))
    boxes = place_boxes(nodes, lambda each: (30.0 + 10 * len(each.children), 20.0))
    assert len(boxes) == 6
    for index, box in enumerate(boxes):
        assert box.y >= 0
        if box.parent is not None:
            assert boxes[box.parent].x + boxes[box.parent].width < box.x
        for other in boxes[index + 1 :]:
            apart_x = box.x + box.width <= other.x or other.x + other.width <= box.x
            assert apart_x or box.y + box.height <= other.y or other.y + other.height <= box.y


def test_a_tall_parent_of_a_small_child_overlaps_nothing() -> None:
    nodes = (node("a", Sort.OBJECT, node("b")), node("c", Sort.OBJECT, node("d")))
    tall = {"A": 80.0, "C": 80.0}
    first, _, second, _ = place_boxes(nodes, lambda each: (30.0, tall.get(each.what, 10.0)))
    assert first.y + first.height <= second.y


# Formats


def test_formats_are_found() -> None:
    assert graph_format_names() == ("dot", "html", "json", "svg", "text")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(LintpickleError, match="unknown format"):
        graph_format("png")


@pytest.mark.parametrize("name", graph_format_names())
@pytest.mark.parametrize("everything", [False, True])
def test_every_format_shows_the_hazard(name: str, everything: bool) -> None:
    folder = FIXTURES / "wrapped_loader"
    text = drawn(project("wrapped_loader"), name, folder, everything)
    assert text.endswith("\n")
    for part in ("LP102", "Images", "transform", "data.py"):
        assert part in text


@pytest.mark.parametrize("name", graph_format_names())
def test_every_format_can_draw_nothing(name: str) -> None:
    assert drawn(Graph(()), name).endswith("\n")


def test_text_aligns_the_places() -> None:
    lines = drawn(project("wrapped_loader"), "text", FIXTURES / "wrapped_loader").split("\n\n")[0].splitlines()
    columns = {match.start() for line in lines if (match := re.search(r"\S+\.py:\d+$", line))}
    assert len(columns) == 1


def test_text_has_an_ascii_form() -> None:
    graph = Graph((tree(node("a", Sort.OBJECT, node("b", marks=(MARK,))), title="torch.save(obj=)"),))
    text = graph_format("text").render(graph, Canvas(Path("/work"), unicode=False))
    assert text.isascii()


def test_colour_only_paints() -> None:
    graph = project("wrapped_loader")
    plain = graph_format("text").render(graph, Canvas(FIXTURES))
    painted = graph_format("text").render(graph, Canvas(FIXTURES, color=True))
    assert plain != painted
    assert re.sub(r"\033\[[\d;]*m", "", painted) == plain


def test_svg_is_xml_with_a_box_for_each_node() -> None:
    root = ElementTree.fromstring(drawn(project("wrapped_loader"), "svg", FIXTURES / "wrapped_loader"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    boxes = [each for each in root.iter() if each.get("class") == "box"]
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "LP102" in texts
    assert len(boxes) >= 3


def test_source_text_cannot_break_out() -> None:
    nasty = Node(".a", 'lambda: "</script><b>&\\', Sort.FUNCTION, PLACE, (MARK,), (), 1, 0)
    graph = Graph((tree(nasty),))
    assert "<b>" not in drawn(graph, "html").replace("<body", "")
    assert ElementTree.fromstring(drawn(graph, "svg")) is not None
    assert '\\"</script><b>&\\\\' in drawn(graph, "dot")


def test_html_needs_nothing_else() -> None:
    page = drawn(project("wrapped_loader"), "html", FIXTURES / "wrapped_loader")
    assert not re.search(r"(?:src|href)=", page)
    assert page.count("<details") == page.count("</details>")


def test_json_has_everything() -> None:
    value = json.loads(drawn(project("uniad_shape"), "json"))
    assert value["hazards"] == 1
    first = value["boundaries"][0]
    attributes = first["payload"][0]["children"]
    assert "4" in {child["what"] for child in attributes if child["label"] == ".queue_length"}
    (config,) = (child for child in attributes if child["label"] == ".eval_detection_configs")
    assert config["children"][-1]["hazards"][0]["code"] == "LP101"


# The command


def test_the_command_draws_paths(tmp_path: Path) -> None:
    result = run(str(FIXTURES / "uniad_shape"), "--color", "never")
    assert result.exit_code == 0
    assert "LP101" in result.output
    out = tmp_path / "graph.svg"
    assert run(str(FIXTURES / "uniad_shape"), "--format", "svg", "-o", str(out)).exit_code == 0
    assert ElementTree.parse(out).getroot().tag.endswith("svg")


def test_only_trees_that_touch_the_paths_are_drawn() -> None:
    folder = FIXTURES / "inherited_attributes"
    assert "PassedThrough" not in run(str(folder / "base.py"), "--all").output.partition("boundary call")[2]
    alone = run(str(FIXTURES / "uniad_shape/projects/mmdet3d_plugin/datasets/rebuilt_dataset.py"), "--all")
    assert "RebuiltConfigDataset" in alone.output
    assert "NuScenesE2EDataset" not in alone.output


def test_all_unfolds_what_holds_no_hazard() -> None:
    folder = str(FIXTURES / "uniad_shape")
    assert ".queue_length" not in run(folder).output
    assert ".queue_length" in run(folder, "--all").output


def test_bad_calls_end_with_2() -> None:
    assert run("--format", "png").exit_code == 2
    assert run("no/such/path").exit_code == 2
