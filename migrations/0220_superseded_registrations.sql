-- Sign-ups that another one took the place of: the address was confirmed by it, or the sign-up went
-- on in another browser. Only the hash of the token is kept, until the sign-up would have run out, so
-- that the browser which still holds the token is told what happened and not that it is too late.
CREATE TABLE superseded_registrations (
    token_hash    TEXT   NOT NULL CONSTRAINT superseded_registrations_pkey PRIMARY KEY,
    superseded_at BIGINT NOT NULL
);
CREATE INDEX superseded_registrations_at_idx ON superseded_registrations (superseded_at);
