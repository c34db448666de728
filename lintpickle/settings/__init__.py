"""What a user can set, where it is read from, and how it is checked.

`Settings` is the record that every layer reads; `SettingsResolver` finds the settings that hold for a file.
"""

from __future__ import annotations

from lintpickle.settings.model import Option, Origin, Selectors, Settings, options
from lintpickle.settings.resolver import SettingsResolver, load_settings

__all__ = ["Option", "Origin", "Selectors", "Settings", "SettingsResolver", "load_settings", "options"]
