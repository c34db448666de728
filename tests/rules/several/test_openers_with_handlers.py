"""LP110 of what an opener of URLs is made of."""

from __future__ import annotations

import pytest

from tests.support import lint

TEXT = """
import http.cookiejar
import multiprocessing
import urllib.request


class Session:
    def __init__(self):
        handlers = {handlers}
        self.opener = urllib.request.build_opener({given})

    def run(self):
        return self.opener.open("http://localhost")


def main():
    session = Session()
    process = multiprocessing.Process(target=session.run)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


def _errors(handlers: str, given: str) -> list[str]:
    found = lint(TEXT.format(handlers=handlers, given=given)).diagnostics
    return [str(each.message) for each in found if "from Python 3.12 on" not in each.message]


@pytest.mark.parametrize(
    ("handlers", "given"),
    [
        ("[urllib.request.HTTPCookieProcessor()]", "*handlers"),
        ("[urllib.request.HTTPCookieProcessor(http.cookiejar.LWPCookieJar('jar'))]", "*handlers"),
        ("urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())", "handlers"),
        ("[]\n        handlers.append(urllib.request.HTTPCookieProcessor())", "*handlers"),
    ],
)
def test_cookies_fail_under_every_python(handlers: str, given: str) -> None:
    assert any("RLock" in each for each in _errors(handlers, given))


@pytest.mark.parametrize(
    ("handlers", "given"),
    [("[]", "*handlers"), ("[urllib.request.ProxyHandler({})]", "*handlers"), ("urllib.request.ProxyHandler()", "")],
)
def test_other_handlers_do_not(handlers: str, given: str) -> None:
    assert _errors(handlers, given) == []
