"""Topics to alerts: filter, routing, detection, state, on Faust and on the exactly-once loop."""
