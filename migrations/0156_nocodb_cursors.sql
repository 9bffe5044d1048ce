-- How far reading the external database has come, table by table: a run that was cut off goes on
-- there.
CREATE TABLE nocodb_cursors (
    kind         TEXT   NOT NULL CONSTRAINT nocodb_cursors_pkey PRIMARY KEY,
    -- Rows up to this number have been read since the pass began.
    position     BIGINT NOT NULL,
    -- Unix milliseconds: when the present pass began; null between passes.
    began_at     BIGINT,
    -- Unix milliseconds: what was changed there before has been read; null before the first pass.
    read_until   BIGINT
);
