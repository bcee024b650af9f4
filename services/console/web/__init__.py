"""Server, pages and templates.

app            the application: routes, middleware
assets         static files, compressed once, under content addresses
audit          what a user changes, logged before it is done
cookies        session and form cookies
display        values as people read them
error_pages    what went wrong, and what to do
errors         errors of pages
event_stream   a feed as server-sent events
form_fields    what people type into fields
guard          who asks, whether they may, whether a form is theirs
headers        security headers
idempotency    a form sent twice acts once
page           what every page shows
pages          one module a page
rendering      templates
server         the HTTP server as a part of the process
services       what every page has at hand
static         style, scripts, fonts
templates      Jinja templates
terms_form     promotion terms as typed
"""
