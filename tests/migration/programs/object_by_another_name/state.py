"""The tenant for whom the program runs."""

from dataclasses import dataclass, field


@dataclass
class Tenant:
    name: str = "public"
    tags: list = field(default_factory=list)


CURRENT = Tenant()
