"""Identity: certificates name a machine, tokens name a person.

Every gRPC link is mutual TLS. A certificate of our authority carries one URI, such as
`spiffe://pitledger/service/settlement`; the holder of its key can act under that name and under
no other. A person's rights travel beside it as a signed, short-lived token.

    errors        errors of names, keys and tokens
    names         the URI and its parts
    files         keys and certificates on disk, readable by the owner only
    authority     the local authority, made at first start
    credentials   a service's own key and certificate, renewed before they expire
    tokens        the rights of a person, signed
"""
