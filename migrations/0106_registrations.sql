-- Who has signed up and has not yet shown that the address is theirs.
--
-- No account is made before that: nobody else's address can be occupied, and of several who sign
-- up with one address each has a row, a password and a code of their own. `token_hash` is the
-- SHA-256 of 256 random bits that only the browser has which signed up; a code is of use with
-- that token only, so a code mailed for somebody else's attempt does not confirm that attempt's
-- password. Codes are short, therefore stored under a key that is not in the database (HMAC).

CREATE TABLE registrations (
    id              TEXT   NOT NULL CONSTRAINT registrations_pkey PRIMARY KEY,
    token_hash      TEXT   NOT NULL CONSTRAINT registrations_token_hash_key UNIQUE,
    email           TEXT   NOT NULL,
    password_hash   TEXT   NOT NULL,
    locale          TEXT   NOT NULL,
    -- Network address it came from: of several the owner's own is told apart by it.
    address         TEXT   NOT NULL,
    code_hash       TEXT   NOT NULL,
    code_sent_at    BIGINT NOT NULL,
    code_expires_at BIGINT NOT NULL,
    -- Wrong codes since the last one was sent.
    tries           BIGINT NOT NULL,
    -- Codes sent, the first one included.
    sends           BIGINT NOT NULL,
    created_at      BIGINT NOT NULL
);

CREATE INDEX registrations_email_idx ON registrations (email, created_at);
CREATE INDEX registrations_created_at_idx ON registrations (created_at);
