"""Settings: the options, reading them from configuration files, and checking their values.

`Settings` is the record that every layer reads; `SettingsResolver` finds the settings of a file.
"""

from __future__ import annotations

from lintpickle.settings.declared_options import Option, options
from lintpickle.settings.model import Origin, Selectors, Settings
from lintpickle.settings.resolver import SettingsResolver, load_settings

__all__ = ["Option", "Origin", "Selectors", "Settings", "SettingsResolver", "load_settings", "options"]
