-- Mails that tell administrators that something waits for them: a message of the contact form or a
-- wish for another plan. One row for each administrator, removed when its mail was sent.
CREATE TABLE admin_notices (
    id         TEXT   NOT NULL CONSTRAINT admin_notices_pkey PRIMARY KEY,
    about      TEXT   NOT NULL
                      CONSTRAINT admin_notices_about_check CHECK (about IN ('contact_message', 'plan_request')),
    target_id  TEXT   NOT NULL,
    account_id TEXT   NOT NULL
                      CONSTRAINT admin_notices_account_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    tries      BIGINT NOT NULL,
    run_after  BIGINT NOT NULL
);
CREATE INDEX admin_notices_run_after_idx ON admin_notices (run_after, id);
CREATE INDEX admin_notices_account_id_idx ON admin_notices (account_id);
