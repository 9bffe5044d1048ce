-- Mails about plans: that a trial ends soon, and what was decided about a request. Each is a row
-- before it is sent; `mail_after` is null once it is sent or given up.
CREATE TABLE plan_mails (
    id         TEXT   NOT NULL CONSTRAINT plan_mails_pkey PRIMARY KEY,
    user_id    TEXT   NOT NULL
                      CONSTRAINT plan_mails_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    kind       TEXT   NOT NULL
                      CONSTRAINT plan_mails_kind_check CHECK (kind IN ('trial_ending', 'approved', 'declined')),
    -- The plan's name when the mail was caused.
    plan_name  TEXT   NOT NULL,
    -- What the administrator says to the request; may be empty.
    answer     TEXT   NOT NULL,
    -- When the trial ends.
    ends_at    BIGINT,
    mail_after BIGINT,
    mail_tries BIGINT NOT NULL,
    mailed_at  BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX plan_mails_mail_after ON plan_mails (mail_after, id);
CREATE INDEX plan_mails_user_id ON plan_mails (user_id, kind);
