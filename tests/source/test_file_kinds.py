"""What files are there for, told by their paths."""

from __future__ import annotations

import os

import pytest

from lintpickle.source.file_kinds import PlaceKind, kind_of_place

ROOT = os.path.join(os.sep, "home", "ann", "tests", "examples", "project")


def kind(path: str) -> PlaceKind:
    return kind_of_place(os.path.join(ROOT, *path.split("/")), ROOT)


@pytest.mark.parametrize(
    "path",
    [
        "tests/data.py",
        "pkg/tests/data.py",
        "tests/examples/train.py",
        "tests_pytorch/models.py",
        "pkg/unit_tests/models.py",
        "pkg/test_utils/training.py",
        "pkg/test_loader.py",
        "pkg/loader_test.py",
        "conftest.py",
        "examples/test_examples.py",
        "tests/walk.ipynb",
    ],
)
def test_tests(path: str) -> None:
    assert kind(path) is PlaceKind.TESTS


@pytest.mark.parametrize(
    "path",
    [
        "pkg/data.py",
        "train.py",
        "test.py",
        "tools/test_net.py",
        "pkg/testing.py",
        "pkg/contest/latest.py",
        "pkg/benchmarks/classic.py",
        "clip_benchmark/datasets/builder.py",
        "pkg/documents.py",
        "pkg/attestation.py",
        "pkg/demographics.py",
        "pkg/make_examples.py",
        "gen_demo/new_gen_demo.py",
        "pkg/record_video_demos.py",
    ],
)
def test_library(path: str) -> None:
    assert kind(path) is PlaceKind.LIBRARY


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("examples/train.py", PlaceKind.EXAMPLES),
        ("Examples/Vision/train.py", PlaceKind.EXAMPLES),
        ("packages/one/tutorials/first.py", PlaceKind.EXAMPLES),
        ("demo.py", PlaceKind.EXAMPLES),
        ("pkg/run_demo.py", PlaceKind.EXAMPLES),
        ("pkg/demo_make_set.py", PlaceKind.EXAMPLES),
        ("examples/make_demo.py", PlaceKind.EXAMPLES),
        ("pkg/loader_example.py", PlaceKind.EXAMPLES),
        ("docs/conf.py", PlaceKind.DOCS),
        ("docs/examples/first.py", PlaceKind.DOCS),
        ("newdocs/first.py", PlaceKind.DOCS),
        ("user-docs/first.py", PlaceKind.DOCS),
        ("gdocs/client.py", PlaceKind.LIBRARY),
        ("benchmarks/loader.py", PlaceKind.BENCHMARKS),
        ("pkg/benchmark_loader.py", PlaceKind.BENCHMARKS),
        ("explore.ipynb", PlaceKind.NOTEBOOKS),
        ("docs/explore.ipynb", PlaceKind.NOTEBOOKS),
        ("notebooks/explore.py", PlaceKind.NOTEBOOKS),
    ],
)
def test_others(path: str, expected: PlaceKind) -> None:
    assert kind(path) is expected


def test_where_the_project_lies_says_nothing() -> None:
    assert kind_of_place(os.path.join(ROOT, "data.py"), ROOT) is PlaceKind.LIBRARY
    assert kind_of_place(os.path.join(ROOT, "tests", "data.py"), os.path.join(ROOT, "tests")) is PlaceKind.LIBRARY


def test_only_the_name_of_a_file_outside_of_the_project_counts() -> None:
    assert kind_of_place(os.path.join(os.sep, "tests", "data.py"), ROOT) is PlaceKind.LIBRARY
    assert kind_of_place(os.path.join(os.sep, "other", "test_data.py"), ROOT) is PlaceKind.TESTS


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("third_party/mivos/train.py", PlaceKind.VENDORED),
        ("pkg/_vendor/pickles.py", PlaceKind.VENDORED),
        ("external_libraries/vision/datasets.py", PlaceKind.VENDORED),
        ("pkg/extern/six.py", PlaceKind.VENDORED),
        ("app/external/client.py", PlaceKind.LIBRARY),
        ("models/3rdparty/net.ipynb", PlaceKind.VENDORED),
        ("vendor/tests/data.py", PlaceKind.TESTS),
        ("pkg/vendors.py", PlaceKind.LIBRARY),
        ("pkg/vending/machine.py", PlaceKind.LIBRARY),
        ("obsolete/stack17.py", PlaceKind.RETIRED),
        ("research_archive/train.py", PlaceKind.RETIRED),
        ("code_old/train.py", PlaceKind.RETIRED),
        ("pkg/archive/zip.py", PlaceKind.LIBRARY),
        ("pkg/old/format.py", PlaceKind.LIBRARY),
        ("pkg/threshold/cut.py", PlaceKind.LIBRARY),
    ],
)
def test_code_that_others_keep_or_nobody(path: str, expected: PlaceKind) -> None:
    assert kind(path) is expected
