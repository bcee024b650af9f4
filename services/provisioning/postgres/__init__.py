"""Schemas and roles."""
