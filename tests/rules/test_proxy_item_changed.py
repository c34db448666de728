"""LP220: proxy-item-changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP220"


ROW = "class Row:\n    n = 0\n"
MAIN = (
    "def main():\n    m = mp.Manager()\n    d = m.{made}\n    mp.Process(target=g, args=(d,)).start()\n"
    "if __name__ == '__main__':\n    main()\n"
)


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("d['a'].append(1)", "dict(a=[])"),
        ("d['a']['b'] = 1", "dict({'a': {}})"),
        ("d[0].extend([1])", "list([[]])"),
        ("d['a'].update(b=1)", "dict(a={})"),
        ("d['a'].append(1)", "dict()\n    d['a'] = []"),
        ("d['a']['b'] = 1", "dict()\n    d['a'] = {}"),
        ("d['a']['b'] += 1", "dict()\n    d['a'] = {'b': 0}"),
        ("d['a']['b'].append(1)", "dict()\n    d['a'] = {'b': []}"),
        ("d['a']['b'].append(1)", "dict()\n    d.update(a={'b': []})"),
        ("for k in 'ab':\n        d[k]['n'] += 1", "dict()\n    for k in 'ab':\n        d[k] = {'n': 0}"),
        ("d[0][1] = 2", "list()\n    d.append([0, 1])"),
        ("d['a'].n = 1", "dict(a=Row())"),
        ("d['a'].n += 1", "dict(a=Row())"),
        ("d[0].n = 1", "list()\n    d.append(Row())"),
        ("x = d['a']\n    x.append(1)", "dict(a=[])"),
        ("x = d['a']\n    x['n'] += 1", "dict(a={'n': 0})"),
        ("x = d['a']\n    if x['n'] < 9:\n        x['n'] += 1\n        x['m'] = 2", "dict(a={'n': 0})"),
        ("x = d['a']\n    x.n = 2", "dict(a=Row())"),
    ],
)
def test_an_item_changed_in_place(change: str, made: str) -> None:
    assert codes(f"{ROW}def g(d):\n    {change}\n{MAIN.format(made=made)}")[:1] == ["LP220"]


@pytest.mark.parametrize(
    ("change", "made"),
    [
        pytest.param("d['a'] = 1", "dict()", id="an item is stored"),
        pytest.param("d.append(1)", "list()", id="the proxy itself is changed"),
        pytest.param("x = d['a']\n    x.append(1)\n    d['a'] = x", "dict(a=[])", id="stored again"),
        pytest.param("d['a'].append(1)", "dict(a=m.list())", id="made by the manager"),
        pytest.param("d['a'].append(1)", "dict()\n    d['a'] = m.list()", id="put in by the manager"),
        pytest.param("d['a']['b'].append(1)", "dict()\n    d['a'] = {'b': m.list()}", id="made by it, in a dict"),
        pytest.param("d['a'].append(1)", "dict()\n    e = m.list()\n    e.append(0)\n    d['a'] = e", id="by a name"),
        pytest.param("d['a']['b'] += 1", "dict({k: m.dict(b=0) for k in 'ab'})", id="made by it, for each key"),
        pytest.param("d[0].append(1)", "list([m.list() for _ in range(3)])", id="a list of lists of the manager"),
        pytest.param("d['a'] += [1]", "dict(a=[])", id="added and stored again"),
        pytest.param("d['a'] += [1]\n    print(d['a'][0])", "dict(a=[])", id="the same, then read"),
        pytest.param(
            "x = d['a']\n    x['b'].append(1)\n    d['a'] = x", "dict(a={'b': []})", id="a part changed, stored again"
        ),
        pytest.param("x = d['a']\n    x.n = 2\n    d['a'] = x", "dict(a=Row())", id="an object stored again"),
        pytest.param("x = d['a']\n    x.append(1)\n    d.update(a=x)", "dict(a=[])", id="stored again by a method"),
        pytest.param("x = d['a']\n    x.append(1)\n    return x", "dict(a=[])", id="returned"),
        pytest.param("x = d['a']\n    x['k'] = 1\n    print(x['k'] + x['n'])", "dict(a={'n': 1})", id="used here"),
        pytest.param("x = list(d['a'])\n    x.append(1)", "dict(a=[])", id="a copy by name"),
        pytest.param("x = d['a']\n    x.append(1)", "dict(a=m.list())", id="a variable of what the manager makes"),
        pytest.param("d.n = 1", "dict(a=Row())", id="an attribute of the proxy"),
        pytest.param("print(d['a'].copy())", "dict(a=[])", id="only read"),
        pytest.param("e = {'a': []}\n    e['a'].append(1)", "dict(a=[])", id="a dict of its own"),
    ],
)
def test_nothing_is_lost(change: str, made: str) -> None:
    assert codes(f"{ROW}def g(d):\n    {change}\n{MAIN.format(made=made)}") == []


BOARD = """
import multiprocessing as mp

class Board:
    def __init__(self, manager, names):
        {made}

    def note(self, name):
        self.scores[name]["seen"] += 1

    def best(self):
        return max(self.scores.values(), key=len)

def play(board, name):
    board.note(name)

def main():
    with mp.Manager() as manager:
        board = Board(manager, ["ann", "bob"])
        players = [mp.Process(target=play, args=(board, name)) for name in ["ann", "bob"]]
        for player in players:
            player.start()
        for player in players:
            player.join()
        print(board.best())

if __name__ == "__main__":
    main()
"""
FILLS = "\n        for name in names:\n            self.scores[name] = {'seen': 0}"


@pytest.mark.parametrize(
    "made",
    [
        f"self.scores = manager.dict(){FILLS}",
        "self.scores = manager.dict()\n        self.scores['ann'] = {'seen': 0}",
        "scores = manager.dict()\n        self.scores = scores\n        self.scores.update(ann={'seen': 0})",
        "self.scores = manager.list()\n        self.scores.append({'seen': 0})",
    ],
)
def test_a_proxy_of_an_object_that_is_sent_holds_nothing_here(made: str) -> None:
    assert codes(BOARD.replace("{made}", made)) == ["LP220"]


@pytest.mark.parametrize(
    "made",
    [
        "self.scores = manager.dict({name: manager.dict(seen=0) for name in names})",
        "self.scores = manager.dict()\n        for name in names:\n            self.scores[name] = manager.dict()",
        "self.scores = manager.dict()\n        for name in names:\n            row = manager.dict()\n"
        "            row['seen'] = 0\n            self.scores[name] = row",
        f"self.scores = manager.dict() if len(names) > 9 else {{}}{FILLS}",
    ],
)
def test_an_attribute_may_hold_more_than_a_proxy(made: str) -> None:
    assert "LP220" not in codes(BOARD.replace("{made}", made))


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("d.rows.append(1)", "Namespace(rows=[])"),
        ("d.rows.append(1)", "Namespace()\n    d.rows = []"),
        ("d.counts['a'] = 1", "Namespace(counts={})"),
        ("d.counts['a'] += 1", "Namespace(counts={'a': 0})"),
        ("d.row.n = 1", "Namespace(row=Row())"),
        ("x = d.rows\n    x.append(1)", "Namespace(rows=[])"),
        ("d.counts['a'].append(1)", "Namespace(counts={'a': []})"),
    ],
)
def test_attributes_of_a_namespace(change: str, made: str) -> None:
    assert codes(f"{ROW}def g(d):\n    {change}\n{MAIN.format(made=made)}") == ["LP220"]


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("d.best = 1", "Namespace(best=None)"),
        ("d.count += 1", "Namespace(count=0)"),
        ("d.rows += [1]", "Namespace(rows=[])"),
        ("d.rows = [*d.rows, 1]", "Namespace(rows=[])"),
        ("x = d.rows\n    x.append(1)\n    d.rows = x", "Namespace(rows=[])"),
        ("d.rows.append(1)", "Namespace(rows=m.list())"),
        ("d.rows.append(1)", "Namespace()\n    d.rows = m.list()"),
        ("d.rows.append(1)", "Namespace()\n    rows = m.list()\n    d.rows = rows"),
        ("d.count.value += 1", "Namespace(count=m.Value('i', 0))"),
        ("d.jobs.put(1)", "Namespace()\n    d.jobs = m.Queue()"),
        ("print(d.rows[0], d.row.n)", "Namespace(rows=[1], row=Row())"),
        ("d = Row()\n    d.rows = []\n    d.rows.append(1)", "Namespace(rows=[])"),
    ],
)
def test_what_changes_no_copy_in_a_namespace(change: str, made: str) -> None:
    assert codes(f"{ROW}def g(d):\n    {change}\n{MAIN.format(made=made)}") == []


def test_the_help_says_how_to_store_it(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "import multiprocessing as mp\ndef g(d):\n    d.rows.append(1)\n" + MAIN.format(made="Namespace(rows=[])")
    )
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [(each.code, each.help) for each in found] == [
        ("LP220", "assign the changed value again (`shared.name = value`), or make it by the manager, too")
    ]


TEAM = """
class Team:
    def __init__(self, name=""):
        self.name, self.goals, self.rows = name, 0, []

    def record(self, goals=1):
        self.goals += goals

    def add(self, row=1):
        self.rows.append(row)

    def report(self):
        self.record(2)

    def show(self):
        print(self.name, self.goals)

    def store(self, teams=None, place=0):
        self.goals += 1
        if teams is not None:
            teams[place] = self


class Teams:
    def __init__(self, teams):
        self.teams = teams

    def report(self, place=0):
        team = self.teams[place]
        team.record(3)


"""


def _team(change: str, made: str = "list([Team()])") -> list[str]:
    return codes(f"{TEAM}def g(d):\n    {change}\n{MAIN.format(made=made)}")


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("d[0].record()", "list([Team()])"),
        ("d[0].add()", "list([Team()])"),
        ("d[0].report()", "list([Team()])"),
        ("d[0].record()", "list([Team(name) for name in 'ab'])"),
        ("d['a'].record()", "dict(a=Team())"),
        ("d['a'].record()", "dict({'a': Team()})"),
        ("d['a'].record()", "dict()\n    d['a'] = Team()"),
        ("d[0].record()", "list()\n    d.append(Team())"),
        ("team = d[0]\n    team.record()", "list([Team()])"),
        ("team = d[0]\n    print(team.name)\n    team.record()", "list([Team()])"),
        ("for place in range(2):\n        d[place].record(place)", "list([Team(), Team()])"),
        ("Teams(d).report()", "list([Team()])"),
    ],
)
def test_an_item_changed_by_a_method(change: str, made: str) -> None:
    assert _team(change, made) == ["LP220"]


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("d[0].show()", "list([Team()])"),
        ("team = d[0]\n    team.record()\n    d[0] = team", "list([Team()])"),
        ("team = d[0]\n    team.record()\n    team.show()", "list([Team()])"),
        ("team = d[0]\n    team.record()\n    return team", "list([Team()])"),
        ("d[0].store(d)", "list([Team()])"),
        ("d[0].record()", "list([load()])"),
        ("d[0].record()", "list([Team(), load()])"),
        ("d[0].record()", "list()"),
        ("Team().record()", "list([Team()])"),
    ],
)
def test_methods_by_which_no_change_is_lost(change: str, made: str) -> None:
    assert _team(change, made) == []


HELPER = "def note(row, line):\n    {note}\ndef g(d):\n    {change}\n"
CHANGE = "row = d['a']\n    row['n'] = 1\n    for line in 'ab':\n        note(row, line)\n    row['n'] = 2"


@pytest.mark.parametrize(
    ("note", "change", "fires"),
    [
        ("row['lines'].append(line)", CHANGE, True),
        ("if line and len(row) > 1:\n        row['lines'] += [line]", CHANGE, True),
        ("print(row['n'], line)", "row = d['a']\n    note(row, 'a')\n    row['n'] = 1", True),
        # The changed copy is for what the helper does with it.
        ("print(row['n'], line)", "row = d['a']\n    row['n'] = 1\n    note(row, 'a')", False),
        ("KEPT.append(row)", CHANGE, False),
        ("row['lines'].append(line)\n    KEPT['a'] = row", CHANGE, False),
        ("row['lines'].append(line)\n    KEPT['a'] = row.copy()", CHANGE, False),
        ("row['lines'].append(line)\n    return row", CHANGE, False),
        ("row['lines'].append(line)", CHANGE + "\n    d['a'] = row", False),
        ("row['lines'].append(line)", CHANGE.replace("note(", "row = note("), False),
        ("row['lines'].append(line)", CHANGE.replace("note(", "unknown("), False),
    ],
)
def test_a_row_that_helpers_get(note: str, change: str, fires: bool) -> None:
    text = HELPER.format(note=note, change=change) + MAIN.format(made="dict(a={'n': 0, 'lines': []})")
    assert ("LP220" in codes(text)) is fires
