"""Commands for the local stack: up, status, simulate, enroll."""
