from __future__ import annotations

from lintpickle.rules._shared.products import ProductRule


class RuntimeObjectAttribute(ProductRule):
    """An object of the running program: a regex match, parser, context variable, mock, `os.environ`."""

    code = "LP119"
    name = "runtime-object-attribute"
    kinds = frozenset({"context-var", "joblib", "mapping", "mock", "parser", "regex-match"})
    noun = "runtime object"
    help = "keep plain data from it: the matched text, the parsed arguments, `dict(os.environ)`"
