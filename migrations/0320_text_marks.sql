-- Bookmarks and highlights that the owner of a transcript leaves in it, with notes. The page gives
-- the id, so that a request that is sent again marks nothing twice. A mark is found in the text by
-- its words: they outlive edits of their line, its parting and joining, and another run.
CREATE TABLE text_marks (
    my_job_id TEXT NOT NULL CONSTRAINT text_marks_my_job_id_fkey
        REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    -- bookmark, highlight
    kind TEXT NOT NULL,
    -- yellow, green, blue, pink
    colour TEXT NOT NULL,
    -- The line as it was: its run, its name in edits, the characters before the words, the words.
    version BIGINT NOT NULL,
    segment TEXT NOT NULL,
    characters_before BIGINT NOT NULL,
    quote TEXT NOT NULL,
    start_seconds DOUBLE PRECISION NOT NULL,
    end_seconds DOUBLE PRECISION NOT NULL,
    note TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    CONSTRAINT text_marks_pkey PRIMARY KEY (my_job_id, id)
);
