"""A floor in play, without input, output, clock or chance of its own.

Chance is an argument (`chance.Chance`): the same chance plays the same day.
"""
