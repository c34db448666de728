"""Seeds that the main process sets on the way to workers which are spawned in any case, where these draw numbers that
nothing else decides.

Measured with CPython 3.11, NumPy 2 and torch 2.13: the ranks of `torch.multiprocessing.spawn`, and workers of a spawn
context, seed the generators of `numpy.random` and `torch` anew, at random, whatever the parent has seeded: two
runs with one seed give other results. What a module of torch draws when it is made does not count:
DistributedDataParallel sends the weights of rank 0 to all, and many load theirs.
"""

from __future__ import annotations

import ast
import re

from lintpickle.analyses.main_state.main_setters import Setter
from lintpickle.analyses.process_state.process_settings import setters_of_setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.analyses.random_numbers.shared_generators import only_waits
from lintpickle.analyses.workers.before_start import LeadingPlace, ways_to, ways_to_start
from lintpickle.catalog import SettingSpec
from lintpickle.control_flow.paths import Paths
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_SEED = "seed"
_SEEDERS = frozenset({"numpy.random.seed", "torch.manual_seed"})
_DRAWS = re.compile(
    r"(?:\w+\.)*(?:rand|randn|randint|randperm|random|random_sample|rand_like|randn_like|randint_like|normal|uniform"
    r"|standard_normal|choice|choices|sample|shuffle|permutation|gauss|bernoulli|multinomial|poisson|beta|exponential)"
)
"""How calls are written whose results are random numbers, or an order at random."""
_NAMES = re.compile(r"\b(?:port|master_port|addr|name|path|suffix|run_id|uid|tmp\w*)\b\s*=|PORT", re.IGNORECASE)
"""What stands before a draw that only finds a name or a port which nobody else has."""


def is_seeded_before_spawn(spec: SettingSpec, dependence: Dependence, code: WorkerCode, linker: Linker) -> bool:
    """Whether a setting is a seed that the program sets before it starts workers which it never forks, and that they
    draw by."""
    boundary = code.boundary
    if boundary is None or _SEEDERS.isdisjoint(spec.by) or _DRAWS.fullmatch(dependence.written) is None:
        return False
    if not linker.boundaries.starting.is_never_forked(boundary):
        return False
    function, module = dependence.function, dependence.function.module
    begin = module.code.rfind("\n", 0, dependence.span.start) + 1
    is_spent = only_waits(dependence.span, function) or _NAMES.search(module.code, begin, dependence.span.start)
    return not is_spent and any(_is_ahead(each, code, linker) for each in setters_of_setting(spec, code, linker))


def _is_ahead(setter: Setter, code: WorkerCode, linker: Linker) -> bool:
    """Whether one function seeds, itself or by what it calls, and then starts the workers: in any case, or if a seed is
    given (`if args.seed is not None:`)."""
    changes = ways_to(LeadingPlace(setter.module, setter.facts, setter.span), code, linker)
    starts = ways_to_start(code, linker)
    return any(_precedes(each, start) for start in starts for each in changes if each.function is start.function)


def _precedes(change: LeadingPlace, start: LeadingPlace) -> bool:
    paths = Paths(change.module, change.function.span)
    first, second = change.span.start, start.span.start
    return first < second and all(
        isinstance(step.node, ast.If) and step.arm == 0 and _SEED in ast.unparse(step.node.test)
        for step in paths.steps_beyond(first, second)
    )
