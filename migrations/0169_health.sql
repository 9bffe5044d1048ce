-- One row, written by whoever asks whether the server can store.
CREATE TABLE health (
    slot BIGINT PRIMARY KEY CONSTRAINT health_slot_check CHECK (slot = 1),
    probed_at BIGINT NOT NULL
);
