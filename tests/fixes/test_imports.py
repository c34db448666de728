from __future__ import annotations

import ast

import pytest

from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.imports import import_edit


def added(text: str, module: str, name: str | None = None, before: str | None = None) -> tuple[str, str]:
    """The text with the import, and the expression for the name."""
    found = import_edit(text, module, name, before=None if before is None else text.index(before))
    assert found is not None
    edit, expression = found
    return apply_edits(text, [edit] if edit else []), expression


@pytest.mark.parametrize(
    ("text", "module", "name", "expression"),
    [
        ("from functools import partial\n", "functools", "partial", "partial"),
        ("from functools import wraps, partial as p\n", "functools", "partial", "p"),
        ("import functools\n", "functools", "partial", "functools.partial"),
        ("import functools as ft\n", "functools", "partial", "ft.partial"),
        ("import torch.nn.functional as F\n", "torch.nn.functional", "relu", "F.relu"),
        ("import torch.nn.functional as F\n", "torch.nn.functional", None, "F"),
        ("from torch.nn import functional as F\n", "torch.nn.functional", None, "F"),
        ("from torch.nn import functional\n", "torch.nn.functional", "relu", "functional.relu"),
        ("import torch.nn.functional\n", "torch.nn.functional", None, "torch.nn.functional"),
        ("import os.path\nimport os\n", "os", "sep", "os.sep"),
        ("import functools\nfrom functools import partial\n", "functools", "partial", "partial"),
        ("import functools\ndef f():\n    import functools\n", "functools", None, "functools"),
        ("x = 1; import functools\n", "functools", None, "functools"),
    ],
)
def test_an_import_that_is_there_is_used(text: str, module: str, name: str | None, expression: str) -> None:
    assert import_edit(text, module, name) == (None, expression)


@pytest.mark.parametrize(
    "text",
    [
        "if x:\n    import functools\n",
        "try:\n    import functools\nexcept ImportError:\n    functools = None\n",
        "def f():\n    import functools\n",
        "import functools\nfunctools = None\n",
        "import functools\ndel functools\n",
        "import functools\nimport mine as functools\n",
        "import functools\ndef f(functools):\n    return functools\n",
        "import functools\ndef f():\n    global functools\n    functools = 1\n",
        "from mine import functools\n",
        "from . import functools\n",
        "class A:\n    import functools\n",
    ],
)
def test_an_import_that_cannot_be_relied_on_is_not_used(text: str) -> None:
    found = import_edit(text, "functools", None)
    assert found is not None
    assert found[0] is not None


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", "import operator\n"),
        ("x = 1\n", "import operator\n\nx = 1\n"),
        ("def f(): pass\n", "import operator\n\n\ndef f(): pass\n"),
        ("@a\n@b\nclass C: pass\n", "import operator\n\n\n@a\n@b\nclass C: pass\n"),
        ("x = 1\n# about C\n@a\nclass C: pass\n", "import operator\n\nx = 1\n# about C\n@a\nclass C: pass\n"),
        ("import os\nx = 1\n", "import os\nimport operator\nx = 1\n"),
        ("import os", "import os\nimport operator"),
        ("import os  # noqa\n\nx = 1\n", "import os  # noqa\nimport operator\n\nx = 1\n"),
        ("import os; x = [\n1]\ny = 2\n", "import os; x = [\n1]\nimport operator\ny = 2\n"),
        (
            "from os import (\n    path,\n)\nx = 1\n",
            "from os import (\n    path,\n)\nimport operator\nx = 1\n",
        ),
        ("import os\\\n.path\nx = 1\n", "import os\\\n.path\nimport operator\nx = 1\n"),
        ('"""Doc."""\n', '"""Doc."""\n\nimport operator\n'),
        ('"""Doc."""', '"""Doc."""\n\nimport operator'),
        ('"""Doc."""\nx = 1\n', '"""Doc."""\n\nimport operator\n\nx = 1\n'),
        ('"""Doc."""\n\n\nclass A: ...\n', '"""Doc."""\n\nimport operator\n\n\nclass A: ...\n'),
        (
            '"""Doc\n\n"""\nfrom __future__ import division\n\nimport os\n\nimport sys\n\nx = 1\n',
            '"""Doc\n\n"""\nfrom __future__ import division\n\nimport os\n\nimport sys\nimport operator\n\nx = 1\n',
        ),
        (
            "from __future__ import annotations\nx = 1\n",
            "from __future__ import annotations\n\nimport operator\n\nx = 1\n",
        ),
        (
            "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx = 1\n",
            "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\nimport operator\n\nx = 1\n",
        ),
        ("\n# coding: latin-1\nx = 1\n", "\n# coding: latin-1\n\nimport operator\n\nx = 1\n"),
        ("# Licence\n\n# about x\nx = 1\n", "# Licence\n\nimport operator\n\n# about x\nx = 1\n"),
        (
            "import os\nif TYPE_CHECKING:\n    import sys\nimport re\n",
            "import os\nimport operator\nif TYPE_CHECKING:\n    import sys\nimport re\n",
        ),
        (
            "try:\n    import a\nexcept ImportError:\n    a = None\nimport re\n",
            "try:\n    import a\nexcept ImportError:\n    a = None\nimport re\nimport operator\n",
        ),
        (
            "def f(): pass\n\nimport late\n",
            "import operator\n\n\ndef f(): pass\n\nimport late\n",
        ),
        ("import os\r\n\r\nx = 1\r\n", "import os\r\nimport operator\r\n\r\nx = 1\r\n"),
        ('"""Doc."""\r\nx = 1\r\n', '"""Doc."""\r\n\r\nimport operator\r\n\r\nx = 1\r\n'),
        ("import os\n\fx = 'é😋'\n", "import os\nimport operator\n\fx = 'é😋'\n"),
    ],
)
def test_where_a_new_import_goes(text: str, result: str) -> None:
    assert added(text, "operator") == (result, "operator")


def test_the_import_comes_before_the_code_that_needs_it() -> None:
    text = "import os\nx = USE\nfrom functools import partial\n"
    assert added(text, "functools", "partial", before="USE") == (
        "import os\nfrom functools import partial\nx = USE\nfrom functools import partial\n",
        "partial",
    )
    text = "import os; x = USE\n"
    assert added(text, "re", None, before="USE")[0] == "import re\n\nimport os; x = USE\n"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("from functools import wraps\n", "from functools import wraps, partial\n"),
        ("from functools import wraps as w\nx = 1\n", "from functools import wraps as w, partial\nx = 1\n"),
        (
            "from functools import wraps  # why\n",
            "from functools import wraps  # why\nfrom functools import partial\n",
        ),
        ("from functools import (wraps)\n", "from functools import (wraps)\nfrom functools import partial\n"),
        (
            "from functools import wraps; x = 1\n",
            "from functools import wraps; x = 1\nfrom functools import partial\n",
        ),
        (
            "from functools import \\\n  wraps\n",
            "from functools import \\\n  wraps\nfrom functools import partial\n",
        ),
        ("from .functools import wraps\n", "from .functools import wraps\nfrom functools import partial\n"),
        (
            f"from functools import {'w' * 60}\n",
            f"from functools import {'w' * 60}\nfrom functools import partial\n",
        ),
        (
            "def f():\n    from functools import wraps\n",
            "from functools import partial\n\n\ndef f():\n    from functools import wraps\n",
        ),
    ],
)
def test_a_simple_import_line_is_extended(text: str, result: str) -> None:
    assert added(text, "functools", "partial") == (result, "partial")


def test_a_star_import_is_not_extended() -> None:
    text, expression = added("from functools import *\n", "functools", "partial")
    assert text == "from functools import *\nfrom functools import partial\n"
    assert expression == "partial"


@pytest.mark.parametrize(
    ("text", "statement", "expression"),
    [
        ("partial = 1\n", "import functools", "functools.partial"),
        ("def f(partial): pass\n", "import functools", "functools.partial"),
        ("print(partial)\n", "import functools", "functools.partial"),
        ("partial = functools = 1\n", "from functools import partial as _partial", "_partial"),
        ("partial = functools = _partial = 1\n", "from functools import partial as _partial_2", "_partial_2"),
    ],
)
def test_a_name_that_is_taken_is_avoided(text: str, statement: str, expression: str) -> None:
    result, found = added(text, "functools", "partial")
    assert found == expression
    assert result.startswith(f"{statement}\n")
    assert result.endswith(f"\n{text}")


def test_a_builtin_is_not_replaced() -> None:
    assert added("import torch\ntorch = 1\n", "torch", "max")[1] == "_max"
    assert added("x = max(1, 2)\n", "torch", "max")[1] == "torch.max"


def test_packages_of_one_top_do_not_clash() -> None:
    text, expression = added("import torch\n", "torch.nn", None)
    assert (text, expression) == ("import torch\nimport torch.nn\n", "torch.nn")


def test_a_name_imported_for_type_checking_is_imported_for_real() -> None:
    text = "if TYPE_CHECKING:\n    from functools import partial\n"
    assert added(text, "functools", "partial")[1] == "partial"


def test_the_same_import_is_the_same_edit() -> None:
    text = "import os\n\n\ndef f():\n    A\n\n\ndef g():\n    B\n"
    edits = [import_edit(text, "functools", "partial", before=text.index(each)) for each in "AB"]
    assert edits[0] == edits[1]


def test_a_text_that_does_not_parse_gives_none() -> None:
    assert import_edit("print 'x'\n", "functools", None) is None
    assert import_edit("x = '\0'\n", "functools", None) is None


def test_the_result_runs() -> None:
    text = '"""Doc."""\nfrom __future__ import annotations\nadd = 1\n\n\ndef f(a, b):\n    return ADD(a, b)\n'
    result, expression = added(text, "operator", "add")
    scope: dict[str, object] = {}
    exec(compile(result.replace("ADD", expression), "m", "exec"), scope)
    function = scope["f"]
    assert callable(function)
    assert function(1, 2) == 3
    assert ast.get_docstring(ast.parse(result)) == "Doc."
