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
    """Those of one way to ask about boundaries, for one evaluator, which forgets what it knows between them."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._evaluated: Counter[Site] = Counter()

    @contextmanager
    def of(self, boundary: BoundaryCall) -> Iterator[None]:
        """A context in which what a boundary leads to is evaluated, as far as the calls before have left something."""
        evaluator, site = self._evaluator, boundary.site
        before = evaluator.evaluated
        if self._evaluated[site] >= SHARED_BUDGET.most:
            evaluator.cuts.note_of(SHARED_BUDGET, site.module, site.span.start)
            evaluator.allowance = before + SPENT_ALLOWANCE
        else:
            evaluator.allowance = EVALUATIONS.most if boundary.spec.kind in WORKER_KINDS else PICKLED_ALLOWANCE
        try:
            yield
        finally:
            self._evaluated[site] += evaluator.evaluated - before
            evaluator.allowance = EVALUATIONS.most
