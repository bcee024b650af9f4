"""Who speaks: certificates name a machine, tokens name a person.

Every gRPC link is mutual TLS. A certificate of our authority carries one URI, such as
`spiffe://pitledger/service/settlement`; whoever holds its key can speak for that name and for
no other. A person's rights travel beside it as a signed, short-lived token.

    errors        what is refused, and how it is said
    names         the URI and its parts
    files         keys and certificates on disk, for nobody else to read
    authority     the local authority, made at first start
    credentials   a service's own key and certificate, renewed before they expire
    tokens        the rights of a person, signed
"""
