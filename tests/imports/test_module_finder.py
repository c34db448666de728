"""Names and files: what imports find, and what files are called."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from lintpickle.imports.environment import NO_ENVIRONMENT
from lintpickle.imports.import_roots import project_roots
from lintpickle.imports.module_finder import ModuleFile, ModuleFinder
from tests.trees import plant, read, setuptools_editable, virtual_environment, write


def finder(root: Path, src: Sequence[str] = (), files: Sequence[str] = ()) -> ModuleFinder:
    """A finder for the project in `root`, with the environment beside it in `env`, if there is one."""
    env = root.parent / "env"
    return ModuleFinder(project_roots(root, src, files), read(env) if env.exists() else NO_ENVIRONMENT)


def where(found: ModuleFile | None, root: Path) -> str | None:
    """The path of a module relative to `root`; None if it was not found."""
    return None if found is None else os.path.relpath(found.path, root) if found.path else ""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


# --- find


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("pkg", "pkg/__init__.py"),
        ("pkg.mod", "pkg/mod.py"),
        ("pkg.sub", "pkg/sub/__init__.py"),
        ("pkg.sub.deep", "pkg/sub/deep.py"),
        ("single", "single.py"),
        ("inner", "src/inner/__init__.py"),
        ("loose", ""),
        ("loose.part", "loose/part.py"),
        ("pkg.data.part", "pkg/data/part.py"),
        ("missing", None),
        ("pkg.missing", None),
        ("pkg.mod.Class", None),
        ("single.part", None),
        ("Pkg", None),
        ("notes", None),
        ("stub", None),
    ],
)
def test_find_in_roots(project: Path, name: str, path: str | None) -> None:
    plant(project, "pkg/__init__.py", "pkg/mod.py", "pkg/sub/__init__.py", "pkg/sub/deep.py", "single.py")
    plant(project, "src/inner/__init__.py", "loose/part.py", "pkg/data/part.py", "notes.txt", "stub.pyi")
    assert where(finder(project).find(name), project) == path


@pytest.mark.parametrize(
    "name", ["", ".", "..", "pkg.", ".pkg", "pkg..mod", "pkg/mod", "../x", "a\0b", "%2E%2E", "%2E"]
)
def test_names_that_are_none(project: Path, name: str) -> None:
    plant(project, "pkg/__init__.py", "pkg/mod.py", "../x.py")
    assert finder(project).find(name) is None


def test_package_beats_module_beats_namespace(project: Path) -> None:
    plant(project, "both/__init__.py", "both.py", "file.py", "file/part.py")
    found = finder(project)
    assert where(found.find("both"), project) == "both/__init__.py"
    assert where(found.find("file"), project) == "file.py"
    assert found.find("file.part") is None


def test_package_in_a_later_folder_beats_namespace_in_an_earlier(project: Path) -> None:
    plant(project, "torch/notes.txt", "wandb/run-1/x.json")
    env = project.parent / "env"
    site = virtual_environment(env, "torch/__init__.py", "wandb/__init__.py", "wandb/sdk.py")
    assert where(finder(project).find("torch"), site) == "torch/__init__.py"
    assert where(finder(project).find("wandb.sdk"), site) == "wandb/sdk.py"


def test_project_beats_site_packages(project: Path) -> None:
    plant(project, "datasets/__init__.py")
    virtual_environment(project.parent / "env", "datasets/__init__.py", "datasets/load.py")
    found = finder(project)
    assert found.find("datasets") == ModuleFile("datasets", str(project / "datasets/__init__.py"), True, True, None)
    assert found.find("datasets.load") is None, "the package that hides another one hides its modules too"


def test_namespace_packages_are_merged_over_roots_and_site_packages(project: Path) -> None:
    plant(project, "corp/here.py", "src/corp/there.py")
    site = virtual_environment(project.parent / "env", "corp/installed.py")
    found = finder(project)
    assert found.find("corp") == ModuleFile("corp", "", True, True, None)
    assert where(found.find("corp.here"), project) == "corp/here.py"
    assert where(found.find("corp.there"), project) == "src/corp/there.py"
    assert where(found.find("corp.installed"), site) == "corp/installed.py"
    assert found.submodules("corp") == ("corp.here", "corp.installed", "corp.there")


def test_extension_modules_are_unknown_and_hide_what_follows(project: Path) -> None:
    plant(project, "ops.cpython-311-x86_64-linux-gnu.so", "win.cp311-win_amd64.pyd", "old.pyc", "src/ops.py")
    plant(project, "compiled.py", "compiled.abi3.so", "pkg/__init__.py", "pkg/_C.so")
    found = finder(project)
    for name in ("ops", "ops.inner", "win", "old", "pkg._C"):
        assert found.find(name) is None, name
    assert where(found.find("compiled"), project) == "compiled.py"


def test_stub_packages_are_not_facts(project: Path) -> None:
    env = project.parent / "env"
    site = virtual_environment(env, "six-stubs/__init__.pyi", "yaml/__init__.pyi", "real.py")
    found = finder(project)
    assert found.find("six") is None
    assert where(found.find("yaml"), site) == "", "a folder without source is a namespace package at best"
    assert where(found.find("real"), site) == "real.py"


def test_standard_library_is_not_found_by_accident(project: Path) -> None:
    plant(project, "code/run.py", "pkg/__init__.py", "pkg/logging.py", "pkg/user.py")
    virtual_environment(project.parent / "env", "dataclasses.py", "typing.py")
    found = finder(project)
    for name in ("os", "pickle", "code", "dataclasses", "typing", "multiprocessing.pool"):
        assert found.find(name) is None, name
    assert found.find("logging", str(project / "pkg/user.py")) is None


def test_own_module_that_hides_the_standard_library(project: Path) -> None:
    plant(project, "queue.py", "test/__init__.py", "tools/random.py", "tools/run.py")
    found = finder(project)
    assert where(found.find("queue"), project) == "queue.py"
    assert where(found.find("test"), project) == "test/__init__.py"
    assert found.find("random") is None
    assert where(found.find("random", str(project / "tools/run.py")), project) == "tools/random.py"


def test_site_packages_and_distributions(project: Path) -> None:
    site = virtual_environment(
        project.parent / "env",
        "torch/nn/__init__.py",
        "torch/__init__.py",
        "torch-2.9.0+cpu.dist-info/METADATA",
        "nuscenes/__init__.py",
        "my_tool/__init__.py",
        "My.Tool-1.0.dist-info/METADATA",
        "six.py",
        "six-1.17.0.dist-info/METADATA",
        "vendored/__init__.py",
    )
    write(site, {"nuscenes_devkit-1.1.11.dist-info/top_level.txt": "nuscenes\n"})
    found = finder(project)
    assert found.find("torch.nn") == ModuleFile("torch.nn", f"{site}/torch/nn/__init__.py", True, False, "torch")
    expected = {"nuscenes": "nuscenes-devkit", "my_tool": "my-tool", "six": "six", "vendored": None}
    for name, distribution in expected.items():
        module = found.find(name)
        assert module is not None and module.distribution == distribution


# --- find, from somewhere


def test_script_imports_its_siblings_first(project: Path) -> None:
    plant(project, "utils.py", "exp1/train.py", "exp1/utils.py", "exp2/train.py", "exp2/utils/__init__.py")
    found = finder(project)
    assert where(found.find("utils"), project) == "utils.py"
    assert where(found.find("utils", str(project / "exp1/train.py")), project) == "exp1/utils.py"
    assert where(found.find("utils", str(project / "exp2/train.py")), project) == "exp2/utils/__init__.py"
    assert where(found.find("utils", str(project / "main.py")), project) == "utils.py"


def test_a_module_that_stands_in_the_way_of_a_package(project: Path) -> None:
    """`python src/main.py` imports `engine.table.validator`, which has a `utils.py` beside it."""
    plant(project, "src/main.py", "src/utils/parallel.py", "src/engine/table/utils.py", "src/engine/table/validator.py")
    found = finder(project)
    importer = str(project / "src/engine/table/validator.py")
    assert where(found.find("utils.parallel", importer), project) == "src/utils/parallel.py"
    assert where(found.find("utils", importer), project) == "src/engine/table/utils.py"
    assert found.find("utils.missing", importer) is None


def test_a_package_that_lacks_a_module_hides_others(project: Path) -> None:
    plant(project, "src/utils/parallel.py", "src/engine/utils/__init__.py", "src/engine/validator.py")
    assert finder(project).find("utils.parallel", str(project / "src/engine/validator.py")) is None


def test_module_in_a_package_prefers_the_roots_to_its_siblings(project: Path) -> None:
    plant(project, "utils.py", "pkg/__init__.py", "pkg/utils.py", "pkg/helpers.py", "pkg/train.py")
    found = finder(project)
    importer = str(project / "pkg/train.py")
    assert where(found.find("utils", importer), project) == "utils.py"
    assert where(found.find("helpers", importer), project) == "pkg/helpers.py", "run as python pkg/train.py"
    assert found.find("helpers") is None


def test_siblings_of_packages_do_not_hide_installed_ones(project: Path) -> None:
    plant(project, "pkg/__init__.py", "pkg/torch.py", "pkg/train.py")
    plant(project, "tests/torch/__init__.py", "tests/torch/test_b.py")
    site = virtual_environment(project.parent / "env", "torch/__init__.py")
    found = finder(project)
    for importer in ("pkg/train.py", "tests/torch/test_b.py"):
        assert where(found.find("torch", str(project / importer)), site) == "torch/__init__.py", importer


def test_package_deep_in_the_project_is_found_from_inside_and_beside(project: Path) -> None:
    importers = ("packages/app/app/core.py", "packages/app/tests/test_core.py")
    plant(project, "packages/app/app/__init__.py", *importers)
    found = finder(project)
    for importer in importers:
        module = found.find("app.core", str(project / importer))
        assert module is found.module_of(str(project / "packages/app/app/core.py"))
        assert module.name == "packages.app.app.core"
    assert found.find("app.core", str(project / "main.py")) is None


@pytest.mark.parametrize(
    ("importer", "found"),
    [("wrap/deep/inner.py", None), ("wrap/inner.py", None), ("scripts/run.py", "scripts/numpy/__init__.py")],
)
def test_a_library_that_is_not_installed_is_not_the_package_of_its_name_inside_of_ours(
    project: Path, importer: str, found: str | None
) -> None:
    folders = ("wrap", "wrap/deep", "wrap/numpy", "scripts/numpy")
    plant(project, importer, *(f"{folder}/__init__.py" for folder in folders))
    finder = ModuleFinder(project_roots(project, [], []), NO_ENVIRONMENT, {"numpy"})
    module = finder.find("numpy", str(project / importer))
    assert (module.path if module is not None else None) == (str(project / found) if found else None)
    other = ModuleFinder(project_roots(project, [], []), NO_ENVIRONMENT)
    assert other.find("numpy", str(project / importer)) is not None


@pytest.mark.parametrize("script", ["main.py", "tools/train.py", "tools/more/train.py"])
@pytest.mark.parametrize("folder", ["lib", "libs", "tools/src"])
def test_folders_that_scripts_put_on_the_path_themselves(project: Path, script: str, folder: str) -> None:
    """`sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))`"""
    plant(project, script, f"{folder}/data/__init__.py", f"{folder}/data/factory.py")
    found = finder(project)
    module = found.find("data.factory", str(project / script))
    if script == "main.py" and folder == "tools/src":
        assert module is None
    else:
        assert module is found.module_of(str(project / folder / "data/factory.py"))


def test_namespace_folder_found_from_a_script_has_a_name_that_is_found_again(project: Path) -> None:
    plant(project, "exp/train.py", "exp/models/net.py")
    found = finder(project)
    module = found.find("models", str(project / "exp/train.py"))
    assert module == ModuleFile("exp.models", "", True, True, None)
    assert found.submodules(module.name) == ("exp.models.net",)
    assert found.find("exp.models.net") is found.find("models.net", str(project / "exp/train.py"))


def test_importer_outside_of_the_project_does_not_open_its_surroundings(project: Path) -> None:
    site = virtual_environment(project.parent / "env", "pkg/__init__.py", "pkg/helpers.py", "pkg/a.py")
    found = finder(project)
    assert found.find("helpers", str(site / "pkg/a.py")) is None
    assert where(found.find("pkg.helpers", str(site / "pkg/a.py")), site) == "pkg/helpers.py"


# --- module_of


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("pkg/__init__.py", "pkg"),
        ("pkg/sub/deep.py", "pkg.sub.deep"),
        ("train.py", "train"),
        ("tools/train.py", "tools.train"),
        ("src/inner/mod.py", "inner.mod"),
        ("lib/configured/mod.py", "configured.mod"),
        ("projects/mmdet3d_plugin/datasets/x.py", "projects.mmdet3d_plugin.datasets.x"),
        ("yolo-5.0/models/common.py", "yolo-5%2E0.models.common"),
        ("configs/run.v2.py", "configs.run%2Ev2"),
        ("__init__.py", "__init__"),
        ("pkg/__main__.py", "pkg.__main__"),
    ],
)
def test_names_of_files(project: Path, path: str, name: str) -> None:
    plant(project, "pyproject.toml", "pkg/__init__.py", "pkg/sub/__init__.py", "src/inner/__init__.py")
    plant(project, "lib/configured/__init__.py", "projects/mmdet3d_plugin/__init__.py", path)
    plant(project, "projects/mmdet3d_plugin/datasets/__init__.py", "yolo-5.0/models/__init__.py")
    found = finder(project, src=["lib"])
    module = found.module_of(str(project / path))
    assert (module.name, module.path, module.first_party) == (name, str(project / path), True)
    assert module.is_package == (path == "pkg/__init__.py")
    assert found.find(name) is module, "every name is found again"


def test_names_do_not_depend_on_the_checked_files(project: Path) -> None:
    plant(project, "projects/plugin/__init__.py", "projects/plugin/x.py", "tools/train.py")
    alone = finder(project, files=[str(project / "tools/train.py")])
    whole = finder(project, files=[str(project / "projects/plugin/x.py"), str(project / "tools/train.py")])
    path = str(project / "projects/plugin/x.py")
    assert alone.module_of(path) == whole.module_of(path)
    assert alone.find("projects.plugin.x") == whole.find("projects.plugin.x") == alone.module_of(path)


def test_two_files_never_share_a_name(project: Path) -> None:
    files = ["utils.py", "src/utils.py", "both.py", "both/__init__.py", "a/net.py", "b/net.py", "both.ipynb"]
    files += ["a.b/c.py", "a/b/c.py"]
    plant(project, *files)
    found = finder(project)
    names = {found.module_of(str(project / file)).name for file in files}
    assert len(names) == len(files)
    assert found.module_of(str(project / "src/utils.py")).name == "src.utils"


def test_src_that_is_a_package_itself(project: Path) -> None:
    plant(project, "src/__init__.py", "src/models/__init__.py", "src/models/net.py")
    found = finder(project)
    module = found.module_of(str(project / "src/models/net.py"))
    assert module.name == "src.models.net"
    assert found.find("src.models.net") is module and found.find("models.net") is module


def test_file_outside_of_all_roots(project: Path) -> None:
    other = plant(project.parent / "other", "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/m.py", "s.py")
    found = finder(project)
    module = found.module_of(str(other / "pkg/sub/m.py"))
    assert (module.name, module.first_party) == ("pkg.sub.m", False)
    assert found.module_of(str(other / "s.py")).name == "s"
    assert found.module_of(str(project.parent / "gone/x.py")).name == "x"


def test_file_in_site_packages(project: Path) -> None:
    files = ("torch/__init__.py", "torch/nn/functional.py", "torch/nn/__init__.py")
    site = virtual_environment(project / ".venv", *files)
    found = ModuleFinder(project_roots(project, [], []), read(project / ".venv"))
    module = found.module_of(str(site / "torch/nn/functional.py"))
    assert (module.name, module.first_party) == ("torch.nn.functional", False), "though below the project"
    assert found.find("torch.nn.functional") is module
    assert not found.module_of(str(project / ".venv/bin/activate_this.py")).first_party


def test_files_of_other_environments_below_the_project_are_not_first_party(project: Path) -> None:
    other = virtual_environment(project / "envs/old", "torch/__init__.py")
    assert not finder(project).module_of(str(other / "torch/__init__.py")).first_party


def test_project_below_the_prefix_of_its_environment_is_first_party(tmp_path: Path) -> None:
    """A container: /usr is the environment and /usr/src/app the project."""
    virtual_environment(tmp_path / "usr", "torch/__init__.py")
    plant(tmp_path / "usr/src/app", "train.py")
    found = ModuleFinder(project_roots(tmp_path / "usr/src/app", [], []), read(tmp_path / "usr"))
    module = found.find("train")
    assert module is not None and module.first_party


# --- editable installs


def one_file(found: ModuleFinder, path: Path, *names: str) -> ModuleFile:
    """The first-party module in `path`, which is what all `names` find."""
    module = found.module_of(str(path))
    assert module.first_party and module.path == str(path)
    assert all(found.find(name) is module for name in names), names
    return module


def test_flat_editable_of_the_project_itself(project: Path) -> None:
    plant(project, "flatpkg/__init__.py", "flatpkg/sub/__init__.py", "flatmod.py")
    site = virtual_environment(project.parent / "env")
    setuptools_editable(site, "flat", {"flatmod": project / "flatmod", "flatpkg": project / "flatpkg"})
    found = finder(project)
    assert one_file(found, project / "flatpkg/sub/__init__.py", "flatpkg.sub").name == "flatpkg.sub"
    assert one_file(found, project / "flatmod.py", "flatmod").name == "flatmod"


def test_mapped_editable_of_the_project_itself(project: Path) -> None:
    plant(project, "python/__init__.py", "python/inner/__init__.py", "other/__init__.py", "other/x.py")
    site = virtual_environment(project.parent / "env")
    setuptools_editable(site, "mapped", {"mapped": project / "python", "mapped.plug": project / "other"})
    found = finder(project)
    assert one_file(found, project / "python/__init__.py", "mapped", "python").name == "mapped"
    assert one_file(found, project / "python/inner/__init__.py", "mapped.inner").name == "mapped.inner"
    assert one_file(found, project / "other/x.py", "mapped.plug.x", "other.x").name == "mapped.plug.x"
    assert found.submodules("mapped") == ("mapped.inner", "mapped.plug")


def test_plain_pth_of_the_project_itself(project: Path) -> None:
    plant(project, "python/pkg/__init__.py", "python/pkg/mod.py")
    site = virtual_environment(project.parent / "env")
    write(site, {"_pkg.pth": f"{project}/python"})
    assert one_file(finder(project), project / "python/pkg/mod.py", "pkg.mod").name == "pkg.mod"


def test_strict_editable_of_the_project_itself(project: Path) -> None:
    """setuptools with editable_mode=strict: a folder full of links to the files."""
    plant(project, "lib/strictpkg/__init__.py", "lib/strictpkg/a.py")
    links = project / "build/__editable__.strict-0.1-py3-none-any/strictpkg"
    links.mkdir(parents=True)
    for name in ("__init__.py", "a.py"):
        (links / name).symlink_to(project / "lib/strictpkg" / name)
    site = virtual_environment(project.parent / "env")
    write(site, {"__editable__.strict-0.1.pth": str(links.parent)})
    one_file(finder(project), project / "lib/strictpkg/a.py", "strictpkg.a", "lib.strictpkg.a")


def test_editable_seen_through_a_link_to_the_project(project: Path) -> None:
    plant(project, "python/__init__.py")
    site = virtual_environment(project.parent / "env")
    setuptools_editable(site, "mapped", {"mapped": project / "python"})
    link = project.parent / "link"
    link.symlink_to(project)
    assert one_file(finder(link), link / "python/__init__.py", "mapped").name == "mapped"


def test_editable_of_another_checkout_is_installed(project: Path) -> None:
    other = plant(project.parent / "mmdet3d", "mmdet3d/__init__.py", "mmdet3d/core.py")
    site = virtual_environment(project.parent / "env")
    setuptools_editable(site, "mmdet3d", {"mmdet3d": other / "mmdet3d"})
    module = finder(project).find("mmdet3d.core")
    assert module == ModuleFile("mmdet3d.core", str(other / "mmdet3d/core.py"), False, False, None)


def test_editable_beats_a_namespace_folder_of_the_same_name(project: Path) -> None:
    """The checkout of mmdet3d beside the scripts: its folder has the package's name."""
    plant(project, "mmdet3d/mmdet3d/__init__.py", "mmdet3d/setup.py")
    site = virtual_environment(project.parent / "env")
    setuptools_editable(site, "mmdet3d", {"mmdet3d": project / "mmdet3d/mmdet3d"})
    one_file(finder(project), project / "mmdet3d/mmdet3d/__init__.py", "mmdet3d")


def test_editable_namespaces(project: Path) -> None:
    corp = plant(project.parent / "corp", "code/core/__init__.py", "ns/empty/deep/m.py")
    site = virtual_environment(project.parent / "env")
    setuptools_editable(site, "corp", {"corp.core": corp / "code/core"}, {"corp": []})
    setuptools_editable(site, "ns", {"ns": corp / "ns"}, {"ns": [corp / "ns"], "ns.empty": [corp / "ns/empty"]})
    found = finder(project)
    assert found.find("corp") == ModuleFile("corp", "", True, False, None)
    assert where(found.find("corp.core"), corp) == "code/core/__init__.py"
    assert found.submodules("corp") == ("corp.core",)
    assert where(found.find("ns.empty.deep.m"), corp) == "ns/empty/deep/m.py"


# --- relative imports


@pytest.mark.parametrize(
    ("path", "level", "name", "expected"),
    [
        ("pkg/sub/deep.py", 1, "near", "pkg.sub.near"),
        ("pkg/sub/deep.py", 2, "mod", "pkg.mod"),
        ("pkg/sub/deep.py", 1, None, "pkg.sub"),
        ("pkg/sub/deep.py", 2, None, "pkg"),
        ("pkg/sub/deep.py", 3, "pkg", "pkg"),
        ("pkg/sub/deep.py", 3, None, None),
        ("pkg/sub/deep.py", 4, "x", None),
        ("pkg/sub/deep.py", 0, "x", None),
        ("pkg/sub/__init__.py", 1, "deep", "pkg.sub.deep"),
        ("pkg/sub/__init__.py", 2, "a.b", "pkg.a.b"),
        ("pkg/sub/__init__.py", 2, None, "pkg"),
        ("train.py", 1, "pkg.mod", "pkg.mod"),
        ("train.py", 2, "pkg", None),
        ("__init__.py", 1, "train", "train"),
    ],
)
def test_relative_imports(project: Path, path: str, level: int, name: str | None, expected: str | None) -> None:
    plant(project, "pyproject.toml", "__init__.py", "pkg/__init__.py", "pkg/sub/__init__.py", path)
    found = finder(project)
    assert found.resolve_relative(found.module_of(str(project / path)), level, name) == expected


def test_relative_import_between_folders_without_init(project: Path) -> None:
    plant(project, "yolo-5.0/models/common.py", "yolo-5.0/utils/io.py")
    found = finder(project)
    module = found.module_of(str(project / "yolo-5.0/models/common.py"))
    target = found.resolve_relative(module, 2, "utils.io")
    assert target is not None
    assert where(found.find(target), project) == "yolo-5.0/utils/io.py"


# --- submodules


def test_submodules(project: Path) -> None:
    plant(project, "pkg/__init__.py", "pkg/b.py", "pkg/a/__init__.py", "pkg/loose/x.py", "pkg/data/x.json")
    plant(project, "pkg/__pycache__/b.cpython-311.pyc", "pkg/not-a-name.py", "pkg/_C.so", "single.py")
    found = finder(project)
    assert found.submodules("pkg") == ("pkg.a", "pkg.b", "pkg.loose")
    assert found.submodules("single") == ()
    assert found.submodules("missing") == ()


# --- project_roots


def test_roots_of_a_project(project: Path) -> None:
    write(project, {"src/": "", "lib/": ""})
    roots = project_roots(project, ["lib", "gone", "../elsewhere", "src"], [str(project / "lib/pkg/x.py")])
    assert roots == (str(project), str(project / "src"), str(project / "lib"))


def test_files_outside_of_the_project_bring_the_folder_above_their_top_package(project: Path) -> None:
    other = project.parent / "other"
    plant(other, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/m.py", "s/run.py")
    files = [str(other / name) for name in ("pkg/sub/m.py", "pkg/__init__.py", "s/run.py")]
    assert project_roots(project, [], files) == (str(project), str(other), str(other / "s"))
    found = finder(project, files=files)
    assert found.module_of(files[0]) == ModuleFile("pkg.sub.m", files[0], False, True, None)
    assert found.find("pkg.sub.m") is found.module_of(files[0])


def test_site_packages_never_become_a_root(project: Path) -> None:
    site = virtual_environment(project.parent / "env", "torch/__init__.py")
    assert project_roots(project, [], [str(site / "torch/__init__.py")]) == (str(project),)


def test_run_from_inside_of_a_package(project: Path) -> None:
    plant(project, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/m.py", "pkg/core.py", "stranger.py")
    found = finder(project / "pkg/sub")
    module = found.module_of(str(project / "pkg/sub/m.py"))
    assert (module.name, module.first_party) == ("pkg.sub.m", True)
    assert found.resolve_relative(module, 2, "core") == "pkg.core"
    core, stranger = found.find("pkg.core"), found.find("stranger")
    assert core is not None and where(core, project) == "pkg/core.py"
    assert stranger is not None and not stranger.first_party, "around the project, not in it"


def test_project_with_a_stray_init_is_no_package(project: Path) -> None:
    plant(project, "__init__.py", "pyproject.toml", "nodes.py", "pkg/__init__.py")
    assert project_roots(project, [], []) == (str(project),)
    assert finder(project).module_of(str(project / "pkg/__init__.py")).name == "pkg"


def test_no_roots_at_all(tmp_path: Path) -> None:
    plant(tmp_path, "x.py")
    found = ModuleFinder((), NO_ENVIRONMENT)
    assert found.find("x") is None
    assert found.module_of(str(tmp_path / "x.py")).name == "x"


# --- robustness and speed


def test_loops_of_links_and_odd_names(project: Path) -> None:
    plant(project, "pkg/__init__.py", "pkg/weird name.py", "pkg/ü.py", "pkg/.hidden/x.py", "pkg/class.py")
    (project / "pkg/again").symlink_to(project / "pkg")
    (project / "self").symlink_to("self")
    (project / "dangling.py").symlink_to("gone.py")
    found = finder(project)
    assert found.find("self") is None
    assert where(found.find("pkg.ü"), project) == "pkg/ü.py"
    assert found.find("pkg.again.again") is not None
    assert found.submodules("pkg") == ("pkg.again", "pkg.class", "pkg.ü")
    for name in ("pkg/weird name.py", "pkg/.hidden/x.py"):
        module = found.module_of(str(project / name))
        assert found.find(module.name) is module


def test_name_without_end(project: Path) -> None:
    plant(project, "a/__init__.py")
    (project / "a/a").symlink_to(project / "a")
    assert finder(project).find(".".join("a" * 9)) is not None
    assert finder(project).find(".".join("a" * 100_000)) is None


def test_folder_that_cannot_be_listed_is_empty(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(project, "locked/__init__.py", "open.py")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", refuse)
    found = finder(project)
    assert where(found.find("open"), project) == "open.py"
    assert where(found.find("locked"), project) == ""
    assert found.find("locked.x") is None


def test_every_folder_is_listed_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(project, *(f"pkg{i}/{name}.py" for i in range(5) for name in ("__init__", "a", "b")))
    virtual_environment(project.parent / "env", *(f"dep{i}/__init__.py" for i in range(5)))
    found = finder(project)
    listed: list[str] = []
    scandir = os.scandir

    def count(path: str) -> object:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", count)
    names = [
        "gone",
        *(f"pkg{i}.{name}" for i in range(5) for name in "abc"),
        *(f"dep{i}.x" for i in range(5)),
    ]
    for name in names:
        for importer in (None, str(project / "pkg0/a.py"), str(project / "tools/run.py")):
            found.find(name, importer)
    assert listed and len(listed) == len(set(listed))


def test_hundreds_of_names_take_milliseconds(project: Path) -> None:
    plant(project, *(f"pkg{i}/{name}.py" for i in range(20) for name in ("__init__", "a", "b")))
    found = finder(project)
    names = [f"{top}{i}.{last}" for top in ("pkg", "gone") for i in range(20) for last in "abcdefghij"]
    start = time.perf_counter()
    for name in names:
        found.find(name, str(project / "pkg0/a.py"))
    assert time.perf_counter() - start < 0.5, "a hundred times what it takes"
