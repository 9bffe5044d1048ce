-- The minutes that people pay for, as a ledger: all figures are whole hundredths of a minute.
--
-- `synced_user_usage` is the balance of the present period: what was used (jobs that wait or run
-- included) and what administrators have added or taken. `synced_usage_history` has every change of
-- it, signed as a change of the minutes left, and is never changed itself. For every user
--     minutes_bonus - minutes_used_current_month = sum of change_amount_minutes
-- `job_minutes` has what each run of a job takes: `is_open` while it waits or runs.
CREATE TABLE synced_user_usage (
    user_id                    TEXT   NOT NULL CONSTRAINT synced_user_usage_pkey PRIMARY KEY
                                      CONSTRAINT synced_user_usage_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    minutes_used_current_month BIGINT NOT NULL,
    minutes_bonus              BIGINT NOT NULL,
    reset_date                 BIGINT NOT NULL,
    -- Entries of the history so far; the next one's number is one more.
    entries                    BIGINT NOT NULL,
    updated_at                 BIGINT NOT NULL
);

CREATE TABLE synced_usage_history (
    user_id               TEXT   NOT NULL
                                 CONSTRAINT synced_usage_history_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    entry                 BIGINT NOT NULL,
    change_type           TEXT   NOT NULL,
    change_amount_minutes BIGINT NOT NULL,
    -- The file's name, the administrator's reason, the plan's name.
    description           TEXT   NOT NULL,
    my_job_id             TEXT,
    created_at            BIGINT NOT NULL,
    CONSTRAINT synced_usage_history_pkey PRIMARY KEY (user_id, entry)
);
CREATE INDEX synced_usage_history_created_at ON synced_usage_history (user_id, created_at);

CREATE TABLE job_minutes (
    my_job_id TEXT   NOT NULL,
    version   BIGINT NOT NULL,
    user_id   TEXT   NOT NULL
                     CONSTRAINT job_minutes_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    minutes   BIGINT NOT NULL,
    is_open   BIGINT NOT NULL,
    CONSTRAINT job_minutes_pkey PRIMARY KEY (my_job_id, version)
);
CREATE INDEX job_minutes_open ON job_minutes (is_open, user_id);
