"""What is stored on objects that are reached through the container in which they are."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from tests.support import marks

CLASS = """\
import pickle


class Station:
    def __init__(self, name):
        self.name = name
        self.on_alarm = None

    def subscribe(self, function):
        self.on_alarm = function


def wire_all(stations):
    for station in stations:
        station.on_alarm = lambda level: level


def wire(station):
    station.on_alarm = lambda level: level


def wire_pair(first, second):
    wire_all([first, second])


def subscribe_all(stations):
    for station in stations:
        station.subscribe(lambda level: level)


def calm(stations):
    for station in stations:
        station.on_alarm = None


def opened():
    return [Station("harbour"), Station("peak")]


"""
SHIP = "for station in stations:\n    pickle.dumps(station)\n"
MADE = {
    "display": 'stations = [Station("harbour"), Station("peak")]\n',
    "tuple": 'stations = (Station("harbour"), Station("peak"))\n',
    "names": 'harbour = Station("harbour")\npeak = Station("peak")\nstations = [harbour, peak]\n',
    "comprehension": 'stations = [Station(name) for name in ("harbour", "peak")]\n',
    "appended": 'stations = []\nfor name in ("harbour", "peak"):\n    stations.append(Station(name))\n',
}
DONE = {
    "loop": "for station in stations:\n    station.on_alarm = lambda level: level\n",
    "numbered loop": "for number, station in enumerate(stations):\n    station.on_alarm = lambda level: level\n",
    "setattr": "for station in stations:\n    setattr(station, 'on_alarm', lambda level: level)\n",
    "item": "stations[0].on_alarm = lambda level: level\n",
    "function": "wire_all(stations)\n",
    "function of an item": "wire(stations[1])\n",
    "function in a loop": "for station in stations:\n    wire(station)\n",
    "function of a function": "wire_pair(*stations)\n",
    "method": "for station in stations:\n    station.subscribe(lambda level: level)\n",
    "method of an item": "stations[0].subscribe(lambda level: level)\n",
    "method in a function": "subscribe_all(stations)\n",
}


def in_function(body: str) -> str:
    """A script that runs the statements in a function."""
    return f"{CLASS}def main():\n{indent(body, '    ')}\n\nmain()\n"


def found(text: str) -> list[str]:
    return [code for _, code in marks(text)]


@pytest.mark.parametrize("done", DONE)
@pytest.mark.parametrize("made", MADE)
def test_a_store_on_an_item_is_on_the_object(made: str, done: str) -> None:
    if done == "function of a function" and made != "display":
        pytest.skip("which arguments a starred one gives is known of a display alone")
    if made in ("comprehension", "appended") and "item" in done:
        pytest.skip("it is one of several that are made in one place")
    assert found(in_function(MADE[made] + DONE[done] + SHIP)) == ["LP102"]


@pytest.mark.parametrize("done", [each for each in DONE if each != "function of a function"])
@pytest.mark.parametrize("made", ["display", "names"])
def test_the_same_at_module_level(made: str, done: str) -> None:
    if made == "names" and "method" in done:
        pytest.skip("at module level, methods of items that have names of their own are not followed")
    body = MADE[made] + DONE[done] + SHIP
    assert found(CLASS + body) == ["LP102"]
    assert found(f'{CLASS}if __name__ == "__main__":\n{indent(body, "    ")}') == ["LP102"]


@pytest.mark.parametrize(
    "body",
    [
        "for station in opened():\n    station.on_alarm = lambda level: level\n    pickle.dumps(station)\n",
        "stations = opened()\nwire_all(stations)\n" + SHIP,
        "stations = opened()\nwire(stations[0])\n" + SHIP,
        "stations = opened()\nfor station in stations:\n    station.on_alarm = lambda level: level\n" + SHIP,
        "stations = list(opened())\nwire_all(stations)\n" + SHIP,
    ],
)
def test_containers_that_functions_give(body: str) -> None:
    assert found(in_function(body)) == ["LP102"]


@pytest.mark.parametrize(
    "body",
    [
        'stations = {"harbour": Station("harbour")}\n'
        "for station in stations.values():\n    station.on_alarm = lambda level: level\n"
        "pickle.dumps(stations)\n",
        'stations = {"harbour": Station("harbour")}\n'
        "stations['harbour'].on_alarm = lambda level: level\npickle.dumps(stations)\n",
        'harbour = Station("harbour")\nwire_pair(harbour, Station("peak"))\npickle.dumps(harbour)\n',
        'harbour = Station("harbour")\nfor each in (harbour, Station("peak")):\n'
        "    each.on_alarm = lambda level: level\npickle.dumps(harbour)\n",
    ],
)
def test_other_containers(body: str) -> None:
    assert found(in_function(body)) == ["LP102"]


@pytest.mark.parametrize(
    "body",
    [
        MADE["display"] + DONE["loop"] + "for station in stations:\n    station.on_alarm = len\n" + SHIP,
        MADE["display"] + DONE["loop"] + "for station in stations:\n    station.on_alarm = None\n" + SHIP,
        MADE["display"] + DONE["function"] + "calm(stations)\n" + SHIP,
        MADE["display"] + "stations[1].on_alarm = lambda level: level\npickle.dumps(stations[0])\n",
        MADE["display"] + "others = [Station('moor')]\nwire_all(others)\n" + SHIP,
        MADE["display"] + "for station in stations:\n    alarm = lambda level: level\n    alarm(station)\n" + SHIP,
        MADE["display"] + SHIP + DONE["loop"],
        'stations = {"harbour": Station("harbour")}\nfor name in stations:\n    wire(name)\npickle.dumps(stations)\n',
        'harbour = Station("harbour")\nwire_all([Station("peak")])\npickle.dumps(harbour)\n',
        "stations = opened()\nwire_all(opened())\n" + SHIP,
    ],
)
def test_what_is_not_on_the_object_when_it_crosses_is_fine(body: str) -> None:
    assert found(in_function(body)) == []


def test_a_condition_on_the_item_leaves_it_open() -> None:
    text = MADE["display"] + dedent(
        """\
        for station in stations:
            if station.name in read():
                station.on_alarm = lambda level: level
        """
    )
    assert found(in_function(text + SHIP)) == ["LP102"]
