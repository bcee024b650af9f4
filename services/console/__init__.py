"""The web pages. Every call to a service carries a signed token of the signed-in user.

config     settings
grpc       calls to the services, shared live feeds
postgres   users, sessions, audit log
users      users and roles: passwords, sign-in, administration
web        server, pages, templates, display of values
"""
