"""Decisions about a table's events; pure."""
