"""Log records of workers that a handler of the main process gets none of, whatever else configures logging there.

A worker that calls `logging.basicConfig` itself shows its records, and the handler of the main process gets none of
them all the same; it gets those that a handler of the worker sends (`QueueHandler`, `SocketHandler`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.log_records.collected_records import Collected, collected_records
from lintpickle.analyses.log_records.log_handlers import adding_handlers, asks_for_handlers, reaching
from lintpickle.analyses.log_records.lost_records import CONFIGURES_LOGGING
from lintpickle.analyses.main_state.main_setters import Setter, Setting, set_by
from lintpickle.analyses.process_state.process_settings import NOT_THERE, setters_of_setting, uses_of_setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.catalog import SettingSpec
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_SENDS_NOTHING = re.compile(r"(?:\w+\.)*basicConfig\s*\((?!.*\bhandlers\b)", re.DOTALL)
"""Configures what is shown or written to a file."""


class MissedRecord(Struct, frozen=True):
    """A record of a worker, the setting of the catalog that it depends on, where the main process adds the handler that
    would keep it, and what that keeps."""

    spec: SettingSpec
    record: Dependence
    setting: Setting
    kept: Collected


def records_missed(code: WorkerCode, linker: Linker) -> Iterator[MissedRecord]:
    """The first record of workers that a handler of the main process would keep for it to read."""
    for spec, dependences in uses_of_setting(CONFIGURES_LOGGING, code, linker):
        setters = setters_of_setting(spec, code, linker) if dependences and not asks_for_handlers(code) else []
        found = (_missed(spec, each, setters, code, linker) for each in dependences)
        first = next((each for each in found if each is not None), None)
        if first is not None:
            yield first


def _missed(
    spec: SettingSpec, record: Dependence, setters: Sequence[Setter], code: WorkerCode, linker: Linker
) -> MissedRecord | None:
    adding = [each for each in adding_handlers(reaching(setters, record)) if not _sends_nothing(each)]
    keeping = {(each.module.path, each.span): _kept(each, record, linker) for each in adding}
    first = sorted(adding, key=lambda each: keeping[each.module.path, each.span] is None)
    setting = set_by(first, NOT_THERE, linker, code.root.site.module.path)
    kept = keeping.get((setting.site.module.path, setting.site.span)) if setting is not None else None
    return MissedRecord(spec, record, setting, kept) if setting is not None and kept is not None else None


def _sends_nothing(setter: Setter) -> bool:
    return _SENDS_NOTHING.match(setter.module.code, setter.span.start, setter.span.end) is not None


def _kept(setter: Setter, record: Dependence, linker: Linker) -> Collected | None:
    setting = Setting(NOT_THERE, "", Site(setter.module, setter.span), setter=setter.facts)
    return collected_records(record, setting, linker)
