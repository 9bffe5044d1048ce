-- Who can sign in.
--
-- `accounts` holds the credentials and nothing else: what a person tells about themselves is in
-- `profiles`, what is granted to them in `user_roles`, what the service keeps about them
-- (status now; plan and links to an outside database later) in `synced_users`. A synced user may
-- exist before its account does, therefore the link can be null.
--
-- All migrations are portable between SQLite and PostgreSQL: TEXT for ids (UUID), words and
-- JSON, BIGINT for whole numbers, times (Unix milliseconds, UTC) and flags (0, 1). Constraints
-- are named as PostgreSQL would name them, because their names become field errors.

CREATE TABLE accounts (
    id            TEXT   NOT NULL CONSTRAINT accounts_pkey PRIMARY KEY,
    -- Normalised (trimmed, lower case) by slovo-rules before it gets here.
    email         TEXT   NOT NULL CONSTRAINT accounts_email_key UNIQUE,
    -- PHC string of argon2id, parameters and salt included.
    password_hash TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE TABLE profiles (
    user_id    TEXT   NOT NULL CONSTRAINT profiles_pkey PRIMARY KEY
                      CONSTRAINT profiles_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    fullname   TEXT,
    usage      TEXT,
    avatar_url TEXT,
    updated_at BIGINT NOT NULL
);

CREATE TABLE synced_users (
    id           TEXT   NOT NULL CONSTRAINT synced_users_pkey PRIMARY KEY,
    auth_user_id TEXT   CONSTRAINT synced_users_auth_user_id_key UNIQUE
                        CONSTRAINT synced_users_auth_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    email        TEXT   NOT NULL CONSTRAINT synced_users_email_key UNIQUE,
    first_name   TEXT,
    last_name    TEXT,
    status       TEXT   NOT NULL CONSTRAINT synced_users_status_check CHECK (status IN ('active', 'blocked')),
    created_at   BIGINT NOT NULL
);
