"""The extension in a real VS Code: code-server, which is VS Code behind a browser.

Needs Chromium, playwright, node, the extension as `npm run package` makes it, and code-server from npm; CONTRIBUTING
says how to get them. LINTPICKLE_CODE_SERVER is the path of code-server's `out/node/entry.js`, LINTPICKLE_VSIX that of
the extension.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import HAZARDS, need_module

ENTRY, VSIX = os.environ.get("LINTPICKLE_CODE_SERVER"), os.environ.get("LINTPICKLE_VSIX")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
    "files.autoSave": "off",
}

pytestmark = [
    pytest.mark.client,
    pytest.mark.skipif(not (ENTRY and VSIX and CHROMIUM), reason="needs code-server, the extension and Chromium"),
]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    """VS Code with a folder that holds bad.py."""
    need_module("playwright")
    from playwright.sync_api import sync_playwright

    workspace, data = tmp_path / "workspace", tmp_path / "data"
    for folder in (workspace, data / "User"):
        folder.mkdir(parents=True)
    (workspace / "bad.py").write_text(HAZARDS, encoding="utf-8")
    program = tmp_path / "lintpickle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lintpickle "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    settings = {**SETTINGS, "lintpickle.path": str(program)}
    (data / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    (tmp_path / "config.yaml").write_text(f"auth: none\nbind-addr: {address}\ncert: false\n", encoding="utf-8")
    command = ["node", str(ENTRY), "--config", str(tmp_path / "config.yaml"), "--user-data-dir", str(data)]
    command += ["--extensions-dir", str(tmp_path / "extensions"), "--disable-telemetry", "--disable-update-check"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run([*command, "--install-extension", str(VSIX)], env=environment, check=True, capture_output=True)
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(address)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1300, "height": 850})
            page.goto(f"http://{address}/?folder={workspace}", timeout=120_000)
            page.get_by_text("bad.py", exact=True).first.dblclick(timeout=120_000)
            yield page
            browser.close()
    finally:
        server.terminate()
        server.wait(30)


def _wait_for(address: str) -> None:
    host, _, port = address.partition(":")
    ends = time.monotonic() + 60
    while True:
        try:
            socket.create_connection((host, int(port)), 1).close()
            return
        except OSError:
            assert time.monotonic() < ends
            time.sleep(0.2)


def _run_command(page: Any, title: str) -> None:
    page.locator(".view-lines").first.click()
    page.keyboard.press("F1")
    page.locator(".quick-input-widget .quick-input-box input").wait_for()
    page.keyboard.type(title)
    page.locator(".quick-input-list .monaco-list-row").get_by_text(title.partition(": ")[2]).first.wait_for()
    page.keyboard.press("Enter")


def test_problems_are_shown_and_fixed(page: Any, tmp_path: Path) -> None:
    page.locator(".squiggly-error").first.wait_for(state="attached", timeout=120_000)
    page.keyboard.press("Control+Shift+M")
    rows = page.locator(".markers-panel .monaco-list-row")
    rows.get_by_text("cannot pickle").first.wait_for()
    said = " ".join(rows.all_inner_texts())
    assert "LP101" in said and "lintpickle" in said
    _run_command(page, "lintpickle: Fix all auto-fixable problems")
    page.locator(".squiggly-error").first.wait_for(state="detached", timeout=60_000)
    page.keyboard.press("Control+S")
    ends = time.monotonic() + 20
    while (tmp_path / "workspace" / "bad.py").read_text(encoding="utf-8") == HAZARDS:
        assert time.monotonic() < ends
        time.sleep(0.2)
    assert "list({}.keys())" in (tmp_path / "workspace" / "bad.py").read_text(encoding="utf-8")
