"""Clients of services: addresses, identity, options, pages, watches."""
