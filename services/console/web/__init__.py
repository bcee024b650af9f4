"""The server: requests, cookies, forgery, headers, templates, assets."""
