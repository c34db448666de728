"""Groups of parameters that are given to an optimizer of torch."""

from __future__ import annotations

import re

from lintpickle.payload.crossings import Crossing

_GROUP = re.compile(r"\[['\"]params['\"]\]")
_OPTIMIZES = re.compile(r"\boptim\s*\.\s*[A-Z]\w*\s*\(|\bOptimizer\s*\(")


def is_listed_by_optimizer(crossing: Crossing) -> bool:
    """Whether something that can be iterated once stands in a group (`{"params": filter(…)}`) and the module makes an
    optimizer below it: torch puts a list in its place, in the very dict that it is given (torch 2.13:
    `Optimizer.add_param_group`)."""
    module, end = crossing.site.module, crossing.site.span.end
    return _GROUP.search(crossing.path) is not None and _OPTIMIZES.search(module.code, end) is not None
