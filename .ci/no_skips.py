"""Fails if, by a JUnit report of pytest, nothing ran or something that must not be skipped was skipped.

python .ci/no_skips.py REPORT.xml MODULE_PREFIX…
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree


def main(report: str, *prefixes: str) -> None:
    """Exit with a message that names what was skipped."""
    cases = {  # a module that is skipped as a whole has its name there, and no class name
        ".".join(filter(None, [case.get("classname"), case.get("name")])): case.find("skipped")
        for case in ElementTree.parse(report).iter("testcase")
    }
    wanted = {name: skip for name, skip in cases.items() if name.startswith(prefixes)}
    skipped = [f"{name}: {skip.get('message')}" for name, skip in wanted.items() if skip is not None]
    if skipped or not wanted:
        sys.exit("\n".join([f"of {len(wanted)} tests in {' '.join(prefixes)}, {len(skipped)} were skipped", *skipped]))


if __name__ == "__main__":
    main(*sys.argv[1:])
