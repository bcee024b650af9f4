"""gRPC server and channels.

access        who may call what; deny by default
call_log      trace, log line and metrics of every call
calls         what a servicer may know about its call
client        channels with TLS, deadlines, retries
errors        status codes
interceptor   something around every call
links         channels to other services, renewed with our certificate
live_watch    RPCs that stream the messages of topics
page_tokens   where the next page begins
server        TLS, health, reflection, graceful stop
text_limits   lengths of text fields
"""
