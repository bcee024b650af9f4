"""Alerts and settings from their topics into the tables."""
