-- What administrators search people by: address and names in small letters, folded by the program,
-- because neither database's lower() knows all letters. Null until the program has folded it, which
-- for the accounts that are there already happens at its start. Pages of all accounts are read by
-- the second index, the newest first.
ALTER TABLE accounts ADD COLUMN searched TEXT;
CREATE INDEX accounts_unfolded ON accounts (id) WHERE searched IS NULL;
CREATE INDEX accounts_created_at ON accounts (created_at, id);
