-- Presets: settings with a name, under the names of the product's specification. Without an owner
-- (`user_id` null) a preset is the system's. `changed_at` says that an administrator has changed one
-- of those: no later version of the program overwrites it. A preset_id is unique among the presets
-- of one owner, so that nobody can take the id of a preset that the program brings tomorrow.
CREATE TABLE synced_presets (
    id                 TEXT   NOT NULL CONSTRAINT synced_presets_pkey PRIMARY KEY,
    preset_id          TEXT   NOT NULL,
    name               TEXT   NOT NULL,
    name_en            TEXT,
    description        TEXT,
    description_en     TEXT,
    category           TEXT   NOT NULL,
    is_public          BIGINT NOT NULL,
    is_default         BIGINT NOT NULL,
    transcription_type TEXT   NOT NULL,
    language_code      TEXT   NOT NULL,
    settings           TEXT   NOT NULL,
    usage_count        BIGINT NOT NULL DEFAULT 0,
    user_id            TEXT   CONSTRAINT synced_presets_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    changed_at         BIGINT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);
CREATE UNIQUE INDEX synced_presets_owner_preset_id ON synced_presets (COALESCE(user_id, ''), preset_id);
CREATE INDEX synced_presets_user_id ON synced_presets (user_id);
CREATE INDEX synced_presets_is_public ON synced_presets (is_public);

-- Which version of each preset that comes with the program was loaded last. The row stays when an
-- administrator deletes the preset, so that it does not come back.
CREATE TABLE built_in_presets (
    preset_id TEXT   NOT NULL CONSTRAINT built_in_presets_pkey PRIMARY KEY,
    version   BIGINT NOT NULL,
    loaded_at BIGINT NOT NULL
);
