"""Class methods that make an object of the class that they are called on."""

from __future__ import annotations

import pytest

from tests.support import lint

HELD = """
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass


class Spider:
    def __init__(self, base, gate=None):
        self.base = base
        self.gate = gate

    def crawl(self, path):
        return path


{service}


if __name__ == "__main__":
    {call}
"""
RECORD = """
@dataclass
class Service:
    spider: Spider
    paths: list

    @classmethod
    def load(cls, base, gate):
        return cls(Spider(base, gate), ["/a"])

    def run(self):
        with ProcessPoolExecutor(2) as pool:
            return list(pool.map(self.spider.crawl, self.paths))
"""
PLAIN = """
class Service:
    def __init__(self, spider):
        self.spider = spider
        self.paths = ["/a"]

    @classmethod
    def load(cls, base, gate):
        made = cls(spider=Spider(base, gate))
        made.paths.append("/b")
        return made

    def run(self):
        with ProcessPoolExecutor(2) as pool:
            return list(pool.map(self.spider.crawl, self.paths))
"""
BASE = """
class Loaded:
    @classmethod
    def load(cls, base, gate):
        return cls(Spider(base, gate))


class Service(Loaded):
    def __init__(self, spider):
        self.spider = spider

    def run(self):
        with ProcessPoolExecutor(2) as pool:
            return list(pool.map(self.spider.crawl, ["/a"]))
"""
AT_ONCE = """
class Service:
    def __init__(self, spider):
        with ProcessPoolExecutor(2) as pool:
            self.found = list(pool.map(spider.crawl, ["/a"]))

    @classmethod
    def load(cls, base, gate):
        return cls(Spider(base, gate))
"""


@pytest.mark.parametrize(
    ("service", "call"),
    [
        (RECORD, 'Service.load("https://example.org", threading.Lock()).run()'),
        (PLAIN, 'Service.load("https://example.org", threading.Lock()).run()'),
        (BASE, 'Service.load("https://example.org", threading.Lock()).run()'),
        (AT_ONCE, 'Service.load("https://example.org", threading.Lock())'),
    ],
)
def test_what_a_class_method_gives_to_an_object_that_it_makes(service: str, call: str) -> None:
    (found,) = lint(HELD.format(service=service, call=call)).diagnostics
    assert (found.code, found.confidence.value) == ("LP111", "certain")


@pytest.mark.parametrize(
    ("service", "call"),
    [
        (RECORD, 'Service.load("https://example.org", None).run()'),
        (PLAIN, 'Service.load("https://example.org", None).run()'),
        (BASE, 'Service.load("https://example.org", None).run()'),
        (AT_ONCE, 'Service.load("https://example.org", None)'),
        (RECORD, 'Service(Spider("https://example.org"), []).run()\n    print(threading.Lock())'),
    ],
)
def test_objects_of_class_methods_that_cross(service: str, call: str) -> None:
    assert not lint(HELD.format(service=service, call=call)).diagnostics


def test_class_methods_that_make_their_objects_of_those_of_others() -> None:
    others = "".join(
        f"    @classmethod\n    def made{each}(cls):\n        return cls(cls.made{each + 1}().spider)\n\n"
        for each in range(6)
    )
    last = "    @classmethod\n    def made6(cls):\n        return cls(Spider('a', threading.Lock()))\n\n"
    service = PLAIN.replace("    def run", f"{others}{last}    def run")
    found = lint(HELD.format(service=service, call="Service.made3().run()")).diagnostics
    assert [each.code for each in found] == ["LP111"]
