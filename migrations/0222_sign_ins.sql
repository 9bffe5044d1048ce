-- Who has signed in, who has tried to, from where and by what. Kept for 90 days. Failures of one
-- network in one minute that have one cause are one row, whose `bucket` they share: so guessing makes
-- no more rows than that, however quick it is.
CREATE TABLE sign_ins (
    id         TEXT   NOT NULL CONSTRAINT sign_ins_pkey PRIMARY KEY,
    account_id TEXT,
    -- Normalised; empty where it is not known, or was another one each time.
    email      TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    user_agent TEXT   NOT NULL,
    method     TEXT   NOT NULL,
    outcome    TEXT   NOT NULL,
    times      BIGINT NOT NULL,
    bucket     TEXT   CONSTRAINT sign_ins_bucket_key UNIQUE,
    created_at BIGINT NOT NULL,
    last_at    BIGINT NOT NULL
);
CREATE INDEX sign_ins_created_at_idx ON sign_ins (created_at, id);
CREATE INDEX sign_ins_account_id_idx ON sign_ins (account_id);
CREATE INDEX sign_ins_email_idx ON sign_ins (email);
