-- What an account may do beyond its own data, and how the first administrator comes to be.
--
-- The first account of an empty server becomes its administrator. `founding_account` can hold one
-- row only; the sign-up that inserts it is the first one. Two sign-ups at the same moment cannot
-- both insert it: SQLite has one writer, in PostgreSQL the second waits for the first to commit.
-- Its row is also what changes of the administrators lock, so that two of them cannot each take
-- away what they believe to be the last but one.

CREATE TABLE user_roles (
    user_id    TEXT   NOT NULL CONSTRAINT user_roles_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    role       TEXT   NOT NULL CONSTRAINT user_roles_role_check CHECK (role IN ('admin')),
    granted_at BIGINT NOT NULL,
    CONSTRAINT user_roles_pkey PRIMARY KEY (user_id, role)
);

CREATE TABLE founding_account (
    slot       BIGINT NOT NULL CONSTRAINT founding_account_pkey PRIMARY KEY
                      CONSTRAINT founding_account_slot_check CHECK (slot = 1),
    user_id    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
