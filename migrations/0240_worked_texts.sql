-- On which of their texts people worked last, by when: one row for each, written when its owner
-- opens or edits it.
CREATE TABLE worked_texts (
    auth_user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    worked_at BIGINT NOT NULL,
    PRIMARY KEY (auth_user_id, my_job_id)
);
CREATE INDEX worked_texts_by_time ON worked_texts (auth_user_id, worked_at, my_job_id);
CREATE INDEX worked_texts_by_job ON worked_texts (my_job_id);
INSERT INTO worked_texts (auth_user_id, my_job_id, worked_at)
    SELECT j.auth_user_id, j.my_job_id, MAX(e.at)
    FROM transcript_edits e JOIN synced_jobs j ON j.my_job_id = e.my_job_id
    WHERE e.author_id = j.auth_user_id
    GROUP BY j.auth_user_id, j.my_job_id;

-- How many words of a text are unsure: counted when it is written, and kept with every edit. Null
-- is a text from before; it is counted when somebody first wants to know.
ALTER TABLE transcript_heads ADD COLUMN unsure BIGINT;
