-- What administrators configure while the server runs, as JSON by key. What is not here has its
-- default; secrets are never here: they come with the server's configuration.
CREATE TABLE server_settings (
    key        TEXT   NOT NULL CONSTRAINT server_settings_pkey PRIMARY KEY,
    value      TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);
