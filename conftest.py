"""Loads the plugin, for the drivers and the selftests alike."""

pytest_plugins = ["animal_conformance.session.plugin"]
