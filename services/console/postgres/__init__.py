"""Users, sessions and their audit log."""
