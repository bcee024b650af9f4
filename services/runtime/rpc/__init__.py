"""gRPC: one server a service, and channels to the others.

errors      what a caller is told: refusals, and which status a domain error has
calls       what a servicer may ask about the call it answers
around      something that happens around every call, as an interceptor
observing   trace, log line and metrics of every call
access      who may call what; what is not named is refused
paging      where the next page begins, bound to its question
texts       texts of a request that no row can hold
server      the server with TLS, reflection and graceful stop
client      channels with TLS, deadlines, retries, trace
"""
