"""Loads the plugin, for the clauses, the drivers and the selftests alike."""

import pytest

try:
    import animal_conformance.api  # noqa: F401 - what the plugin needs, for a sentence instead of a traceback
except ModuleNotFoundError as error:
    pytest.exit(f"{error.name} is not installed: `pip install -e .` installs what this needs.", returncode=4)

pytest_plugins = ["animal_conformance.session.plugin"]
