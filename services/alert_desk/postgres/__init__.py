"""Tables of the alert desk: migrations, audit log, filters."""
