"""The level that `logging.basicConfig` is given, where nobody asks for another one."""

from __future__ import annotations

import pytest

from lintpickle.analyses.log_records.levels_given import methods_shown

_CASES = """\
def main():
    args = parse()
    if args.debug:
        level = logging.DEBUG
    elif args.quiet:
        level = logging.ERROR
    else:
        print("as usual")

        level = logging.INFO
    {call}
"""
_BEFORE = """\
def main():
    level = logging.{before}
    if args.verbose:
        level = logging.{after}
    {call}
"""
_OPTION = """\
def main():
    parser.add_argument("--name", default="INFO")
    parser.add_argument("-l", "--log-level", choices=LEVELS, default={default}, help="how much (to) tell")
    parser.add_argument("--other", default="DEBUG")
    args = parser.parse_args()
    {more}
    {call}
"""


@pytest.mark.parametrize(
    ("given", "text", "expected"),
    [
        ("level=logging.INFO", "", "info"),
        ("level=INFO, format='%(message)s'", "", "info"),
        ("'run.log', level='DEBUG'", "", "debug|info"),
        ("level=10", "", "debug|info"),
        ("level=getattr(logging, 'INFO')", "", "info"),
        ("level=logging.WARNING", "", None),
        ("level=logging.DEBUG if args.verbose else logging.INFO", "", "info"),
        ("level=logging.INFO if args.verbose else logging.WARNING", "", None),
        ("level=level", _CASES, "info"),
        ("level=level", _CASES.replace("INFO", "WARNING"), None),
        ("level=level", _BEFORE.replace("{before}", "INFO").replace("{after}", "DEBUG"), "info"),
        ("level=level", _BEFORE.replace("{before}", "WARNING").replace("{after}", "DEBUG"), None),
        ("level=level", "def main(path, level=logging.INFO):\n    {call}\n", "info"),
        ("level=level", "def main(\n    path,\n    level: int = logging.INFO,\n):\n    {call}\n", "info"),
        ("level=level", "def main(path, level):\n    if path:\n        level = logging.INFO\n    {call}\n", None),
        ("level=level", "def main(level):\n    {call}\n", None),
        ("level=level, force=True", "def main():\n    level = 10 if path else 20\n    {call}\n", "info"),
        ("level=args.log_level", _OPTION.replace("{default}", "'INFO'"), "info"),
        ("level=getattr(logging, args.log_level.upper())", _OPTION.replace("{default}", "'DEBUG'"), "debug|info"),
        ("level=args.log_level", _OPTION.replace("{default}", "logging.WARNING"), None),
        ("level=args.log_level", _OPTION.replace(" default={default},", ""), None),
        (
            "level=level",
            _OPTION.replace("{default}", "'INFO'").replace("{more}", "level = getattr(logging, args.log_level)"),
            "info",
        ),
        ("level=level_of(main)", "", None),
        ("filename='run.log'", "", None),
    ],
)
def test_what_is_shown_by_default(given: str, text: str, expected: str | None) -> None:
    text = text.replace("{call}", f"logging.basicConfig({given})")
    assert methods_shown(given, text, text) == expected
