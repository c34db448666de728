"""What may be evaluated for the calls that lead to one boundary: in full for the first ones, then less for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.interpreter.abstract_values import Site
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.limits import EVALUATIONS, PICKLED_ALLOWANCE, SHARED_BUDGET, SPENT_ALLOWANCE
from lintpickle.payload.components import WORKER_KINDS


class SharedBudgets:
    """Those of one way to ask about boundaries, for one evaluator, which forgets what it knows between them.

    The boundaries that one function calls without starting workers, such as several `torch.save`, share one budget: the
    same callers lead to all of them, with the same objects."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._evaluated: Counter[Site] = Counter()
        self._begun: set[Site] = set()

    @contextmanager
    def of(self, boundary: BoundaryCall) -> Iterator[None]:
        """A context in which what a boundary leads to is evaluated: in full for the first call that leads there, for
        others as far as the calls before have left something."""
        evaluator, site = self._evaluator, boundary.site
        starts_workers = boundary.spec.kind in WORKER_KINDS
        shared = site if starts_workers else Site(site.module, boundary.frame.function.span)
        most = SHARED_BUDGET.most if starts_workers else SHARED_BUDGET.most // 3
        before = evaluator.evaluated
        if self._evaluated[shared] >= most and (starts_workers or site in self._begun):
            evaluator.cuts.note_of(SHARED_BUDGET, site.module, site.span.start)
            evaluator.allowance = before + (SPENT_ALLOWANCE if starts_workers else SPENT_ALLOWANCE // 10)
        else:
            evaluator.allowance = EVALUATIONS.most if starts_workers else PICKLED_ALLOWANCE
        self._begun.add(site)
        try:
            yield
        finally:
            self._evaluated[shared] += evaluator.evaluated - before
            evaluator.allowance = EVALUATIONS.most
