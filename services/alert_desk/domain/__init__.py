"""What is pure of the desk."""
