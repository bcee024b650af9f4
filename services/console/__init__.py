"""The pages in a browser: hands, floor, day, games and people, for whoever may see them.

It holds no rule of the trade: pages ask settlement and accounting over gRPC, each call with a
signed token of the person in front of the screen, and those services judge it again. Its own
schema has people, their roles, their sessions, and a record of every change.

    web/       the server: requests, forgery, headers, templates, assets
    people/    who they are and what they may: passwords, sessions, roles
    asking.py  the services behind, asked for a person
    shown/     values as they are read: money, times, cards, the felt
    pages/     a module a page: its route and what stands on it
"""
