"""The tests, a package for each of services/ and for what binds them together."""
