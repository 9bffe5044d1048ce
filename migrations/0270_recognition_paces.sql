-- How long a machine works for one second of a recording, by model and number of threads: what the
-- first estimate of the time left is made from. `pace` is seconds of work per second of sound, the
-- average of the newest runs; `measured` counts them, up to as many as the average keeps.
CREATE TABLE recognition_paces (
    host TEXT NOT NULL,
    model TEXT NOT NULL,
    threads BIGINT NOT NULL,
    pace DOUBLE PRECISION NOT NULL,
    measured BIGINT NOT NULL,
    measured_at BIGINT NOT NULL,
    CONSTRAINT recognition_paces_pkey PRIMARY KEY (host, model, threads)
);
