-- By what the server's secret is known again: derived from it, and tells nothing about it. Null until
-- the next start writes it.
ALTER TABLE installation ADD COLUMN secret_print TEXT;
