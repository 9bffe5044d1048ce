-- How a person wants Slovo to be. Without a row the defaults of slovo-rules hold. `settings` is
-- the JSON of the transcription settings that a new job begins with.

CREATE TABLE preferences (
    user_id            TEXT   NOT NULL CONSTRAINT preferences_pkey PRIMARY KEY
                              CONSTRAINT preferences_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    locale             TEXT   NOT NULL,
    theme              TEXT   NOT NULL,
    mail_on_completion BIGINT NOT NULL,
    settings           TEXT   NOT NULL,
    updated_at         BIGINT NOT NULL
);
