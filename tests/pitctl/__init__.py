"""Tests of the command, as one types it."""
