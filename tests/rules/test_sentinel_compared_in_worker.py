"""LP216: sentinel-compared-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint

GUARD = "if __name__ == '__main__':\n    main()\n"
GIVEN = "def main():\n    mp.Process(target=g, args=(N,))\n"
TASKED = "def main():\n    mp.Process(target=g, args=(T(),))\n"
NAMED = "def main():\n    mp.Process(target=g, kwargs={'y': N})\n"
TASK = "class T:\n    def __init__(self, v=N):\n        self.v = v\n"


class TestPage(PageTests):
    code = "LP216"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("def g(x):\n    return x is N\n" + GIVEN, id="argument"),
        pytest.param(
            "def g(x, y=1):\n    return y is not N\n" + NAMED,
            id="keyword",
        ),
        pytest.param(f"{TASK}def g(t):\n    return t.v is N\n" + TASKED, id="attr"),
        pytest.param(
            f"{TASK}    def run(self):\n        return self.v is N\ndef main():\n    mp.Process(target=T().run)\n",
            id="attribute of self",
        ),
        pytest.param(
            f"{TASK}def h(a, b):\n    return b if a is N else a\ndef g(t):\n    return h(t.v, 3)\n{TASKED}",
            id="attribute that a function is given",
        ),
        pytest.param(
            f"{TASK}def h(b, a):\n    return b if a is N else a\ndef g(t):\n    return h(3, a=t.v)\n{TASKED}",
            id="attribute that a function is given by name",
        ),
        pytest.param("def g(x):\n    return x is N\ndef main():\n    mp.Pool(1).apply(g, (N,))\n", id="of a pool"),
    ],
)
def test_what_arrives_as_another_object(body: str) -> None:
    assert codes(f"N = object()\n{body}{GUARD}") == ["LP216"]


@pytest.mark.parametrize(
    ("made", "fires"),
    [
        ("N = object()", True),
        ("class C:\n    pass\nN = C()", True),
        ("class C:\n    def __repr__(self):\n        return 'N'\nN = C()", True),
        ("class C:\n    def __reduce__(self):\n        return 'N'\nN = C()", False),
        ("class C:\n    def __eq__(self, other):\n        return True\nN = C()", False),
        ("class C(object):\n    pass\nN = C()", True),
        ("class B:\n    pass\nclass C(B):\n    pass\nN = C()", True),
        ("class C(Exception):\n    pass\nN = C()", False),
        ("import copyreg\nclass C:\n    pass\nN = C()\ncopyreg.pickle(C, lambda _: 'N')", False),
        ("class C:\n    pass\nN = C", False),
        ("N = None", False),
        ("N = ()", False),
        ("import enum\nclass C(enum.Enum):\n    A = 1\nN = C.A", False),
    ],
)
def test_how_it_is_made(made: str, fires: bool) -> None:
    body = "def g(x):\n    return x is N\n" + GIVEN
    assert codes(f"{made}\n{body}{GUARD}") == ["LP216"] * fires


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("def g(x=N):\n    return x is N\ndef main():\n    mp.Process(target=g)\n", id="not shipped"),
        pytest.param("def g(x):\n    return x\n" + GIVEN, id="not compared"),
        pytest.param("def g(x):\n    return x == N\n" + GIVEN, id="equality"),
        pytest.param(
            "def h(d, key=N):\n    return key is N\ndef g(x):\n    h(x)\n" + GIVEN,
            id="of a function that it calls",
        ),
        pytest.param(
            f"{TASK}        self.w = 1\ndef h(a, b):\n    return a is N\ndef g(t):\n    return h(t.w, t.v)\n{TASKED}",
            id="another attribute that a function is given",
        ),
        pytest.param(
            f"{TASK}        self.w = 1\ndef g(t):\n    return t.w is N\n" + TASKED,
            id="another attribute",
        ),
        pytest.param(
            "def g(x):\n    return x is N\ndef main():\n    mp.get_context('fork').Process(target=g, args=(N,))\n",
            id="forked",
        ),
    ],
)
def test_what_is_not_compared_or_not_pickled(body: str) -> None:
    assert codes(f"N = object()\n{body}{GUARD}") == []


QUEUED = "def main():\n    q = mp.Queue()\n    mp.Process(target=g, args=(q,)).start()\n    q.put(N)\n"


@pytest.mark.parametrize(
    "body",
    [
        "def g(q):\n    while True:\n        x = q.get()\n        if x is N:\n            break\n",
        "def g(q):\n    x = q.get(timeout=3)\n    return x is not N\n",
        "def g(q):\n    x = q.get()\n    return x == N\n",
        "def g(q):\n    while (x := q.get()) is not N:\n        print(x)\n",
        "def g(q):\n    return q.get() is N\n",
        "def g(q):\n    for x in iter(q.get, N):\n        print(x)\n",
        "def g(c):\n    x = c.recv()\n    return x is N\n",
    ],
)
def test_what_a_queue_gives(body: str) -> None:
    assert codes(f"N = object()\n{body}{QUEUED}{GUARD}") == ["LP216"]


def test_forked_processes_get_another_object_from_a_queue_too() -> None:
    body = "def g(q):\n    x = q.get()\n    return x is N\n" + QUEUED.replace(
        "mp.Process", "mp.get_context('fork').Process"
    )
    assert codes(f"N = object()\n{body}{GUARD}") == ["LP216"]


@pytest.mark.parametrize(
    ("made", "body"),
    [
        pytest.param("None", "def g(q):\n    x = q.get()\n    return x is N\n", id="None"),
        pytest.param("'stop'", "def g(q):\n    x = q.get()\n    return x == N\n", id="text"),
        pytest.param("object()", "def g(q, d={}):\n    x = d.get('a', N)\n    return x is N\n", id="dictionary"),
        pytest.param("object()", "def g(q):\n    x = q.get()\n    return x  # x is N\n", id="comment"),
        pytest.param("object()", "def g(q, y=None):\n    y = y or q\n    return y is N\n", id="not from the queue"),
        pytest.param(
            "object()",
            "import queue\ndef g(q):\n    own = queue.Queue()\n    own.put(N)\n    x = own.get()\n    return x is N\n",
            id="a queue of its own",
        ),
    ],
)
def test_what_is_no_sentinel_or_comes_from_elsewhere(made: str, body: str) -> None:
    assert codes(f"N = {made}\n{body}{QUEUED}{GUARD}") == []


def test_what_the_worker_puts_itself() -> None:
    body = "def g(q, own):\n    own.put(N)\n    x = own.get()\n    return x is N\n" + QUEUED.replace(
        "q.put(N)", "q.put(1)"
    )
    assert codes(f"N = object()\n{body}{GUARD}") == []


CARRIED = """\
N = object()
class A:
    def __init__(self, x=N):
        self.x = x
        self.all = dict(x=x)
    def go(self):
{body}
def g(a):
    return a.go()
def main():
    mp.Pool(2).map(g, [A()])
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("        v = self.x\n        return v is N\n", True),
        ("        return self.all['x'] is N\n", True),
        ("        v = self.all['x']\n        return v is not N\n", True),
        ("        v = self.all.get('x')\n        return v is N\n", True),
        ("        v = self.all.get('y', N)\n        return v is N\n", False),
        ("        for key in vars(self):\n            v = getattr(self, key)\n            return v is N\n", True),
        ("        v = getattr(self, 'x', None)\n        return v is N\n", True),
        ("        v = getattr(self, 'y', None)\n        return v is N\n", False),
        ("        v = 1\n        return v is N\n", False),
        ("        v = self.all['x']\n        return v is None\n", False),
    ],
)
def test_what_a_variable_or_a_dict_holds(body: str, found: bool) -> None:
    assert codes(CARRIED.format(body=body) + GUARD) == (["LP216"] if found else [])


def test_the_trail_begins_where_the_object_is_made() -> None:
    parts = "import multiprocessing as mp\n\nN = object()\n\ndef g(x):\n    return x is N\n"
    (found,) = lint(f"{parts}{GIVEN}{GUARD}", also="LP216").diagnostics
    assert found.trail[0].location.start.row == 3
    queue = "def g(q):\n    while q.get() is not N:\n        pass\n"
    main = "def main():\n    q = mp.Queue()\n    mp.Process(target=g, args=(q,)).start()\n    q.put(N)\n"
    (found,) = lint(f"import multiprocessing as mp\n\n\nN = object()\n{queue}{main}{GUARD}").diagnostics
    assert (found.code, found.trail[0].location.start.row) == ("LP216", 4)


COLUMN = """\
N = object()
class Column:
    def __init__(self, values):
        self.values = [N if v is None else v for v in values]
        self.names = ['a', 'b']
    def ask(self):
        {body}
def g(column):
    return column.ask()
def main():
    mp.Pool(2).map(g, [Column([1, None])])
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return [i for i, v in enumerate(self.values) if v is N]", True),
        ("return [v for v in self.values if v is not N and v > 0]", True),
        ("return sum(v is N for v in self.values)", True),
        ("return {n: 0 if v is N else v for n, v in zip(self.names, self.values)}", True),
        ("return any(v is N for v in self.values[1:])", True),
        ("values = list(self.values)\n        return [v for v in values if v is N]", True),
        ("return [v for v in self.names if v is N]", False),
        ("return [v for v in self.values if v is None]", False),
        ("return [v for v in self.values if v == N]", False),
        ("return [w for w in self.names for v in self.values if w is N]", False),
        ("values = [N if v else 1 for v in self.names]\n        return [v for v in values if v is N]", False),
        ("return [v for v in self.values] + [v for v in self.names if v is N]", False),
    ],
)
def test_items_of_a_list_that_an_object_keeps(body: str, found: bool) -> None:
    assert codes(COLUMN.format(body=body) + GUARD) == (["LP216"] if found else [])


def test_a_mapping_that_an_object_keeps() -> None:
    text = COLUMN.replace("[N if v is None else v for v in values]", "{{v: N for v in values}}")
    assert codes(text.format(body="return [k for k, v in self.values.items() if v is N]") + GUARD) == ["LP216"]
    assert codes(text.format(body="return [v for v in self.values.values() if v is N]") + GUARD) == ["LP216"]


COUNT = "N = object()\ndef count(values):\n    return sum(v is N for v in values)\n"
SECOND = "N = object()\ndef count(other, values):\n    return sum(v is N for v in values)\n"


@pytest.mark.parametrize(
    ("text", "call", "found"),
    [
        pytest.param(COUNT, "mp.Pool(2).map(count, [[1, N], [2, 3]])", True, id="map"),
        pytest.param(COUNT, "mp.Pool(2).starmap(count, [([1, N],)])", True, id="starmap"),
        pytest.param(COUNT, "mp.Process(target=count, args=([1, N],)).start()", True, id="process"),
        pytest.param(SECOND, "mp.Process(target=count, args=(1, [1, N])).start()", True, id="second argument"),
        pytest.param(SECOND, "mp.Process(target=count, args=(N, [1, 2])).start()", False, id="first argument itself"),
        pytest.param(SECOND, "mp.Process(target=count, args=([1, N], [1, 2])).start()", False, id="list of the first"),
        pytest.param(COUNT, "mp.Pool(2).map(count, [[1, None], [2, 3]])", False, id="others"),
        pytest.param(COUNT, "print(count([1, N]))", False, id="in the main process"),
    ],
)
def test_items_of_a_list_that_a_worker_is_given(text: str, call: str, found: bool) -> None:
    assert codes(f"{text}def main():\n    {call}\n{GUARD}") == (["LP216"] if found else [])


def test_a_list_that_is_passed_on() -> None:
    helper = "def ask(values):\n    return [v for v in values if v is N]\n"
    text = COLUMN.replace(
        "def g(column):\n    return column.ask()\n", f"{helper}def g(column):\n    return {{given}}\n"
    )
    assert codes(text.format(body="pass", given="ask(column.values)") + GUARD) == ["LP216"]
    assert codes(text.format(body="pass", given="ask(column.names)") + GUARD) == []


CHANNEL = """\
import enum
import multiprocessing as mp
import queue


class End(enum.Enum):
    END = 1


class Channel:
    END = {end}

    def __init__(self):
        self._queue = {queue}

    def send(self, item):
        self._queue.put(item)

    def finish(self):
        self._queue.put({put})

    def __iter__(self):
        return iter(self._queue.get, {awaited})


def convert(source, sink):
    for item in source:
        sink.send(item + 1)
    sink.finish()


def main():
    raw, converted = Channel(), Channel()
    stage = mp.Process(target=convert, args=(raw, converted))
    stage.start()
    raw.send(1)
    {finish}
    print(list(converted))
    stage.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("end", "put", "awaited", "finish", "fires"),
    [
        pytest.param("object()", "Channel.END", "Channel.END", "raw.finish()", True, id="of the class"),
        pytest.param("object()", "self.END", "self.END", "raw.finish()", True, id="by self"),
        pytest.param("object()", "self.END", "self.END", "raw.send(Channel.END)", True, id="sent by main"),
        pytest.param("End.END", "Channel.END", "Channel.END", "raw.finish()", False, id="of an enumeration"),
        pytest.param("None", "Channel.END", "Channel.END", "raw.finish()", False, id="None"),
        pytest.param("'end'", "Channel.END", "Channel.END", "raw.finish()", False, id="text"),
        pytest.param("object()", "None", "Channel.END", "raw.finish()", False, id="another one is put"),
        pytest.param("object()", "Channel.END", "None", "raw.finish()", False, id="another one is awaited"),
    ],
)
def test_sentinels_in_the_body_of_a_class(end: str, put: str, awaited: str, finish: str, fires: bool) -> None:
    source = CHANNEL.format(end=end, put=put, awaited=awaited, finish=finish, queue="mp.Queue()")
    assert ("LP216" in [each.code for each in lint(source).diagnostics]) is fires


def test_a_sentinel_in_the_queue_of_threads_that_a_worker_has() -> None:
    body = (
        "import queue\ndef g(q):\n    own = queue.Queue()\n    own.put(N)\n    own.put(1)\n"
        "    for x in iter(own.get, N):\n        print(x)\n    return own.get() is N\n"
    )
    assert codes(f"N = object()\n{body}{QUEUED}{GUARD}") == []


SURVEY = """\
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field


class _NotAsked{base}:
    def __repr__(self):
        return "NOT_ASKED"


NOT_ASKED = _NotAsked()


@dataclass
class Response:
    person: int
    answers: dict = field(default_factory=dict)

    def get(self, question):
        return self.answers.get(question, NOT_ASKED)


def complete(response, questions):
    for question in questions:
        response.answers[question] = {filled}
    return response


def interview(person):
    return {made}


class Table:
    def __init__(self):
        self.asked = 0

    def add(self, value):
        if value is NOT_ASKED:
            return
        self.asked += 1


def tabulate(responses):
    table = Table()
    for response in responses:
        {add}
    return table.asked


def blocks(items, size):
    for start in range(0, len(items), size):
        yield items[start : start + size]


def main():
    responses = [interview(person) for person in range(4)]
    with ProcessPoolExecutor(2) as executor:
        print(sum(executor.map(tabulate, {sent})))


if __name__ == "__main__":
    main()
"""
_WITH_IT = "Response(person, {'a': 1, 'b': NOT_ASKED})"


def _surveyed(made: str, add: str, sent: str = "blocks(responses, 2)", filled: str = "1", base: str = "") -> list[str]:
    text = SURVEY.format(made=made, add=add, sent=sent, filled=filled, base=base)
    return [each.code for each in lint(text).diagnostics]


@pytest.mark.parametrize("sent", ["blocks(responses, 2)", "[responses]", "[responses[:2], responses[2:]]"])
@pytest.mark.parametrize(
    "add",
    [
        "table.add(response.get('b'))",
        "table.add(response.answers['b'])",
        "table.add(response.answers.get('b'))",
        "for each in response.answers.values():\n            table.add(each)",
        "for name, each in response.answers.items():\n            table.add(each)",
    ],
)
def test_what_is_got_out_of_an_object_and_handed_on(add: str, sent: str) -> None:
    assert _surveyed(_WITH_IT, add, sent) == ["LP216"]


@pytest.mark.parametrize("filled", ["NOT_ASKED", "response.get(question)", "response.answers.get(question, NOT_ASKED)"])
def test_what_fills_up_an_object(filled: str) -> None:
    made = "complete(Response(person, {'a': 1}), 'ab')"
    assert _surveyed(made, "table.add(response.get('b'))", filled=filled) == ["LP216"]


@pytest.mark.parametrize(
    ("made", "add"),
    [
        ("Response(person, {'a': 1})", "table.add(response.get('b'))"),
        ("Response(person, {'a': 1})", "table.add(response.answers.get('b', NOT_ASKED))"),
        ("Response(NOT_ASKED, {'a': 1})", "table.add(response.get('b'))"),
        ("complete(Response(person, {'a': 1}), 'b')", "table.add(response.get('c'))"),
        (_WITH_IT, "table.add(response.person)"),
        (_WITH_IT, "table.add(len(response.answers))"),
        (_WITH_IT, "table.add(Table())"),
        (_WITH_IT, "table.add(1)"),
    ],
)
def test_what_is_got_elsewhere(made: str, add: str) -> None:
    assert _surveyed(made, add) == []


def test_what_comes_back_as_the_same() -> None:
    hook = "(Kept)"
    text = SURVEY.format(made=_WITH_IT, add="table.add(response.get('b'))", sent="[responses]", filled="1", base=hook)
    kept = "class Kept:\n    def __reduce__(self):\n        return 'NOT_ASKED'\n\n\nclass _NotAsked"
    assert [each.code for each in lint(text.replace("class _NotAsked", kept)).diagnostics] == []


SIGNALS = """\
import enum
import multiprocessing as mp
class Signal(enum.Enum):
    STOP = {value}
    SKIP = {value}
def work(inbox):
    while (task := inbox.get()) is not Signal.STOP:
        print(task)
def main():
    inbox = mp.Queue()
    mp.Process(target=work, args=(inbox,)).start()
    inbox.put(Signal.STOP)
if __name__ == "__main__":
    main()
"""


def test_members_of_an_enum_are_looked_up_by_their_values() -> None:
    (found,) = lint(SIGNALS.format(value="object()")).diagnostics
    assert found.code == "LP216"
    assert "ValueError: <object object at 0x7f…> is not a valid Signal" in found.message
    assert found.help is not None
    assert "enum.auto()" in found.help
    assert "enum.Enum`, or" not in found.help


@pytest.mark.parametrize("value", ["enum.auto()", "'stop'", "1"])
def test_members_of_which_the_value_arrives(value: str) -> None:
    assert [each.code for each in lint(SIGNALS.format(value=value)).diagnostics] == []


def test_an_object_of_a_plain_class_is_another() -> None:
    (found,) = lint(SIGNALS.format(value="object()").replace("(enum.Enum)", "")).diagnostics
    assert "it arrives as another object, which is not `Signal.STOP`" in found.message


PATCHES = """
from dataclasses import dataclass, fields
from typing import Any

UNSET = object()


@dataclass
class Patch:
    key: str
    price: Any = UNSET
    stock: Any = UNSET

    def changes(self):
        {changes}


@dataclass
class Options:
    depth: int = 1


def apply(job):
    {unpack}
    return patch.changes()


def main(records):
    patches = [Patch("a", price=1), Patch("b", stock=2)]
    with mp.Pool(2) as pool:
        print(pool.map(apply, {jobs}))


"""
_ALL = "return {f.name for f in fields(self) if getattr(self, f.name) is not UNSET}"
_PRICE = "return self.price is not UNSET"
_PAIR = "record, patch = job"
_PAIRS = "[(records[p.key], p) for p in patches]"


def _patched(changes: str = _ALL, unpack: str = _PAIR, jobs: str = _PAIRS) -> list[str]:
    written = {"changes": changes.replace("\n", "\n        "), "unpack": unpack.replace("\n", "\n    "), "jobs": jobs}
    return codes(PATCHES.format(**written) + GUARD)


@pytest.mark.parametrize(
    "changes",
    [
        _ALL,
        _PRICE,
        "return self.stock is not UNSET",
        "return [n for n in ('price', 'stock') if (v := getattr(self, n)) is not UNSET]",
        "return [k for k, v in vars(self).items() if v is not UNSET]",
        "for value in self.__dict__.values():\n    if value is UNSET:\n        return 1",
        "return [n for n in ('price', 'stock') if vars(self)[n] is not UNSET]",
        "return getattr(self, 'price') is not UNSET",
        "return any(v is UNSET for v in [getattr(self, f.name) for f in fields(self)])",
    ],
)
def test_attributes_that_are_asked_by_names_that_are_not_written_out(changes: str) -> None:
    assert _patched(changes) == ["LP216"]


@pytest.mark.parametrize(
    ("unpack", "jobs"),
    [
        (_PAIR, _PAIRS),
        ("patch = job", "patches"),
        ("number, patch = job", "list(enumerate(patches))"),
        ("patch = job['patch']", "[{'patch': p} for p in patches]"),
        ("record, (number, patch) = job", "[(records[p.key], (1, p)) for p in patches]"),
    ],
)
def test_objects_that_travel_in_others(unpack: str, jobs: str) -> None:
    assert _patched(unpack=unpack, jobs=jobs) == ["LP216"]
    assert _patched(_PRICE, unpack=unpack, jobs=jobs) == ["LP216"]


@pytest.mark.parametrize(
    "changes",
    [
        "return self.key is not UNSET",
        "return getattr(self, 'key') is not UNSET",
        "return getattr(Options(), 'depth') == 1",
        "options = Options()\nreturn [f.name for f in fields(options) if getattr(options, f.name) is not UNSET]",
        "return [k for k, v in vars(Options()).items() if v is None]",
        "return [f.name for f in fields(self) if getattr(self, f.name) is not None]",
        "return {k: v for k, v in {'a': 1}.items() if v is not UNSET}",
    ],
)
def test_other_attributes_and_other_objects(changes: str) -> None:
    assert _patched(changes) == []
