"""Commands for the alert desk: alerts, cases, exclusions, settings, webhooks."""
