"""Where fork is asked for: in code, and in files that are no Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.pins import pins_in
from lintpickle.migration.settings_files import pins_in_files
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import document_from_text


def texts(code: str) -> list[str]:
    return [pin.text for pin in pins_in(document_from_text(code, "/project/program.py"))]


@pytest.mark.parametrize(
    "code",
    [
        'multiprocessing.set_start_method("fork")',
        'set_start_method(method="fork", force=True)',
        'mp.get_context("fork")',
        'get_context("fork" if sys.platform == "darwin" else None)',
        'DataLoader(dataset, multiprocessing_context="fork")',
        'ProcessPoolExecutor(mp_context="fork")',
        'torch.multiprocessing.start_processes(run, start_method="fork")',
        'Trainer(strategy="ddp_fork")',
        'Trainer(strategy="ddp_notebook")',
        'notebook_launcher(train, (), start_method="fork")',
        'joblib.Parallel(n_jobs=2, backend="multiprocessing")',
        'joblib.parallel_config(backend="multiprocessing")',
        "multiprocessing.context.ForkProcess(target=work)",
        'os.environ.setdefault("VLLM_WORKER_MULTIPROCESSING_METHOD", "fork")',
    ],
)
def test_a_call_that_pins(code: str) -> None:
    assert texts(code) == [code]


@pytest.mark.parametrize(
    "code",
    [
        'os.environ["WANDB_START_METHOD"] = "fork"',
        'env_cfg = dict(mp_cfg={"mp_start_method": "fork"})',
    ],
)
def test_settings_that_pin(code: str) -> None:
    assert len(texts(code)) == 1


@pytest.mark.parametrize(
    "code",
    [
        'os.environ["OBJC_DISABLE_INITIALIZE_FORK_SAFETY"] = "YES"',
        'set_start_method("spawn")',
        'if multiprocessing.get_start_method() == "fork":\n    pass',
        'print("fork")',
        'repository.create(kind="fork")',
        'names = ["fork", "spawn"]',
        'requests.get("fork")',
        "set_start_method('fork'",
    ],
)
def test_no_pin(code: str) -> None:
    assert texts(code) == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Dockerfile", "FROM python\nENV WANDB_START_METHOD=fork\n", [(2, "WANDB_START_METHOD=fork")]),
        (
            "Dockerfile.gpu",
            "ENV VLLM_WORKER_MULTIPROCESSING_METHOD fork\n",
            [(1, "VLLM_WORKER_MULTIPROCESSING_METHOD fork")],
        ),
        ("run.sh", "export MP_START_METHOD='fork'\n", [(1, "MP_START_METHOD='fork")]),
        ("run.sh", "# export MP_START_METHOD=fork\n", []),
        (".github/workflows/ci.yml", "env:\n  MP_START_METHOD: fork\n", [(2, "MP_START_METHOD: fork")]),
        (
            "run.sh",
            "export OBJC_DISABLE_INITIALIZE_FORK_SAFETY=YES\n",  # It silences a check of macOS.
            [],
        ),
        ("tox.ini", "commands = pytest --forked tests\n", [(1, "--forked (pytest-forked)")]),
        ("deploy.yml", "git clone fork --forked\n", []),
        ("notes.txt", "MP_START_METHOD=fork\n", []),
        ("run.sh", "export MP_START_METHOD=spawn\n", []),
        ("node_modules/x/run.sh", "export MP_START_METHOD=fork\n", []),
    ],
)
def test_files_that_are_no_python(name: str, text: str, found: list[tuple[int, str]], tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    pins = pins_in_files([str(tmp_path)], SettingsResolver(isolated=True, cwd=tmp_path))
    assert [(pin.spot.row, pin.text) for pin in pins] == found


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "run.sh").write_text("export MP_START_METHOD=fork\n")
    (inside / "run.sh").symlink_to(outside / "run.sh")
    (inside / "folder").symlink_to(outside)
    assert list(pins_in_files([str(inside)], SettingsResolver(isolated=True, cwd=inside))) == []


@pytest.mark.parametrize(
    ("test", "is_for_mac"),
    [
        ('if sys.platform == "darwin":', True),
        ('if sys.platform == "darwin" and sys.version_info >= (3, 8):', True),
        ('if not sys.platform != "darwin":', True),
        ("if IS_MACOS:", True),
        ('if sys.platform != "darwin":', False),
        ('if not sys.platform == "darwin":', False),
        ('if sys.platform in ("darwin", "linux"):', False),
        ("if sys.version_info >= (3, 14):", False),
        ("try:", False),
    ],
)
def test_a_pin_for_macos_alone(test: str, is_for_mac: bool) -> None:
    end = "except RuntimeError:\n    pass\n" if test == "try:" else ""
    code = f"{test}\n    set_start_method('fork')\n{end}"
    [pin] = pins_in(document_from_text(code, "/project/program.py"))
    assert pin.only_on_mac is is_for_mac
