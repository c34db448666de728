"""Catalog files that users write: what they say wins, and their mistakes are told with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import LintpickleError, StartMethod


def test_a_users_file_wins(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        """
        [[product]]
        module = "mylib"
        call = ["connect", "reconnect"]
        kind = "database"
        type = "mylib.Connection"
        reopen = true
        since = "3.12"

        [[product]]
        call = "h5py.File"
        fine = true

        [[class]]
        name = "mylib.**Dataset"
        kind = "dataset"

        [[boundary]]
        call = "mylib.run"
        kind = "process"
        parameters = ["function", "workers"]
        payload = "function"
        functions = "function"
        workers = "workers"
        start-methods = ["spawn"]

        [[function]]
        name = "mylib.wrap"
        result = "keep"
        """,
        encoding="utf-8",
    )
    catalog = load_catalog((str(own),))
    product = catalog.product("mylib.reconnect")
    assert product is not None
    assert (product.error, product.since, product.reopen) == (
        "TypeError: cannot pickle 'mylib.Connection' object",
        (3, 12),
        True,
    )
    assert catalog.product("h5py.File") is None
    assert catalog.product("lmdb.open") is not None
    assert catalog.kind_of_class("mylib.data.TrainDataset") == "dataset"
    boundary = catalog.boundary("mylib.run")
    assert boundary is not None
    assert boundary.start_methods == (StartMethod.SPAWN,)
    assert catalog.converter("mylib.wrap") == "keep"
    assert load_catalog().product("mylib.connect") is None


MISTAKES = {
    "an unknown key": (
        "[[product]]\ncall = 'a'\nknd = 'file'\n",
        r"own\.toml:3: in \[\[product\]\]: unknown key 'knd'; did you mean 'kind'\?",
    ),
    "an unknown table": (
        "\n[[prodct]]\ncall = 'a'\n",
        r"own\.toml:2: unknown table \[\[prodct\]\]; did you mean 'product'\?",
    ),
    "a name that is none": (
        "[[class]]\nname = 'a'\nkind = 'b'\n[[class]]\nname = 3\nkind = 'b'\n",
        r"own\.toml:5: .*'name' must be a string or a list of strings, not 3",
    ),
    "a kind that is none": (
        "[[product]]\ncall = 'a'\nkind = 'databas'\n",
        r"own\.toml:3: in \[\[product\]\]: there is no kind of product 'databas'; did you mean 'database'\?",
    ),
    "a kind of boundary that is none": (
        "[[boundary]]\ncall = 'a'\nkind = 'proces'\nparameters = []\npayload = []\n",
        r"own\.toml:3: .*no kind of boundary 'proces'; did you mean 'process'\?",
    ),
    "a kind of another table": (
        "[[class]]\nname = 'a'\nkind = 'database'\n",
        r"own\.toml:3: .*no kind of class 'database'",
    ),
    "a kind in a later row": (
        "[[class]]\nname = 'a'\nkind = 'dataset'\n\n[[class]]\nname = 'b'\nkind = 'datset'\n",
        r"own\.toml:7: .*no kind of class 'datset'",
    ),
    "no kind": ("[[product]]\ncall = 'a'\n", r"'kind' is missing"),
    "a flag that is none": (
        "[[product]]\ncall = 'a'\nkind = 'b'\nreopen = 'yes'\n",
        r"'reopen' must be true or false, not 'yes'",
    ),
    "a version that is none": (
        "[[product]]\ncall = 'a'\nkind = 'b'\nsince = '3'\n",
        r"'since' must be a Python version like \"3\.12\"",
    ),
    "an unknown result": (
        "[[function]]\nname = 'a'\nresult = 'hold'\n",
        r"'result' must be one of plain, consume",
    ),
    "an unknown start method": (
        "[[boundary]]\ncall = 'a'\nkind = 'b'\nparameters = []\npayload = []\nstart-methods = ['thread']\n",
        r"knows fork, forkserver, spawn, not 'thread'",
    ),
    "an error of no version": (
        "[[product]]\ncall = 'a'\nkind = 'b'\nerrors = { new = 'x' }\n",
        r"'errors' must be an inline table like",
    ),
    "a pattern that is none": (
        "[[wording]]\nsince = '3.12'\npattern = '('\ntext = 'x'\n",
        r"'pattern' must be a regular expression, not '\('",
    ),
    "single brackets": ("[product]\ncall = 'a'\n", r"write \[\[product\]\], with two brackets"),
    "aliases that lead to ever longer names": (
        "[[alias]]\nname = 'a'\nof = 'b.c'\n\n[[alias]]\nname = 'b'\nof = 'a'\n",
        r"own\.toml: \[\[alias\]\] 1: more than 100 names follow `a`",
    ),
    "no TOML": ("[[product]\n", r"own\.toml:1:10: not valid TOML: Expected"),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=list(MISTAKES))
def test_a_users_mistake_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(LintpickleError, match=message):
        load_catalog((str(own),))


def test_aliases_that_lead_back_to_themselves_end(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[[alias]]\nname = 'a'\nof = 'b'\n\n[[alias]]\nname = 'b'\nof = 'a'\n", encoding="utf-8")
    assert load_catalog((str(own),)).own_name("a.c") == "b.c"


def test_a_user_says_what_is_reduced_and_who_makes_loaders(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = "[[class]]\nname = 'ours.Handle'\nkind = 'handle'\nreduced = true\n\n[[trainer]]\nname = 'Fitter'\n"
    own.write_text(text, encoding="utf-8")
    catalog, shipped = load_catalog((str(own),)), load_catalog()
    assert catalog.is_reduced("handle") and catalog.is_reduced("logger")
    assert not catalog.is_reduced("dataset") and not catalog.is_reduced(None) and not shipped.is_reduced("handle")
    assert catalog.trainer_names() - shipped.trainer_names() == {"Fitter"}
    assert {"Trainer", "Accelerator"} <= shipped.trainer_names()


def test_a_users_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match=r"none\.toml: cannot read this catalog file"):
        load_catalog((str(tmp_path / "none.toml"),))


def test_kinds_of_ones_own_are_accepted_where_other_rows_say_something_of_them(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        """
        [[product]]
        call = "mydb.environment"
        kind = "mydb-environment"

        [[method]]
        of = "mydb-environment"
        name = "begin"
        kind = "database"

        [[class]]
        name = "ours.Step"
        kind = "step"

        [[worker]]
        kind = "step"
        method = "run"
        """,
        encoding="utf-8",
    )
    catalog = load_catalog((str(own),))
    environment = catalog.product("mydb.environment")
    assert environment is not None
    begun = catalog.method_product(environment, "begin")
    assert begun is not None
    assert begun.kind == "database"
    assert catalog.kind_of_class("ours.Step") == "step"
