"""Users and roles.

administration   add users, change roles, reset passwords, lock
errors           errors of sign-in and administration
passwords        argon2id hashes
roles            roles and rights; duties stay apart
sign_in          sign in and out, sessions, the first administrator
user             a user, and a signed-in user
"""
