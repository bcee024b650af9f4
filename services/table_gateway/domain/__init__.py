"""What is taken of a table's stream: pure decisions, one event at a time."""
