from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.random_numbers.flags import is_behind_flag
from lintpickle.analyses.random_numbers.global_draws import GlobalDraw, global_draws
from lintpickle.analyses.random_numbers.seeding_modules import seeds_generator
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import PICKLED_ON_START, Expr, Hazard, Linker, Rule, Site, WorkerCode, excerpt


class GlobalRngInForkedWorker(Rule):
    """A draw from NumPy's or torch's global generator in forked workers that nobody seeds."""

    code = "LP309"
    name = "global-rng-in-forked-worker"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    of_functions = True
    message = (
        "`{call}` in `{user}` draws from the global generator of {library}, which forked workers copy: all of them "
        "draw the same numbers"
    )
    help = (
        "give each task a seed of its own (`np.random.SeedSequence(0).spawn(n)`), and draw from a generator that the "
        "worker makes from it"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for draw in global_draws(code, linker):
            module = draw.function.module
            # See the page: 24 others that were read harmed nobody.
            is_felt = draw.is_in_main and (draw.function.is_begun_with or _is_forked_with_seed(draw, code, linker))
            is_felt = is_felt and not is_behind_flag(draw.span, draw.function.frame, linker)
            yield Hazard(
                site=Site(module, draw.span),
                noun="drawn in the worker",
                error=None,
                confidence=Confidence.LIKELY if is_felt else Confidence.POSSIBLE,
                data={
                    "call": excerpt(module, Expr(draw.span), 50),
                    "user": draw.function.facts.qualname,
                    "library": draw.library,
                },
                hops=draw.function.hops,
                cause=_cause(draw, code),
            )


def _is_forked_with_seed(draw: GlobalDraw, code: WorkerCode, linker: Linker) -> bool:
    """Whether the context that makes the workers forks them, whatever the platform, and the main process seeds the
    generator that they copy: it is meant to give other numbers to each task."""
    if code.boundary is None or not any(seeds_generator(site.module, draw.library) for site in code.way):
        return False
    starting = linker.boundaries.starting
    return not any(starting.may_start_by(method, code.boundary) for method in PICKLED_ON_START)


def _cause(draw: GlobalDraw, code: WorkerCode) -> str | None:
    """The function with which the workers begin that seeds no generator of that library: all draws below it."""
    hops = draw.function.hops
    begun = (each for each in code.functions if hops[: len(each.hops)] == each.hops and each.is_begun_with)
    return next((f"{draw.library}: {each.module.path}: {each.facts.qualname}" for each in begun), None)
