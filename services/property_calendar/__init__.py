"""Gaming days and business days of a property, shared by all services.

gaming_day      when a gaming day begins, and to which one a moment belongs
business_days   days on which offices of the State are open, and deadlines that count them
settings        time zone and roll-over of the property
"""
