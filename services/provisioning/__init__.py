"""Topics, database roles and certificates, created before a service starts.

Each is a command that ends, that may be run again at any time, and that leaves everything alone
that is right: `python -m provisioning topics`. Services do not do this themselves, because the
right to create a role or to sign a certificate is the right to do anything.
"""
