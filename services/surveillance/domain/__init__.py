"""What surveillance decides, without a broker, bytes or a clock.

sorting     a fact to whom it is about: a table, a patron, a dealer, a coupon, the floor
sightings   what is kept of a fact on its way there
watching    one more sighting of a subject: its new state, and the alerts that changed
detector    what a detector is: a fold with a verdict
registry    all of them
detectors   one a file
statistics  e-processes of results, bets, decisions and payments
"""
