"""Which environment is chosen, and what is read of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lintpickle.diagnostics import LintpickleError
from lintpickle.imports.environment import NO_ENVIRONMENT, Environment
from lintpickle.imports.environment_search import find_environment
from tests.trees import SITE_PACKAGES, plant, read, setuptools_editable, virtual_environment, write

NOWHERE = "/nowhere"


def find(
    root: Path,
    environ: dict[str, str] | None = None,
    own: Path | str = NOWHERE,
    setting: str | None = None,
) -> Environment:
    return find_environment(setting, root, environ or {}, str(own))


def interpreter(path: Path, target: Path | None = None) -> Path:
    """An interpreter file, or a link to one, as virtual environments have it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if target is None:
        path.write_text("not run")
        path.chmod(0o755)
    else:
        path.symlink_to(target)
    return path


# --- the choice


def test_without_any_environment(tmp_path: Path) -> None:
    assert find(tmp_path, {"PATH": str(tmp_path)}) == NO_ENVIRONMENT
    assert find(tmp_path).prefix is None


def test_setting_beats_everything(tmp_path: Path) -> None:
    virtual_environment(tmp_path / "wanted")
    virtual_environment(tmp_path / "active")
    virtual_environment(tmp_path / ".venv")
    found = find(tmp_path, {"VIRTUAL_ENV": str(tmp_path / "active")}, setting="wanted")
    assert (found.prefix, found.origin) == (str(tmp_path / "wanted"), "--python")


def test_active_environment_beats_conda_and_dot_venv(tmp_path: Path) -> None:
    for name in ("active", "conda", ".venv"):
        virtual_environment(tmp_path / name)
    environ = {"VIRTUAL_ENV": str(tmp_path / "active"), "CONDA_PREFIX": str(tmp_path / "conda")}
    assert find(tmp_path, environ).origin == "VIRTUAL_ENV"
    assert find(tmp_path, environ).prefix == str(tmp_path / "active")


def test_hook_environment_is_not_the_projects(tmp_path: Path) -> None:
    """pre-commit sets VIRTUAL_ENV to the environment that lintpickle runs in."""
    hook = tmp_path / "cache" / "py_env-python3"
    virtual_environment(hook)
    virtual_environment(tmp_path / "project" / ".venv")
    found = find(tmp_path / "project", {"VIRTUAL_ENV": str(hook), "PRE_COMMIT": "1"}, own=hook)
    assert (found.origin, found.prefix) == (".venv", str(tmp_path / "project" / ".venv"))


def test_hook_environment_is_recognized_through_links(tmp_path: Path) -> None:
    hook = tmp_path / "cache" / "env"
    virtual_environment(hook)
    virtual_environment(tmp_path / "project" / ".venv")
    (tmp_path / "link").symlink_to(tmp_path / "cache")
    found = find(tmp_path / "project", {"VIRTUAL_ENV": str(tmp_path / "link" / "env")}, own=hook)
    assert found.origin == ".venv"


def test_dangling_virtual_env_is_passed_over(tmp_path: Path) -> None:
    virtual_environment(tmp_path / ".venv")
    assert find(tmp_path, {"VIRTUAL_ENV": str(tmp_path / "gone")}).origin == ".venv"


def test_conda_environment_beats_dot_venv_but_base_does_not(tmp_path: Path) -> None:
    plant(tmp_path / "conda" / SITE_PACKAGES, "torch/__init__.py")
    virtual_environment(tmp_path / ".venv")
    environ = {"CONDA_PREFIX": str(tmp_path / "conda"), "CONDA_DEFAULT_ENV": "train"}
    assert find(tmp_path, environ).origin == "conda"
    assert find(tmp_path, {**environ, "CONDA_DEFAULT_ENV": "base"}).origin == ".venv"
    assert find(tmp_path, {**environ, "_CONDA_ROOT": str(tmp_path / "conda")}).origin == ".venv"


def test_conda_base_is_better_than_nothing(tmp_path: Path) -> None:
    plant(tmp_path / "conda" / SITE_PACKAGES, "torch/__init__.py")
    environ = {"CONDA_PREFIX": str(tmp_path / "conda"), "CONDA_DEFAULT_ENV": "base"}
    assert find(tmp_path, environ).prefix == str(tmp_path / "conda")


@pytest.mark.parametrize("name", [".venv", "venv"])
def test_environment_of_the_repository_serves_its_subfolders(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"repo/.git/": "", "repo/a/b/": ""})
    virtual_environment(tmp_path / "repo" / name)
    assert find(tmp_path / "repo" / "a" / "b").prefix == str(tmp_path / "repo" / name)


def test_closest_dot_venv_wins(tmp_path: Path) -> None:
    write(tmp_path, {".git/": "", "service/": ""})
    virtual_environment(tmp_path / ".venv")
    virtual_environment(tmp_path / "service" / ".venv")
    assert find(tmp_path / "service").prefix == str(tmp_path / "service" / ".venv")


def test_dot_venv_above_the_repository_is_not_the_projects(tmp_path: Path) -> None:
    write(tmp_path, {"repo/.git": "gitdir: elsewhere"})
    virtual_environment(tmp_path / ".venv")
    assert find(tmp_path / "repo") == NO_ENVIRONMENT


def test_without_repository_parents_are_not_searched(tmp_path: Path) -> None:
    write(tmp_path, {"project/": ""})
    virtual_environment(tmp_path / ".venv")
    assert find(tmp_path / "project") == NO_ENVIRONMENT


def test_folder_called_venv_is_not_enough(tmp_path: Path) -> None:
    plant(tmp_path / "venv" / SITE_PACKAGES, "torch/__init__.py")
    assert find(tmp_path) == NO_ENVIRONMENT


def test_own_environment_serves_when_the_project_is_installed_there(tmp_path: Path) -> None:
    virtual_environment(tmp_path / "env", "torch/__init__.py", "torch-2.9.0.dist-info/METADATA")
    found = find(tmp_path / "project", {"VIRTUAL_ENV": str(tmp_path / "env")}, own=tmp_path / "env")
    assert (found.origin, found.prefix) == ("lintpickle's own", str(tmp_path / "env"))


def tool_home(prefix: Path) -> Path:
    """What pipx, uvx and pre-commit make: lintpickle, what it requires, and installers."""
    site = virtual_environment(prefix, "pip-25.0.dist-info/METADATA")
    metadata = "Requires-Dist: click>=8.1\nRequires-Dist: LibCST>=1.8\nRequires-Dist: pygls; extra == 'server'\n"
    libcst = "Requires-Dist: pyyaml-ft\nRequires-Dist: jinja2; extra == 'dev'\n"
    write(
        site,
        {
            "lintpickle-0.1.0.dist-info/METADATA": metadata,
            "click-8.1.dist-info/METADATA": "",
            "libcst-1.9.0.dist-info/METADATA": libcst,
            "pyyaml_ft-8.0.dist-info/METADATA": "",
            "pygls-2.0.dist-info/METADATA": "",
        },
    )
    return site


def test_home_of_the_tool_alone_is_no_environment_of_a_project(tmp_path: Path) -> None:
    tool_home(tmp_path / "tool")
    assert find(tmp_path / "project", own=tmp_path / "tool") == NO_ENVIRONMENT


@pytest.mark.parametrize("other", ["torch-2.9.0.dist-info/METADATA", "jinja2-3.1.dist-info/METADATA"])
def test_home_of_the_tool_with_something_else_is_one(tmp_path: Path, other: str) -> None:
    plant(tool_home(tmp_path / "tool"), other)
    assert find(tmp_path / "project", own=tmp_path / "tool").origin == "lintpickle's own"


def test_python_on_path_is_the_last_resort_and_never_the_tools(tmp_path: Path) -> None:
    tool_home(tmp_path / "tool")
    interpreter(tmp_path / "tool/bin/python3")
    real = interpreter(tmp_path / "usr/bin/python3.11")
    interpreter(tmp_path / "usr/bin/python3", real)
    plant(tmp_path / "usr" / SITE_PACKAGES, "torch/__init__.py")
    path = os.pathsep.join(str(tmp_path / folder) for folder in ("missing", "tool/bin", "usr/bin"))
    found = find(tmp_path / "project", {"PATH": path}, own=tmp_path / "tool")
    assert (found.origin, found.prefix) == ("PATH", str(tmp_path / "usr"))


def test_scripts_called_python_on_path_are_passed_over(tmp_path: Path) -> None:
    interpreter(tmp_path / "shims/python3")
    assert find(tmp_path, {"PATH": str(tmp_path / "shims")}) == NO_ENVIRONMENT


# --- the setting


def test_setting_names_an_interpreter(tmp_path: Path) -> None:
    base = interpreter(tmp_path / "usr/bin/python3.11")
    plant(tmp_path / "usr" / SITE_PACKAGES, "base.py")
    site = virtual_environment(tmp_path / "env")
    interpreter(tmp_path / "env/bin/python", base)
    found = find(tmp_path, setting="env/bin/python")
    assert found.site_packages == (str(site),), "a virtual environment's interpreter is a link to its base"
    assert find(tmp_path, setting=str(base)).site_packages == (str(tmp_path / "usr" / SITE_PACKAGES),)


def test_setting_chooses_between_versions_in_one_prefix(tmp_path: Path) -> None:
    for minor in (9, 12):
        interpreter(tmp_path / f"bin/python3.{minor}")
        write(tmp_path, {f"lib/python3.{minor}/site-packages/": ""})
    assert find(tmp_path, setting="bin/python3.9").python_version == (3, 9)
    assert find(tmp_path, setting="bin/python3.9").site_packages == (str(tmp_path / "lib/python3.9/site-packages"),)
    assert find(tmp_path, setting=str(tmp_path)).python_version == (3, 12)


def test_setting_names_a_command_on_path(tmp_path: Path) -> None:
    interpreter(tmp_path / "usr/bin/python3.11")
    plant(tmp_path / "usr" / SITE_PACKAGES, "base.py")
    found = find(tmp_path / "p", {"PATH": str(tmp_path / "usr/bin")}, setting="python3.11")
    assert found.prefix == str(tmp_path / "usr")


@pytest.mark.parametrize("setting", ["gone", "empty", "file.txt", "python9.9"])
def test_bad_setting_is_an_error_that_says_what_to_do(tmp_path: Path, setting: str) -> None:
    write(tmp_path, {"empty/": "", "file.txt": ""})
    virtual_environment(tmp_path / ".venv")
    with pytest.raises(LintpickleError, match=f"python = '{setting}'.*name the folder of an environment"):
        find(tmp_path, setting=setting)


# --- the folders


@pytest.mark.parametrize(
    ("folder", "version"),
    [
        ("lib/python3.11/site-packages", (3, 11)),
        ("lib64/python3.9/site-packages", (3, 9)),
        ("lib/python3.13t/site-packages", (3, 13)),
        ("lib/pypy3.10/site-packages", (3, 10)),
        ("Lib/site-packages", None),
    ],
)
def test_layouts(tmp_path: Path, folder: str, version: tuple[int, int] | None) -> None:
    write(tmp_path, {f"{folder}/": ""})
    found = read(tmp_path)
    assert found.site_packages == (str(tmp_path / folder),)
    assert found.python_version == version


def test_windows_base_installation_tells_its_version_by_its_library(tmp_path: Path) -> None:
    plant(tmp_path, "python.exe", "python3.dll", "python312.dll", "Lib/site-packages/torch/__init__.py")
    found = find(tmp_path, setting="python.exe")
    assert (found.prefix, found.python_version) == (str(tmp_path), (3, 12))


def test_debian_layout(tmp_path: Path) -> None:
    write(
        tmp_path / "usr",
        {
            "lib/python3/dist-packages/": "",
            "local/lib/python3.11/dist-packages/": "",
            "lib/python3.11/os.py": "",
        },
    )
    found = read(tmp_path / "usr")
    assert found.site_packages == (
        str(tmp_path / "usr/local/lib/python3.11/dist-packages"),
        str(tmp_path / "usr/lib/python3/dist-packages"),
    )


def test_lib64_that_is_a_link_is_not_a_second_folder(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path)
    (tmp_path / "lib64").symlink_to("lib")
    assert read(tmp_path).site_packages == (str(site),)


def test_version_comes_from_pyvenv_cfg(tmp_path: Path) -> None:
    write(tmp_path, {"pyvenv.cfg": "home = /x\nversion_info = 3.10.4.final.0\n"})
    write(tmp_path, {"lib/python3.10/site-packages/": "", "lib/python3.12/site-packages/": ""})
    assert read(tmp_path).python_version == (3, 10)
    assert read(tmp_path).site_packages == (str(tmp_path / "lib/python3.10/site-packages"),)


def base_installation(tmp_path: Path) -> str:
    base = interpreter(tmp_path / "base/bin/python3.11")
    interpreter(tmp_path / "base/bin/python3", base)
    return str(plant(tmp_path / "base" / SITE_PACKAGES, "shared.py"))


@pytest.mark.parametrize("answer", ["true", "True", "false"])
def test_system_site_packages_only_if_included(tmp_path: Path, answer: str) -> None:
    system = base_installation(tmp_path)
    base = f"home = {tmp_path}/base/bin\nversion = 3.11.7\n"
    site = tmp_path / "env" / SITE_PACKAGES
    config = f"{base}include-system-site-packages = {answer}\n"
    write(tmp_path / "env", {"pyvenv.cfg": config, f"{SITE_PACKAGES}/": ""})
    expected = (str(site),) if answer == "false" else (str(site), system)
    assert read(tmp_path / "env").site_packages == expected


def test_environment_extended_by_uv(tmp_path: Path) -> None:
    outer = virtual_environment(tmp_path / "outer")
    inner = virtual_environment(tmp_path / "inner", config=f"extends-environment = {tmp_path}/outer\n")
    assert read(tmp_path / "inner").site_packages == (str(inner), str(outer))


def test_environments_that_extend_each_other(tmp_path: Path) -> None:
    one = virtual_environment(tmp_path / "one", config=f"extends-environment = {tmp_path}/two\n")
    two = virtual_environment(tmp_path / "two", config=f"extends-environment = {tmp_path}/one\n")
    assert read(tmp_path / "one").site_packages == (str(one), str(two))


def test_user_folder_is_seen_outside_of_virtual_environments(tmp_path: Path) -> None:
    system = base_installation(tmp_path)
    user = plant(tmp_path / "home/.local" / SITE_PACKAGES, "torch/__init__.py")
    site = virtual_environment(tmp_path / "env")
    environ = {"HOME": str(tmp_path / "home")}
    assert find(tmp_path, environ, setting="base").site_packages == (str(user), system)
    assert find(tmp_path, environ, setting="env").site_packages == (str(site),)
    assert find(tmp_path, {**environ, "PYTHONNOUSERSITE": "1"}, setting="base").site_packages == (system,)


# --- .pth files and editable installs


def test_pth_lines(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env", "nested/x.py")
    write(tmp_path, {"src/": "", "other/": "", "hidden/": ""})
    write(
        site,
        {
            "b.pth": f"# comment\n\n{tmp_path}/src  \nnested\n{tmp_path}/missing\n",
            "a.pth": f"\ufeff{tmp_path}/other",
            ".hidden.pth": f"{tmp_path}/hidden",
            "note.txt": f"{tmp_path}/hidden",
        },
    )
    expected = (site, tmp_path / "other", tmp_path / "src", site / "nested")
    assert read(tmp_path / "env").site_packages == tuple(map(str, expected))


def test_pth_files_in_folders_named_by_pth_files_do_not_count(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    write(tmp_path, {"src/more.pth": f"{tmp_path}/more", "more/": ""})
    write(site, {"a.pth": f"{tmp_path}/src"})
    assert read(tmp_path / "env").site_packages == (str(site), str(tmp_path / "src"))


def test_import_lines_are_not_run(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    evil = f"import pathlib; pathlib.Path({str(tmp_path / 'ran')!r}).touch()"
    write(site, {"evil.pth": evil, "_editable_evil.pth": "import _editable_evil", "_editable_evil.py": evil})
    assert read(tmp_path / "env").site_packages == (str(site),)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"a\0b\n", b"\n" * 5, b"import", b"import \n"])
def test_broken_pth_files_are_harmless(tmp_path: Path, content: bytes) -> None:
    site = virtual_environment(tmp_path / "env")
    (site / "broken.pth").write_bytes(content)
    write(tmp_path, {"src/": ""})
    write(site, {"good.pth": f"{tmp_path}/src"})
    assert read(tmp_path / "env").site_packages == (str(site), str(tmp_path / "src"))


def test_setuptools_flat_layout(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    plant(tmp_path / "proj", "flatpkg/__init__.py", "flatmod.py")
    setuptools_editable(site, "flat", {"flatmod": tmp_path / "proj/flatmod", "flatpkg": tmp_path / "proj/flatpkg"})
    assert read(tmp_path / "env").editables == {
        "flatmod": f"{tmp_path}/proj/flatmod.py",
        "flatpkg": f"{tmp_path}/proj/flatpkg",
    }


def test_setuptools_namespaces(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    plant(tmp_path / "proj", "code/core/__init__.py")
    setuptools_editable(site, "corp", {"corp.core": tmp_path / "proj/code/core"}, {"corp": []})
    setuptools_editable(site, "ns", {"ns": tmp_path / "proj/ns"}, {"ns": [tmp_path / "proj/ns"]})
    found = read(tmp_path / "env")
    assert found.editables == {"corp.core": f"{tmp_path}/proj/code/core", "ns": f"{tmp_path}/proj/ns"}
    assert found.namespaces == {"corp": (), "ns": (f"{tmp_path}/proj/ns",)}


def test_older_setuptools_writes_plain_assignments(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    finder = "__editable___old_0_1_finder"
    write(
        site,
        {
            "__editable__.old-0.1.pth": f"import {finder}; {finder}.install()",
            f"{finder}.py": f"MAPPING = {{'old': '{tmp_path}/old'}}\nNAMESPACES = {{}}\n",
        },
    )
    assert read(tmp_path / "env").editables == {"old": f"{tmp_path}/old"}


def test_editables_redirector_of_hatchling_and_pdm(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    finder = (
        "from editables.redirector import RedirectingFinder as F\nF.install()\n"
        f"F.map_module('exact', '{tmp_path}/src/exact/__init__.py')\n"
        f"F.map_module('single', '{tmp_path}/src/single.py')"
    )
    write(site, {"_editable_impl_exact.pth": "import _editable_impl_exact"})
    write(site, {"_editable_impl_exact.py": finder})
    assert read(tmp_path / "env").editables == {
        "exact": f"{tmp_path}/src/exact",
        "single": f"{tmp_path}/src/single.py",
    }


def test_scikit_build_core(tmp_path: Path) -> None:
    site = virtual_environment(tmp_path / "env")
    files = {"skb": f"{tmp_path}/src/skb/__init__.py", "skb.m": f"{tmp_path}/src/skb/m.py"}
    finder = f"def install(a, b, c): ...\n\n\ninstall({files!r}, {{}}, None)\n"
    write(site, {"_editable_skbc_skb.pth": "import _editable_skbc_skb\n", "_editable_skbc_skb.py": finder})
    assert read(tmp_path / "env").editables == {
        "skb": f"{tmp_path}/src/skb",
        "skb.m": f"{tmp_path}/src/skb/m.py",
    }


@pytest.mark.parametrize(
    "text",
    [
        "MAPPING = {'a': compute()}",
        "MAPPING = ['a']",
        "MAPPING = {1: 2, 'a': None}",
        "MAPPING = {['a']: 'b'}",
        "MAPPING: dict[str, str]",
        "NAMESPACES = {'a': 'b'}",
        "MAPPING = {",
        "MAPPING = " + "(" * 5000 + ")" * 5000,
        "F.map_module(name, 'x')",
        "install({**x})",
        "\0",
    ],
)
def test_odd_finders_are_harmless(tmp_path: Path, text: str) -> None:
    site = virtual_environment(tmp_path / "env")
    finder = "__editable___odd_finder"
    write(site, {"__editable__.odd.pth": f"import {finder}", f"{finder}.py": text})
    found = read(tmp_path / "env")
    assert (found.editables, found.namespaces) == ({}, {})
