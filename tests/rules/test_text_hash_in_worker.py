"""LP219: text-hash-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP219"


MAIN = "def main(names):\n    print({body})\n    mp.Process(target=g, args=(names,)).start()\n"


@pytest.mark.parametrize(
    ("hashed", "main"),
    [
        pytest.param("hash(f'{k}')", "hash(names[0])", id="a formatted text"),
        pytest.param("hash(k.lower())", "hash(names[0])", id="what a method of texts gives"),
        pytest.param("hash((k, str(k)))", "hash(names[0])", id="a pair"),
        pytest.param("hash(b'x' + k)", "hash(names[0])", id="a sum"),
        pytest.param("hash(str(k))", "g(names)", id="the same function"),
    ],
)
def test_both_sides_take_the_hash_of_a_text(hashed: str, main: str) -> None:
    assert codes(f"def g(k):\n    return {hashed}\n{MAIN.format(body=main)}") == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "main"),
    [
        pytest.param("hash(k)", "hash(names[0])", id="nobody knows what it is"),
        pytest.param("hash(str(k))", "len(names)", id="only workers do"),
        pytest.param("hash(len(k))", "hash(names[0])", id="a number"),
        pytest.param("hash((1, int(k)))", "hash(names[0])", id="numbers"),
        pytest.param("k.hash('x')", "hash(names[0])", id="a method of that name"),
    ],
)
def test_nothing_is_said_by_default(hashed: str, main: str) -> None:
    assert codes(f"def g(k):\n    return {hashed}\n{MAIN.format(body=main)}") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("print(hash(str(k)))", [], id="printed"),
        pytest.param("logger.info(f'done {hash(str(k))}')", [], id="logged"),
        pytest.param("logger.info(f'done {hash(str(k))}')\n    return hash(str(k))", ["LP219"], id="given back, too"),
        pytest.param("return k.log(hash(str(k)))", ["LP219"], id="for its result"),
        pytest.param("k.put(hash(str(k)))", ["LP219"], id="sent"),
    ],
)
def test_a_hash_in_a_message_is_compared_with_none(body: str, expected: list[str]) -> None:
    assert codes(f"def g(k):\n    {body}\n{MAIN.format(body='hash(names[0])')}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("key = hash(str(k))\n    if key not in KEPT:\n        KEPT[key] = k\n    return KEPT[key]", []),
        pytest.param("key = (hash(str(k)), 3)\n    g.kept[key] = k\n    return g.kept.get(key)", []),
        pytest.param("return KEPT.setdefault(hash(str(k)), k)", []),
        pytest.param("key = hash(str(k))\n    KEPT[key] = k\n    return key", ["LP219"]),
        pytest.param("key = hash(str(k))\n    return SHARED[key]", ["LP219"]),
        pytest.param("kept = {}\n    kept[hash(str(k))] = k\n    return kept", ["LP219"]),
        pytest.param("k[hash(str(k))] = 1\n    return k", ["LP219"]),
    ],
)
def test_keys_of_what_a_module_keeps_cross_to_no_process(body: str, expected: list[str]) -> None:
    kept = "KEPT = {}\nSHARED = open_shared('kept')\n"
    text = f"{kept}def g(k):\n    {body}\ng.kept = dict()\n{MAIN.format(body='g(names)')}"
    assert codes(text) == expected


def test_a_function_of_that_name_is_another_one() -> None:
    text = f"def hash(k):\n    return 1\ndef g(k):\n    return hash('x')\n{MAIN.format(body='g(names)')}"
    assert codes(text) == []


SKETCH = """\
class Sketch:
    def __init__(self):
        self.bits = [False] * 64
    def _place(self, item):
        return hash({hashed}) % len(self.bits)
    def add(self, item{kind}):
        self.bits[self._place(item)] = True
    def __contains__(self, item):
        return self.bits[self._place(item)]
class Fetcher:
    def __init__(self, seen):
        self.seen = seen
    def fetch(self, url):
        return None if url in self.seen else url
def new(url, seen):
    return [url] if url not in seen else []
def main(urls, table):
    seen = Sketch()
    {main}
    {starts}
"""
ADDS = "seen.add(urls[0])"
STARTS = "mp.Process(target=new, args=(urls[1], seen)).start()"


def sketch(hashed: str = "item", kind: str = "", main: str = ADDS, starts: str = STARTS) -> list[str]:
    return codes(SKETCH.format(hashed=hashed, kind=kind, main=main, starts=starts))


@pytest.mark.parametrize(
    ("hashed", "starts"),
    [
        pytest.param("item", STARTS, id="given to a function"),
        pytest.param("(7, item)", "mp.Process(target=new, kwargs={'seen': seen}).start()", id="by its name"),
        pytest.param("item", "mp.Pool(2).map(partial(new, seen=seen), urls)", id="in a partial"),
        pytest.param("item", "mp.Pool(2).map(Fetcher(seen).fetch, urls)", id="kept by another object"),
    ],
)
def test_a_method_of_an_object_that_crosses_takes_hashes_on_both_sides(hashed: str, starts: str) -> None:
    program = SKETCH.format(hashed=hashed, kind="", main=ADDS, starts=starts)
    assert codes(f"from functools import partial\n{program}") == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "main", "starts"),
    [
        pytest.param("item", "pass", STARTS, id="main takes none"),
        pytest.param("len(item)", ADDS, STARTS, id="a number"),
        pytest.param("item", ADDS, "mp.Process(target=new, args=(urls[1], table)).start()", id="the object stays"),
        pytest.param("item", ADDS, "mp.Process(target=new, args=(seen, urls)).start()", id="asked in another one"),
    ],
)
def test_a_method_whose_hashes_do_not_meet(hashed: str, main: str, starts: str) -> None:
    assert sketch(hashed, main=main, starts=starts) == []


COUNTER = """\
def shard_of(key, count):
    return hash({hashed}) % count
class Counter:
    def __init__(self):
        self.tables = [{{}} for _ in range(8)]
    def add(self, key):
        table = self.tables[shard_of(key, 8)]
        table[key] = table.get(key, 0) + 1
    def get(self, key):
        return self.tables[shard_of(key, 8)].get(key, 0)
    def __len__(self):
        return sum(map(len, self.tables))
def count(words):
    counter = Counter()
    for word in words:
        counter.add(word)
    return {returned}
def main(parts):
    total = Counter()
    with ProcessPoolExecutor() as executor:
        for tables in executor.map(count, parts):
            total.tables = tables
    print({used})
"""


@pytest.mark.parametrize("returned", ["counter.tables", "counter"])
def test_a_table_that_workers_fill_and_the_main_process_asks(returned: str) -> None:
    assert codes(COUNTER.format(hashed="key", returned=returned, used="total.get('a')")) == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "returned", "used"),
    [
        pytest.param("key", "counter.tables", "len(total)", id="main asks by no hash"),
        pytest.param("int(key)", "counter.tables", "total.get('a')", id="numbers"),
        pytest.param("key", "len(words)", "total.get('a')", id="the table stays in the worker"),
    ],
)
def test_a_table_whose_hashes_do_not_meet(hashed: str, returned: str, used: str) -> None:
    text = COUNTER.format(hashed=hashed, returned=returned, used=used)
    assert codes(text if "get(" in used else text.replace("def get", "def _get")) == []


CHOOSING = """\
NAMES = ["ada", "bob", "cy"]
def words(line):
    return [word for word in line.lower().split() if word]
class Parts:
    def __init__(self, count):
        self.count = count
    def part_of(self, word):
        return hash(word) % self.count
    def number_of(self, word):
        return hash(len(word)) % self.count
def g(part, parts, line, queue):
    queue.put([name for name in {among} if {test}])
def main(queue, line):
    for part in range(4):
        mp.Process(target=g, args=(part, Parts(4), line, queue)).start()
"""


@pytest.mark.parametrize(
    ("among", "test"),
    [
        pytest.param("NAMES", "hash(name) % 4 == part", id="names"),
        pytest.param("sorted(NAMES)", "part == hash(name) % 4", id="the other way round"),
        pytest.param("words(line)", "hash(name) % 4 == part", id="words"),
        pytest.param("words(line)", "parts.part_of(name) == part", id="by a method"),
        pytest.param("NAMES", "parts.part_of(name) in (part, part + 1)", id="several parts"),
    ],
)
def test_workers_choose_their_part_by_the_hash_of_a_text(among: str, test: str) -> None:
    assert codes(CHOOSING.format(among=among, test=test)) == ["LP219"]


@pytest.mark.parametrize(
    ("among", "test"),
    [
        pytest.param("NAMES", "hash(name) % 4 == 0", id="a constant"),
        pytest.param("NAMES", "hash(name) == hash(part)", id="another hash"),
        pytest.param("NAMES", "parts.number_of(name) == part", id="numbers"),
        pytest.param("NAMES", "len(name) == part and hash(name)", id="something else is compared"),
        pytest.param("line", "hash(name) % 4 == part", id="nobody knows what it is"),
        pytest.param("range(9)", "hash(name) % 4 == part", id="a range"),
    ],
)
def test_what_workers_do_not_choose_by_the_hash_of_a_text(among: str, test: str) -> None:
    assert codes(CHOOSING.format(among=among, test=test)) == []


INDEX = """\
class Parts:
    def part_of(self, word{kind}):
        return hash(word)
class Index:
    def __init__(self, parts, found):
        self.parts, self.found = parts, found
    def search(self, word):
        return self.found[self.parts.{asked}(word)]
def g(parts, queue):
    queue.put({{parts.part_of(word): word for word in ("a", "b")}})
def main(queue, options):
    mp.Process(target=g, args=(Parts(), queue)).start()
    print(Index(*options).search("a"))
"""


def test_main_calls_the_method_on_an_object_of_which_nothing_is_known() -> None:
    assert codes(INDEX.format(kind="", asked="part_of")) == ["LP219"]


@pytest.mark.parametrize(
    ("kind", "asked", "more"), [(": int", "part_of", ""), ("", "get", ""), ("", "part_of", "    part_of = None\n")]
)
def test_main_does_not_call_it(kind: str, asked: str, more: str) -> None:
    other = "class Other:\n    def part_of(self, word):\n        return 1\n" if more else ""
    assert codes(INDEX.format(kind=kind, asked=asked) + other) == []


ROUTED = """\
class Router:
    def __init__(self, count):
        self.count = count
    def bucket(self, user: str):
        return hash(user) % self.count
    def label(self, user: str):
        return f"bucket-{{self.{called}(user)}}"
    def length(self, user: str):
        return len(user)
class Store:
    def __init__(self, router: Router):
        self.router = router
        self.totals = {{}}
    def total(self, user: str):
        return self.totals.get({looked_up}, 0)
def work(router, users, queue):
    queue.put([router.label(user) for user in users])
def main(users, queue):
    router = Router(8)
    mp.Process(target=work, args=(router, users, queue)).start()
    store = Store(router)
    store.totals.update(queue.get())
    print([{used} for user in users])
"""


@pytest.mark.parametrize("looked_up", ["self.router.label(user)", "self.router.bucket(user)"])
def test_the_main_process_looks_up_by_another_method_what_workers_label(looked_up: str) -> None:
    text = ROUTED.format(called="bucket", looked_up=looked_up, used="store.total(user)")
    assert codes(text) == ["LP219"]


@pytest.mark.parametrize(
    ("called", "looked_up", "used"),
    [
        pytest.param("bucket", "self.router.label(user)", "len(user)", id="nobody looks it up"),
        pytest.param("bucket", "self.router.length(user)", "store.total(user)", id="by its length"),
        pytest.param("length", "self.router.label(user)", "store.total(user)", id="workers take no hash"),
        pytest.param("bucket", "user", "store.total(user)", id="by the name itself"),
    ],
)
def test_a_label_that_nobody_looks_up(called: str, looked_up: str, used: str) -> None:
    assert codes(ROUTED.format(called=called, looked_up=looked_up, used=used)) == []


SHARDS = """\
def shard_of(key):
    {hashed}
def partition(orders):
    return [(shard_of(customer), amount) for customer, amount in orders]
class Store:
    def __init__(self):
        self.shards = {{}}
    def total(self, customer):
        return self.shards[{looked_up}][customer]
def main():
    customers = {customers}
    store = Store()
    with mp.Pool() as pool:
        for part in pool.imap(partition, [[(each, 1)] for each in customers]):
            store.shards.update(part)
    print([store.total(each) for each in customers])
"""
_NAMES = "[f'customer-{number:04d}' for number in range(9)]"


@pytest.mark.parametrize("hashed", ["return hash(key) % 16", "part = hash(key)\n    return part % 16"])
def test_main_gives_texts_by_way_of_a_method(hashed: str) -> None:
    assert codes(SHARDS.format(hashed=hashed, looked_up="shard_of(customer)", customers=_NAMES)) == ["LP219"]


def test_what_workers_do_not_send_back() -> None:
    text = SHARDS.format(hashed="return hash(key) % 16", looked_up="shard_of(customer)", customers=_NAMES)
    returned = "return [(shard_of(customer), amount) for customer, amount in orders]"
    kept = "own = {}\n    for customer, _ in orders:\n        own[shard_of(customer)] = 1\n    return len(orders)"
    assert returned in text and codes(text.replace(returned, kept)) == []
    assert codes(text.replace(returned, kept.replace("len(orders)", "list(own)"))) == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "looked_up", "customers"),
    [
        pytest.param("return hash(key) % 16", "shard_of(customer)", "[1, 2, 3]", id="numbers"),
        pytest.param("return hash(key) % 16", "shard_of(customer)", "read_customers()", id="not known"),
        pytest.param("return hash(key) % 16", "len(customer)", _NAMES, id="main does not call it"),
        pytest.param("key = len(key)\n    return hash(key) % 16", "shard_of(customer)", _NAMES, id="another hash"),
        pytest.param("return len(key) % 16", "shard_of(customer)", _NAMES, id="no hash"),
    ],
)
def test_main_gives_no_texts_or_calls_something_else(hashed: str, looked_up: str, customers: str) -> None:
    assert codes(SHARDS.format(hashed=hashed, looked_up=looked_up, customers=customers)) == []


OWNED = """\
USERS = [f"user{{number}}" for number in range(40)]
def shard_of(user):
    return hash({hashed}) % 4
def check(shard, users, queue):
    queue.put({put})
def main():
    buckets = {{}}
    for user in {users}:
        buckets.setdefault({shard}, []).append(user)
    queue = mp.Queue()
    for shard, users in buckets.items():
        mp.Process(target=check, args=(shard, users, queue)).start()
    print(queue.get())
"""
_WRONG = "[user for user in users if shard_of(user) != shard]"


def test_workers_compare_with_the_shard_that_main_gives_them() -> None:
    text = OWNED.format(hashed="user", put=_WRONG, users="USERS", shard="shard_of(user)")
    assert codes(text) == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "put", "users", "shard"),
    [
        pytest.param("len(user)", _WRONG, "USERS", "shard_of(user)", id="of a number"),
        pytest.param("user", _WRONG, "range(40)", "shard_of(user)", id="main gives numbers"),
        pytest.param("user", _WRONG, "USERS", "len(user) % 4", id="main takes no hash"),
        pytest.param("user", "len({shard_of(user) for user in users})", "USERS", "shard_of(user)", id="not compared"),
    ],
)
def test_workers_that_need_no_hash_of_main(hashed: str, put: str, users: str, shard: str) -> None:
    assert codes(OWNED.format(hashed=hashed, put=put, users=users, shard=shard)) == []


SPLIT = """\
def shard_of(user):
    return hash({hashed}) % 4
def split(users):
    shards = [[] for _ in range(4)]
    for user in users:
        shards[shard_of(user)].append(user)
    return shards
def check(shard, users):
    return [user for user in users if shard_of(user) == shard]
def main():
    users = {users}
    with mp.Pool() as pool:
        print(pool.starmap(check, list(enumerate({split}))))
"""


@pytest.mark.parametrize("users", [_NAMES, "['ann', 'bob']", "open('users').read().split()", "(str(n) for n in ids)"])
def test_main_gives_texts_by_a_function_that_goes_over_them(users: str) -> None:
    assert codes(SPLIT.format(hashed="user", users=users, split="split(users)")) == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "users", "split"),
    [
        pytest.param("user", "[1, 2, 3]", "split(users)", id="numbers"),
        pytest.param("user", "read_users()", "split(users)", id="not known"),
        pytest.param("user", "[('ann', 1)]", "split(users)", id="something that holds texts"),
        pytest.param("len(user)", _NAMES, "split(users)", id="of a number"),
        pytest.param("user", _NAMES, "[users] * 4", id="main takes no hash"),
    ],
)
def test_main_gives_no_texts_by_such_a_function(hashed: str, users: str, split: str) -> None:
    assert codes(SPLIT.format(hashed=hashed, users=users, split=split)) == []


HOSTS = """\
import glob, json, os, re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse, urlsplit
URLS = [f"https://blog{{number}}.example.net/feed" for number in range(60)]
class Parts:
    def __init__(self, count):
        self.count = count
    def owner(self, url):
        return hash({hashed}) % self.count
class Base(mp.Process):
    def __init__(self, number, parts):
        super().__init__()
        self.number, self.parts = number, parts
class Harvester(Base):
    def __init__(self, number, parts, queue):
        super().__init__(number, parts)
        self.queue, self.most = queue, 3
    def run(self):
        for url in {among}:
            if self.parts.owner(url) == {mine}:
                self.queue.put(url)
def main(queue, path):
    for number in range(4):
        Harvester(number, Parts(4), queue).start()
"""


def hosts(hashed: str = "url", among: str = "URLS", mine: str = "self.number") -> list[str]:
    return codes(HOSTS.format(hashed=hashed, among=among, mine=mine))


@pytest.mark.parametrize(
    "hashed",
    [
        "url",
        "str(url)",
        "urlsplit(url).netloc",
        "urlparse(url).hostname",
        "os.path.basename(url)",
        "Path(url).name",
        "Path(url).parent.stem",
        "os.path.splitext(url)[0]",
        "url.split('/')[2]",
        "re.match('[a-z]+', url).group(0)",
        "re.search('[a-z]+', url)[0]",
        "url.zfill(9)",
    ],
)
def test_workers_choose_by_what_is_made_of_a_text(hashed: str) -> None:
    assert hosts(hashed) == ["LP219"]


@pytest.mark.parametrize(
    "among", ["os.listdir('.')", "glob.glob('*.txt')", "json.load(open('a.json')).keys()", "sorted(os.listdir('.'))"]
)
def test_workers_choose_among_texts_of_the_library(among: str) -> None:
    assert hosts(among=among) == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "mine"),
    [
        pytest.param("len(url)", "self.number", id="a number"),
        pytest.param("urlsplit(url).port", "self.number", id="the port of an address"),
        pytest.param("Path(url).stat().st_size", "self.number", id="the size of a file"),
        pytest.param("os.path.getsize(url)", "self.number", id="the size of a file, by its name"),
        pytest.param("urlsplit(url).netloc", "0", id="compared with a constant"),
        pytest.param("urlsplit(url).netloc", "self.most", id="the same in all workers"),
    ],
)
def test_workers_do_not_choose_by_a_text(hashed: str, mine: str) -> None:
    assert hosts(hashed, mine=mine) == []


BOOK = """\
import multiprocessing as mp, zlib
class Position:
    def __init__(self, board):
        self.board = board
    {kind}
    def key(self):
        {before}
        return {key}
class Book:
    def __init__(self):
        self.moves = {{}}
    def learn(self, board, move):
        self.moves[{learned}] = move
    def probe(self, board):
        return self.moves.get(Position(board).key{call})
def play(book, boards, out):
    for board in boards:
        out.put(book.probe(board))
def main():
    book, boards, out = Book(), {boards}, mp.Queue()
    for board in boards:
        book.learn(board, "e4")
    mp.Process(target=play, args=(book, boards, out)).start()
if __name__ == "__main__":
    mp.set_start_method("{start}")
    main()
"""


def book(
    key: str = "hash(self.board)",
    kind: str = "@property",
    before: str = "",
    learned: str = "",
    boards: str = '["rnbq w", "pppp b"]',
    start: str = "spawn",
) -> list[str]:
    call = "" if kind else "()"
    learned = learned or f"Position(board).key{call}"
    text = BOOK.format(kind=kind, before=before, key=key, call=call, learned=learned, boards=boards, start=start)
    return codes(text)


@pytest.mark.parametrize("kind", ["", "@property"])
@pytest.mark.parametrize(
    ("before", "key"),
    [
        ("", "hash(self.board)"),
        ("", "hash((3, self.board)) & 0xFFFF"),
        ("place, side = self.board.split()", "hash((place, side)) & 0xFFFFFFFF"),
    ],
)
def test_by_what_an_object_keeps_that_is_made_for_it(kind: str, before: str, key: str) -> None:
    assert book(key, kind, before) == ["LP219"]


@pytest.mark.parametrize("kind", ["", "@property"])
@pytest.mark.parametrize(
    ("before", "key", "boards", "start"),
    [
        pytest.param("", "zlib.crc32(self.board.encode())", '["rnbq"]', "spawn", id="the same in all"),
        pytest.param("", "hash(self.board)", "[1, 2]", "spawn", id="of a number"),
        pytest.param("", "hash((3, self.board))", "[1, 2]", "spawn", id="of numbers"),
        pytest.param("size = len(self.board)", "hash((size, 3))", '["rnbq"]', "spawn", id="of the length"),
        pytest.param("", "hash(self.board)", '["rnbq"]', "fork", id="forked"),
    ],
)
def test_what_an_object_keeps_has_one_hash(kind: str, before: str, key: str, boards: str, start: str) -> None:
    assert book(key, kind, before, boards=boards, start=start) == []


@pytest.mark.parametrize("kind", ["", "@property"])
def test_main_does_not_ask_the_object(kind: str) -> None:
    assert book(kind=kind, learned="len(board)") == []
