"""Users and roles.

administration   add, change roles, reset password, lock
errors           what can be wrong
passwords        argon2id hashes
roles            roles and rights; duties stay apart
sign_in          sign in and out, sessions, the first administrator
user             a user, and a signed-in user
"""
