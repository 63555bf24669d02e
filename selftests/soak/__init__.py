"""Tests of the verdict under load: pure tests of what is judged and remembered, and a few of the command."""
