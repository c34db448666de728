"""`lintpickle audit`: what in installed packages cannot be shipped, and what of it a project reaches."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lintpickle.audit import Audit, audit
from lintpickle.commands._group import app
from lintpickle.diagnostics import Confidence, LintpickleError
from lintpickle.imports.installed import packages_in
from lintpickle.resolution.top_imports import imported_top_levels
from lintpickle.settings import SettingsResolver

from .programs import FIXTURES

SITE = "env/lib/python3.11/site-packages"


@pytest.fixture
def uniad(tmp_path: Path) -> Path:
    """A copy of the fixture, so that tests may change it."""
    return Path(shutil.copytree(FIXTURES / "uniad_shape", tmp_path / "uniad"))


def audited(folder: Path, *names: str) -> Audit:
    return audit(names, SettingsResolver(cwd=folder))


def names(result: Audit) -> list[str]:
    return [distribution.name for distribution in result.distributions]


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str) -> Result:
    monkeypatch.chdir(folder)
    return CliRunner().invoke(app, ["audit", *arguments])


def test_what_the_project_imports_is_audited(uniad: Path) -> None:
    assert names(audited(uniad)) == ["mmdet", "mmdet3d", "nuscenes"]


def test_a_culprit_is_named_with_class_attribute_and_line(uniad: Path) -> None:
    (culprit,) = audited(uniad).culprits
    assert (culprit.code, culprit.class_name, culprit.attribute) == ("LP101", "DetectionConfig", "class_names")
    assert culprit.confidence is Confidence.POSSIBLE
    path = Path(culprit.location.path)
    assert path.name == "data_classes.py"
    assert "self.class_range.keys()" in path.read_text(encoding="utf-8").splitlines()[culprit.location.start.row - 1]


def test_the_places_that_reach_a_culprit_are_those_of_the_normal_run(uniad: Path) -> None:
    (culprit,) = audited(uniad).culprits
    assert [Path(place.path).name for place in culprit.reached] == ["nuscenes_e2e_dataset.py"]


def test_what_nobody_reaches_is_listed_without_a_place(uniad: Path) -> None:
    (uniad / "projects/mmdet3d_plugin/datasets/nuscenes_e2e_dataset.py").write_text("import nuscenes.eval\n")
    (culprit,) = audited(uniad, "nuscenes").culprits
    assert culprit.reached == ()


def test_a_package_is_no_part_of_another(uniad: Path) -> None:
    """mmdet3d holds a DetectionConfig too, but the line is in nuscenes."""
    by_name = {distribution.name: distribution.culprits for distribution in audited(uniad).distributions}
    assert by_name["mmdet3d"] == ()
    assert len(by_name["nuscenes"]) == 1


def test_a_package_can_be_named_by_its_distribution_or_its_import_name(uniad: Path) -> None:
    info = uniad / SITE / "nuscenes_devkit-1.1.2.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("nuscenes/__init__.py,,\nnuscenes/eval/__init__.py,,\n../../bin/x,,\n")
    for name in ("nuscenes", "nuscenes-devkit", "NuScenes_DevKit"):
        (distribution,) = audited(uniad, name).distributions
        assert (distribution.name, distribution.version) == ("nuscenes-devkit", "1.1.2")
        assert len(distribution.culprits) == 1


def test_a_name_that_is_not_installed_is_refused_with_a_hint(uniad: Path) -> None:
    with pytest.raises(LintpickleError, match=r"not installed.*mmdet"):
        audited(uniad, "mmdt")


def test_libraries_that_the_catalog_describes_are_only_read_if_named(uniad: Path) -> None:
    site = uniad / SITE
    (site / "torch").mkdir()
    (site / "torch/__init__.py").write_text("class A:\n    def __init__(self):\n        self.f = lambda: 0\n")
    assert "torch" not in names(audited(uniad))
    assert [culprit.code for culprit in audited(uniad, "torch").culprits] == ["LP102"]


def test_test_suites_are_left_out(uniad: Path) -> None:
    folder = uniad / SITE / "nuscenes/tests"
    folder.mkdir()
    (folder / "test_it.py").write_text("class A:\n    def __init__(self):\n        self.f = lambda: 0\n")
    assert [culprit.code for culprit in audited(uniad, "nuscenes").culprits] == ["LP101"]


def test_without_an_environment_there_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.lintpickle]\npython = "env"\n')
    (tmp_path / "env").mkdir()
    (tmp_path / "env/pyvenv.cfg").write_text("version = 3.11.0\n")
    (tmp_path / SITE).mkdir(parents=True)
    (tmp_path / "main.py").write_text("import json\n")
    result = audited(tmp_path)
    assert result.distributions == ()
    assert "no Python environment" in result.notices[0]


def test_nothing_is_imported(uniad: Path) -> None:
    trap = uniad / SITE / "nuscenes/__init__.py"
    trap.write_text("raise SystemExit('imported')\n")
    assert len(audited(uniad).culprits) == 1


# The command


def test_exit_codes_are_those_of_check(uniad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, uniad).exit_code == 1
    assert run(monkeypatch, uniad, "--exit-zero").exit_code == 0
    assert run(monkeypatch, uniad, "mmdet").exit_code == 0
    assert run(monkeypatch, uniad, "no-such-thing").exit_code == 2


def test_text_groups_by_distribution_and_class(uniad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = run(monkeypatch, uniad).output
    order = [
        "nuscenes",
        "DetectionConfig",
        ".class_names",
        "LP101",
        "data_classes.py:",
        "reached by",
        "e2e_dataset.py:",
    ]
    places = [output.index(word) for word in order]
    assert places == sorted(places)
    assert "Without a hazard: mmdet, mmdet3d" in output


def test_reached_leaves_out_the_rest(uniad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (uniad / SITE / "nuscenes/more.py").write_text("class A:\n    def __init__(self):\n        self.f = lambda: 0\n")
    assert ".f" in run(monkeypatch, uniad).output
    reached = run(monkeypatch, uniad, "--reached")
    assert ".f" not in reached.output
    assert ".class_names" in reached.output


def test_json(uniad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = json.loads(run(monkeypatch, uniad, "nuscenes", "--output-format", "json").output)
    (hazard,) = value[0]["hazards"]
    assert (value[0]["distribution"], hazard["class"], hazard["code"]) == ("nuscenes", "DetectionConfig", "LP101")
    assert hazard["reached"][0]["filename"].endswith("nuscenes_e2e_dataset.py")


# What it is made of


def test_imports_are_seen_wherever_they_stand() -> None:
    code = "import a.b, c as d\nfrom e.f import g\nfrom . import h\ndef i():\n    import j\n    from .k import l\n"
    assert list(imported_top_levels(code)) == ["a", "c", "e", "j"]


def test_words_that_look_like_imports_are_none() -> None:
    assert list(imported_top_levels("x = 1  # import a\nimportant = 2\nfrom_ = 3\n")) == []


def test_installed_packages_have_their_distribution(tmp_path: Path) -> None:
    for name in ("nuscenes", "six", "other-data", "__pycache__"):
        (tmp_path / name).mkdir()
    (tmp_path / "one.py").touch()
    info = tmp_path / "Nuscenes_Devkit-1.1.2.dist-info"
    info.mkdir()
    (info / "top_level.txt").write_text("nuscenes\n")
    found = {package.name: (package.distribution, package.version) for package in packages_in(str(tmp_path))}
    assert found == {"nuscenes": ("nuscenes-devkit", "1.1.2"), "six": ("six", ""), "one": ("one", "")}
