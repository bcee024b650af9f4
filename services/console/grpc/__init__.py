"""Calls to the services, in the name of the signed-in user.

alert_feeds   alerts as rows, and the feeds that carry them
clients       channels and tokens
floor         the floor as it is now, one card a table
property_status  name, clock and gaming day of the property
lag           how far readers are behind
shared_feed   one watch of a service, shared by all open pages
"""
