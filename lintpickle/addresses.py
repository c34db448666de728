"""Where lintpickle lives: its site, its repository, and what messages, packages and pages link to.

`pyproject.toml`, `mkdocs.yml` and the VS Code extension repeat these addresses, because their formats know no
constants; `tests/test_addresses.py` compares them.
"""

from __future__ import annotations

SITE = "https://lintpickle.dev"
"""The documentation, without a slash at the end."""
REPOSITORY = "https://github.com/lintpickle/lintpickle"
ISSUES = f"{REPOSITORY}/issues"
CHANGELOG = f"{SITE}/changelog/"
SETTINGS_SCHEMA = f"{SITE}/lintpickle.schema.json"
CATALOG_SCHEMA = f"{SITE}/lintpickle-catalog.schema.json"
