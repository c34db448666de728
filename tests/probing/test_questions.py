"""What the probe says of objects: all that does not pickle, nothing that does."""

from __future__ import annotations

import collections
import functools
import io
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lintpickle.probing.injected.lintpickle_probe import ways
from lintpickle.probing.injected.lintpickle_probe.limits import Clock, Limits
from lintpickle.probing.injected.lintpickle_probe.questions import Answer, Question, answer
from lintpickle.probing.injected.lintpickle_probe.reductions import Reductions
from lintpickle.probing.injected.lintpickle_probe.walk import Walk

from .objects import (
    FINE,
    HAZARDS,
    Box,
    Counted,
    Listing,
    Mapped,
    Pair,
    Reduced,
    Slotted,
    SlottedBelow,
    cyclic,
    deep,
    endless,
    local_class,
)

ALL = Limits()


def ask(obj: object, way: ways.Way | None = None, limits: Limits = ALL, back: bool = False) -> Answer:
    return answer(Question(way or ways.plain(), obj, (("obj", obj),), limits=limits, back=back))


def paths(obj: object, way: ways.Way | None = None) -> list[str]:
    return [culprit["path"] for culprit in ask(obj, way).culprits]


@pytest.mark.parametrize("name", HAZARDS)
def test_a_hazard_is_named_with_the_words_of_pickle(name: str) -> None:
    box = Box(fine=1, held=[{"key": HAZARDS[name]()}])
    found = ask(box)
    assert found.culprits[0]["path"].startswith("obj.held[0]['key']")
    try:
        pickle.dumps(box)
    except BaseException as error:
        said = f"{type(error).__name__}: {error}".split(" at 0x")[0]
        assert any(said in each["error"] for each in found.culprits)
    else:
        pytest.fail("it pickles")


@pytest.mark.parametrize("name", FINE)
@pytest.mark.parametrize("way", [ways.plain, ways.process, ways.queue])
def test_what_crosses_has_no_culprit(name: str, way: Any) -> None:
    obj = FINE[name]()
    assert ask(obj, way(), back=True)[:4] == (None, [], 0, None)
    reductions = Reductions(way(), pickle.DEFAULT_PROTOCOL)
    with way().entered():
        assert Walk(reductions, Clock(Limits())).over([("obj", obj)]).culprits == []


def test_paths_read_like_code() -> None:
    lock = threading.Lock()
    thing = Box(
        slots=Slotted(lock, 1),
        below=SlottedBelow(1, 2, threading.Lock()),
        pair=Pair(1, threading.Lock()),
        listing=Listing([0, threading.Lock()]),
        mapped=Mapped(key=threading.Lock()),
        partial=functools.partial(print, threading.Lock(), sep=threading.Lock()),
        default=collections.defaultdict(lambda: 0),
        method=Box(lock=threading.Lock()).method,
        error=ValueError(threading.Lock()),
        odd={("a", 1): threading.Lock(), 7: threading.Lock()},
        made=Counted(threading.Lock()),
        ordered=collections.OrderedDict(x=threading.Lock()),
        deque=collections.deque([threading.Lock()]),
    )
    vars(thing)["not a name"] = threading.Lock()
    assert paths(thing) == [
        "obj.slots.first",
        "obj.below.third",
        "obj.pair.right",
        "obj.listing[1]",
        "obj.mapped['key']",
        "obj.partial.args[0]",
        "obj.partial.keywords['sep']",
        "obj.default.default_factory",
        "obj.method.__self__.lock",
        "obj.error.args[0]",
        "obj.odd[('a', 1)]",
        "obj.odd[7]",
        "obj.made.held",
        "obj.ordered['x']",
        "obj.deque[0]",
        "obj['not a name']",
    ]


def test_keys_and_elements_can_be_culprits() -> None:
    lock = threading.Lock()
    assert paths({lock: 1}) == ["obj (the key <_thread.lock>)"]
    assert paths({threading.Lock()}) == ["obj (the element <_thread.lock>)"]


def test_all_culprits_are_named_and_all_places_of_each() -> None:
    lock = threading.Lock()
    found = ask(Box(a=lock, b=[lock, {"c": lock}], view={}.keys(), make=lambda: None)).culprits
    assert [each["path"] for each in found] == ["obj.a", "obj.view", "obj.make"]
    assert found[0]["places"] == ["obj.a", "obj.b[0]", "obj.b[1]['c']"]
    assert found[0]["count"] == 3


def test_the_owner_is_the_closest_object_with_an_attribute() -> None:
    (found,) = ask(Box(inner=Slotted([{"k": threading.Lock()}], 1))).culprits
    assert found["owner"]["name"] == "Slotted"
    assert found["owner"]["attribute"] == "first"
    assert [base["name"] for base in found["owner"]["bases"]] == ["Slotted"]
    assert found["owner"]["bases"][0]["file"].endswith("objects.py")
    assert [step["path"] for step in found["steps"]] == [
        "obj",
        "obj.inner",
        "obj.inner.first",
        "obj.inner.first[0]",
        "obj.inner.first[0]['k']",
    ]


def test_cycles_end() -> None:
    assert paths(cyclic()) == ["obj.children[0].lock"]


def test_a_circle_of_reducers_is_named() -> None:
    found = ask(endless())
    assert isinstance(found.error, RecursionError)
    assert "RecursionError" in found.culprits[0]["error"]


def test_what_nests_too_deeply_is_told_where_it_begins() -> None:
    found = ask(Box(tree=deep(100_000)))
    assert found.culprits[0]["path"] == "obj.tree"
    assert found.culprits[0]["error"].startswith("RecursionError")


class TestManyElements:
    def test_a_million_elements_take_seconds(self) -> None:
        found = ask(Box(items=[{"n": n} for n in range(1_000_000)], lock=threading.Lock()))
        assert [each["path"] for each in found.culprits] == ["obj.lock"]
        assert found.stopped is None
        assert found.seconds < 15

    def test_alike_elements_are_one_culprit_with_a_count(self) -> None:
        found = ask([threading.Lock() for _ in range(50_000)])
        assert [(each["path"], each["count"], len(each["places"])) for each in found.culprits] == [
            ("obj[0]", 50_000, 20)
        ]

    def test_a_culprit_at_the_end_is_found(self) -> None:
        found = ask([*range(1_000_000), {}.keys()])
        assert [each["path"] for each in found.culprits] == ["obj[1000000]"]

    def test_limits_stop_and_are_said(self) -> None:
        assert ask(b"x" * 3_000_000, limits=Limits(megabytes=1)).stopped == "1 MB"
        found = ask([threading.Lock(), *([n] for n in range(500))], limits=Limits(objects=100))
        assert found.stopped == "100 objects"
        assert [each["path"] for each in found.culprits] == ["obj[0]"]

    def test_more_culprits_than_are_listed_are_counted(self) -> None:
        found = ask(Box(**{f"lock{n}": threading.Lock() for n in range(30)}), limits=Limits(culprits=10))
        assert (len(found.culprits), found.more) == (10, 20)


class TestHostileObjects:
    def test_hooks_run_once(self) -> None:
        for inner in (1, threading.Lock()):
            counted = Counted(inner)
            ask([counted, counted, Box(again=counted)])
            assert counted.asked == 1

    def test_a_reducer_with_side_effects_runs_once(self) -> None:
        ran: list[int] = []

        class Effects:
            def __reduce__(self) -> Any:
                ran.append(1)
                raise ValueError("once")

        ask([Effects()])
        assert len(ran) == 1

    def test_a_lie_about_the_class(self) -> None:
        class Liar(Box):
            @property  # type: ignore[misc]
            def __class__(self) -> Any:
                return int

        assert paths(Box(liar=Liar(a=1))) == ["obj.liar"]

    def test_a_class_that_cannot_be_asked_for(self) -> None:
        """Proxies of a task or a request make what they stand for when asked; that may fail."""
        made: list[int] = []

        class Proxy(Box):
            @property  # type: ignore[misc]
            def __class__(self) -> Any:
                made.append(1)
                raise LookupError("not bound")

        found = ask(Box(first=Proxy(), second=threading.Lock()))
        assert [each["path"] for each in found.culprits] == ["obj.first", "obj.second"]
        assert found.culprits[0]["error"] == "LookupError: not bound"
        assert made

    def test_attributes_that_recurse(self) -> None:
        found = ask(Box(proxy=Recursive()), back=True)
        assert isinstance(found.error, RecursionError)
        # Before 3.11 `object` has no `__getstate__`, so that pickling asks `__getattr__` for it already.
        assert found.on_the_way_back is hasattr(object, "__getstate__")

    def test_a_repr_is_never_asked_for(self) -> None:
        assert paths({Shy(): threading.Lock(), "l": [Shy(), threading.Lock()]}) != []

    def test_endless_reducers_are_bounded(self) -> None:
        found = ask(Reduced((Listing, (), None, iter(lambda: [0], 1))), limits=Limits(seconds=60, megabytes=1))
        assert found.stopped is not None

    def test_nothing_is_changed(self) -> None:
        held: dict[str, Any] = {"lock": threading.Lock(), "numbers": [1, 2]}
        box = Box(**held)
        before = dict(vars(box))
        ask(box)
        assert vars(box) == before
        assert vars(box)["numbers"] is held["numbers"]

    def test_a_dictionary_that_changes_meanwhile(self) -> None:
        box = Box()
        vars(box).update({f"a{n}": Growing(box) for n in range(20)}, lock=threading.Lock())
        assert "obj.lock" in paths(box)


class Recursive:
    def __init__(self) -> None:
        self.__dict__["kept"] = 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Shy:
    def __repr__(self) -> str:
        raise AssertionError("asked for")


class Growing:
    def __init__(self, box: Box) -> None:
        self.box = box

    def __reduce__(self) -> Any:
        vars(self.box)[f"more{len(vars(self.box))}"] = 1
        return (Box, ())


class TestWays:
    def test_a_lock_of_multiprocessing_crosses_when_a_process_is_started(self) -> None:
        import multiprocessing

        lock = multiprocessing.get_context("spawn").Lock()
        assert ask(Box(lock=lock), ways.process()).error is None
        assert paths(Box(lock=lock), ways.queue()) == ["obj.lock"]

    def test_beside_a_fork_what_belongs_to_the_start_method_is_not_asked(self) -> None:
        import multiprocessing

        lock = multiprocessing.get_context("fork").Lock()
        assert ask(Box(lock=lock), ways.process(beside=True)).error is None


@st.composite
def graphs(draw: Any) -> tuple[Any, set[int]]:
    """A graph of objects that share parts, and the ids of those in it that do not pickle."""
    bad: set[int] = set()
    made: list[Any] = []
    for _ in range(draw(st.integers(1, 25))):
        kind = draw(
            st.sampled_from(["box", "list", "dict", "tuple", "slots", "partial", "counted", "atom", "bad", "bad"])
        )
        inner = [made[at] for at in draw(st.lists(st.integers(0, len(made) - 1), max_size=4))] if made else []
        match kind:
            case "box":
                new: Any = Box(**{f"a{n}": each for n, each in enumerate(inner)})
            case "list":
                new = [*inner, 1]
            case "dict":
                new = {f"k{n}": each for n, each in enumerate(inner)}
            case "tuple":
                new = (*inner, "x")
            case "slots":
                new = Slotted(inner[:1], inner[1:])
            case "partial":
                new = functools.partial(print, *inner)
            case "counted":
                new = Counted(inner)
            case "atom":
                new = draw(st.integers())
            case _:
                name = draw(st.sampled_from(["lock", "lambda", "dict view", "generator", "raises", "local class"]))
                new = HAZARDS[name]()
                bad.add(id(new))
        made.append(new)
    return [Keep(made), *made[-6:]], bad


class Keep:
    """Keeps objects alive, and pickles none of them."""

    def __init__(self, held: list[Any]) -> None:
        self.held = held

    def __reduce__(self) -> Any:
        return (Keep, ([],))


@given(graphs())
def test_what_is_left_without_the_culprits_pickles_and_no_culprit_does(drawn: tuple[Any, set[int]]) -> None:
    graph, bad = drawn
    reductions = Reductions(ways.plain(), pickle.DEFAULT_PROTOCOL)
    found = Walk(reductions, Clock(Limits())).over([("obj", graph)]).culprits
    named = {id(node.obj) for culprit in found for node in culprit.nodes}
    assert named <= bad
    for culprit in found:
        for node in culprit.nodes:
            with pytest.raises((TypeError, AttributeError, ValueError, pickle.PicklingError)):
                pickle.dumps(node.obj)
    _Without(named).dump(graph)


class _Without(pickle.Pickler):
    """Pickles all but some objects, in whose place nothing is written."""

    def __init__(self, left_out: set[int]) -> None:
        super().__init__(io.BytesIO())
        self._left_out = left_out

    def persistent_id(self, obj: Any) -> Any:
        return "left out" if id(obj) in self._left_out else None


def test_a_local_class_is_named_at_its_instances() -> None:
    first = local_class()
    found = ask([first, type(first)()]).culprits
    assert [(each["path"], each["count"], each["defined"]["name"]) for each in found] == [
        ("obj[0]", 2, "local_class.<locals>.Local")
    ]


def chain(length: int) -> Iterator[Box]:
    last = Box()
    for _ in range(length):
        last = Box(next=last)
        yield last


def test_long_chains_of_objects_need_no_stack() -> None:
    first = list(chain(200))[-1]
    vars(first)["lock"] = threading.Lock()
    assert "obj.lock" in paths(first)
