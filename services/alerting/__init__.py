"""What surveillance says and what it goes by, as values: alerts, their kinds, settings.

Pure. Whoever raises an alert and whoever shows, decides or sends one meet here and on the wire.

alert        an alert with its evidence, its stable id and its revision
kinds        every kind of alert: how urgent it is, and what it means
thresholds   every number that a house may set, with its default and its bounds
settings     thresholds, levels and suppressions with validity in time; exclusions
office       what the promotions desk and the cage entered, and what was refused
"""
