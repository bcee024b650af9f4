"""The index of rounds: migrations, writer, search filters."""
