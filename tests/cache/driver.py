"""Runs the command line as its own process: `python driver.py REPORT ARGUMENT...`.

Its clock is ahead, so that files which were made a moment ago count as old. The modules that the process has imported
are written to the file REPORT, behind a word that tells whether it answered from the cache; first those of the process
that did the work, if it was another one.
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
        answered = "lintpickle.standby" not in sys.modules and "lintpickle.commands" not in sys.modules
        with open(report, "a", encoding="utf-8") as file:
            file.write("\n".join(["answered" if answered else "ran", *sorted(set(sys.modules) - before), ""]))
        leave(code)

    time.time_ns = lambda: now() + AHEAD
    os._exit = leaving

    from lintpickle.cli import main

    sys.exit(main())
