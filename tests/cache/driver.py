"""Runs the command line as its own process: `python driver.py REPORT ARGUMENT...`.

Its clock is ahead, so that files which were made a moment ago count as old. If the process ends by an answer from the
cache, the modules that it has imported are written to the file REPORT.
"""

import os
import sys
import time

AHEAD = 60_000_000_000

if __name__ == "__main__":
    report = sys.argv.pop(1)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[0] = root
    before = set(sys.modules)
    now, leave = time.time_ns, os._exit

    def leaving(code):  # type: ignore[no-untyped-def]
        if "lintpickle.standby" not in sys.modules and "lintpickle.commands" not in sys.modules:
            with open(report, "w", encoding="utf-8") as file:
                file.write("\n".join(sorted(set(sys.modules) - before)))
        leave(code)

    time.time_ns = lambda: now() + AHEAD
    os._exit = leaving

    from lintpickle.cli import main

    sys.exit(main())
