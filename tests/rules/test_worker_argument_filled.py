"""LP221: worker-argument-filled."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP221"


GUARD = "if __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    ("made", "fills", "started", "reads"),
    [
        ("[]", "o.append(n)", "mp.Process(target=g, args=(1, o))", "print(o)"),
        ("{}", "o[n] = 1", "mp.Process(target=g, args=(1, o))", "return o"),
        ("dict()", "o.update(a=n)", "mp.Process(target=g, args=(1, o))", "return sum(o.values())"),
        ("set()", "o.add(n)", "mp.Pool(2).apply_async(g, (1, o))", "return len(o)"),
        ("[]", "o.append(n)", "ProcessPoolExecutor(2).submit(g, 1, o)", "return o"),
        ("np.zeros(3)", "o[n] = 1", "mp.Process(target=g, args=(1, o))", "return o.sum()"),
    ],
)
def test_what_is_to_be_filled(made: str, fills: str, started: str, reads: str) -> None:
    body = (
        f"import numpy as np\ndef g(n, o):\n    {fills}\ndef main():\n    o = {made}\n    p = {started}\n    {reads}\n"
    )
    assert codes(body + GUARD) == ["LP221"]


@pytest.mark.parametrize(
    ("made", "fills", "started", "reads"),
    [
        pytest.param("[]", "o.append(n)", "mp.Process(target=g, args=(1, o))", "pass", id="never read"),
        pytest.param("[1]", "o.append(n)", "mp.Process(target=g, args=(1, o))", "return o", id="not empty"),
        pytest.param("[]", "print(o)", "mp.Process(target=g, args=(1, o))", "return o", id="only read"),
        pytest.param("[]", "o = [n]\n    o.append(n)", "mp.Process(target=g, args=(1, o))", "return o", id="its own"),
        pytest.param("[]", "o.append(n)\n    return o", "mp.Pool(2).apply(g, (1, o))", "return o", id="given back"),
        pytest.param("mp.Manager().list()", "o.append(n)", "mp.Process(target=g, args=(1, o))", "return o", id="list"),
        pytest.param("mp.Array('d', 3)", "o[n] = 1", "mp.Process(target=g, args=(1, o))", "return o[0]", id="shared"),
        pytest.param("[]", "o.append(n)", "ThreadPoolExecutor(2).submit(g, 1, o)", "return o", id="threads"),
    ],
)
def test_nothing_is_lost(made: str, fills: str, started: str, reads: str) -> None:
    body = f"def g(n, o):\n    {fills}\ndef main():\n    o = {made}\n    p = {started}\n    {reads}\n"
    assert codes(body + GUARD) == []
