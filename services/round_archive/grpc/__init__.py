"""The gRPC service: access, queries, replay, live stream.

access            rights per RPC
dead_letters      rejected messages
errors            errors and their status codes
finding_queries   findings
masking           hides what would reveal a hole card
replay            a round from the index, its events from the log
round_queries     rounds
round_stream      live rounds and findings, straight from the topics
service           the servicer
status            state of the log, of settlement and of the index
"""
