"""How long an editor waits for diagnostics after an edit in a 1,000-line file of a large project, once it is indexed.

python -m benchmarks.server_latency [--files 2000] [--edits 60] [--pause 0.6]
python -m benchmarks.server_latency --open FILE FOLDER

Starts `lintpickle server` like an editor does, and times from the change that is sent to the diagnostics that come
back. `--pause` is the time between two edits: with less than the server's own pause (0.25 s), every edit comes while
the one before is still being worked on. Prints milliseconds.

With `--open`, it opens a file of a real project instead, and prints the seconds until the file's first diagnostics,
until those of the whole program, and the most memory that the server had.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from benchmarks.projects import make_project, module_text

_TARGET = 0


class Client(LanguageClient):
    """An editor that notes when diagnostics of which version arrive."""

    def __init__(self) -> None:
        super().__init__("server-latency", "1")
        self.arrived: dict[int, float] = {}
        self.counts: dict[int, int] = {}
        self.indexed = asyncio.Event()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            version = params.version or 0
            self.arrived.setdefault(version, time.perf_counter())
            self.counts[version] = len(params.diagnostics)

        @self.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)  # type: ignore[untyped-decorator]
        def created(params: lsp.WorkDoneProgressCreateParams) -> None:
            return None

        @self.feature(lsp.PROGRESS)  # type: ignore[untyped-decorator]
        def progress(params: lsp.ProgressParams) -> None:
            value = params.value
            kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
            if kind == "end":
                self.indexed.set()


async def start(root: Path, path: Path, text: str) -> tuple[Client, float]:
    """A server with one open file, and when it was started."""
    client = Client()
    await client.start_io(sys.executable, "-m", "lintpickle", "server")
    published = lsp.PublishDiagnosticsClientCapabilities(related_information=True, data_support=True)
    capabilities = lsp.ClientCapabilities(
        text_document=lsp.TextDocumentClientCapabilities(publish_diagnostics=published),
        window=lsp.WindowClientCapabilities(work_done_progress=True),
    )
    started = time.perf_counter()
    await client.initialize_async(lsp.InitializeParams(capabilities=capabilities, root_uri=root.as_uri()))
    client.initialized(lsp.InitializedParams())
    item = lsp.TextDocumentItem(path.as_uri(), "python", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return client, started


async def stop(client: Client) -> None:
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


async def measure_opening(root: Path, path: Path) -> tuple[float, float, int]:
    """Seconds until a file's first diagnostics and until the index, and the most memory that the server had (in MB, on
    Linux)."""
    client, started = await start(root, path, path.read_text(encoding="utf-8"))
    await asyncio.wait_for(client.indexed.wait(), 3600)
    index = time.perf_counter() - started
    await stop(client)
    return client.arrived[1] - started, index, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000


async def measure(root: Path, path: Path, edits: int, pause: float) -> tuple[float, list[float]]:
    """Seconds until the index, and for each edit until its diagnostics."""
    text = path.read_text(encoding="utf-8")
    hazard = "self.names = {}.keys()"
    client, started = await start(root, path, text)
    await asyncio.wait_for(client.indexed.wait(), 600)
    index = time.perf_counter() - started
    await asyncio.sleep(1)
    waits = []
    for number in range(2, edits + 2):
        changed = text.replace("self.names = sorted(names)", hazard if number % 2 else f"self.names = list({number})")
        identifier = lsp.VersionedTextDocumentIdentifier(number, path.as_uri())
        change = lsp.TextDocumentContentChangeWholeDocument(changed)
        sent = time.perf_counter()
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [change]))
        while number not in client.arrived and time.perf_counter() - sent < 60:
            await asyncio.sleep(0.001)
        waits.append(client.arrived[number] - sent)
        assert client.counts[number] == number % 2, f"version {number} has {client.counts[number]} diagnostics"
        await asyncio.sleep(pause)
    await stop(client)
    return index, waits


def print_opening(root: Path, path: Path) -> None:
    first, index, megabytes = asyncio.run(measure_opening(root, path))
    print(f"first diagnostics  {first:8.2f} s")
    print(f"whole program      {index:8.2f} s")
    print(f"memory             {megabytes:8} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--pause", type=float, default=0.6)
    parser.add_argument("--open", type=Path, metavar="FILE")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(), metavar="FOLDER")
    given = parser.parse_args()
    if given.open:
        print_opening(given.folder.resolve(), given.open.resolve())
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = make_project(root, given.files)[_TARGET]
        path.write_text(module_text(_TARGET, 1000), encoding="utf-8")
        index, waits = asyncio.run(measure(root, path, given.edits, given.pause))
    waits.sort()
    p95 = waits[min(len(waits) - 1, round(0.95 * len(waits)))]
    print(f"{given.files} files, {given.edits} edits, a pause of {given.pause} s, load {os.getloadavg()[0]:.1f}")
    print(f"first index  {index:8.1f} s")
    print(f"median       {1000 * statistics.median(waits):8.1f} ms")
    print(f"95 %         {1000 * p95:8.1f} ms")
    print(f"worst        {1000 * waits[-1]:8.1f} ms")


if __name__ == "__main__":
    main()
