"""From a traceback to the line: the founding stories, ranking, notes, what is said if nothing is found, the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lintpickle.commands._group import app
from tests.programs import FIXTURES

from .reading import PROGRAM, explained, line, printed

UNIAD = FIXTURES / "uniad_shape"

LOADER = """
  File "{root}/site-packages/torch/utils/data/dataloader.py", line 359, in __iter__
    return self._get_iterator()
  File "{root}/site-packages/torch/utils/data/dataloader.py", line 918, in __init__
    w.start()
  File "{root}/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
TypeError: {error}
"""
TOP = """Traceback (most recent call last):
  File "./tools/test.py", line 261, in <module>
    main()
  File "/home/user/UniAD/projects/mmdet3d_plugin/uniad/apis/test.py", line 88, in custom_multi_gpu_test
    for i, data in enumerate(data_loader):"""
STORY_1 = {
    "3.7": TOP + LOADER.format(root="/opt/conda/lib/python3.7", error="can't pickle dict_keys objects"),
    "3.8": TOP + LOADER.format(root="/opt/conda/lib/python3.8", error="cannot pickle 'dict_keys' object"),
    "3.11": TOP.replace("in enumerate(data_loader):", "in enumerate(data_loader):\n             ^^^^^^^^^^^^^^^^^^^^^^")
    + LOADER.format(root="/opt/conda/lib/python3.11", error="cannot pickle 'dict_keys' object"),
    "3.14": TOP
    + LOADER.format(root="/opt/conda/lib/python3.14", error="cannot pickle 'dict_keys' object")
    + """when serializing dict item 'class_names'
when serializing nuscenes.eval.detection.data_classes.DetectionConfig state
when serializing nuscenes.eval.detection.data_classes.DetectionConfig object
when serializing dict item 'eval_detection_configs'
when serializing mmdet3d_plugin.datasets.nuscenes_e2e_dataset.NuScenesE2EDataset state
when serializing mmdet3d_plugin.datasets.nuscenes_e2e_dataset.NuScenesE2EDataset object
when serializing tuple item 1
when serializing dict item '_args'
when serializing multiprocessing.context.ForkServerProcess state
when serializing multiprocessing.context.ForkServerProcess object
""",
}
STORY_2 = """Traceback (most recent call last):
  File "infer_seg_voc.py", line 190, in <module>
    main(cfg=cfg)
  File "infer_seg_voc.py", line 160, in validate
    multiprocessing.spawn(_validate, nprocs=n_gpus, args=(wetr, split_dataset, cfg), join=True)
  File "/home/user/anaconda3/lib/python3.8/site-packages/torch/multiprocessing/spawn.py", line 230, in spawn
    return start_processes(fn, args, nprocs, join, daemon, start_method='spawn')
  File "/home/user/anaconda3/lib/python3.8/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
AttributeError: Can't pickle local object 'boolean_dispatch.<locals>.fn'
"""
STORY_2_FILES = {
    "net/__init__.py": "",
    "net/wetr.py": """import torch.nn as nn
import torch.nn.functional as F


class WeTr(nn.Module):
    def __init__(self, backbone, pooling=None):
        super().__init__()
        if pooling == "gmp":
            self.pooling = F.adaptive_max_pool2d
        elif pooling == "gap":
            self.pooling = F.adaptive_avg_pool2d
""",
    "infer.py": """from torch import multiprocessing

from net.wetr import WeTr


def _validate(pid, model, dataset, cfg):
    print(pid, model)


def validate(cfg, n_gpus):
    wetr = WeTr("mit_b1", pooling=cfg.pooling)
    split_dataset = [[1], [2]]
    multiprocessing.spawn(_validate, nprocs=n_gpus, args=(wetr, split_dataset, cfg), join=True)
""",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"pyproject.toml": "[project]\nname = 'p'\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def failing(type_: str, frame: str = 'File "train.py", line 1, in <module>\n    Process(target=f).start()') -> str:
    return f"""Traceback (most recent call last):
  {frame}
  File "/usr/lib/python3.11/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
TypeError: cannot pickle '{type_}' object
"""


class TestStories:
    @pytest.mark.parametrize("python", STORY_1)
    def test_the_view_in_a_dependency(self, python: str) -> None:
        explanation = explained(STORY_1[python], UNIAD, str(UNIAD / "env"))
        best = explanation.candidates[0]
        assert best.diagnostic.code == "LP101"
        assert Path(best.diagnostic.location.path).name == "nuscenes_e2e_dataset.py"
        assert line(explanation) == "data_classes.py:13"
        assert best.path.endswith(".eval_detection_configs.class_names")

    def test_the_notes_leave_one_line(self) -> None:
        explanation = explained(STORY_1["3.14"], UNIAD, str(UNIAD / "env"))
        assert explanation.candidates[0].reasons[0] == "the notes of the traceback lead to it, step by step"
        assert explanation.named == ()

    def test_the_pooling_function_in_a_spawned_model(self, tmp_path: Path) -> None:
        explanation = explained(STORY_2, written(tmp_path, STORY_2_FILES))
        assert len(explanation.candidates) == 1
        assert (explanation.candidates[0].diagnostic.code, line(explanation)) == ("LP105", "wetr.py:9")
        boundary = explanation.boundary
        assert boundary is not None  # another file by name, another line: found by the line that is quoted
        assert (Path(boundary.path).name, boundary.row, boundary.is_moved) == ("infer.py", 13, True)
        assert explanation.candidates[0].reasons[0] == "its trail begins where the traceback crosses"


class TestRanking:
    def test_the_trail_from_the_frames_comes_first(self) -> None:
        explanation = explained(printed("python-3.11"))
        assert [Path(each.diagnostic.location.path).name for each in explanation.candidates] == ["data.py", "data.py"]
        first, second = explanation.candidates
        assert first.path.endswith(".parts[0].names") and second.path.endswith(".keys")
        assert first.score > second.score

    def test_what_has_another_type_is_no_candidate(self) -> None:
        explanation = explained(failing("_thread.lock"))
        assert {each.diagnostic.code for each in explanation.candidates} == {"LP111"}

    def test_notes_tell_two_of_one_type_apart(self, tmp_path: Path) -> None:
        files = {
            "train.py": """from multiprocessing import Process


class Table:
    def __init__(self, rows):
        self.heads = rows.keys()
        self.cells = rows.keys()


def work(table):
    print(table)


if __name__ == "__main__":
    Process(target=work, args=(Table({"a": 1}),)).start()
"""
        }
        notes = "when serializing dict item 'cells'\nwhen serializing Table state\nwhen serializing Table object\n"
        folder = written(tmp_path, files)
        assert line(explained(failing("dict_keys") + notes, folder)) == "train.py:7"
        assert line(explained(failing("dict_keys") + notes.replace("cells", "heads"), folder)) == "train.py:6"


UNREAD_CONFIG = {
    "train.py": """import sys
from multiprocessing import Process

import yaml


class Job:
    def __init__(self, path):
        self.path = path
        self.config = yaml.load(open(path).read(), Loader=yaml.Loader)


def work(job):
    print(job)


if __name__ == "__main__":
    Process(target=work, args=(Job(sys.argv[1]),)).start()
"""
}


class TestPlacesWithoutAFinding:
    START = 'File "/app/train.py", line 18, in <module>\n    Process(target=work, args=(Job(sys.argv[1]),)).start()'

    def test_notes_lead_to_the_store_of_what_cannot_be_read(self, tmp_path: Path) -> None:
        notes = "when serializing dict item 'config'\nwhen serializing Job state\nwhen serializing Job object\n"
        explanation = explained(failing("dict_keys", self.START) + notes, written(tmp_path, UNREAD_CONFIG))
        assert explanation.candidates == ()
        assert [(each.location.start.row, each.what) for each in explanation.named] == [
            (10, "Job.config is stored here; the notes of the traceback lead to it")
        ]
        assert explanation.is_found

    def test_nothing_found_says_where_knowledge_ends_and_what_to_run(self, tmp_path: Path) -> None:
        explanation = explained(failing("dict_keys", self.START), written(tmp_path, UNREAD_CONFIG))
        assert not explanation.is_found
        assert explanation.followed > 0
        assert ("args[0].config", 10) in [(each.path, each.location.start.row) for each in explanation.ends]
        assert explanation.probe == "lintpickle probe train.py ARGS…"

    def test_what_the_message_names_is_found_by_its_definition(self, tmp_path: Path) -> None:
        code = "def make(n):\n    if n:\n        pass\n\n    def inner():\n        return n\n\n    return inner\n"
        text = "AttributeError: Can't pickle local object 'make.<locals>.inner'"
        explanation = explained(text, written(tmp_path, {"tools.py": code}))
        assert [each.location.start.row for each in explanation.named] == [5]


class TestWhatSpeaksAgainst:
    def test_notes_of_another_path_leave_no_candidate(self) -> None:
        notes = (
            "when serializing dict item 'pipe'\nwhen serializing other.Wal state\nwhen serializing other.Wal object\n"
        )
        explanation = explained(failing("_thread.lock") + notes)
        assert explanation.candidates == () and not explanation.is_found

    def test_clearly_less_likely_lines_are_told_shortly(self) -> None:
        text = run("--project", str(PROGRAM), text=printed("python-3.11")).stdout
        assert text.count("how it gets there") == 1
        assert "less likely:\n" in text

    def test_the_reason_of_a_failed_result_counts(self, tmp_path: Path) -> None:
        reason = "'AttributeError(\"Can't pickle local object 'make.<locals>.inner'\",)'"
        text = f"multiprocessing.pool.MaybeEncodingError: Error sending result: '[<x>]'. Reason: {reason}"
        files = {"tools.py": "def make():\n    def inner():\n        pass\n\n    return inner\n"}
        explanation = explained(text, written(tmp_path, files))
        assert [each.location.start.row for each in explanation.named] == [2]


class TestTheLineOfTheFrame:
    TEXT = """Traceback (most recent call last):
  File "/app/main.py", line 30, in <module>
    multiprocessing.set_start_method("spawn")
  File "/usr/lib/python3.11/multiprocessing/context.py", line 247, in set_start_method
    raise RuntimeError('context has already been set')
RuntimeError: context has already been set
"""

    def test_it_is_named_where_it_is_the_one_to_look_at(self, tmp_path: Path) -> None:
        code = "import multiprocessing\n\nif __name__ == '__main__':\n    multiprocessing.set_start_method(\"spawn\")\n"
        explanation = explained(self.TEXT, written(tmp_path, {"main.py": code}))
        assert [each.location.start.row for each in explanation.named] == [4]
        assert "force=True" in explanation.named[0].what

    def test_the_projects_own_package_may_be_shown_as_installed(self, tmp_path: Path) -> None:
        code = 'import multiprocessing\n\n\ndef main():\n    multiprocessing.set_start_method("spawn")\n'
        text = self.TEXT.replace("/app/main.py", "/usr/lib/python3.11/site-packages/crawler/__init__.py")
        explanation = explained(text, written(tmp_path, {"crawler/__init__.py": code}))
        assert [each.location.start.row for each in explanation.named] == [5]


class TestProbe:
    @pytest.mark.parametrize(
        ("text", "command"),
        [
            (printed("python-3.11"), "lintpickle probe --start-method spawn train.py ARGS…"),
            (printed("python-3.14"), "lintpickle probe save.py ARGS…"),
            (printed("pytest"), "lintpickle probe --start-method spawn -- pytest test_train.py"),
            (
                failing("x", 'File "<frozen runpy>", line 198, in _run_module_as_main\n  File "/a/pkg/run.py", line 3'),
                "lintpickle probe -m run ARGS…",
            ),
            ("TypeError: cannot pickle 'x' object", "lintpickle probe SCRIPT.py ARGS…"),
        ],
    )
    def test_the_command_is_that_of_the_traceback(self, text: str, command: str) -> None:
        assert explained(text).probe == command


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(app, ["trace", "--isolated", *arguments], input=text)


class TestCommand:
    def test_a_line_is_found(self) -> None:
        result = run("--project", str(PROGRAM), text=printed("python-3.11"))
        assert result.exit_code == 0
        assert result.stdout.startswith("the error: TypeError: cannot pickle 'dict_keys' object\n")
        assert "train.py:16" in result.stdout and "LP101" in result.stdout
        assert "2 lines can give this error, the likeliest first:" in result.stdout
        assert "1. it crosses at a boundary of that kind" in result.stdout

    def test_from_a_file_as_json(self, tmp_path: Path) -> None:
        (tmp_path / "error.txt").write_text(printed("python-3.14"), encoding="utf-8")
        result = run(str(tmp_path / "error.txt"), "--project", str(PROGRAM), "--output-format", "json")
        told = json.loads(result.stdout)
        assert result.exit_code == 0
        assert told["error"]["type"] == "dict_keys"
        assert told["candidates"][0]["code"] == "LP101"
        assert told["candidates"][0]["location"]["row"] == 9

    def test_nothing_is_found(self, tmp_path: Path) -> None:
        result = run("--project", str(written(tmp_path, {"a.py": "x = 1\n"})), text=printed("python-3.11"))
        assert result.exit_code == 1
        assert "lintpickle probe --start-method spawn train.py ARGS…" in result.stdout

    def test_the_workers_half_asks_for_the_other(self, tmp_path: Path) -> None:
        result = run("--project", str(tmp_path), text="EOFError: Ran out of input\n")
        assert result.exit_code == 1
        assert "The cause is the parent's error" in result.stdout

    def test_no_error_at_all(self, tmp_path: Path) -> None:
        result = run("--project", str(tmp_path), text="KeyError: 'x'\n")
        assert result.exit_code == 1
        assert "no error that has to do with" in result.stdout

    @pytest.mark.parametrize("arguments", [["missing.txt"], ["--project", "missing"], ["--output-format", "sarif"]])
    def test_wrong_use(self, arguments: list[str]) -> None:
        assert run(*arguments).exit_code == 2

    def test_the_fix_is_applied_and_nothing_else(self, tmp_path: Path) -> None:
        folder = tmp_path / "program"
        shutil.copytree(PROGRAM, folder)
        result = run("--project", str(folder), "--fix", text=printed("python-3.11"))
        before = (PROGRAM / "data.py").read_text(encoding="utf-8")
        after = (folder / "data.py").read_text(encoding="utf-8")
        assert result.exit_code == 0
        assert after == before.replace("self.names = self.classes.keys()", "self.names = list(self.classes.keys())")
        assert "self.names = self.classes.keys()" in result.stdout
        assert "fixed" in result.stderr

    def test_what_steers_terminals_is_not_repeated(self, tmp_path: Path) -> None:
        text = "TypeError: cannot pickle '\x1b]0;title\x07\u202eX' object\n::set-output name=a::b\n"
        result = run("--project", str(tmp_path), text=text)
        assert "\x1b" not in result.stdout and "\u202e" not in result.stdout


PINNED = """\
import multiprocessing


class Job:
    def __init__(self, names):
        self.names = names.keys()


def work(job):
    pass


def main():
    process = multiprocessing.Process(target=work, args=(Job({}),))
    process.start()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def test_what_was_pickled_is_followed_though_the_code_asks_for_fork_now(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PINNED)
    text = (
        'Traceback (most recent call last):\n  File "/code/train.py", line 15, in main\n    process.start()\n'
        "  File \"/usr/lib/python3.12/multiprocessing/{}\n    {}\nTypeError: cannot pickle 'dict_keys' object\n"
    )
    pickled = text.format('reduction.py", line 60, in dump', "ForkingPickler(file, protocol).dump(obj)")
    assert line(explained(pickled, tmp_path)) == "train.py:6"
    spawned = text.format('popen_spawn_posix.py", line 47, in _launch', "reduction.dump(process_obj, fp)")
    assert line(explained(spawned, tmp_path)) == "train.py:6"
