"""Output of commands: text, JSON, tables, hands, files, progress, exit statuses."""
