"""The code of a module that makes settings: what is found, and what is not even parsed for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.analyses.process_state.setting_makers import makings
from lintpickle.catalog import SettingSpec, load_catalog
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.program.module import Module
from lintpickle.settings import SettingsResolver
from tests.trees import write


def _setting(name: str) -> SettingSpec:
    [spec] = (spec for spec in load_catalog().settings() if name in spec.by)
    return spec


def _module(folder: Path, code: str) -> Module:
    write(folder, {"pyproject.toml": "", "main.py": code})
    resolver, path = SettingsResolver(isolated=True), str(folder / "main.py")
    (project,) = projects([path], resolver, [folder])
    module = Analysis(project, resolver).linked().program.load(path)
    assert isinstance(module, Module)
    return module


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("torch.backends.*", "import torch.backends.cudnn as cudnn\ndef f():\n    cudnn.benchmark = True\n"),
        ("torch.backends.*", "from torch.backends import cudnn\ndef f():\n    cudnn.benchmark = True\n"),
        ("torch.backends.*", "import torch\ndef f():\n    torch.backends.cudnn.benchmark = True\n"),
        ("os.environ[]", "import os\ndef f():\n    os.environ ['A'] = '1'\n"),
        ("os.environ[]", "from os import environ\ndef f():\n    environ['A'] = '1'\n"),
        ("sys.stdout", "import sys\ndef f(x):\n    sys.stdout = x\n"),
        ("decimal.getcontext().*", "import decimal\ndef f():\n    decimal.getcontext().prec = 5\n"),
        ("pandas.set_option(display.*", "import pandas as pd\ndef f():\n    pd.set_option('display.width', 80)\n"),
        ("logging.basicConfig", "import logging\ndef f(log):\n    log.setLevel(10)\n"),
        ("torch.set_num_threads", "import torch\nclass A:\n    def f(self):\n        torch.set_num_threads(1)\n"),
    ],
)
def test_places_that_make_a_setting(tmp_path: Path, setting: str, code: str) -> None:
    assert [each.function.name for each in makings(_setting(setting), _module(tmp_path, code))] == ["f"]


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("torch.backends.*", "import torch\ndef f():\n    return torch.backends.cudnn.version()\n"),
        ("sys.stdout", "import sys\ndef f(x):\n    sys.stdout.write(x)\n"),
        ("os.environ[]", "import os\ndef f():\n    return os.environ.get('A')\n"),
        ("torch.set_num_threads", "def f(x):\n    x.set_num_threads(1)\n"),
        ("torch.set_num_threads", "import torch\ndef f():\n    return torch.set_num_threads\n"),
        ("logging.basicConfig", "def f(log):\n    log.setLevel(10)\n"),
    ],
)
def test_what_makes_no_setting(tmp_path: Path, setting: str, code: str) -> None:
    assert makings(_setting(setting), _module(tmp_path, code)) == ()


def test_what_cannot_make_it_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys\ndef f(x):\n    sys.stdout.write(x)\nclass A:\n    def set_num_threads(self):\n        return 1\n"
    )
    module = _module(tmp_path, code)
    monkeypatch.setattr(Module, "facts_of", lambda *_: pytest.fail("it is parsed"))
    assert makings(_setting("sys.stdout"), module) == makings(_setting("torch.set_num_threads"), module) == ()


@pytest.mark.parametrize("made", ["it = it()", "it = it.made()"])
def test_a_global_that_is_made_of_itself(tmp_path: Path, made: str) -> None:
    head = f"import torch\nfrom a import it\nif __name__ == '__main__':\n    {made}\n"
    code = f"{head}    it.save()\n    torch.set_default_dtype(torch.float64)\n"
    assert len(makings(_setting("torch.set_default_dtype"), _module(tmp_path, code))) == 1
