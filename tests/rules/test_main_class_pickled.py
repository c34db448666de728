"""LP502: main-class-pickled."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.pages import PageTests
from tests.rules.written_to_files import lint_files, written


class TestPage(PageTests):
    code = "LP502"


GUARD = "\n\nif __name__ == '__main__':\n    main()\n"


SCRIPT = """\
import pickle

import torch


class Person:
    pass


def main():
    with open('x', 'wb') as f:
        {}
"""


@pytest.mark.parametrize(
    "call",
    [
        "pickle.dump(Person(), f)",
        "pickle.dump([Person() for _ in range(3)], f)",
        "pickle.dump({'who': Person()}, f)",
        "pickle.dump(Person, f)",
        "torch.save({'who': Person()}, f)",
    ],
)
def test_what_a_script_defines_is_written_as_main(call: str) -> None:
    assert written(SCRIPT.format(call) + GUARD) == [(12, "LP502")]


UNPICKLER = """

class Renaming(pickle.Unpickler):
    def find_class(self, module, name):
        if module == {}:
            module = "people"
        return super().find_class(module, name)
"""


@pytest.mark.parametrize(("module", "codes"), [('"__main__"', []), ('"__mp_main__"', ["LP502"])])
def test_an_unpickler_that_looks_names_of_main_up_elsewhere(module: str, codes: list[str]) -> None:
    text = SCRIPT.format("pickle.dump(Person(), f)") + UNPICKLER.format(module) + GUARD
    assert [code for _, code in written(text)] == codes


def test_what_a_script_puts_into_a_list_is_written_as_main() -> None:
    text = SCRIPT.format("people = []\n        people.append(Person())\n        pickle.dump(people, f)")
    assert [code for _, code in written(text + GUARD)] == ["LP502"]


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT.format("pickle.dump(Person(), f)"),
        SCRIPT.format("pickle.dump(vars(Person()), f)") + GUARD,
        SCRIPT.format("pickle.dumps(Person())") + GUARD,
        SCRIPT.format("pickle.dump(Person(), f)\n    print(pickle.load(open('x', 'rb')))") + GUARD,
        SCRIPT.replace("class Person:", "class Other:").format("pickle.dump(int('3'), f)") + GUARD,
    ],
    ids=["no-guard", "plain", "dumps", "read-back", "plain-data"],
)
def test_what_is_not_written_as_main_is_not_reported(text: str) -> None:
    assert written(text) == []


def test_a_script_that_others_import_is_not_reported(tmp_path: Path) -> None:
    files = {"build.py": SCRIPT.format("pickle.dump(Person(), f)") + GUARD}
    assert [each.code for each in lint_files(tmp_path, files)] == ["LP502"]
    assert lint_files(tmp_path, {**files, "use.py": "from build import Person\n\nprint(Person())\n"}) == []


def test_a_class_of_another_file_is_not_main(tmp_path: Path) -> None:
    files = {
        "people.py": "class Person:\n    pass\n",
        "build.py": "import pickle\nfrom people import Person\n\n\ndef main():\n    with open('x', 'wb') as f:\n"
        "        pickle.dump(Person(), f)\n" + GUARD,
    }
    assert lint_files(tmp_path, files) == []


SAVING = """
    import torch


    class Config:
        rate = 1


    def main(path):
        torch.save({"config": Config()}, path)
        print(%s)


    if __name__ == "__main__":
        main("a.pt")
    """


def test_a_script_that_alone_loads_what_it_has_saved(tmp_path: Path) -> None:
    script = SAVING % "torch.load(path, weights_only=False)"
    assert [each.code for each in lint_files(tmp_path, {"train.py": script})] == []
    other = "import torch\n\n\ndef serve(path):\n    return torch.load(path, weights_only=False)\n"
    assert [each.code for each in lint_files(tmp_path, {"train.py": script, "serve.py": other})] == ["LP502"]


def test_a_script_that_only_saves(tmp_path: Path) -> None:
    assert [each.code for each in lint_files(tmp_path, {"train.py": SAVING % "path"})] == ["LP502"]


READING = """
    import pickle
    {first}

    {defines}

    {then}
"""
DEFINES = "class Config:\n        rate = 2"
LOADS = "with open('a.pt', 'rb') as file:\n        print(pickle.load(file))"


@pytest.mark.parametrize(
    ("first", "defines", "then", "codes"),
    [
        pytest.param("", DEFINES, LOADS, [], id="its own class of that name"),
        pytest.param("from train import Config", "", LOADS, [], id="the class by its name"),
        pytest.param("import json", "", LOADS, ["LP502"], id="no class of that name"),
        pytest.param("", DEFINES.replace("Config", "ConfigParser"), LOADS, ["LP502"], id="another class"),
        pytest.param("", DEFINES, "print(Config())", ["LP502"], id="nothing is read"),
        pytest.param("", DEFINES, "def read(file):\n        return pickle.load(file)", ["LP502"], id="no program"),
        pytest.param(
            "", f"def main():\n        {DEFINES.replace(chr(10), chr(10) + '    ')}", LOADS, ["LP502"], id="local"
        ),
    ],
)
def test_another_script_that_reads_the_file(
    tmp_path: Path, first: str, defines: str, then: str, codes: list[str]
) -> None:
    files = {
        "train.py": dedent(SAVING % "path").replace("torch.save(", "pickle.dump(").replace("torch", "pickle"),
        "process.py": READING.format(first=first, defines=defines, then=then),
    }
    assert [each.code for each in lint_files(tmp_path, files)] == codes


@pytest.mark.parametrize(
    ("imported", "is_main"),
    [("    from jobs.train import main\n", False), ("    from jobs.engine import train\n", True), ("", True)],
)
def test_a_script_that_imports_itself_to_run(tmp_path: Path, imported: str, is_main: bool) -> None:
    script = dedent(SAVING % "path").replace('"__main__":\n', f'"__main__":\n{imported}')
    found = {each.code for each in lint_files(tmp_path, {"train.py": script})}
    assert ("LP502" in found) == is_main


def test_a_script_that_is_refused_what_it_has_saved(tmp_path: Path) -> None:
    script = SAVING % "torch.load(path)"
    assert {each.code for each in lint_files(tmp_path, {"train.py": script})} == {"LP503"}
    other = "import torch\n\n\ndef serve(path):\n    return torch.load(path)\n"
    assert {each.code for each in lint_files(tmp_path, {"train.py": script, "serve.py": other})} == {"LP502"}


@pytest.mark.parametrize(
    ("test", "is_found"),
    [
        ("self.__module__ == '__main__'", False),
        ("type(self).__module__ == '__main__'", False),
        ("self.__module__ != '__main__'", True),
        ("self.__module__ == 'tasks'", True),
        ("self.name == '__main__'", True),
    ],
)
def test_who_asks_for_the_module_of_a_class_writes_no_main(test: str, is_found: bool) -> None:
    text = f"""
        import pickle


        class Task:
            name = "task"

            def dump(self, file):
                if {test}:
                    raise ValueError("run it from a module")
                else:
                    pickle.dump(self, file)


        if __name__ == "__main__":
            Task().dump(open("task.pkl", "wb"))
    """
    assert written(text) == ([(12, "LP502")] if is_found else [])


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("model.save_model(open('model.pkl', 'wb'))", ["certain"]),
        ("finish(model.save_model)", ["certain"]),
        ("model.fit()", []),
    ],
)
def test_a_method_that_writes_and_that_nobody_names(tmp_path: Path, calls: str, expected: list[str]) -> None:
    library = """
        import pickle


        class Model:
            def fit(self):
                print("fitted")

            def save_model(self, file):
                pickle.dump(self, file)
    """
    script = f"""
        from library import Model


        class Trend(Model):
            name = "trend"


        if __name__ == "__main__":
            model = Trend()
            {calls}
    """
    told = lint_files(tmp_path, {"library.py": library, "script.py": script})
    assert [each.confidence.value for each in told] == expected
