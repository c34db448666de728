"""Methods by which code changes a container."""

from __future__ import annotations

ADDING = "add|append|appendleft|clear|discard|extend|insert|remove|setdefault|sort|update"
"""Methods that change a container, as a pattern. Whatever becomes of their result, they change the container first."""
TAKING = frozenset({"pop", "popitem", "popleft"})
"""Methods that take out what comes next, and give that."""
CHANGING = TAKING | frozenset(ADDING.split("|"))
"""All these methods."""
FILLABLE = frozenset({"list", "dict", "set", "defaultdict", "OrderedDict", "Counter", "deque"})
"""The kinds of containers to which code adds."""
