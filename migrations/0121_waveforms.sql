-- The shape of a recording's sound, for the player: its loudest moments per stretch, 0 to 255 in
-- hexadecimal, two digits each. Made with the first recognition, or when it is first asked for.
-- `peaks` is NULL where it could not be made; then nobody tries again.

CREATE TABLE waveforms (
    my_job_id TEXT NOT NULL CONSTRAINT waveforms_pkey PRIMARY KEY
        REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    duration DOUBLE PRECISION NOT NULL,
    peaks TEXT
);
