"""What commands print: text, JSON, tables, hands, progress."""
