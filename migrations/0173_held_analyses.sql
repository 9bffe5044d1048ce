-- A part that nothing on the server does yet is held: it waits for no worker, and its owner makes it
-- run once something does it. The owner stands in the row only while it is held, so that an index
-- of those few answers what a user has waiting; a job holds a part once in each language.
ALTER TABLE analyses ADD COLUMN held_for TEXT;
CREATE INDEX analyses_held_by_user ON analyses (held_for, part, my_job_id) WHERE held_for IS NOT NULL;
CREATE UNIQUE INDEX analyses_held ON analyses (my_job_id, version, part, target)
    WHERE held_for IS NOT NULL;
