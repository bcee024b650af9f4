"""Calls to the services on behalf of the signed-in user.

alert_feeds      alerts as rows, and their live feeds
clients          channels and tokens
floor            the live floor, one card a table
lag              lag of consumers
property_status  name, time zone and gaming day of the property
shared_feed      one watch of a service, shared by all open pages
"""
