"""LP209: decorators that hand what they were given to workers."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP209"


TEXT = """\
import cloudpickle, functools, joblib, multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def run(*arguments):
    return arguments


def decorate(function):
    {wraps}
    def start(*arguments):
        {start}

    return {given}


{decorator}
def work(number=1):
    return number


class Tool:
    {method}
    def use(self):
        return 1
"""


def _found(
    start: str = "multiprocessing.Process(target=function, args=arguments).start()",
    given: str = "start",
    decorator: str = "@decorate",
    wraps: str = "@functools.wraps(function)",
    method: str = "",
) -> list[str]:
    text = TEXT.format(start=start, given=given, decorator=decorator, wraps=wraps, method=method)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "start",
    [
        "multiprocessing.Process(target=function, args=arguments).start()",
        "multiprocessing.Process(target=run, args=(function, 1)).start()",
        "multiprocessing.get_context('spawn').Process(target=functools.partial(function, 1)).start()",
        "multiprocessing.Pool(1).apply(function, arguments)",
        "multiprocessing.Pool(1).map(function, arguments)",
        "ProcessPoolExecutor().submit(function, *arguments).result()",
    ],
)
def test_ways_to_hand_it_over(start: str) -> None:
    assert _found(start) == ["LP209"]


def test_without_wraps() -> None:
    assert _found(wraps="") == ["LP209"]


def test_a_method() -> None:
    assert _found(decorator="", method="@decorate") == ["LP209"]


def test_a_decorator_with_arguments() -> None:
    text = """\
import multiprocessing


def within(seconds):
    def decorate(function):
        def start(*arguments):
            process = multiprocessing.Process(target=function, args=arguments)
            process.start()
            process.join(seconds)

        return start

    return decorate


@within(3)
def work():
    pass
"""
    assert marks(text) == [(7, "LP209")]


@pytest.mark.parametrize(
    "start",
    [
        "multiprocessing.Process(target=run, args=arguments).start()",
        "multiprocessing.get_context('fork').Process(target=function).start()",
        "ThreadPoolExecutor().submit(function, *arguments)",
        "cloudpickle.dumps(function)",
        "joblib.Parallel(2)(joblib.delayed(function)(1) for _ in arguments)",
        "function = run\n        multiprocessing.Process(target=function).start()",
        "return function(*arguments)",
    ],
)
def test_what_workers_do_not_get_so(start: str) -> None:
    assert _found(start) == []


@pytest.mark.parametrize("given", ["function", "run", "start if sys.argv else function"])
def test_what_the_name_stands_for_may_be_the_function_itself(given: str) -> None:
    assert _found(given=given) == []


@pytest.mark.parametrize("decorator", ["", "@functools.lru_cache", "@run"])
def test_what_is_not_decorated_by_it(decorator: str) -> None:
    assert "LP209" not in _found(decorator=decorator)


def test_a_decorator_that_gives_it_another_name() -> None:
    wraps = "function.__qualname__ += '_inner'\n    setattr(sys.modules[__name__], function.__qualname__, function)"
    assert _found(wraps=wraps) == []


CLASS = """\
import multiprocessing


class Started:
    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        multiprocessing.Process(target=self.function, args=arguments).start()


@Started
def work():
    pass
"""
CLASS_WITH_OPTIONS = """\
import functools
import multiprocessing


class Within:
    def __init__(self, seconds):
        self.seconds = seconds
        self.function = None

    def __call__(self, function):
        self.function = function

        @functools.wraps(function)
        def start(*arguments):
            self.start(arguments)

        return start

    def start(self, arguments):
        process = multiprocessing.Process(target=self.function, args=arguments)
        process.start()
        process.join(self.seconds)


class Steps:
    @Within(3)
    def work(self):
        pass
"""


def test_a_class_whose_objects_keep_the_function() -> None:
    assert marks(CLASS) == [(9, "LP209")]


def test_a_class_with_options_whose_objects_keep_the_function() -> None:
    assert marks(CLASS_WITH_OPTIONS) == [(20, "LP209")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@Started\n", ""),
        ("@Started\n", "@functools.cache\n"),
        ("self.function = function", "self.function = print"),
        ("self.function = function", "function.__qualname__ = '_work'\n        self.function = function"),
        ("    def __call__", "    def change(self, other):\n        self.function = other\n\n    def __call__"),
    ],
)
def test_a_class_whose_objects_keep_something_else(old: str, new: str) -> None:
    assert old in CLASS
    assert marks(CLASS.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("return start", "return function"), ("@Within(3)", "@functools.cache"), ("@Within(3)", "@staticmethod")],
)
def test_a_class_with_options_that_gives_the_function_back(old: str, new: str) -> None:
    assert marks(CLASS_WITH_OPTIONS.replace(old, new)) == []


REGISTRY = """\
import functools
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

{registry}


{decorators}
def square(number):
    return number * number


def main():
    with ProcessPoolExecutor(2) as pool:
        print(pool.submit({taken}, 3).result())


if __name__ == "__main__":
    main()
"""
OF_MODULE = """\
TASKS = {}
NAMES = {}


def task(function):
    @functools.wraps(function)
    def traced(*arguments):
        print(function.__name__, arguments)
        return function(*arguments)

    TASKS[function.__name__] = function
    NAMES["square"] = traced
    return traced


def plain(function):
    TASKS[function.__name__] = function
    return function


def loud(function):
    @functools.wraps(function)
    def announced(*arguments):
        print("starts")
        return function(*arguments)

    return announced


def renamed(function):
    def traced(*arguments):
        return function(*arguments)

    TASKS[function.__name__] = function
    function.__qualname__ = f"{function.__name__}_itself"
    globals()[function.__qualname__] = function
    return traced"""
OF_OBJECT = """\
class Tasks:
    def __init__(self):
        self.known = {}

    def add(self, name):
        def decorate(function):
            def traced(*arguments):
                print(name, arguments)
                return function(*arguments)

            self.known[name] = function
            return traced

        return decorate

    def plain(self, function):
        self.known[function.__name__] = function
        return function

    def __getitem__(self, name):
        return self.known[name]

    def of(self, name):
        return self.known.get(name)


tasks = Tasks()"""


@pytest.mark.parametrize(
    ("registry", "decorators", "taken"),
    [
        (OF_MODULE, "@task", 'TASKS["square"]'),
        (OF_MODULE, "@loud\n@plain", 'TASKS["square"]'),
        (OF_OBJECT, '@tasks.add("square")', 'tasks["square"]'),
        (OF_OBJECT, '@tasks.add("square")', 'tasks.known["square"]'),
        (OF_OBJECT, '@tasks.add("square")', 'tasks.of("square")'),
    ],
)
def test_a_registry_that_keeps_the_function_itself(registry: str, decorators: str, taken: str) -> None:
    text = REGISTRY.format(registry=registry, decorators=decorators, taken=taken)
    assert [code for _, code in marks(text)] == ["LP209"]


@pytest.mark.parametrize(
    ("registry", "decorators", "taken"),
    [
        (OF_MODULE, "@task", "square"),
        (OF_MODULE, "@plain", 'TASKS["square"]'),
        (OF_MODULE, "@plain\n@loud", 'TASKS["square"]'),
        (OF_MODULE, "@renamed", 'TASKS["square"]'),
        (OF_OBJECT, "@tasks.plain", 'tasks["square"]'),
        (OF_OBJECT, '@tasks.add("square")', "square"),
    ],
)
def test_what_a_registry_keeps_may_be_what_the_name_stands_for(registry: str, decorators: str, taken: str) -> None:
    text = REGISTRY.format(registry=registry, decorators=decorators, taken=taken)
    assert "LP209" not in [code for _, code in marks(text)]


def test_a_registry_for_threads() -> None:
    text = REGISTRY.format(registry=OF_MODULE, decorators="@task", taken='TASKS["square"]')
    assert not marks(text.replace("with ProcessPool", "with ThreadPool"))


KEPT_BY_MODULE = """\
TASKS = {{}}


class Task:
    def __init__(self, function, retries=0):
        self.function = function
        self.retries = retries


def task(function):
    @functools.wraps(function)
    def traced(*arguments):
        print(function.__name__, arguments)
        return function(*arguments)

    TASKS[function.__name__] = {kept}
    return {given}


def named(name, retries=0):
    def decorate(function):
        @functools.wraps(function)
        def traced(*arguments):
            print(name, arguments)
            return function(*arguments)

        TASKS[name] = {kept}
        return {given}

    return decorate"""
KEPT_BY_OBJECT = """\
class Task:
    def __init__(self, function, retries=0):
        self.function = function
        self.retries = retries


class Tasks:
    def __init__(self):
        self.known = {{}}

    def named(self, name, retries=0):
        def decorate(function):
            @functools.wraps(function)
            def traced(*arguments):
                print(name, arguments)
                return function(*arguments)

            self.known[name] = {kept}
            return {given}

        return decorate

    def of(self, name):
        return self.known[name]


tasks = Tasks()"""
_KEPT = [
    ("(function, 2)", "[0]"),
    ("[2, function]", "[1]"),
    ('{"call": function, "retries": 2}', '["call"]'),
    ("Task(function)", ".function"),
]
_WHERE = [
    (KEPT_BY_MODULE, "@task", 'TASKS["square"]'),
    (KEPT_BY_MODULE, '@named("square", retries=1)', 'TASKS["square"]'),
    (KEPT_BY_OBJECT, '@tasks.named("square", retries=1)', 'tasks.of("square")'),
    (KEPT_BY_OBJECT, '@tasks.named("square", retries=1)', 'tasks.known["square"]'),
]


@pytest.mark.parametrize(("registry", "decorators", "entry"), _WHERE)
@pytest.mark.parametrize(("kept", "part"), _KEPT)
def test_a_registry_that_keeps_the_function_in_a_value(
    registry: str, decorators: str, entry: str, kept: str, part: str
) -> None:
    registry = registry.format(kept=kept, given="traced")
    text = REGISTRY.format(registry=registry, decorators=decorators, taken=entry + part)
    assert [code for _, code in marks(text)] == ["LP209"]


@pytest.mark.parametrize(("registry", "decorators", "entry"), _WHERE)
@pytest.mark.parametrize(
    ("kept", "given"),
    [("(function, 2)", "function"), ("(traced, function)", "traced"), ("(print, function)", "traced")],
)
def test_a_value_of_which_what_the_name_stands_for_is_sent(
    registry: str, decorators: str, entry: str, kept: str, given: str
) -> None:
    registry = registry.format(kept=kept, given=given)
    text = REGISTRY.format(registry=registry, decorators=decorators, taken=f"{entry}[0]")
    assert "LP209" not in [code for _, code in marks(text)]


def test_a_value_that_is_unpacked() -> None:
    registry = KEPT_BY_MODULE.format(kept="(function, 2)", given="traced")
    text = REGISTRY.format(registry=registry, decorators="@task", taken="call")
    text = text.replace("    with Process", '    call, retries = TASKS["square"]\n    with Process')
    assert [code for _, code in marks(text)] == ["LP209"]


@pytest.mark.parametrize(
    ("decorators", "taken", "fires"),
    [
        ("@loud", "square.__wrapped__", True),
        ("@loud", "square", False),
        ("@plain", "square.__wrapped__", False),
        ("@renamed", "square.__wrapped__", False),
    ],
)
def test_the_function_under_the_wrapper(decorators: str, taken: str, fires: bool) -> None:
    text = REGISTRY.format(registry=OF_MODULE, decorators=decorators, taken=taken)
    assert ("LP209" in [code for _, code in marks(text)]) == fires


OBJECT = """\
import functools
from concurrent.futures import ProcessPoolExecutor

BOARD = {{}}
STEPS = []


class Task:
    def __init__(self, function, cost=1):
        functools.update_wrapper(self, function)
        self.function = function
        self.cost = cost

    def __call__(self, *arguments):
        return self.function(*arguments)

    {hook}


def task(cost=1):
    def declare(function):
        made = Task(function, cost)
        BOARD[function.__name__] = made
        STEPS.append(made)
        return made

    return declare


def noted(function):
    BOARD[function.__name__] = Task(function)
    return function


{decorator}
def square(number):
    return number * number


def cube(number):
    return square(number) * number


cube_task = Task(cube)


def main():
    with ProcessPoolExecutor(2) as pool:
        print(pool.submit({taken}, 3).result())


if __name__ == "__main__":
    main()
"""
_OBJECTS = [
    ("@Task", "square"),
    ("@task(cost=3)", "square"),
    ("@task(cost=3)", 'BOARD["square"]'),
    ("@task(cost=3)", "list(BOARD.values())[0]"),
    ("@task(cost=3)", "max(STEPS, key=lambda each: each.cost)"),
    ("@Task", "square.__call__"),
]


@pytest.mark.parametrize(("decorator", "taken"), _OBJECTS)
def test_an_object_that_keeps_the_function_in_whose_place_it_is(decorator: str, taken: str) -> None:
    text = OBJECT.format(hook="", decorator=decorator, taken=taken)
    assert [code for _, code in marks(text)] == ["LP209"]


@pytest.mark.parametrize(("decorator", "taken"), _OBJECTS)
@pytest.mark.parametrize(
    "hook",
    [
        "def __reduce__(self):\n        return self.function.__qualname__",
        "def __getstate__(self):\n        return {'cost': self.cost}",
    ],
)
def test_an_object_that_does_not_send_the_function(decorator: str, taken: str, hook: str) -> None:
    found = [code for _, code in marks(OBJECT.format(hook=hook, decorator=decorator, taken=taken))]
    assert "LP209" not in found


@pytest.mark.parametrize(
    ("decorator", "taken"),
    [
        ("@noted", 'BOARD["square"]'),
        ("@noted", "square"),
        ("@Task", "cube"),
        ("@Task", "cube_task"),
        ("", "square"),
        ("", "Task(square)"),
    ],
)
def test_an_object_that_keeps_a_function_under_its_own_name(decorator: str, taken: str) -> None:
    assert not marks(OBJECT.format(hook="", decorator=decorator, taken=taken))


def test_an_object_that_names_the_function_otherwise() -> None:
    text = OBJECT.format(hook="", decorator="@Task", taken="square")
    renamed = "        self.function = function\n        function.__qualname__ += '.function'\n"
    assert not marks(text.replace("        self.function = function\n", renamed))


def test_one_finding_for_the_class_of_the_objects() -> None:
    text = OBJECT.format(hook="", decorator="@task(cost=3)", taken="square")
    text = text.replace("def cube(", "@task()\ndef cube(").replace("cube_task = Task(cube)\n", "")
    text = text.replace("pool.submit(square, 3).result()", "[pool.submit(each, 3) for each in STEPS]")
    assert marks(text) == [(8, "LP209")]
