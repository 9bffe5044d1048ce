-- What was asked about a transcript and what was answered, in order of `place`. `moments` are the
-- places in the recording that an answer rests on, as JSON; `incomplete` is 1 for an answer that
-- was broken off.
CREATE TABLE assistant_messages (
    id TEXT NOT NULL CONSTRAINT assistant_messages_pkey PRIMARY KEY,
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    moments TEXT NOT NULL,
    engine TEXT,
    incomplete BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX assistant_messages_by_job ON assistant_messages (my_job_id, place);
