"""Which names code can reach, as far as this was looked up. The results are kept for all modules of a run."""

from __future__ import annotations

from msgspec import Struct, field

from lintpickle.program.cross_module import merged_sets


class Ends(Struct):
    """The blocks for which it is known whether they lead to the goal: by the path of their module and their offset."""

    leading: dict[str, set[int]] = field(default_factory=dict)
    others: dict[str, set[int]] = field(default_factory=dict)


class ReachedNames(Struct):
    """Results for a program: by all words in texts, and by the names that code reads."""

    by_text: Ends = field(default_factory=Ends)
    by_tree: Ends = field(default_factory=Ends)

    def learn(self, more: ReachedNames) -> None:
        """Add the results of another process."""
        for known, new in ((self.by_text, more.by_text), (self.by_tree, more.by_tree)):
            known.leading = merged_sets(known.leading, new.leading)
            known.others = merged_sets(known.others, new.others)
