"""What is typed in the surveillance room: alerts, cases, exclusions, settings, webhooks."""
