"""From a row of a catalog file to the record that the catalog hands out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lintpickle.catalog.entries import Wording
from lintpickle.catalog.linear import Linear, Refused
from lintpickle.catalog.records import (
    BoundarySpec,
    ErrorKind,
    FreshSpec,
    Product,
    RepeatedSpec,
    SettingSpec,
    StateSpec,
    WaitingSpec,
)
from lintpickle.catalog.rows import Row
from lintpickle.diagnostics import LintpickleError, StartMethod
from lintpickle.pythons import Version


def product_record(values: Mapping[str, Any], path: str) -> Product:
    """What a row says of a call or value with the dotted name `path`."""
    name = path.rpartition(".")[2]
    kind = values["kind"]
    type_ = values.get("type", kind).replace("{name}", name).replace("{class}", _made_class(path))

    def fill(text: str) -> str:
        return text.replace("{type}", type_).replace("{name}", name)

    return Product(
        kind=kind,
        type=type_,
        error=fill(values.get("error", "TypeError: cannot pickle '{type}' object")),
        fails=values.get("fails", "dumps"),
        cloudpickle=values.get("cloudpickle"),
        dill=values.get("dill"),
        reopen=values.get("reopen", False),
        note=values.get("note"),
        since=_version(values.get("since")),
        until=_version(values.get("until")),
        fine_on=tuple(_number(version) for version in _names(values.get("fine-on", ()))),
        crosses=_names(values.get("crosses", ())),
        error_at_start=values.get("error-at-start"),
        error_in_copy=values.get("error-in-copy"),
        crosses_after=_names(values.get("crosses-after", ())),
        errors=tuple(sorted((_number(version), fill(text)) for version, text in values.get("errors", {}).items())),
    )


def _made_class(path: str) -> str:
    """The class that a factory is named after: of `m.createCLAHE`, `m.ORB_create` and `m.ORB.create`."""
    owner, _, name = path.rpartition(".")
    if name == "create":
        return owner.rpartition(".")[2]
    return name.removeprefix("create").removesuffix("_create")


def boundary_record(row: Row, path: str) -> BoundarySpec:
    """The boundary that calling `path` is."""
    values = row.values
    return BoundarySpec(
        path=path,
        kind=values["kind"],
        parameters=row.names("parameters"),
        payload=row.names("payload"),
        functions=row.names("functions"),
        workers=values.get("workers"),
        workers_default_zero=values.get("workers-default-zero", False),
        context=values.get("context"),
        start_methods=tuple(
            StartMethod(name) for name in values.get("start-methods", [method.value for method in StartMethod])
        ),
        elements=row.names("elements"),
        machinery=row.names("machinery"),
        receiver=row.names("receiver"),
        given=row.names("given"),
        threads=row.names("threads"),
        threads_in=row.names("threads-in"),
        pickler=values.get("pickler"),
        run_by=values.get("run-by"),
        asks=values.get("asks"),
        unordered=row.names("unordered"),
        unless=row.names("unless"),
        starts=values.get("starts", False),
        at_start=row.names("at-start"),
        before=values.get("before", 0),
        awaited=values.get("awaited", False),
    )


def wording_record(row: Row) -> Wording:
    """A change of messages. Raises LintpickleError if the pattern is not one that takes linear time."""
    values = row.values
    linear = None
    if row.is_own:
        try:
            linear = Linear(values["pattern"], values["text"])
        except Refused as error:
            raise LintpickleError(f"{row.file}: [[wording]] {row.number}: the pattern is refused: {error}") from None
    return Wording(_number(values["since"]), values["pattern"], values["text"], linear)


def error_kind_record(row: Row) -> ErrorKind:
    """A family of run-time errors."""
    values = row.values
    patterns, rules, needs = row.names("pattern"), row.names("rules"), row.names("needs")
    symptom = values.get("symptom", False)
    kind, means, next_, here = values["kind"], values["means"], values.get("next"), values.get("here")
    return ErrorKind(kind, patterns, means, next_, rules, needs, symptom, here)


def setting_record(row: Row) -> SettingSpec:
    """A setting that only fork passes on."""
    values = row.values
    return SettingSpec(
        values["what"],
        row.names("by"),
        row.names("methods"),
        row.names("read"),
        row.names("read-methods"),
        row.names("own"),
        row.names("unless"),
        StartMethod(values["only"]) if "only" in values else None,
        values.get("word", ""),
        values.get("seldom", False),
        row.names("once"),
        values.get("arguments", 0),
        row.names("shown"),
        row.names("reckoned"),
        row.names("given-by"),
        values.get("error"),
        values.get("default"),
        values.get("lacking"),
        row.names("inherited"),
        values.get("help"),
        values.get("outcome"),
        row.names("there"),
        row.names("owners"),
        row.names("contexts"),
        values.get("named"),
        row.names("kept-in"),
        values.get("unlimited"),
        row.names("same"),
    )


def state_record(row: Row) -> StateSpec:
    """Objects with a state in memory that only fork passes on."""
    values = row.values
    return StateSpec(
        row.names("name"),
        row.names("methods"),
        row.names("functions"),
        values.get("stores", False),
        values.get("shared", False),
        row.names("own"),
        values.get("seeded", False),
        values["outcome"],
        values.get("error"),
    )


def waiting_record(row: Row) -> WaitingSpec:
    """Objects at which one process waits for what another one does."""
    waits, asks, until, guards, instead = (row.names(key) for key in ("waits", "asks", "until", "guards", "instead"))
    return WaitingSpec(row.names("name"), waits, asks, until, guards, instead, row.values.get("failing"))


def fresh_record(row: Row) -> FreshSpec:
    """Calls that give another value in each process."""
    values = row.values
    return FreshSpec(
        row.names("name"),
        values["what"],
        values.get("seldom", False),
        values.get("changes", False),
        values.get("seeded", False),
        row.names("having"),
        values.get("after", ""),
        values.get("relative", False),
    )


def repeated_record(row: Row) -> RepeatedSpec:
    """Calls that do something again in each process that imports their module again."""
    values = row.values
    return RepeatedSpec(
        row.names("name"),
        values["outcome"],
        values.get("error"),
        values.get("destroys", False),
        values.get("quiet", False),
        values.get("fresh", False),
        row.names("unless"),
        values.get("mode", ""),
        row.names("having"),
        row.names("lacking"),
        row.names("needs"),
        row.names("told"),
        row.names("untold"),
        values.get("held", False),
        values.get("reads", False),
    )


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _version(text: str | None) -> Version | None:
    return None if text is None else _number(text)


def _number(text: str) -> Version:
    major, _, minor = text.partition(".")
    return int(major), int(minor)
