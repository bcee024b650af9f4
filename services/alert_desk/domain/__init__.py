"""Decisions of the alert desk; pure."""
