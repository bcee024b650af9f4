"""What must be there before a service starts: topics, database roles, certificates.

Each is a command that ends, that may be run again at any time, and that changes nothing which
is as it should be: `python -m provisioning topics`. Services do not do this themselves, because
whoever may make a role or sign a certificate may do anything.
"""
