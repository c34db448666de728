"""What could be seen of programs that pin fork, and is not yet."""

from __future__ import annotations

from pathlib import Path

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated


def test_a_branch_for_contexts_that_fork_is_judged_too(tmp_path: Path) -> None:
    """Off fork, the first process is never made: what the test says of a context is not asked."""  # gap:
    text = (
        "import multiprocessing\n\nCONTEXT = multiprocessing.get_context('fork')\n\n\n"
        "def work(job):\n    pass\n\n\n"
        "def main():\n    if isinstance(CONTEXT, multiprocessing.context.ForkContext):\n"
        "        process = CONTEXT.Process(target=work, args=(lambda: 1,))\n"
        "    else:\n        process = CONTEXT.Process(target=work, args=(1,))\n    process.start()\n\n\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    found = migrated(tmp_path, program=text)
    assert {each.spot.row: each.verdict for each in found.boundaries} == {12: Verdict.BREAKS, 14: Verdict.READY}
