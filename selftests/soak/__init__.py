"""Tests of the verdict under load: pure ones of what is judged and remembered, and a few of the command."""
