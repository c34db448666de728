"""What lintpickle uses of libcst although it is private: a release of libcst that changes it fails here first, and says
what is gone. Where nodes stand must be what libcst's own metadata says."""

from __future__ import annotations

import inspect

import libcst as cst
import pytest
from libcst._nodes.internal import CodegenState
from libcst.metadata import CodePosition, MetadataWrapper, PositionProvider

from lintpickle.parsing.parsed_blocks import read_block
from tests.programs import FIXTURES

SOURCES = sorted((FIXTURES / "value_flow").rglob("*.py")) + sorted((FIXTURES / "decorated").rglob("*.py"))
SHAPES = """\
@decorated
class A(B, metaclass=M):
    x: int = (1 + 2)

    async def f(self, *a, k=1, **kw):
        async with self.lock as (b, c), d:
            yield [i async for i in a if i]
        return f"{self.x!r:>{k}}" "b" if a else (lambda: None)


try:
    del x[1:2, ...], y.z
except (E, F) as error:
    raise E() from error
else:
    while not (n := f(*a, **b)): pass
"""


def test_a_codegen_state_takes_and_has_what_we_use() -> None:
    state = CodegenState("    ", "\n")
    assert state.tokens == []
    parameters = list(inspect.signature(state.record_syntactic_position).parameters)
    assert parameters == ["node", "start_node", "end_node"]
    with state.record_syntactic_position(cst.Name("a")):
        state.add_token("a")
    assert state.tokens == ["a"]


def test_nodes_write_themselves_into_a_state() -> None:
    tree = cst.parse_module("x = (1, 2)\n")
    state = CodegenState(tree.default_indent, tree.default_newline)
    tree._codegen(state)
    assert "".join(state.tokens) == tree.code
    assert all(hasattr(node, "_codegen_impl") for node in (cst.Name, cst.Call, cst.SimpleStatementLine))
    assert hasattr(cst.BaseExpression, "_parenthesize")


@pytest.mark.parametrize("source", [SHAPES, *(path.read_text(encoding="utf-8") for path in SOURCES)])
def test_nodes_stand_where_libcst_says(source: str) -> None:
    block = read_block(source, 0)
    assert block is not None
    assert block.exact
    said = MetadataWrapper(block.tree, unsafe_skip_copy=True).resolve(PositionProvider)
    rows = [0]
    for line in source.splitlines(keepends=True):
        rows.append(rows[-1] + len(line))

    def offset(position: CodePosition) -> int:
        return rows[position.line - 1] + position.column

    compared = 0
    for node, places in said.items():
        span = block.spans.get(node)
        if isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            assert span is not None
            assert (span.start, span.end) == (offset(places.start), offset(places.end)), node
            compared += 1
    assert compared > 20
