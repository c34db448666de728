"""LP301 in projects of several files: what is reported where, and what silences it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import FixMode, lint_paths
from lintpickle.diagnostics import Applicability, Diagnostic, Outcome, Severity, StartMethod
from lintpickle.rules.cv2_threads_in_worker import Cv2ThreadsInWorker
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import fixed, marks


class TestPage(PageTests):
    code = "LP301"


DATA = """\
import cv2
from torch.utils.data import Dataset


class Photos(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return cv2.resize(cv2.imread(self.paths[index]), (640, 480))
"""
CALLS_HELPER = DATA.replace("import cv2\n", "from project.images import load\n").replace(
    "cv2.resize(cv2.imread(self.paths[index]), (640, 480))", "load(self.paths[index])"
)
HELPER = """\
import cv2


def preview(image):
    return cv2.resize(image, (1600, 1200))


def load(path):
    return shrink(cv2.imread(path))


def shrink(image):
    return cv2.cvtColor(cv2.resize(image, (640, 480)), cv2.COLOR_BGR2RGB)
"""
TRAIN = """\
from torch.utils.data import DataLoader

from project.data import Photos


def main():
    return DataLoader(Photos(["a.png"]), num_workers=4)


if __name__ == "__main__":
    main()
"""


def lint_project(folder: Path, files: dict[str, str], fix: bool = False, pedantic: bool = False) -> Outcome:
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "project").mkdir()
    for name, text in {"project/__init__.py": "", **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    resolver = SettingsResolver(isolated=True, overrides={"unsafe-fixes": True, "pedantic": pedantic})
    return lint_paths([str(folder)], resolver=resolver, fix=FixMode.WRITE if fix else FixMode.NONE)


def places(outcome: Outcome) -> list[tuple[str, int]]:
    """File name and row of what LP301 reports."""
    return [
        (Path(each.location.path).name, each.location.start.row)
        for each in outcome.diagnostics
        if each.code == Cv2ThreadsInWorker.code
    ]


def steps(diagnostic: Diagnostic) -> list[tuple[str, int]]:
    return [(Path(s.location.path).name, s.location.start.row) for s in diagnostic.trail]


# Where it is reported


def test_in_the_dataset(tmp_path: Path) -> None:
    outcome = lint_project(tmp_path, {"project/data.py": DATA, "train.py": TRAIN})
    assert places(outcome) == [("data.py", 13)]
    (found,) = outcome.diagnostics
    assert found.severity is Severity.WARNING
    assert found.error is None
    assert "`cv2.resize`" in found.message
    assert "deadlock" not in found.message
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
    assert steps(found)[0] == ("train.py", 7)
    assert steps(found)[-1] == ("data.py", 13)


def test_in_a_helper_of_another_file_with_the_trail(tmp_path: Path) -> None:
    files = {"project/data.py": CALLS_HELPER, "project/images.py": HELPER, "train.py": TRAIN}
    outcome = lint_project(tmp_path, files)
    assert places(outcome) == [("images.py", 13)]
    trail = steps(outcome.diagnostics[0])
    assert trail[0] == ("train.py", 7)
    assert trail[-3:] == [("data.py", 13), ("images.py", 9), ("images.py", 13)]


def test_without_a_loader_in_sight(tmp_path: Path) -> None:
    files = {"project/data.py": CALLS_HELPER, "project/images.py": HELPER}
    assert places(lint_project(tmp_path, files)) == []
    (tmp_path / "again").mkdir()
    assert places(lint_project(tmp_path / "again", files, pedantic=True)) == [("images.py", 13)]


def test_a_program_that_sets_no_threads_anywhere_is_told_once(tmp_path: Path) -> None:
    data = DATA.replace("import cv2\n", "import cv2\nfrom project.images import load\n").replace("cv2.imread(", "load(")
    files = {"project/data.py": data, "project/images.py": HELPER, "train.py": TRAIN}
    outcome = lint_project(tmp_path, files)
    assert places(outcome) == [("data.py", 14)]
    (found,) = (each for each in outcome.diagnostics if each.code == "LP301")
    assert [(Path(each.location.path).name, each.location.start.row) for each in found.related] == [
        ("data.py", 14),
        ("images.py", 13),
    ]


def test_each_file_has_its_own_where_others_set_them(tmp_path: Path) -> None:
    data = DATA.replace("import cv2\n", "import cv2\nfrom project.images import load\n").replace("cv2.imread(", "load(")
    show = "import cv2\n\ncv2.setNumThreads(0)\ncv2.imshow('a', cv2.imread('a.png'))\n"
    files = {"project/data.py": data, "project/images.py": HELPER, "train.py": TRAIN, "show.py": show}
    assert places(lint_project(tmp_path, files)) == [("data.py", 14), ("images.py", 13)]


def test_forked_workers_have_what_the_main_process_sets(tmp_path: Path) -> None:
    files = {
        "project/data.py": DATA.replace("        self.paths", "        cv2.setNumThreads(0)\n        self.paths", 1)
    }
    (found,) = lint_project(tmp_path, files, pedantic=True).diagnostics
    assert (found.code, found.start_methods) == ("LP301", (StartMethod.SPAWN, StartMethod.FORKSERVER))


def test_forked_workers_have_what_a_function_sets_that_main_may_call(tmp_path: Path) -> None:
    setup = "import cv2\n\n\ndef configure():\n    cv2.setNumThreads(0)\n"
    files = {"project/data.py": DATA, "project/setup_env.py": setup}
    (found,) = lint_project(tmp_path, files, pedantic=True).diagnostics
    assert (found.code, StartMethod.FORK in found.start_methods) == ("LP301", False)


def test_what_another_script_sets_is_not_inherited(tmp_path: Path) -> None:
    files = {
        "project/data.py": DATA.replace("import cv2", "import cv2  # not cv2.setNumThreads(0)"),
        "train.py": TRAIN,
        "show.py": "import cv2\n\ncv2.setNumThreads(0)\n",
    }
    (found,) = lint_project(tmp_path, files).diagnostics
    assert (found.code, StartMethod.FORK in found.start_methods) == ("LP301", True)


def test_once_for_two_loaders_and_two_datasets(tmp_path: Path) -> None:
    data = DATA + DATA[DATA.index("\n\nclass") :].replace("Photos", "Masks")
    train = TRAIN.replace("import Photos", "import Masks, Photos").replace(
        "    return", '    DataLoader(Masks(["b.png"]), num_workers=4)\n    return'
    )
    outcome = lint_project(tmp_path, {"project/data.py": data, "train.py": train})
    assert len(places(outcome)) == 1


def test_at_the_first_call_in_the_file_whatever_is_called_first() -> None:
    helper = "def shrink(image):\n    return cv2.resize(image, (300, 300))\n\n\n"
    text = DATA.replace("class", f"{helper}class", 1).replace(
        "cv2.resize(cv2.imread(self.paths[index]), (640, 480))", "cv2.dilate(shrink(index), None)"
    )
    assert marks(text, pedantic=True) == [(6, "LP301")]


@pytest.mark.parametrize(
    "call",
    [
        "import cv2 as cv\n# cv.GaussianBlur(x, (300, 300), 0)",
        "from cv2 import resize\n# resize(x, (300, 300))",
        "import cv2\n# self.shrink(x)",
        "import cv2\n# cv2.createCLAHE().apply(x)",
        "import cv2\n# [cv2.resize(each, (300, 300)) for each in x][0]",
        "import cv2\n# (cv2.flip if self.paths else cv2.resize)(x, (300, 300))",
    ],
)
def test_forms_of_the_call(call: str) -> None:
    head, _, expression = call.partition("\n# ")
    text = DATA.replace("import cv2", head).replace(
        "cv2.resize(cv2.imread(self.paths[index]), (640, 480))", expression.replace("x", "index")
    )
    text += "\n    def shrink(self, image):\n        return cv2.resize(image, (300, 300))\n"
    assert [code for _, code in marks(text, pedantic=True)] == ["LP301"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Photos([", "Photos(paths=[", id="as-it-is"),
        pytest.param("num_workers=4", "num_workers=4, collate_fn=Collate()", id="collate-object"),
        pytest.param("num_workers=4", "num_workers=4, worker_init_fn=seed", id="seeds-only"),
        pytest.param("num_workers=4", "num_workers=4, **options", id="open"),
        pytest.param("    return", "    cv2.setNumThreads(0)\n    return", id="set-in-main"),
        pytest.param("    main()\n", "    cv2.setNumThreads(0)\n    main()\n", id="set-under-main-guard"),
    ],
)
def test_what_does_not_silence(tmp_path: Path, old: str, new: str) -> None:
    head = "import cv2\nimport random\n\n\noptions = {}\n\n\ndef seed(worker):\n    random.seed(worker)\n\n\n"
    head += "class Collate:\n    def __call__(self, batch):\n        return batch\n\n\n"
    train = head + TRAIN.replace(old, new)
    assert old in TRAIN
    assert places(lint_project(tmp_path, {"project/data.py": DATA, "train.py": train})) == [("data.py", 13)]


def test_a_collate_object_runs_in_the_worker(tmp_path: Path) -> None:
    train = "import cv2\n\n\nclass Stack:\n    def __call__(self, batch):\n"
    train += "        return cv2.dilate(batch[0], None)\n\n\n"
    train += TRAIN.replace("num_workers=4", "num_workers=4, collate_fn=Stack()")
    data = DATA.replace("cv2.resize", "str")
    assert places(lint_project(tmp_path, {"project/data.py": data, "train.py": train})) == [("train.py", 6)]


# What silences it


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("project/__init__.py", "import cv2\n\ncv2.setNumThreads(0)\n"),
        ("project/settings.py", "import cv2\n\ncv2.setNumThreads(0)\n"),
        ("project/settings.py", "import cv2 as cv\n\ntry:\n    cv.setNumThreads(1)\nfinally:\n    pass\n"),
        ("project/settings.py", "import cv2\n\n\ndef setup():\n    cv2.setNumThreads(0)\n\n\nsetup()\n"),
    ],
)
def test_a_setting_where_modules_are_imported(tmp_path: Path, name: str, text: str) -> None:
    head = "" if name.endswith("__init__.py") else "from project.settings import *\n"
    files = {"project/data.py": head + DATA, "train.py": TRAIN, name: text}
    assert places(lint_project(tmp_path, files)) == []


@pytest.mark.parametrize(
    "line",
    ["import project.settings", "from . import settings", "from .settings import x", "from .middle import x"],
)
def test_a_setting_in_an_imported_module(tmp_path: Path, line: str) -> None:
    files = {
        "project/data.py": f"{line}\n{DATA}",
        "project/middle.py": "from project.settings import x\n",
        "project/settings.py": "import cv2\n\nx = 1\ncv2.setNumThreads(0)\n",
    }
    assert places(lint_project(tmp_path, files)) == []


CONFIGURE = """\
import cv2


def configure():
    try:
        cv2.setNumThreads(0)
    except Exception:
        pass
"""
SCAN = """\
import importlib
import os

for name in sorted(os.listdir(os.path.dirname(__file__))):
    if name.endswith(".py") and name != "__init__.py":
        importlib.import_module(f"project.{name[:-3]}")
"""


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("configure()", []),
        ("if True:\n    configure()", []),
        ("SETUP = configure", [("data.py", 13)]),
        ("def later():\n    configure()", [("data.py", 13)]),
        ("if __name__ == '__main__':\n    configure()", [("data.py", 13)]),
    ],
)
def test_a_setting_by_a_function_of_another_module_that_the_package_calls(
    tmp_path: Path, call: str, found: list[tuple[str, int]]
) -> None:
    package = f"from .utils import configure\n\n{call}\n"
    utils = {"project/utils/__init__.py": "from .setup import *\n", "project/utils/setup.py": CONFIGURE}
    files = {"project/__init__.py": package, "project/data.py": DATA, "train.py": TRAIN, **utils}
    assert places(lint_project(tmp_path, files)) == found


@pytest.mark.parametrize(
    ("package", "found"),
    [(SCAN, []), ("import importlib\nimport os\n\nFILES = os.listdir('.')\n", [("data.py", 13)])],
)
def test_a_setting_in_a_module_that_its_package_finds_in_the_folder(
    tmp_path: Path, package: str, found: list[tuple[str, int]]
) -> None:
    settings = "import cv2\n\ncv2.setNumThreads(1)\n"
    files = {"project/__init__.py": package, "project/data.py": DATA, "project/settings.py": settings}
    assert places(lint_project(tmp_path, {**files, "train.py": TRAIN})) == found


@pytest.mark.parametrize(
    "line",
    ["", "if __name__ == '__main__':\n    from . import other", "def f():\n    from . import settings"],
)
def test_a_setting_in_a_module_that_is_not_imported_does_not_silence(tmp_path: Path, line: str) -> None:
    files = {
        "project/data.py": f"{DATA}\n\n{line}\n",
        "project/other.py": "",
        "project/settings.py": "import cv2\n\ncv2.setNumThreads(0)\n",
    }
    assert places(lint_project(tmp_path, files, pedantic=True)) == [("data.py", 13)]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("data", "        return cv2", "        cv2.setNumThreads(0)\n        return cv2"),
        ("data", "        return cv2", "        self.calm()\n        return cv2"),
        (
            "data",
            "    def __len__",
            "    def __setstate__(self, state):\n        cv2.setNumThreads(0)\n\n    def __len__",
        ),
        ("data", "import cv2\n", "import cv2\n\ncv2.setNumThreads(0)\n"),
        ("train", "num_workers=4", "num_workers=4, worker_init_fn=calm"),
        ("train", "num_workers=4", "num_workers=4, worker_init_fn=partial(calm, seed=1)"),
        ("train", "num_workers=4", "num_workers=4, worker_init_fn=unknown[0]"),
        ("train", "num_workers=4", "num_workers=4, worker_init_fn=lambda worker: cv2.setNumThreads(0)"),
        ("train", "\n\ndef main", "\ncv2.setNumThreads(0)\n\n\ndef main"),
    ],
)
def test_a_setting_in_the_worker(tmp_path: Path, file: str, old: str, new: str) -> None:
    head = "from functools import partial\nfrom somewhere import things\n\nimport cv2\n\n"
    head += "unknown = things()\n\n\n"
    head += "def calm(worker, seed=0):\n    cv2.setNumThreads(0)\n\n\n"
    data = DATA + "\n    def calm(self):\n        cv2.setNumThreads(0)\n"
    texts = {"data": data, "train": head + TRAIN}
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new)
    files = {"project/data.py": texts["data"], "train.py": texts["train"]}
    assert places(lint_project(tmp_path, files)) == []


def test_a_loader_speaks_for_the_base_classes_of_its_dataset(tmp_path: Path) -> None:
    train = TRAIN.replace("import Photos", "import More").replace("Photos(", "More(")
    train = "import cv2\n\n\ndef calm(worker):\n    cv2.setNumThreads(0)\n\n\n" + train.replace(
        "num_workers=4", "num_workers=4, worker_init_fn=calm"
    )
    files = {"project/data.py": DATA + "\n\nclass More(Photos):\n    pass\n", "train.py": train}
    assert places(lint_project(tmp_path, files)) == []


BY_NAME = """\
import importlib

import cv2
from torch.utils.data import DataLoader


def calm(worker):
    cv2.setNumThreads(1)


def make(name, path):
    return getattr(importlib.import_module(name), "Photos")(path)


def load(config):
    return DataLoader(make(config.module, config.path), num_workers=config.workers, worker_init_fn=calm)
"""
OTHER_LOADER = """\
from torch.utils.data import DataLoader


def load(dataset):
    return DataLoader(dataset, num_workers=8)
"""


@pytest.mark.parametrize(
    ("loaders", "found"),
    [
        pytest.param({"project/loading.py": BY_NAME}, [], id="the-only-one-sets-them"),
        pytest.param({"aaa.py": BY_NAME}, [], id="before-the-dataset"),
        pytest.param(
            {"project/loading.py": BY_NAME, "project/other.py": OTHER_LOADER.replace("8", "0")}, [], id="no-workers"
        ),
        pytest.param({"project/loading.py": BY_NAME, "eval.py": OTHER_LOADER}, [("data.py", 13)], id="another"),
        pytest.param({"tests/test_loading.py": BY_NAME}, [("data.py", 13)], id="of-a-test"),
        pytest.param(
            {"project/loading.py": BY_NAME.replace(", worker_init_fn=calm", "")}, [("data.py", 13)], id="it-does-not"
        ),
    ],
)
def test_a_dataset_made_by_name_goes_to_the_loaders_that_are_there(
    tmp_path: Path, loaders: dict[str, str], found: list[tuple[str, int]]
) -> None:
    assert places(lint_project(tmp_path, {"project/data.py": DATA, **loaders}, pedantic=True)) == found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DATA.replace("cv2.resize", "cv2.rotate"), id="no-thread-pool"),
        pytest.param(DATA.replace("__getitem__", "preview"), id="not-in-the-worker"),
        pytest.param(DATA.replace("(Dataset)", ""), id="no-dataset"),
        pytest.param(DATA.replace("import cv2", "from mine import cv2"), id="another-cv2"),
        pytest.param(
            dedent(
                """\
                from multiprocessing import Pool

                import cv2


                def work(image):
                    return cv2.resize(image, (300, 300))


                def main(images):
                    with Pool(4) as pool:
                        return pool.map(work, images)
                """
            ),
            id="not-a-loader",
        ),
    ],
)
def test_silent(text: str) -> None:
    assert marks(text, pedantic=True) == []


# The fix


def test_fixing_a_project(tmp_path: Path) -> None:
    files = {"project/data.py": CALLS_HELPER, "project/images.py": HELPER, "train.py": TRAIN}
    outcome = lint_project(tmp_path, files, fix=True)
    assert outcome.diagnostics == ()
    assert (tmp_path / "project/images.py").read_text() == HELPER.replace(
        "import cv2\n", "import cv2\n\ncv2.setNumThreads(0)\n", 1
    )
    assert (tmp_path / "project/data.py").read_text() == CALLS_HELPER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import cv2\nimport os\nX = 1\n", "import cv2\nimport os\n\ncv2.setNumThreads(0)\n\nX = 1\n"),
        ("import cv2 as cv  # fast\n\nX = 1\n", "import cv2 as cv  # fast\n\ncv.setNumThreads(0)\n\nX = 1\n"),
        (
            "import cv2\ntry:\n    import a\nexcept OSError:\n    pass\nimport b\n\n",
            "import cv2\ntry:\n    import a\nexcept OSError:\n    pass\nimport b\n\ncv2.setNumThreads(0)\n\n",
        ),
        ("from cv2 import resize\n\n", "from cv2 import resize, setNumThreads\n\nsetNumThreads(0)\n\n"),
    ],
)
def test_the_setting_goes_below_the_imports(old: str, new: str) -> None:
    rest = DATA.replace("import cv2\n", "").replace("    def __len__", "    #\n    def __len__")
    name = "cv" if " as cv" in old else "cv2"
    rest = rest.replace("cv2.", "" if "from cv2" in old else f"{name}.").replace("imread", "str")
    text = rest.replace("from torch.utils.data import Dataset\n", f"from torch.utils.data import Dataset\n{old}")
    assert [code for _, code in marks(text, pedantic=True)] == ["LP301"]
    assert fixed(text, unsafe=True, pedantic=True) == text.replace(old, new)
    assert fixed(text, unsafe=False, pedantic=True) == text


@pytest.mark.parametrize(
    "text",
    [
        DATA.replace("import cv2\n", "").replace("        return cv2", "        import cv2\n        return cv2"),
        DATA.replace("import cv2\n", "from cv2 import (\n    imread,\n    resize,\n)\n").replace("cv2.", ""),
        DATA.replace("import cv2\n", "from cv2 import flip\nX = 1\nimport cv2\n"),
        DATA.replace("import cv2\n", "try:\n    import cv2\nexcept ImportError:\n    pass\n"),
    ],
)
def test_a_module_whose_imports_do_not_bring_cv2_plainly_is_not_fixed(text: str) -> None:
    assert [code for _, code in marks(text, pedantic=True)] == ["LP301"]
    assert fixed(text, unsafe=True, pedantic=True) == text


def test_it_bites_under_every_start_method() -> None:
    assert set(Cv2ThreadsInWorker.start_methods) == set(StartMethod)


@pytest.mark.parametrize(
    ("workers", "shown", "possible"),
    [("1", 0, 0), ("2", 0, 1), ("3", 1, 1), ("2 if small else 8", 1, 1), ("count", 1, 1)],
)
def test_few_workers_may_use_all_cores(workers: str, shown: int, possible: int) -> None:
    text = f"""\
import cv2
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return cv2.GaussianBlur(index, (300, 300), 0)


def main(count, small):
    for batch in DataLoader(Frames(), num_workers={workers}):
        print(batch)


if __name__ == "__main__":
    main(4, False)
"""
    assert [code for _, code in marks(text)] == ["LP301"] * shown
    assert [code for _, code in marks(text, pedantic=True)] == ["LP301"] * possible


RESIZED = """\
import cv2
from torch.utils.data import DataLoader, Dataset


class Photos(Dataset):
    def __init__(self, paths, side=224):
        self.paths = paths
        self.side = side

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        image = cv2.imread(self.paths[index])
        return cv2.resize({given})


def main(paths, side):
    return DataLoader(Photos({made}), num_workers=4)
"""


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("image, (256, 256)", "paths"),
        ("image, (self.side, self.side), interpolation=cv2.INTER_AREA", "paths"),
        ("image, dsize=(int(self.side), int(self.side)), interpolation=cv2.INTER_NEAREST", "paths, side=128"),
        ("image, (self.side, self.side), None, 0, 0, cv2.INTER_LANCZOS4", "paths"),
    ],
)
def test_a_result_so_small_that_no_thread_is_started(given: str, made: str) -> None:
    assert marks(RESIZED.format(given=given, made=made)) == []


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("image, (257, 256)", "paths"),
        ("image, (self.side, self.side)", "paths, side=512"),
        ("image, (self.side, self.side)", "paths, side"),
        ("image, (224, 224), interpolation=cv2.INTER_CUBIC", "paths"),
        ("image, (224, 224), interpolation=index", "paths"),
        ("image, None, fx=0.1, fy=0.1", "paths"),
        ("image, size(image)", "paths"),
    ],
)
def test_a_result_of_which_the_size_is_large_or_not_known(given: str, made: str) -> None:
    assert [code for _, code in marks(RESIZED.format(given=given, made=made))] == ["LP301"]


DISTANCES = """\
import cv2
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Faces(Dataset):
    def __init__(self, paths, exact):
        self.paths = paths
        self.exact = exact

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        edges = cv2.imread(self.paths[index], cv2.IMREAD_GRAYSCALE)
        distances = cv2.distanceTransform(255 - edges, {given})
        return np.clip(distances / 3, 0, 255)


def train(paths, exact):
    for batch in DataLoader(Faces(paths, exact), num_workers=8):
        print(batch)
"""


@pytest.mark.parametrize(
    "given",
    [
        "cv2.DIST_L1, 3",
        "cv2.DIST_L2, 5",
        "cv2.DIST_L2, cv2.DIST_MASK_5",
        "distanceType=cv2.DIST_L2, maskSize=3",
        "cv2.DIST_L1, cv2.DIST_MASK_PRECISE",
        "cv2.DIST_C, 0",
        "cv2.DIST_L2, self.paths[0]",
    ],
)
def test_a_distance_transform_that_starts_no_threads(given: str) -> None:
    assert marks(DISTANCES.format(given=given)) == []


@pytest.mark.parametrize(
    "given",
    [
        "cv2.DIST_L2, cv2.DIST_MASK_PRECISE",
        "cv2.DIST_L2, 0",
        "distanceType=cv2.DIST_L2, maskSize=cv2.DIST_MASK_PRECISE",
        "self.exact, 0",
    ],
)
def test_a_precise_distance_transform(given: str) -> None:
    assert [code for _, code in marks(DISTANCES.format(given=given))] == ["LP301"]
