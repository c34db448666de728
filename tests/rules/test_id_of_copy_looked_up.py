"""LP256: id-of-copy-looked-up."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import Confidence, StartMethod
from tests.pages import PageTests
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP256"


_PROGRAM = """\
import enum
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor


{node}


NODES = [Node("x"), Node("y")]


class Graph:
    def __init__(self, names):
        self.nodes = [Node(name) for name in names]
        self.cost = {table}
        {filled}

    {methods}

    def work(self, number):
        {asks}


def main():
    graph = Graph(["a", "b"])
    {main}
    {started}


if __name__ == "__main__":
    main()
"""
_NODE = "class Node:\n    def __init__(self, name):\n        self.name = name"
_STARTED = "with mp.Pool(2) as pool:\n        print(pool.map(graph.work, [0, 1]))"
_ASKS = "return [self.cost.get(id(node), 0) for node in self.nodes]"


def _found(
    node: str = _NODE,
    table: str = "{id(node): 5 for node in self.nodes}",
    filled: str = "pass",
    methods: str = "pass",
    asks: str = _ASKS,
    main: str = "print(graph)",
    started: str = _STARTED,
) -> list[tuple[Confidence, int]]:
    text = _PROGRAM.format(
        node=node, table=table, filled=filled, methods=methods, asks=asks, main=main, started=started
    )
    found = [each for each in lint(text, pedantic=True).diagnostics if each.code == "LP256"]
    return [(each.confidence, len(each.start_methods)) for each in found]


_LIKELY = [(Confidence.LIKELY, 3)]


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"table": "{id(each): each.name for each in self.nodes}"},
        {"table": "dict((id(node), 5) for node in self.nodes)"},
        {"table": "{}", "filled": "for node in self.nodes:\n            self.cost[id(node)] = 5"},
        {"table": "{}", "filled": "for node in self.nodes:\n            self.cost.setdefault(id(node), 5)"},
        {
            "table": "{}",
            "filled": "for node in self.nodes:\n            key = id(node)\n            self.cost[key] = 5",
        },
        {
            "table": "{}",
            "methods": "def add(self, node, cost):\n        self.nodes.append(node)\n"
            "        self.cost[id(node)] = cost",
            "main": "graph.add(Node('c'), 3)",
        },
        {"table": "{}", "main": "for node in graph.nodes:\n        graph.cost[id(node)] = 5"},
        {"table": "set(map(id, self.nodes))", "asks": "return id(self.nodes[number]) in self.cost"},
        {"table": "{id(node) for node in self.nodes}", "asks": "return id(self.nodes[number]) not in self.cost"},
        {
            "table": "set()",
            "filled": "for node in self.nodes:\n            self.cost.add(id(node))",
            "asks": "return [node.name for node in self.nodes if id(node) in self.cost]",
        },
        {"node": "from collections import UserDict\n\n\nclass Node(UserDict):\n    pass"},
        {"asks": "node = self.nodes[number]\n        return self.cost[id(node)]"},
        {"asks": "key = id(self.nodes[number])\n        return self.cost.get(key)"},
        {"asks": "return self.cost_of(self.nodes[number])", "methods": "def cost_of(self, node):\n"
         "        return self.cost.pop(id(node), 0)"},
        {"node": "from dataclasses import dataclass\n\n\n@dataclass(eq=False)\nclass Node:\n    name: str"},
        {"started": "with ProcessPoolExecutor(2) as pool:\n        print(list(pool.map(graph.work, [0, 1])))"},
        {"started": "with mp.Pool(2) as pool:\n        print(pool.apply_async(graph.work, (1,)).get())"},
        {
            "asks": "return self.cost.get(id(number), 0)",
            "started": "with mp.Pool(2) as pool:\n        print(pool.map(graph.work, graph.nodes))",
        },
    ],
)  # fmt: skip
def test_the_id_of_a_copy(program: dict[str, str]) -> None:
    assert _found(**program) == _LIKELY


def test_a_process_that_is_forked_has_the_objects_themselves() -> None:
    started = "mp.Process(target=graph.work, args=(1,)).start()"
    assert _found(started=started) == [(Confidence.LIKELY, 2)]
    assert _found(started=started.replace("mp.Process", "mp.get_context('fork').Process")) == []
    globals_of_module = {
        "table": "{id(node): 5 for node in NODES}",
        "asks": "return [self.cost.get(id(node), 0) for node in NODES]",
    }
    assert _found(**globals_of_module) == [(Confidence.LIKELY, 2)]
    globals_of_module["started"] = started
    assert _found(**globals_of_module) == [(Confidence.LIKELY, 2)]


def test_nothing_is_known_of_the_objects() -> None:
    methods = "def add(self, what):\n        self.cost[id(what)] = 1"
    assert _found(table="{}", methods=methods, asks="return self.cost.get(id(number), 0)") == [(Confidence.POSSIBLE, 3)]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"table": "{node.name: 5 for node in self.nodes}", "asks": "return self.cost"}, id="by name"),
        pytest.param(
            {"table": "{node: 5 for node in self.nodes}", "asks": "return self.cost[self.nodes[0]]"}, id="own"
        ),
        pytest.param({"table": "{}"}, id="never filled"),
        pytest.param({"table": "{}", "asks": f"self.cost[id(self.nodes[0])] = 1\n        {_ASKS}"}, id="filled there"),
        pytest.param(
            {"asks": f"self.cost = {{id(node): 5 for node in self.nodes}}\n        {_ASKS}"}, id="made anew there"
        ),
        pytest.param(
            {
                "table": "{}",
                "methods": "def index(self):\n        self.cost.update({id(node): 5 for node in self.nodes})",
                "asks": f"self.index()\n        {_ASKS}",
                "main": "graph.index()",
            },
            id="filled again there",
        ),
        pytest.param(
            {
                "methods": "def __setstate__(self, state):\n        self.__dict__.update(state)\n"
                "        self.cost = {id(node): 5 for node in self.nodes}"
            },
            id="filled when it arrives",
        ),
        pytest.param(
            {"methods": "def __getstate__(self):\n        return {'nodes': self.nodes, 'cost': {}}"}, id="left out"
        ),
        pytest.param(
            {"table": "{id(print): 1, id(len): 2}", "asks": "return self.cost.get(id(print))"}, id="functions"
        ),
        pytest.param({"table": "{id(Node): 1}", "asks": "return self.cost.get(id(Node))"}, id="classes"),
        pytest.param({"node": "class Node(enum.Enum):\n    A = 'a'\n    B = 'b'"}, id="members of an enumeration"),
        pytest.param(
            {"node": f"{_NODE}\n\n    def __reduce__(self):\n        return node_named, (self.name,)"}, id="own reducer"
        ),
        pytest.param({"asks": "return [self.cost.get(id, 0) for id in (1, 2)]"}, id="a number called id"),
        pytest.param({"asks": "cost = {}\n        return cost.get(id(self.nodes[0]), 0)"}, id="a table of its own"),
        pytest.param({"asks": "return Graph(['c']).cost.get(id(self.nodes[0]), 0)"}, id="an object made there"),
        pytest.param({"started": "print(list(map(graph.work, [0, 1])))"}, id="no workers"),
    ],
)
def test_what_is_there_or_made_there(program: dict[str, str]) -> None:
    assert _found(**program) == []


_TOLD = """\
import multiprocessing as mp


class Node:
    def __init__(self, name):
        self.name = name


NODES = [Node("a"), Node("b")]
COST = {id(node): 5 for node in NODES}


def price(node):
    return COST.get(id(node), 0)


def total(nodes, cost):
    return sum(cost.get(id(node), 0) for node in nodes)


def main():
    nodes = [Node("c"), Node("d")]
    with mp.Pool(2) as pool:
        print(pool.map(price, NODES))
        print(pool.starmap(total, [(nodes, {id(node): 5 for node in nodes})]))


if __name__ == "__main__":
    main()
"""


def test_gap_tables_that_no_object_has() -> None:
    # gap: a global that each process fills for itself, asked for what came with a task; a table as an argument
    assert [each.code for each in lint(_TOLD).diagnostics if each.code == "LP256"] == []


def test_the_table_is_in_a_part_of_what_crosses(tmp_path: Path) -> None:
    files = {
        "network.py": (
            "class Stop:\n    def __init__(self, name):\n        self.name = name\n\n\n"
            "class Network:\n    def __init__(self):\n        self.stops = {}\n        self.delays = {}\n\n"
            "    def stop(self, name):\n        if name not in self.stops:\n"
            "            stop = self.stops[name] = Stop(name)\n            self.delays[id(stop)] = 2\n"
            "        return self.stops[name]\n\n"
            "    def delay(self, stop):\n        return self.delays.get(id(stop), 0)\n"
        ),
        "main.py": (
            "import multiprocessing as mp\n\nfrom network import Network\n\n\n"
            "class Planner:\n    def __init__(self, network):\n        self.network = network\n\n"
            "    def plan(self, name):\n        return self.network.delay(self.network.stops[name])\n\n\n"
            "def main():\n    network = Network()\n    network.stop('a')\n    planner = Planner(network)\n"
            "    with mp.Pool(2) as pool:\n        print(pool.map(planner.plan, ['a']))\n\n\n"
            "if __name__ == '__main__':\n    main()\n"
        ),
    }
    found = [each for each in lint_files(tmp_path, files) if each.code == "LP256"]
    assert [(Path(each.location.path).name, each.location.start.row) for each in found] == [("network.py", 18)]
    assert found[0].start_methods == tuple(StartMethod)
