"""LP217: async-worker-function."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes

GUARD = "if __name__ == '__main__':\n    main()\n"
FUNCTION = "async def work(x=1):\n    return x\n"
PARTIAL = "from functools import partial\n"
METHOD = "class A:\n    async def work(self, x):\n        return x\n"


class TestPage(PageTests):
    code = "LP217"


@pytest.mark.parametrize(
    ("made", "passed"),
    [
        (FUNCTION, "mp.Pool(2).apply_async(work, (1,))"),
        (FUNCTION, "mp.Pool(2).imap_unordered(work, [1])"),
        (FUNCTION, "mp.Pool(2, initializer=work)"),
        (FUNCTION, "ProcessPoolExecutor(2).map(work, [1])"),
        (FUNCTION, "mp.Process(target=work, args=(1,))"),
        (FUNCTION, "DataLoader([1], num_workers=2, collate_fn=work)"),
        (FUNCTION.replace("return", "yield"), "mp.Pool(2).map(work, [1])"),
        (METHOD, "mp.Process(target=A().work, args=(1,))"),
        (METHOD, "ProcessPoolExecutor(2).submit(A().work, 1)"),
        (PARTIAL + FUNCTION, "mp.Pool(2).map(partial(work), [1])"),
        (PARTIAL + FUNCTION, "mp.Process(target=partial(partial(work), x=2)).start()"),
        (PARTIAL + METHOD, "task = partial(A().work, 1)\n    ProcessPoolExecutor(2).submit(task)"),
    ],
)
def test_what_is_passed(made: str, passed: str) -> None:
    assert codes(f"{made}def main():\n    {passed}\n{GUARD}") == ["LP217"]


@pytest.mark.parametrize(
    ("made", "passed"),
    [
        (FUNCTION, "ThreadPoolExecutor(2).map(work, [1])"),
        (FUNCTION, "DataLoader([1], collate_fn=work)"),
        (FUNCTION, "mp.Process(target=print, args=(work,))"),
        (f"{FUNCTION}import asyncio\ndef run(x):\n    return asyncio.run(work(x))\n", "mp.Pool(2).map(run, [1])"),
        (f"def synchronous(function):\n    return print\n@synchronous\n{FUNCTION}", "mp.Pool(2).map(work, [1])"),
        (f"from library import synchronous\n@synchronous\n{FUNCTION}", "mp.Pool(2).map(work, [1])"),
        (f"{METHOD}    def run(self, x):\n        return 1\n", "mp.Process(target=A().run, args=(1,))"),
        (PARTIAL + FUNCTION, "mp.Pool(2).map(partial(print, work), [1])"),
        (PARTIAL + FUNCTION, "mp.Pool(2).map(partial(print, end=partial(work)), [1])"),
    ],
)
def test_what_is_not_called_as_it_is(made: str, passed: str) -> None:
    assert codes(f"{made}def main():\n    {passed}\n{GUARD}") == []


COMMANDS = """
from dataclasses import dataclass
import asyncio
import functools

COMMANDS = {{}}


@dataclass
class Command:
    name: str
    function: object
    heavy: bool = False
    waits: bool = False


def command(name, heavy=False):
    def register(function):
        COMMANDS[name] = {kept}
        return function
    return register


@command("ping")
async def ping(arg):
    return arg


@command("primes", heavy=True)
{primes} primes(arg):
    return arg


async def run(name, arg, pool):
    chosen = COMMANDS[name]
    loop = asyncio.get_running_loop()
    {test}
        return await loop.run_in_executor(pool, {function}, arg)
    return await {function}(arg)


def main():
    with ProcessPoolExecutor(2) as pool:
        for name in ("ping", "primes"):
            print(asyncio.run(run(name, 7, pool)))


"""
_KEPT = "Command(name, function, heavy)"


def _commands(
    kept: str = _KEPT, primes: str = "async def", test: str = "if chosen.heavy:", function: str = "chosen.function"
) -> list[str]:
    return codes(COMMANDS.format(kept=kept, primes=primes, test=test, function=function) + GUARD)


def test_of_several_registered_the_one_that_is_sent() -> None:
    assert _commands() == ["LP217"]
    assert _commands(function="functools.partial(chosen.function)") == ["LP217"]
    assert _commands(test="if not chosen.waits:") == ["LP217", "LP217"]
    assert _commands(kept="function", test="if arg > 3:", function="chosen") == ["LP217", "LP217"]
    assert _commands(kept="function", test="if arg > 3:", function="COMMANDS[name]") == ["LP217", "LP217"]


@pytest.mark.parametrize(
    "change",
    [
        {"primes": "def"},
        {"primes": "def", "function": "functools.partial(chosen.function)"},
        {"test": "if chosen.heavy and not asyncio.iscoroutinefunction(chosen.function):"},
        {"test": "if not asyncio.iscoroutinefunction(chosen.function):"},
        {"kept": "function", "function": "chosen", "test": "if not asyncio.iscoroutinefunction(chosen):"},
        {"kept": "function", "function": "chosen", "test": "if name in heavy():"},
        {
            "kept": "Command(name, function, heavy, asyncio.iscoroutinefunction(function))",
            "test": "if not chosen.waits:",
        },
    ],
)
def test_of_several_registered_those_that_are_awaited(change: dict[str, str]) -> None:
    assert _commands(**change) == []


REGISTERED = """
HANDLERS = {{}}
def handler(name):
    def register(function):
        HANDLERS[name] = function
        return {back}
    return register
@handler("w")
{FUNCTION}
"""


@pytest.mark.parametrize(
    ("back", "function", "found"),
    [
        ("function", "HANDLERS['w']", ["LP217"]),
        ("function", "HANDLERS.get('w')", ["LP217"]),
        ("function", "work", ["LP217"]),
        ("print", "HANDLERS['w']", ["LP217"]),
        ("print", "work", []),
        ("lambda: None", "work", []),
    ],
)
def test_what_decorators_put_into_tables(back: str, function: str, found: list[str]) -> None:
    registered = REGISTERED.format(back=back, FUNCTION=FUNCTION)
    program = f"{registered}def main():\n    ProcessPoolExecutor(2).submit({function}, 1)\n{GUARD}"
    assert [code for code in codes(program) if code == "LP217"] == found


OF_RECORDS = """
import asyncio

async def ping(x):
    return x

def primes(x):
    return x

async def main(key):
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(1) as pool:
{body}
            await loop.run_in_executor(pool, run, 1)

if __name__ == '__main__':
    asyncio.run(main("a"))
"""


def _of_records(body: str) -> list[str]:
    return codes(OF_RECORDS.format(body="\n".join(f"        {line}" for line in body.splitlines())))


@pytest.mark.parametrize(
    "body",
    [
        "run, heavy = {{'a': (ping, {}), 'b': (primes, {})}}[key]\nif heavy:",
        "entry = {{'a': (ping, {}), 'b': (primes, {})}}[key]\nrun = entry[0]\nif entry[1]:",
        "entry = {{'a': {{'run': ping, 'heavy': {}}}, 'b': {{'run': primes, 'heavy': {}}}}}[key]\n"
        "run = entry['run']\nif entry['heavy']:",
        "for name, run, heavy in [('a', ping, {}), ('b', primes, {})]:\n  if heavy:",
        "for at, (name, (run, heavy)) in enumerate({{'a': (ping, {}), 'b': (primes, {})}}.items()):\n  if heavy:",
        "for run, light in [(primes, {}), (ping, {})]:\n  if not light:",
        "for run, place in [(ping, {} and 'process'), (primes, {} and 'process')]:\n  if place:",
    ],
)
def test_the_flag_beside_a_function_tells_whether_it_is_sent(body: str) -> None:
    assert _of_records(body.format(True, False)) == ["LP217"]
    assert _of_records(body.format(False, True)) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for run, place in [(ping, 'process'), (primes, 'loop')]:\n  if place == 'process':", ["LP217"]),
        ("for run, place in [(ping, 'loop'), (primes, 'process')]:\n  if place == 'process':", []),
        ("for run, place in [(ping, 'loop'), (primes, 'process')]:\n  if place != 'loop':", []),
        ("for name, run in {'a': ping, 'b': primes}.items():\n  if not asyncio.iscoroutinefunction(run):", []),
        ("for run in (ping, primes):\n  if key == 'a':", ["LP217"]),
    ],
)
def test_what_loops_take_apart(body: str, expected: list[str]) -> None:
    assert _of_records(body) == expected
