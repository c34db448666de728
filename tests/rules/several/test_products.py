"""Every object that the catalog knows is some rule's business."""

from __future__ import annotations

from collections import defaultdict

import pytest

from lintpickle.catalog.reading import builtin_rows
from lintpickle.rules import all_rules
from lintpickle.rules._shared.products import ProductRule

RULES = [rule for rule in all_rules() if issubclass(rule, ProductRule)]
OWNERS = defaultdict(list)
for each in RULES:
    for each_kind in each.kinds:
        OWNERS[each_kind].append(each.code)
PRODUCTS = [
    (row.table, path, row.values.get("kind", "view"))
    for row in builtin_rows()
    if row.table in ("product", "value", "method", "view") and not row.values.get("fine")
    for path in (row.paths("call" if row.table == "product" else "name") if row.table in ("product", "value") else [""])
]


@pytest.mark.parametrize("kind", sorted({kind for _, _, kind in PRODUCTS}))
def test_every_kind_of_the_catalog_belongs_to_exactly_one_rule(kind: str) -> None:
    assert len(OWNERS[kind]) == 1, f"{kind} is claimed by {OWNERS[kind]}"


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.words], ids=lambda rule: rule.code)
def test_the_words_of_a_rule_occur_in_what_it_is_about(rule: type[ProductRule]) -> None:
    """A rule with words is not run where none of them occurs."""
    missed = [
        path
        for table, path, kind in PRODUCTS
        if kind in rule.kinds and path and not any(word in f"{path}(" for word in rule.words)
    ]
    assert missed == []
