"""Days as a property counts them, whichever service asks.

gaming_day      when a gaming day begins, and to which one a moment belongs
business_days   days on which offices of the State are open, and deadlines that count them
settings        where the property is, as every service that dates something is told it
"""
