-- Which row of ours is which row of the external database, and how both were when they last
-- agreed: the only way to tell who has changed since. No account's id and nothing personal is in
-- it, and it outlives the row it names: what is removed here has to be removed there.
CREATE TABLE nocodb_links (
    kind              TEXT   NOT NULL,
    local_id          TEXT   NOT NULL,
    -- Null while a new row is on its way there: whether it arrived is asked before it is sent again.
    remote_id         BIGINT,
    -- Digest of the fields that both sides may change, as both last had them.
    agreed            TEXT   NOT NULL,
    -- Digest of all fields as they were last carried there; empty when they have to be again.
    carried           TEXT   NOT NULL,
    -- Unix milliseconds: when the row there said that it was last changed.
    remote_updated_at BIGINT,
    -- Whether the row there has been removed: it is not made again until ours changes.
    is_gone           BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT nocodb_links_pkey PRIMARY KEY (kind, local_id)
);
CREATE UNIQUE INDEX nocodb_links_remote ON nocodb_links (kind, remote_id);
