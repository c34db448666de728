"""Functions that call each other and take apart what they get do not make trails grow without end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from email import _header_value_parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CHANNEL = """\
from parser import get_addr_spec, get_angle_addr


class Channel:
    def mail(self, argument):
        address, parameters = self.address(argument)
        self.options = parameters.upper().split()

    def address(self, argument):
        if argument.startswith("<"):
            address, rest = get_angle_addr(argument)
        else:
            address, rest = get_addr_spec(argument)
        return address.addr_spec, rest
"""
LIMITED = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from lintpickle.cli import main
sys.argv = ["lintpickle", "check", "--isolated", "--no-cache", "--pedantic", "--jobs", "1", "."]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be limited there")
def test_a_parser_of_the_standard_library(tmp_path: Path) -> None:
    shutil.copyfile(_header_value_parser.__file__, tmp_path / "parser.py")
    (tmp_path / "channel.py").write_text(CHANNEL)
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{LIMITED}"
    ran = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
