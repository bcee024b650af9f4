"""Topics, and which stores have read them."""
