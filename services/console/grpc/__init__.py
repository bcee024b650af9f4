"""Calls to the services, in the name of the signed-in user."""
