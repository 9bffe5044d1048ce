-- Accounts that have a plan on trial, and until when (Unix milliseconds). The row goes when the
-- trial ends, and when they are given a plan (or none) otherwise.
CREATE TABLE plan_trials (
    user_id TEXT   NOT NULL CONSTRAINT plan_trials_pkey PRIMARY KEY
                   CONSTRAINT plan_trials_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    ends_at BIGINT NOT NULL
);
CREATE INDEX plan_trials_ends_at ON plan_trials (ends_at, user_id);
