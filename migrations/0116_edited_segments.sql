-- The segments of a transcript that were edited, over the recognised ones, which are never changed.
-- A recognised segment keeps its number as its id; one that was split off has a UUID. `base` and
-- `part` are its place, which never changes; what was removed keeps its row, so that it can come
-- back. `speaker` is as the segment was given it: who was merged into whom is in
-- `transcript_speakers`.
CREATE TABLE edited_segments (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    segment_id TEXT NOT NULL,
    base BIGINT NOT NULL,
    part BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    start_time DOUBLE PRECISION NOT NULL,
    end_time DOUBLE PRECISION NOT NULL,
    speaker TEXT,
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (my_job_id, version, segment_id)
);
CREATE UNIQUE INDEX edited_segments_by_place
    ON edited_segments (my_job_id, version, base, part);
