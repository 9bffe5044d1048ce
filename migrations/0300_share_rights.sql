-- What a link lets its visitors do and what it asks of them; who opened it, coarsely; and what
-- visitors say to lines of the text.

-- A hash of argon2id; null: the link asks for no password. Its number grows with every change, and
-- what was granted under an earlier number grants nothing.
ALTER TABLE shares ADD COLUMN password_hash TEXT;
ALTER TABLE shares ADD COLUMN password_version BIGINT NOT NULL DEFAULT 0;
-- Whether visitors see how sure recognition was of each word.
ALTER TABLE shares ADD COLUMN with_confidence BIGINT NOT NULL DEFAULT 0;
-- read, comment
ALTER TABLE shares ADD COLUMN rights TEXT NOT NULL DEFAULT 'read';

-- The last openings of a link. A visit is a random number that the visitor's page was given; of the
-- browser only its family and the kind of device are kept, and of the network nothing.
CREATE TABLE share_openings (
    id TEXT NOT NULL CONSTRAINT share_openings_pkey PRIMARY KEY,
    share_id TEXT NOT NULL CONSTRAINT share_openings_share_id_fkey
        REFERENCES shares (id) ON DELETE CASCADE,
    visit TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    browser TEXT NOT NULL,
    device TEXT NOT NULL
);
CREATE INDEX share_openings_share_id_idx ON share_openings (share_id, opened_at);

-- What visitors said to lines, and what the owner answered. A comment outlives its link: what was
-- said stays until the owner deletes it.
CREATE TABLE share_comments (
    id TEXT NOT NULL CONSTRAINT share_comments_pkey PRIMARY KEY,
    my_job_id TEXT NOT NULL CONSTRAINT share_comments_my_job_id_fkey
        REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    share_id TEXT CONSTRAINT share_comments_share_id_fkey
        REFERENCES shares (id) ON DELETE SET NULL,
    -- The line: its run, its name in edits, its start, and how it read then.
    version BIGINT NOT NULL,
    segment TEXT NOT NULL,
    start_seconds DOUBLE PRECISION NOT NULL,
    line TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    answer TEXT,
    answered_at BIGINT
);
CREATE INDEX share_comments_my_job_id_idx ON share_comments (my_job_id, created_at);
CREATE INDEX share_comments_share_id_idx ON share_comments (share_id, created_at);
