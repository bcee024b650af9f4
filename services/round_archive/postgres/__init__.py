"""The index of rounds.

index_writer    a batch of rows and the positions after it
migrations      numbered SQL files
rebuild         empty the index and fill it again from the topics
round_filters   search conditions that indexes answer
"""
