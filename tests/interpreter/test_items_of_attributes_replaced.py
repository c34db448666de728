"""What a mapping that an attribute holds has no more: what was replaced or taken out under a name."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.support import marks

_TEXT = """\
import multiprocessing


class Job:
    def __init__(self, names, call, flag):
        self.table = {made}
{fill}

    def reset(self):
        self.table["call"] = None

    def work(self):
        print(self.table.pop("call"))


def run(job):
    job.work()


def main(flag):
    job = Job(["a"], lambda row: row, flag)
    {before}
    process = multiprocessing.Process(target=run, args=(job,))
    process.start()
    {after}
    process.join()


if __name__ == "__main__":
    main(False)
"""
_DISPLAY = "{'call': call, 'size': 1}"


def _is_found(fill: str = "pass", made: str = _DISPLAY, before: str = "pass", after: str = "pass") -> bool:
    text = _TEXT.format(made=made, fill=indent(fill, " " * 8), before=before, after=after)
    return "LP102" in {code for _, code in marks(text)}


@pytest.mark.parametrize("made", [_DISPLAY, "dict(call=call)", "{**dict(call=call), 'size': 1}"])
@pytest.mark.parametrize(
    ("fill", "stays"),
    [
        ("self.table['call'] = None", False),
        ("self.table['call'] = str(self.table['call'])", False),
        ("self.table.update(call=None)", False),
        ("self.table.pop('call', None)", False),
        ("del self.table['call']", False),
        ("self.reset()", False),
        ("self.table['call'] = call\nself.table['call'] = None", False),
        ("pass", True),
        ("self.table['size'] = None", True),
        ("self.table.pop('size', None)", True),
        ("self.table.setdefault('call', None)", True),
        ("size = self.table.setdefault('call', None)", True),
        ("if flag: self.table['call'] = None", True),
        ("if flag: self.table.pop('call')", True),
        ("if flag: self.reset()", True),
        ("self.call = self.table.pop('call')", True),
        ("self.table.update({'call': None})", True),  # gap: only keywords are read one by one
        ("held = self.table.pop('call')", True),  # gap: what becomes of the value is not followed
        ("self.table['call'] = None\nself.table['call'] = call", True),
        ("self.table.pop('call')\nself.table['call'] = call", True),
        ("self.other = {}\nself.other['call'] = None", True),
        ("self.table['more'] = {}\nself.table['more']['call'] = None", True),
    ],
)
def test_what_the_object_does_itself(made: str, fill: str, stays: bool) -> None:
    assert _is_found(fill, made) is stays


@pytest.mark.parametrize(
    ("change", "stays"),
    [
        ("job.table['call'] = None", False),
        ("job.table.pop('call')", False),
        ("job.reset()", False),
        ("if flag: job.table['call'] = None", True),
        ("if flag: job.reset()", True),
        ("job.table['size'] = None", True),
        ("job.table['call'] = lambda row: row", True),
        ("del job.table['call']", True),  # gap
    ],
)
def test_what_other_code_does_before(change: str, stays: bool) -> None:
    assert _is_found(before=change) is stays


@pytest.mark.parametrize("change", ["job.table['call'] = None", "job.table.pop('call')", "job.reset()"])
def test_what_other_code_does_too_late(change: str) -> None:
    assert _is_found(after=change)


def test_a_list_of_the_same_attribute_is_not_asked_for_names() -> None:
    assert _is_found("self.table.append(None)\nself.table.pop('call')", made="[call]")
