"""HTML reports in a real browser: they fold, filter, search and copy, stay quick, and run nothing of a repository."""

from __future__ import annotations

import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lintpickle.audit import Audit, AuditedDistribution, Culprit
from lintpickle.commands._audit_html import audit_html
from lintpickle.diagnostics import Confidence, Location, Position, StartMethod
from lintpickle.graph import Canvas, graph_format
from lintpickle.graph.model import Graph, GraphPlace, HazardMark, Node, Sort, Tree
from lintpickle.migration import migration_format
from lintpickle.migration.judging import migrate
from lintpickle.report import ReportContext
from lintpickle.rulebook.summaries import rule_infos
from lintpickle.settings import SettingsResolver

pytestmark = pytest.mark.browser

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NASTY = "\"'><script>window.ran=1</script><img src=x onerror=window.ran=1>\u202e\x1b[31m"
MANY = 10_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    missing = "Chromium" if program is None else None if importlib.util.find_spec("playwright") else "playwright"
    if missing is not None:
        if os.environ.get("LINTPICKLE_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{missing} is missing, and LINTPICKLE_REQUIRE_BROWSER=1")
        pytest.skip(f"{missing} is not installed (dependency group 'browser')")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


class Opened:
    """A page that is open in the browser, and what it complains of."""

    def __init__(self, browser: Any, file: Path, scheme: str = "light") -> None:
        self.context = browser.new_context(color_scheme=scheme, viewport={"width": 1000, "height": 800})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda asked: self._only_the_file(asked.url))
        self.page.goto(file.as_uri())

    def _only_the_file(self, url: str) -> None:
        if not url.startswith("file:"):
            self.complaints.append(f"asks for {url}")

    def shown(self, text: str) -> bool:
        found = self.page.get_by_text(text, exact=True)
        return bool(found.count() and found.first.is_visible())

    def search(self, words: str) -> None:
        self.page.fill("#find", words)
        self.page.wait_for_timeout(300)

    def color(self, what: str) -> str:
        value: str = self.page.evaluate(f"getComputedStyle(document.body).{what}")
        return value


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    pages: list[Opened] = []

    def opened(text: str, scheme: str = "light") -> Opened:
        file = tmp_path / f"report{len(pages)}.html"
        file.write_text(text, encoding="utf-8")
        pages.append(Opened(browser, file, scheme))
        return pages[-1]

    yield opened
    complaints = [complaint for each in pages for complaint in each.complaints]
    for each in pages:
        each.context.close()
    assert complaints == []


def _node(name: str, *children: Node, mark: HazardMark | None = None, row: int = 1) -> Node:
    return Node(
        f".{name}",
        f"{name} value",
        Sort.OBJECT if mark is not None or children else Sort.PLAIN,
        GraphPlace("/project/data.py", row),
        (mark,) if mark is not None else (),
        children,
        (mark is not None) + sum(child.hazards for child in children),
        len(children) + sum(child.size for child in children),
    )


def _mark(row: int = 7, text: str = "a lambda is kept") -> HazardMark:
    return HazardMark("LP102", "lambda-attribute", text, "PicklingError: x", GraphPlace("/project/data.py", row))


def _graph(*trees: tuple[Node, ...], title: str = "DataLoader(dataset=…)", everything: bool = False) -> str:
    made = tuple(
        Tree(title, "why", GraphPlace("/project/train.py", row), Confidence.CERTAIN, (), False, nodes=nodes)
        for row, nodes in enumerate(trees, start=1)
    )
    return graph_format("html").render(Graph(made), Canvas(Path("/project"), everything))


def _audit(text: str = "names", count: int = 1) -> str:
    place = Location("/env/lib/python3.12/site-packages/pkg/a.py", Position(3, 1), Position(3, 9))
    own = Location("/project/train.py", Position(9, 1), Position(9, 9))

    def culprit(number: int) -> Culprit:
        name = f"{text}{number}" if number else text
        reached = () if number else (own,)
        return Culprit("LP101", "rule", f"Class{text}", name, text, text, Confidence.LIKELY, place, reached)

    culprits = tuple(map(culprit, range(count)))
    quiet = (culprit(1),)
    found = (AuditedDistribution(f"dist{text}", "1.0", 3, culprits), AuditedDistribution("quiet", "2.0", 3, quiet))
    return audit_html(Audit(found), Path("/project"))


@pytest.fixture(scope="module")
def migration(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("project")
    (folder / "work.py").write_text(
        "import multiprocessing\n\n\nclass Level:\n    value = 1\n\n\n"
        "def work(number):\n    return number * Level.value\n\n\ndef plain(number):\n    return number\n\n\n"
        'if __name__ == "__main__":\n    Level.value = 2\n    multiprocessing.set_start_method("fork")\n'
        "    with multiprocessing.Pool(2) as pool:\n        print(pool.map(work, [1]))\n"
        "    multiprocessing.Process(target=plain, args=('</script><b>',)).start()\n",
        encoding="utf-8",
    )
    resolver = SettingsResolver(cwd=folder, overrides={"target-version": "3.14"}, isolated=True)
    found = migrate([str(folder)], resolver, StartMethod.FORKSERVER, "3.14")
    context = ReportContext(cwd=folder, source=lambda path: None, rules=rule_infos)
    return migration_format("html").render(found, context)


def test_a_graph_folds_and_filters(opened: Any) -> None:
    held = _node("config", _node("hook", mark=_mark()), _node("plain"))
    shows = opened(_graph((held,), (_node("sound"),)))
    assert shows.shown("hook value")
    assert not shows.shown("plain value")
    only = shows.page.locator("#only")
    assert only.get_attribute("aria-pressed") == "true"
    assert shows.page.locator("section:visible").count() == 1
    only.click()
    assert only.get_attribute("aria-pressed") == "false"
    assert shows.shown("plain value")
    assert shows.page.locator("section:visible").count() == 2
    shows.page.click("#close")
    assert not shows.shown("hook value")
    shows.page.locator("summary").first.click()
    shows.page.locator("summary").nth(1).click()
    assert shows.shown("hook value")
    shows.page.click("#open")
    assert shows.shown("sound value")


def test_without_hazards_there_is_nothing_to_filter_and_all_is_seen(opened: Any) -> None:
    shows = opened(_graph((_node("sound"),)))
    assert shows.page.locator("#only").count() == 0
    assert shows.page.locator("section:visible").count() == 1


def test_alike_boundaries_share_a_row_with_all_their_places(opened: Any) -> None:
    shows = opened(_graph(*[(_node("sound"),)] * 11, (_node("other"),), everything=True))
    assert shows.page.locator("section").count() == 2
    assert shows.page.get_by_text("11 times").is_visible()
    shows.page.click("#open")
    assert {f"train.py:{row}" for row in range(1, 12)} <= set(shows.page.locator(".place").all_text_contents())


def test_search_shows_what_matches_and_its_way_there(opened: Any) -> None:
    deep = _node("config", _node("inner", _node("needle"), _node("hay")))
    shows = opened(_graph((deep,), (_node("elsewhere"),), everything=True))
    shows.page.keyboard.press("/")
    assert shows.page.evaluate("document.activeElement.id") == "find"
    shows.search("NEEDLE")
    assert shows.shown("needle value") and shows.shown("config value")
    assert not shows.shown("hay value")
    assert shows.page.locator("section:visible").count() == 1
    assert shows.page.inner_text("#said") == "1 line"
    shows.search("nothing of the kind")
    assert shows.page.locator("section:visible").count() == 0
    assert shows.page.inner_text("#said") == "0 lines"
    shows.page.keyboard.press("Escape")
    shows.page.wait_for_timeout(200)
    assert shows.page.locator("section:visible").count() == 2
    assert not shows.shown("needle value")


def test_the_keyboard_is_enough(opened: Any) -> None:
    shows = opened(_graph((_node("config", _node("inner")),), (_node("other"),), everything=True))
    press = shows.page.keyboard.press
    press("ArrowDown")
    press("ArrowRight")
    press("ArrowDown")
    press("ArrowRight")
    assert shows.shown("inner value")
    press("ArrowLeft")
    assert not shows.shown("inner value")
    press("ArrowUp")
    press("Enter")
    assert not shows.shown("config value")
    press("Tab")
    assert shows.page.evaluate("document.activeElement.className") == "place"


def test_a_path_is_copied(opened: Any) -> None:
    shows = opened(_graph((_node("config", _node("hook", mark=_mark(7), row=7)),)))
    shows.page.get_by_text("data.py:7", exact=True).first.click()
    shows.page.wait_for_timeout(100)
    assert shows.page.evaluate("navigator.clipboard.readText()") == "data.py:7"
    assert shows.page.inner_text("#said") == "copied data.py:7"
    assert shows.shown("hook value"), "a click on a path folds nothing"


@pytest.mark.parametrize("kind", ["graph", "audit", "migration"])
def test_light_and_dark(opened: Any, migration: str, kind: str) -> None:
    text = {"graph": _graph((_node("a", mark=_mark()),)), "audit": _audit(), "migration": migration}[kind]
    light, dark = opened(text), opened(text, "dark")
    assert light.color("backgroundColor") == "rgb(255, 255, 255)"
    assert dark.color("backgroundColor") == "rgb(13, 17, 23)"
    assert light.color("color") != dark.color("color")


def test_nothing_of_a_repository_runs(opened: Any, migration: str) -> None:
    hostile = _node(NASTY, _node(NASTY, mark=_mark(7, NASTY)))
    for text in (_graph((hostile,), title=NASTY, everything=True), _audit(NASTY, 2), migration):
        shows = opened(text)
        shows.page.click("#open")
        shows.search("script")
        assert shows.page.evaluate("window.ran") is None
        assert shows.page.locator("img,b").count() == 0
        assert shows.page.locator("script").count() == 1
        assert not {"\u202e", "\x1b"} & set(shows.page.content())


def test_an_audit_folds_what_is_not_reached(opened: Any) -> None:
    shows = opened(_audit("names", 3))
    assert shows.page.get_by_text("train.py:9", exact=True).is_visible()
    assert shows.page.locator("section:visible").count() == 2
    shows.page.click("#only")
    assert shows.page.locator("section:visible").count() == 1
    assert not shows.shown(".names1")


def test_a_migration_shows_what_is_to_do(opened: Any, migration: str) -> None:
    shows = opened(migration)
    before = shows.page.locator("section:visible").count()
    assert shows.page.get_by_text("LP208").first.is_visible()
    assert not shows.page.get_by_text("target=plain").first.is_visible()
    shows.page.click("#only")
    assert shows.page.locator("section:visible").count() > before


def test_ten_thousand_nodes_do_not_freeze_it(opened: Any) -> None:
    trees = [tuple(_node(f"n{tree}x{number}") for number in range(99)) for tree in range(MANY // 100)]
    text = _graph(*((_node(f"root{row}", *nodes),) for row, nodes in enumerate(trees)), everything=True)
    began = time.perf_counter()
    shows = opened(text)
    assert shows.page.locator(".leaf,summary").count() >= MANY
    took = {"open": time.perf_counter() - began}
    steps: dict[str, Callable[[], object]] = {
        "unfold": lambda: shows.page.click("#open"),
        "search": lambda: shows.search("n50x50"),
        "clear": lambda: shows.search(""),
        "fold": lambda: shows.page.click("#close"),
    }
    for step, act in steps.items():
        began = time.perf_counter()
        act()
        shows.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        took[step] = time.perf_counter() - began
    assert max(took.values()) < 15, took  # on a busy machine; alone, each takes a second or two at most
