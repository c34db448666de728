"""The formats that other programs read."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from lintpickle.diagnostics import Applicability, Fix, Outcome
from lintpickle.report import render
from tests.report.conftest import ROOT, Project


def load(name: str, outcome: Outcome, project: Project, **options: object) -> Any:
    return json.loads(render(name, outcome, project.context(**options)))


class TestJson:
    def test_keys_and_values(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        first = load("json", mixed_outcome, mixed_project)[0]
        assert first == {
            "code": "LP101",
            "name": "dict-view-attribute",
            "message": "`self.k` stores a dict view",
            "severity": "error",
            "confidence": "certain",
            "start_methods": ["spawn", "forkserver"],
            "error": "TypeError: cannot pickle 'dict_keys' object",
            "help": None,
            "filename": str(ROOT / "a.py"),
            "cell": None,
            "location": {"row": 4, "column": 10},
            "end_location": {"row": 4, "column": 18},
            "noqa_row": 4,
            "url": "https://lintpickle.dev/rules/LP101-dict-view-attribute/",
            "fix": {
                "applicability": "safe",
                "message": "Convert to a list",
                "edits": [
                    {
                        "content": "list(d.keys())",
                        "cell": None,
                        "location": {"row": 4, "column": 10},
                        "end_location": {"row": 4, "column": 18},
                    }
                ],
            },
            "trail": [],
        }

    def test_columns_are_code_points(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        assert load("json", mixed_outcome, mixed_project)[2]["location"] == {"row": 3, "column": 23}

    def test_trail(self, trail_project: Project, trail_outcome: Outcome) -> None:
        trail = load("json", trail_outcome, trail_project)[0]["trail"]
        assert [step["location"]["row"] for step in trail] == [4, 3, 4, 3]
        assert trail[1] == {
            "message": "passed as dataset",
            "filename": str(ROOT / "train.py"),
            "cell": None,
            "location": {"row": 3, "column": 6},
            "end_location": {"row": 3, "column": 21},
        }

    def test_cells(self, notebook_project: Project, notebook_outcome: Outcome) -> None:
        (finding,) = load("json", notebook_outcome, notebook_project)
        assert (finding["cell"], finding["location"]) == (2, {"row": 3, "column": 10})
        assert finding["fix"]["edits"][0]["location"] == {"row": 3, "column": 10}
        assert finding["fix"]["edits"][0]["cell"] == 2
        assert finding["trail"][0]["cell"] == 3

    def test_lines_hold_the_same_objects(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        text = render("json-lines", mixed_outcome, mixed_project.context())
        assert [json.loads(line) for line in text.splitlines()] == load("json", mixed_outcome, mixed_project)


class TestSarif:
    def test_frame(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        log = load("sarif", replace(mixed_outcome, notices=("no environment",)), mixed_project)
        (run,) = log["runs"]
        assert log["version"] == "2.1.0"
        assert run["columnKind"] == "unicodeCodePoints"
        assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": ROOT.as_uri() + "/"}}
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == ["LP101", "LP302"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert [result["level"] for result in run["results"]] == ["error", "error", "error", "warning"]
        notes = run["invocations"][0]["toolExecutionNotifications"]
        assert notes == [{"level": "note", "message": {"text": "no environment"}}]

    def test_place_and_fix(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        result = load("sarif", mixed_outcome, mixed_project)["runs"][0]["results"][0]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "a.py", "uriBaseId": "%SRCROOT%"}
        assert place["region"] == {"startLine": 4, "startColumn": 10, "endLine": 4, "endColumn": 18}
        (change,) = result["fixes"][0]["artifactChanges"]
        assert change["replacements"][0]["insertedContent"] == {"text": "list(d.keys())"}
        assert change["replacements"][0]["deletedRegion"] == place["region"]

    def test_fix_for_display_is_left_out(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        results = load("sarif", mixed_outcome, mixed_project)["runs"][0]["results"]
        assert ["fixes" in result for result in results] == [True, True, False, False]

    def test_trail(self, trail_project: Project, trail_outcome: Outcome) -> None:
        (result,) = load("sarif", trail_outcome, trail_project)["runs"][0]["results"]
        flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
        messages = [item["location"]["message"]["text"] for item in flow]
        assert messages[1] == "passed as dataset" and len(messages) == 4
        assert [item["id"] for item in result["relatedLocations"]] == [1, 2, 3, 4]
        outside = flow[3]["location"]["physicalLocation"]["artifactLocation"]
        assert outside == {"uri": "file:///env/site-packages/kit/config.py"}

    def test_odd_paths_are_escaped(self) -> None:
        project = Project({"my dir/é%.py": "d.keys()\n"})
        (result,) = load("sarif", Outcome((project.finding("my dir/é%.py", "d.keys()"),)), project)["runs"][0][
            "results"
        ]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == "my%20dir/%C3%A9%25.py"

    def test_without_findings(self) -> None:
        (run,) = load("sarif", Outcome(()), Project())["runs"]
        assert run["results"] == [] and run["tool"]["driver"]["rules"] == []

    def test_cells_point_to_the_start_of_the_file(self, notebook_project: Project, notebook_outcome: Outcome) -> None:
        (result,) = load("sarif", notebook_outcome, notebook_project)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
        assert result["message"]["text"].endswith("(cell 2, row 3)")
        assert "fixes" not in result


class TestFingerprints:
    def marks(self, text: str, needles: list[str], name: str = "gitlab") -> list[str]:
        project = Project({"a.py": text})
        found = tuple(project.finding("a.py", needle) for needle in needles)
        value = load(name, Outcome(found), project)
        if name == "gitlab":
            return [item["fingerprint"] for item in value]
        return [item["partialFingerprints"]["lintpickleContext/v1"] for item in value["runs"][0]["results"]]

    @pytest.mark.parametrize("name", ["gitlab", "sarif"])
    def test_rows_above_do_not_matter(self, name: str) -> None:
        assert self.marks("self.k = d.keys()\n", ["d.keys()"], name) == self.marks(
            "import os\n\n    self.k =  d.keys()\n", ["d.keys()"], name
        )

    def test_equal_rows_differ(self) -> None:
        project = Project({"a.py": "x = d.keys()\ny = 1\nx = d.keys() # 2\n"})
        first = project.finding("a.py", "d.keys()")
        same_row = project.finding("a.py", "x = d.keys()")
        other = project.finding("a.py", "d.keys() # 2")
        marks = [item["fingerprint"] for item in load("gitlab", Outcome((first, same_row, other)), project)]
        assert len(set(marks)) == 3

    def test_the_row_matters(self) -> None:
        assert self.marks("x = d.keys()\n", ["d.keys()"]) != self.marks("y = d.keys()\n", ["d.keys()"])


class TestGitlab:
    def test_issue(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        issue = load("gitlab", mixed_outcome, mixed_project)[3]
        assert issue["check_name"] == "LP302"
        assert issue["description"] == "LP302: 50% slower: a, b"
        assert issue["severity"] == "minor"
        assert issue["location"] == {
            "path": "pkg/mixed.py",
            "positions": {"begin": {"line": 4, "column": 12}, "end": {"line": 7, "column": 4}},
        }

    def test_paths_from_the_project_of_the_ci(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        issue = load("gitlab", mixed_outcome, mixed_project, project_dir=ROOT / "pkg")[3]
        assert issue["location"]["path"] == "mixed.py"


class TestGithub:
    def test_one_row(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        lines = render("github", mixed_outcome, mixed_project.context()).splitlines()
        assert lines[0] == (
            "::error title=lintpickle (LP101),file=a.py,line=4,col=10,endLine=4,endColumn=18"
            "::a.py:4:10: LP101 `self.k` stores a dict view%0A  help: Convert to a list"
        )

    def test_several_rows_have_no_columns(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        line = render("github", mixed_outcome, mixed_project.context()).splitlines()[3]
        assert line.startswith("::warning title=lintpickle (LP302),file=pkg/mixed.py,line=4,endLine=7::")
        assert "LP302 50%25 slower: a, b" in line

    def test_escapes_in_paths(self) -> None:
        project = Project({"a,b:c%.py": "d.keys()\n"})
        text = render("github", Outcome((project.finding("a,b:c%.py", "d.keys()"),)), project.context())
        assert ",file=a%2Cb%3Ac%25.py,line=1," in text

    def test_trail_stays_on_one_line(self, trail_project: Project, trail_outcome: Outcome) -> None:
        text = render("github", trail_outcome, trail_project.context())
        assert text.count("\n") == 1
        assert "%0A  2. passed as dataset (train.py:3)%0A" in text


class TestAzure:
    def test_command(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        lines = render("azure", mixed_outcome, mixed_project.context()).splitlines()
        assert lines[3] == (
            "##vso[task.logissue type=warning;sourcepath=pkg/mixed.py;linenumber=4;columnnumber=12;"
            "code=LP302;]"
            "50%AZP25 slower: a, b"
        )

    def test_escapes_in_paths(self) -> None:
        project = Project({"a;b].py": "d.keys()\n"})
        text = render("azure", Outcome((project.finding("a;b].py", "d.keys()", message="x\ny"),)), project.context())
        assert ";sourcepath=a%3Bb%5D.py;" in text and text.endswith("]x%0Ay\n")


class TestJunit:
    def test_suites(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        root = ElementTree.fromstring(render("junit", mixed_outcome, mixed_project.context()).encode())
        assert (root.get("tests"), root.get("failures")) == ("4", "4")
        assert [suite.get("name") for suite in root] == ["a.py", "pkg/mixed.py"]
        case = root[1][1]
        assert (case.get("name"), case.get("classname"), case.get("line")) == (
            "org.lintpickle.LP302",
            "pkg/mixed",
            "4",
        )
        assert case[0].get("message") == "50% slower: a, b"

    def test_what_xml_forbids(self) -> None:
        project = Project({"a.py": "d.keys()\n"})
        finding = project.finding("a.py", "d.keys()", message='a\x00b\x1b <"&> \ud800 é😋')
        root = ElementTree.fromstring(render("junit", Outcome((finding,)), project.context()).encode())
        assert root[0][0][0].get("message") == 'a\ufffdb\ufffd <"&> \ufffd é😋'

    def test_an_empty_run_has_one_passing_test(self) -> None:
        root = ElementTree.fromstring(render("junit", Outcome(()), Project().context()).encode())
        assert (root.get("tests"), root.get("failures")) == ("1", "0")
        assert len(root[0]) == 1 and len(root[0][0]) == 0


class TestRdjson:
    def test_columns_are_utf8_bytes(self) -> None:
        project = Project({"a.py": "a𐐀b é\n"})
        outcome = Outcome((project.finding("a.py", "b é"),))
        (finding,) = load("rdjson", outcome, project)["diagnostics"]
        assert finding["location"] == {
            "path": "a.py",
            "range": {"start": {"line": 1, "column": 6}, "end": {"line": 1, "column": 10}},
        }

    def test_record(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        value = load("rdjson", mixed_outcome, mixed_project)
        assert value["source"]["name"] == "lintpickle"
        first, *_, last = value["diagnostics"]
        assert first["code"]["value"] == "LP101" and first["severity"] == "ERROR"
        assert first["suggestions"] == [{"range": first["location"]["range"], "text": "list(d.keys())"}]
        assert last["severity"] == "WARNING" and "suggestions" not in last

    def test_edits_of_one_fix_make_one_suggestion(self) -> None:
        project = Project({"a.py": "f(d.keys(), 2)\n"})
        edits = (
            *project.fix("a.py", "f", "g").edits,
            *project.fix("a.py", "2", "3").edits,
        )
        finding = project.finding("a.py", "d.keys()", fix=Fix("x", Applicability.SAFE, edits))
        (suggestion,) = load("rdjson", Outcome((finding,)), project)["diagnostics"][0]["suggestions"]
        assert suggestion["text"] == "g(d.keys(), 3"

    def test_edits_far_apart_are_not_offered(self) -> None:
        project = Project({"a.py": "import x\n" + "\n" * 40 + "d.keys()\n"})
        edits = (
            *project.fix("a.py", "import x", "import y").edits,
            *project.fix("a.py", "d.keys()", "1").edits,
        )
        finding = project.finding("a.py", "d.keys()", fix=Fix("x", Applicability.SAFE, edits))
        assert "suggestions" not in load("rdjson", Outcome((finding,)), project)["diagnostics"][0]

    def test_trail(self, trail_project: Project, trail_outcome: Outcome) -> None:
        (finding,) = load("rdjson", trail_outcome, trail_project)["diagnostics"]
        assert finding["related_locations"][1]["message"] == "passed as dataset"
        assert finding["related_locations"][1]["location"]["path"] == "train.py"


class TestLsp:
    def test_one_object_a_file(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        text = render("lsp", mixed_outcome, mixed_project.context())
        files = [json.loads(line) for line in text.splitlines()]
        assert [item["uri"] for item in files] == [(ROOT / "a.py").as_uri(), (ROOT / "pkg/mixed.py").as_uri()]
        first = files[0]["diagnostics"][0]
        assert first == {
            "range": {"start": {"line": 3, "character": 9}, "end": {"line": 3, "character": 17}},
            "severity": 1,
            "code": "LP101",
            "codeDescription": {"href": "https://lintpickle.dev/rules/LP101-dict-view-attribute/"},
            "source": "lintpickle",
            "message": "`self.k` stores a dict view",
            "data": {"name": "dict-view-attribute", "confidence": "certain"},
        }
        assert files[1]["diagnostics"][1]["severity"] == 2

    def test_columns_are_utf16(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        text = render("lsp", mixed_outcome, mixed_project.context())
        wide = json.loads(text.splitlines()[1])["diagnostics"][0]
        # Column 23 counted from 1; the emoji before it takes two code units.
        assert wide["range"]["start"] == {"line": 2, "character": 23}

    def test_trail(self, trail_project: Project, trail_outcome: Outcome) -> None:
        text = render("lsp", trail_outcome, trail_project.context())
        related = json.loads(text)["diagnostics"][0]["relatedInformation"]
        assert related[3] == {
            "location": {
                "uri": "file:///env/site-packages/kit/config.py",
                "range": {"start": {"line": 2, "character": 21}, "end": {"line": 2, "character": 34}},
            },
            "message": "stores a dict view in `names`",
        }
