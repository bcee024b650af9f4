"""Alert webhooks: payload, delivery queue, HTTP sender."""
