"""What a project requires, read from the texts of its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.imports.declared import Declared


def is_old(folder: Path, files: dict[str, str]) -> bool:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return Declared(str(folder)).is_before("torch", (2, 6))


@pytest.mark.parametrize(
    "line",
    [
        "torch==2.5.1",
        "torch == 1.7.0",
        "torch<2.3",
        "torch>=2.0,<2.6",
        "torch<=2.5",
        "torch~=2.5.0",
        "torch[x]==2.2  # old",
    ],
)
def test_a_bound_below_the_version(tmp_path: Path, line: str) -> None:
    assert is_old(tmp_path, {"requirements.txt": f"numpy\n{line}\ntorchvision\n"})


@pytest.mark.parametrize(
    "line",
    [
        "torch",
        "torch>=1.7.0,!=1.12.0",
        "torch<3",
        "torch==2.6.0",
        "torch<=2.6",
        "torch~=2.5",
        "# torch<2.3",
        "torchvision<0.16",
    ],
)
def test_no_bound_below_the_version(tmp_path: Path, line: str) -> None:
    assert not is_old(tmp_path, {"requirements.txt": f"numpy\n{line}\n"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project]\ndependencies = [\n    'numpy',\n    'torch>=1.10,<2.3',\n]\n"),
        ("pyproject.toml", "[tool.poetry.dependencies]\ntorch = '>=1.10,<2.3'\n"),
        ("setup.py", "setup(install_requires=['torch>=1.10,<2.3', 'tqdm'])\n"),
        ("setup.cfg", "[options]\ninstall_requires =\n    torch>=1.10,<2.3\n"),
        ("requirements/base.txt", "torch>=1.10,<2.3\n"),
        ("gpu_requirements.txt", "torch==1.11.0\n"),
        ("environment.yml", "channels:\n  - pytorch\ndependencies:\n  - pytorch::pytorch=1.12  # with CUDA\n"),
        ("environment_gpu.yaml", "channels:\n  - pytorch\ndependencies:\n  - pytorch=1.6.0=py3.7_cuda10.1_0\n"),
        ("environment.yml", "dependencies:\n  - pip:\n      - torch==1.10\n"),
    ],
)
def test_wherever_it_is_declared(tmp_path: Path, name: str, text: str) -> None:
    assert is_old(tmp_path, {name: text})


def test_all_that_is_declared_must_agree(tmp_path: Path) -> None:
    pinned = {"requirements-dev.txt": "torch==2.2\n"}
    assert is_old(tmp_path, pinned)
    assert not is_old(tmp_path, {**pinned, "pyproject.toml": '[project]\ndependencies = ["torch"]\n'})
    assert not is_old(tmp_path, {**pinned, "pyproject.toml": '[project]\ndependencies = ["torch>=2"]\n'})


@pytest.mark.parametrize(
    "more",
    [
        {"pyproject.toml": '[tool.pylint]\ngenerated-members = ["cv2", "torch"]\n'},
        {"environment.yml": "channels:\n  - pytorch\ndependencies:\n  - torchvision=0.20\n"},
    ],
)
def test_other_mentions_declare_nothing(tmp_path: Path, more: dict[str, str]) -> None:
    assert is_old(tmp_path, {"requirements.txt": "torch==2.2\n", **more})


@pytest.mark.parametrize("line", ["pytorch", "pytorch>=2.1", "pytorch=2.6", "pytorch-cuda=11.8"])
def test_an_environment_that_allows_the_version(tmp_path: Path, line: str) -> None:
    assert not is_old(tmp_path, {"environment.yml": f"dependencies:\n  - {line}\n"})
