-- Which data folder this database belongs to: the folder's file `installation` has the same id.
-- One row only. Without it a wrong database would own none of the folder's recordings, and they
-- would be removed as nobody's.
CREATE TABLE installation (
    slot       BIGINT NOT NULL CONSTRAINT installation_pkey PRIMARY KEY
                      CONSTRAINT installation_slot_check CHECK (slot = 1),
    id         TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
