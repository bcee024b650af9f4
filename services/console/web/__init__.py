"""Server, pages and templates.

app              the application: routes, middleware
assets           static files, compressed once, under content addresses
audit            changes of a user, logged before they are made
cookies          session, form and theme cookies
display          values as people read them
error_pages      error responses, with what to do next
errors           errors of pages
event_stream     a feed as server-sent events
form_fields      parsing of form fields
guard            authentication, access rights, origin of forms
headers          security headers
idempotency      a form sent twice acts once
page             rendering of a page with its frame
pages            one module a page
server           the HTTP server as a part of the process
services         everything a page needs: clients, users, templates
static           style, scripts, fonts
template_engine  Jinja environment: escaping, filters
templates        Jinja templates
terms_form       the form of promotion terms
"""
