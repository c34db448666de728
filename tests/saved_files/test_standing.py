"""What is here, what is gone, where it is now: read from sources, never imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lintpickle.saved_files.records import Need, Standing

from .support import Made, Named, dumped, environment, inspected


def needs(project: Path, *names: str, protocol: int = 4, **overrides: object) -> dict[str, Need]:
    path = project / "saved.pkl"
    path.write_bytes(dumped([Named(name) for name in names], protocol))
    return {need.path: need for need in inspected(path, project, **overrides).needs}


def one(project: Path, name: str, **options: object) -> Need:
    return needs(project, name, **options)[name]  # type: ignore[arg-type]


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        package, init, _ = name.partition("____init__")
        path = folder / (f"{package.replace('__', '/')}/__init__.py" if init else f"{name.replace('__', '/')}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_what_the_project_defines(tmp_path: Path) -> None:
    write(tmp_path, pkg__models="class Net:\n    class Part: ...\n\ndef make(): ...\nPoint = 1\n", pkg____init__="")
    found = needs(tmp_path, "pkg.models.Net", "pkg.models.make", "pkg.models.Point")
    assert {need.standing for need in found.values()} == {Standing.PROJECT}
    place = found["pkg.models.make"].place
    assert place is not None
    assert (Path(place.location.path).name, place.location.start.row) == ("models.py", 4)


def test_what_a_package_hands_on(tmp_path: Path) -> None:
    write(tmp_path, pkg____init__="from .models import Net\nfrom .more import *\n", pkg__models="class Net: ...\n")
    write(tmp_path, pkg__more="class Other: ...\n")
    assert one(tmp_path, "pkg.Net").standing is Standing.PROJECT
    assert one(tmp_path, "pkg.Other").standing is Standing.PROJECT
    place = one(tmp_path, "pkg.Net").place
    assert place is not None
    assert place.path == "pkg.models.Net"


def test_a_class_that_is_gone_and_is_elsewhere_now(tmp_path: Path) -> None:
    write(tmp_path, pkg____init__="", pkg__old="", pkg__new="class Net: ...\n")
    need = one(tmp_path, "pkg.old.Net")
    assert need.standing is Standing.GONE
    assert [place.path for place in need.elsewhere] == ["pkg.new.Net"]


def test_a_module_that_is_gone(tmp_path: Path) -> None:
    write(tmp_path, renamed="class Net: ...\n")
    need = one(tmp_path, "models.net.Net")
    assert need.standing is Standing.MODULE_GONE
    assert "no module models" in need.why
    assert [place.path for place in need.elsewhere] == ["renamed.Net"]


def test_classes_in_classes(tmp_path: Path) -> None:
    write(tmp_path, models="class Net:\n    class Part: ...\n    def make(self): ...\n")
    assert one(tmp_path, "models.Net").standing is Standing.PROJECT
    path = tmp_path / "saved.pkl"
    dotted = b"\x80\x04\x8c\x06models\x8c\x08Net.Part\x93\x8c\x06models\x8c\x08Net.Gone\x93\x86."
    path.write_bytes(dotted)
    standings = {need.name: need.standing for need in inspected(path).needs}
    assert standings == {"Net.Part": Standing.PROJECT, "Net.Gone": Standing.GONE}


def test_getattr_under_old_protocols_is_followed(tmp_path: Path) -> None:
    write(tmp_path, models="class Net:\n    class Part: ...\n")
    path = tmp_path / "saved.pkl"
    path.write_bytes(dumped([Made("builtins.getattr", Named("models.Net"), "Gone")], 2))
    found = {need.path: need for need in inspected(path).needs}
    assert found["models.Net.Gone"].standing is Standing.GONE
    assert found["models.Net.Gone"].by_getattr
    assert found["builtins.getattr"].danger is None


@pytest.mark.parametrize("text", ["def __getattr__(name): ...", "globals()['Net'] = 1", "from compiled_thing import *"])
def test_what_a_module_may_make_is_not_called_gone(tmp_path: Path, text: str) -> None:
    write(tmp_path, models=text)
    assert one(tmp_path, "models.Net").standing is Standing.UNSEEN


def test_the_environment(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    prefix = environment(tmp_path / "env", lib__core="class Thing: ...\n", lib__moved="class Old: ...\n")
    (prefix / "lib" / "python3.11" / "site-packages" / "lib" / "_c.cpython-311-x86_64-linux-gnu.so").touch()
    found = needs(project, "lib.core.Thing", "lib.core.Old", "lib._c.Fast", "nolib.Thing", python=str(prefix))
    assert {name: need.standing for name, need in found.items()} == {
        "lib.core.Thing": Standing.ENVIRONMENT,
        "lib.core.Old": Standing.GONE,
        "lib._c.Fast": Standing.ENVIRONMENT,
        "nolib.Thing": Standing.MODULE_GONE,
    }
    assert [place.path for place in found["lib.core.Old"].elsewhere] == ["lib.moved.Old"]


def test_the_standard_library(tmp_path: Path) -> None:
    found = needs(
        tmp_path,
        "argparse.Namespace",
        "builtins.set",
        "_codecs.encode",
        "datetime.datetime",
        "asyncio.Nothing",
        "builtins.no",
    )
    standings = {name: need.standing for name, need in found.items()}
    assert standings["argparse.Namespace"] is standings["builtins.set"] is Standing.STANDARD_LIBRARY
    assert standings["_codecs.encode"] is Standing.STANDARD_LIBRARY
    assert not standings["datetime.datetime"].is_missing
    assert standings["builtins.no"] is Standing.GONE


def test_a_module_of_the_project_hides_one_of_python(tmp_path: Path) -> None:
    write(tmp_path, types="class Mine: ...\n")
    assert one(tmp_path, "types.Mine").standing is Standing.PROJECT


def test_names_of_python_2(tmp_path: Path) -> None:
    found = needs(tmp_path, "__builtin__.set", "copy_reg._reconstructor", protocol=2)
    assert set(found) == {"builtins.set", "copyreg._reconstructor"}
    assert found["builtins.set"].written == "__builtin__.set"
    assert not any(need.standing.is_missing for need in found.values())


def test_main(tmp_path: Path) -> None:
    write(tmp_path, person="class Person: ...\n", pkg____init__="", pkg__models="class Person: ...\n")
    need = one(tmp_path, "__main__.Person")
    assert need.standing is Standing.MAIN
    assert [place.path for place in need.elsewhere] == ["person.Person", "pkg.models.Person"]


CURES = {
    "__main__": ("__main__.Net", {"models": "class Net: ...\n"}),
    "renamed": ("old.Net", {"models": "class Net: ...\n"}),
    "renamed below": ("old.deep.er.Net", {"models": "class Net: ...\n"}),
    "moved": ("pkg.old.Net", {"pkg____init__": "", "pkg__old": "", "pkg__new": "class Net: ...\n"}),
    "module gone": ("pkg.old.Net", {"pkg____init__": "", "pkg__new": "class Net: ...\n"}),
    "module below gone": ("pkg.a.b.Net", {"pkg____init__": "A = 1", "pkg__new": "from . import A\nclass Net: ...\n"}),
}


@pytest.mark.parametrize("name", CURES)
@pytest.mark.parametrize("protocol", [2, 4])
def test_the_lines_that_help_do_help(tmp_path: Path, name: str, protocol: int) -> None:
    path, files = CURES[name]
    write(tmp_path, **files)
    (tmp_path / "saved.pkl").write_bytes(dumped([Made(path)], protocol))
    found = inspected(tmp_path / "saved.pkl")
    load = "import pickle; print(type(pickle.load(open('saved.pkl', 'rb'))[0]).__module__)"

    def run(code: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)

    before = run(load)
    assert before.returncode != 0
    assert "AttributeError" in before.stderr or "ModuleNotFoundError" in before.stderr
    after = run("\n".join([*found.cures, load]))
    assert after.returncode == 0, after.stderr
    assert after.stdout.strip() == found.missing[0].elsewhere[0].module


def test_nothing_is_imported(tmp_path: Path) -> None:
    write(tmp_path, models="open('touched', 'w')\nclass Net: ...\n")
    assert one(tmp_path, "models.Net").standing is Standing.PROJECT
    assert not (tmp_path / "touched").exists()
