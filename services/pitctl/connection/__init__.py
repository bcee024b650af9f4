"""Addresses, identity and errors of a call to a service; options that all commands share."""
