"""The VS Code extension fits what it starts, and is complete enough to be published."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest

from lintpickle import __version__

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "editors" / "vscode"
README = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def package() -> Any:
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def test_its_version_is_that_of_lintpickle(package: Any) -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert package["version"] == lock["version"] == lock["packages"][""]["version"] == __version__


def test_the_lock_file_locks_what_is_asked_for(package: Any) -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert lock[""]["devDependencies"] == package["devDependencies"]
    assert all("integrity" in each for name, each in lock.items() if name)


def test_what_is_bundled_is_all_that_it_needs(package: Any) -> None:
    assert "dependencies" not in package
    assert "--bundle" in package["scripts"]["bundle"]
    assert "bundle" in package["scripts"]["vscode:prepublish"]
    assert package["main"] == "./out/extension.js"
    assert f"--outfile={package['main'].removeprefix('./')}" in package["scripts"]["bundle"]


def test_every_command_is_registered_and_described(package: Any) -> None:
    source = (FOLDER / "src" / "extension.ts").read_text(encoding="utf-8")
    registered = set(re.findall(r'command\("([\w.]+)"', source))
    assert {each["command"] for each in package["contributes"]["commands"]} == registered
    for each in package["contributes"]["commands"]:
        assert f"| lintpickle: {each['title']} |" in README


def test_no_command_has_the_name_of_one_of_the_server(package: Any) -> None:
    # The client registers those itself, and VS Code refuses a second one of the same name.
    server = (ROOT / "lintpickle" / "server" / "app.py").read_text(encoding="utf-8")
    announced = set(re.findall(r'@server\.command\("([\w.]+)"\)', server))
    assert announced
    assert announced.isdisjoint(each["command"] for each in package["contributes"]["commands"])


def test_every_setting_is_one_that_the_server_takes(package: Any) -> None:
    pytest.importorskip("lsprotocol")
    from lintpickle.server.client import ClientSettings

    settings: dict[str, Any] = {}
    for name, setting in package["contributes"]["configuration"]["properties"].items():
        key, _, inner = name.removeprefix("lintpickle.").partition(".")
        settings[key] = {inner: setting["default"]} if inner else setting["default"]
    read = ClientSettings.read(settings)
    assert (read.enable, read.fix_all, read.overrides) == (True, True, {})


def test_a_marketplace_has_what_it_shows(package: Any) -> None:
    picture = (FOLDER / package["icon"]).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (256, 256)
    for name in ("CHANGELOG.md", "LICENSE", "README.md"):
        assert f"!{name}" in (FOLDER / ".vscodeignore").read_text(encoding="utf-8").splitlines()
        assert (FOLDER / name).is_file()
    assert {"publisher", "repository", "bugs", "homepage", "license", "categories", "keywords"} <= set(package)
    assert re.findall(r"!\[[^\]]*\]\((?!https://)", README) == []


def test_what_a_stranger_may_name_needs_trust(package: Any) -> None:
    limited = package["capabilities"]["untrustedWorkspaces"]
    assert set(limited["restrictedConfigurations"]) == {"lintpickle.path", "lintpickle.interpreter"}
