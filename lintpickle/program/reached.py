"""The names that code may reach, as far as they were looked up: kept for the modules of a run."""

from __future__ import annotations

from msgspec import Struct, field

from lintpickle.program.cross_module import merged_sets


class Ends(Struct):
    """The blocks of which it is known whether they lead to the goal: for each path of a module, by their offsets."""

    leading: dict[str, set[int]] = field(default_factory=dict)
    others: dict[str, set[int]] = field(default_factory=dict)


class ReachedNames(Struct):
    """What has been found out of a program: by all words in texts, and by names that are read."""

    by_text: Ends = field(default_factory=Ends)
    by_tree: Ends = field(default_factory=Ends)

    def learn(self, more: ReachedNames) -> None:
        """Take over what was found out in another process."""
        for known, new in ((self.by_text, more.by_text), (self.by_tree, more.by_tree)):
            known.leading = merged_sets(known.leading, new.leading)
            known.others = merged_sets(known.others, new.others)
