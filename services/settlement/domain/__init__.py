"""What settlement decides, without a broker, bytes or a clock."""
