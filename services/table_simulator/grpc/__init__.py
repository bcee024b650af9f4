"""The simulated floor as clients of the gateway and of accounting."""
