"""What workers set themselves as they read options: `parser.add_option("--cov", dest="cov_path")`."""

from __future__ import annotations

import re

from lintpickle.payload.worker_side import WorkerCode


def is_parsed_by_workers(name: str, code: WorkerCode) -> bool:
    """Whether a function of the workers has an option that is stored under a name."""
    stored = re.compile(rf"\bdest\s*=\s*[\"']{re.escape(name)}[\"']")
    return any(stored.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in code.functions)
