"""The probe against what pickle says, on live objects of public packages."""
