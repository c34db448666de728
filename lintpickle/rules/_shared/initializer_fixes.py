"""The fix that lets workers do what only the main process does."""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.callers_by_name import is_called_by_others_alone, runs_on_import_of_workers
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.process_state.setting_makers import is_below
from lintpickle.analyses.workers.initializers_named import may_have_another
from lintpickle.analyses.workers.unfollowed_calls import may_run_in_workers
from lintpickle.catalog import Catalog, SettingSpec
from lintpickle.diagnostics import Applicability, Confidence, Fix
from lintpickle.rules.authoring import Hazard, Linker, WorkerCode, initializer_for

_KINDS = frozenset({"pool", "executor", "dataloader"})
_WITHOUT_INITIALIZER = frozenset({"process", "spawn"})
"""Kinds of boundaries that run nothing in workers but the function that they are given."""
_INITIALIZERS = "an `initializer` or `worker_init_fn`"
_BEGINS_WITH = {"pool": "an `initializer`", "executor": "an `initializer`", "dataloader": "a `worker_init_fn`"}
"""What workers begin with, by the kind of the boundary that starts them."""
_ITSELF = "the function that the process runs"
_TASK = "the function that the workers run"
_TASKS = "joblib"
"""The kind of boundaries whose workers run what they are sent, and nothing before."""


class Missed(Struct, frozen=True):
    """What workers lack: the code that they run, where the main process sets it, and which settings are known; of a
    setting of a library, its description."""

    code: WorkerCode
    setting: Setting
    catalog: Catalog
    what: str | None

    def confidence(self, otherwise: Confidence | None) -> Confidence | None:
        """How sure it is that workers lack it: as is said otherwise, if they do not set it themselves."""
        return Confidence.POSSIBLE if self.setting.is_doubted else otherwise

    def cause(self, name: str) -> str:
        """What is the same for all that reads what one place sets under a name: it has to be changed once."""
        site = self.setting.site
        return f"{site.module.path}:{site.span.start}:{name}"

    def help_of(self, rule: str) -> str | None:
        """The help of a rule for what workers begin with; None if it is not known what starts them."""
        boundary = self.code.boundary
        if self.code.is_fresh or (boundary is not None and boundary.spec.kind == _TASKS):
            return rule.replace(_INITIALIZERS, _TASK)
        kind = boundary.spec.kind if boundary is not None else ""
        begins_with = _ITSELF if kind in _WITHOUT_INITIALIZER else _BEGINS_WITH.get(kind)
        return rule.replace(_INITIALIZERS, begins_with) if begins_with is not None else None


def missed(code: WorkerCode, setting: Setting, linker: Linker, what: str | None = None) -> Missed:
    """What `initializer_fix` needs of a hazard. There is a doubt where only other programs are seen to set it, where a
    module that workers import does so, and where it is not known with what workers begin. Where workers may set it too,
    by what could not be followed, there is one for `migrate`, which says so."""
    setter = setting.setter
    if setter is not None and (
        is_called_by_others_alone(setter, setting.site.module, code, linker)
        or runs_on_import_of_workers(setter, code, linker)
        or may_have_another(code, linker)
        or (linker.moving_to is not None and may_run_in_workers(setter, code, linker))
    ):
        setting = replace(setting, is_doubted=True)
    return Missed(code, setting, linker.catalog, what)


def initializer_fix(hazard: Hazard[Missed]) -> Fix | None:
    """Repeat in every worker the statement by which the main process sets something, if all stands in the file of the
    hazard and workers that do so are, in this, as forked ones. Unsafe: only the author can say that they should be."""
    boundary, setting = hazard.subject.code.boundary, hazard.subject.setting
    module = hazard.site.module
    if boundary is None or boundary.spec.kind not in _KINDS:
        return None
    if boundary.site.module is not module or setting.site.module is not module:
        return None
    catalog = hazard.subject.catalog
    made, what = setting.site.span.start, hazard.subject.what
    sets, alike = partial(_sets_again, catalog), partial(_sets, catalog, what)
    found = initializer_for(module.document.text, made, sets, alike)
    if found is None:
        return None
    way = f"add it to `{found.function}`" if found.is_given else f"pass `{found.function}` as `{found.argument}`"
    message = f"Do the same in every worker: {way}"
    return Fix(message, Applicability.UNSAFE, found.edits, is_the_help=True)


def _sets_again(catalog: Catalog, path: str) -> bool:
    """Whether a call, or an attribute that is stored, makes a known setting in a way that can be repeated."""
    name = path.rpartition(".")[2]
    return any(_makes(path, spec) and path not in spec.once and name not in spec.once for spec in catalog.settings())


def _sets(catalog: Catalog, what: str | None, path: str) -> bool:
    """Whether it makes the setting of that description."""
    return any(_makes(path, spec) for spec in catalog.settings() if spec.what == what)


def _makes(path: str, spec: SettingSpec) -> bool:
    owner, _, name = path.rpartition(".")
    is_method = (not owner or "()" in owner) and name in spec.methods
    return bool(path) and (is_method or any(is_below(path, pattern) for pattern in spec.by))
