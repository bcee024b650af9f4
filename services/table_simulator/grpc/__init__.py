"""The floor as clients of the gateway and of accounting.

controller       one table's controller
floor_sender     a floor of controllers
office_entries   what the cage and the promotions desk enter
"""
