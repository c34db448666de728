"""What code may reach by the names that it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.catalog import BOUNDARY_PARTS
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.reached import ReachedNames
from lintpickle.resolution.name_targets import NameTargets
from lintpickle.resolution.reachable_names import NameReach
from lintpickle.resolution.star_imports import StarImports
from lintpickle.settings import SettingsResolver
from tests.trees import write

LOADING = {
    "loading.py": "def batches():\n    return DataLoader(d)\n\ndef nothing():\n    return 1\n",
    "deep.py": "from loading import batches as b\ndef one(): two()\ndef two(): return three.go\ndef three(): b()\n",
    "classes.py": "import deep\nclass A:\n    def run(self): deep.one()\nclass B(A): pass\nclass Clean:\n    run = 1\n",
    "pack/__init__.py": "from .inner import make\nfrom .stars import *\n",
    "pack/inner.py": "from . import far\n\ndef make(): return far.x\n",
    "pack/far.py": "x = spawn\n",
    "pack/stars.py": "def starred(): return (lambda: spawn)\n",
    "loops.py": "from loops2 import b\ndef a(): b()\n",
    "loops2.py": "from loops import a\ndef b(): a()\ndef c(): return spawn and a\n",
}
REACHING = [
    "DataLoader(d)",
    "x.y.MyDataLoader2",
    "MyLoader(d)",
    "x.spawn.y",
    "foo()[0].spawn()",
    "import loading\nloading.batches()",
    "from loading import batches\nx = batches",
    "import loading as l\nl.batches.anything.more",
    "from loading import *\nbatches()",
    "import deep\ndeep.one()",
    "from deep import b\nb()",
    "from classes import A\nA().run()",
    "from classes import B\nB()",
    "import classes\nx = [classes.B]",
    "import pack\npack.make()",
    "from pack.inner import make as m\nm()",
    "import pack.far\npack.far.x",
    "from pack import starred\nstarred()",
    "from pack import far\nfar.x",
    "def f():\n    g()\n\ndef g():\n    DataLoader()\n\nf()",
    "value = spawn\n\nprint(value)",
    "if __name__ == '__main__':\n    pass\nelse:\n    DataLoader()",
    "import loops2\nloops2.c()",
    "def f(x=DataLoader): pass\n\nf()",
    "def f():\n    import loading\n    loading.batches()\n\nf()",
    "def f():\n    from deep import b as c\n    return c\n\nf()",
]
CLEAN = [
    "print(1)",
    "import loading\nloading.nothing()",
    "import loading\nprint(1)",
    "from classes import Clean\nClean()",
    "if __name__ == '__main__':\n    DataLoader()",
    "if '__main__' == __name__:\n    import loading\n    loading.batches()",
    "x = 'DataLoader'  # DataLoader",
    "import loops\nloops.a()",
    "import missing\nmissing.batches()",
    "x.spawner(y.respawn)",
    "from . import loading\nfrom ....above import x\nx()",
    "def f():\n    g()\n\ndef g():\n    f()\n\nf()",
]


def _program(folder: Path, text: str) -> tuple[Program, Module]:
    write(folder, {**LOADING, "main.py": text})
    resolver = SettingsResolver(cwd=folder)
    (project,) = projects([str(folder / "main.py")], resolver, [folder])
    program = Analysis(project, resolver).linked().program
    (main,) = (module for module in program.loaded() if module.name == "main")
    return program, main


def _reach(program: Program, *sought: str) -> NameReach:
    return NameReach(
        NameTargets(program, StarImports(program), Cuts(), only_own=True), sought, BOUNDARY_PARTS, ReachedNames()
    )


def _reaches(folder: Path, text: str) -> bool:
    program, main = _program(folder, text)
    reach = _reach(program, "DataLoader", "spawn")
    block = main.outline.blocks[-1]
    found = reach.reaches(main, block)
    assert reach.reaches(main, block) is found, "what is remembered is the same"
    return found


@pytest.mark.parametrize("text", REACHING)
def test_a_word_is_reached(text: str, tmp_path: Path) -> None:
    assert _reaches(tmp_path, text)


@pytest.mark.parametrize("text", CLEAN)
def test_no_word_is_reached(text: str, tmp_path: Path) -> None:
    assert not _reaches(tmp_path, text)


def test_what_is_remembered_of_one_plot_holds_for_others(tmp_path: Path) -> None:
    """Also when a search stopped early at a word, and when the plots lead in circles."""
    text = "from loops2 import b, c\nfrom deep import one\n\nb()\n\n(c(), b())\n\n(b(), one())\n\nb()\n"
    program, main = _program(tmp_path, text)
    reach = _reach(program, "DataLoader", "spawn")
    answers = [reach.reaches(main, block) for block in main.outline.blocks if not block.bare]
    assert answers == [False, True, True, False]
    reach = _reach(program, "DataLoader", "spawn")
    backwards = [reach.reaches(main, block) for block in reversed(main.outline.blocks) if not block.bare]
    assert backwards == answers[::-1]


def test_the_whole_plot_is_followed_where_it_is_called(tmp_path: Path) -> None:
    """A main guard only hides what it guards in the plot that is asked about."""
    guarded = "if __name__ == '__main__':\n    f = DataLoader\n\nf()\n"
    program, main = _program(tmp_path, guarded)
    reach = _reach(program, "DataLoader")
    assert [reach.reaches(main, block) for block in main.outline.blocks] == [False, True]
