"""Mutation tests of the judge: it is changed a little at a time, and the fast tests have to notice each change."""
