"""What the archive decides by itself, with no input and no output."""
