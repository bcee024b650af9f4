"""Who may come in and as what: passwords, roles, sessions, and a record of every change."""
