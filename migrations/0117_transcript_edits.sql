-- The journal of edits. `transcript_heads` has a row for every text: its last edit, and the lock
-- that makes edits of one text follow each other.
CREATE TABLE transcript_heads (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (my_job_id, version)
);
INSERT INTO transcript_heads (my_job_id, version, seq)
    SELECT my_job_id, version, 0 FROM synced_output;

-- Everybody who speaks in a text, in order of `place`. Whoever was merged into somebody else
-- stays, so that it can be undone.
CREATE TABLE transcript_speakers (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    speaker TEXT NOT NULL,
    place BIGINT NOT NULL,
    name TEXT,
    merged_into TEXT,
    PRIMARY KEY (my_job_id, version, speaker)
);
INSERT INTO transcript_speakers (my_job_id, version, speaker, place)
    SELECT s.my_job_id, s.version, s.speaker, MIN(s.segment_index)
    FROM synced_segments s
    JOIN synced_output o ON o.my_job_id = s.my_job_id AND o.version = s.version
    WHERE s.speaker IS NOT NULL
    GROUP BY s.my_job_id, s.version, s.speaker;

-- One row per edit, never removed: what each segment and speaker was before and became, as JSON.
-- `standing` is 0 for an edit that stands, 1 for one that was undone, 2 for one that can be done
-- again no more because something else was done since; null for undo and redo themselves, whose
-- `target` is the edit that they concern.
CREATE TABLE transcript_edits (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    edit_id TEXT NOT NULL,
    client TEXT NOT NULL,
    author_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    target BIGINT,
    standing BIGINT,
    segments_before TEXT NOT NULL,
    segments_after TEXT NOT NULL,
    speakers_before TEXT NOT NULL,
    speakers_after TEXT NOT NULL,
    PRIMARY KEY (my_job_id, version, seq)
);
CREATE UNIQUE INDEX transcript_edits_by_id ON transcript_edits (my_job_id, version, edit_id);
CREATE INDEX transcript_edits_by_client
    ON transcript_edits (my_job_id, version, client, standing, seq);
