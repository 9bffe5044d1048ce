//! The full-text index: FTS5 in SQLite, `tsvector` with GIN in PostgreSQL.

use crate::core::schema::Part;

/// The shape must also be incremented with every change of [`super::document`], of the folding and
/// of the keys (`slovo_stems`). Words are stored folded and separated by spaces: the `ascii`
/// tokenizer keeps all characters outside ASCII, and an apostrophe belongs to its word. The text
/// itself is not stored. Each word has a prefix for its owner and place ([`super::document`]), so
/// that a search reads only the words of one user and one place. `search_entries` gives each job
/// its number in the index, and removes the entry with the job. PostgreSQL's index has no list of
/// pending entries, which every search would have to scan.
pub(crate) const SCHEMA: Part = Part {
    slot: 1,
    shape: 4,
    tables: &["search_entries", "search_index"],
    sqlite: &[
        "DROP TABLE IF EXISTS search_entries",
        "DROP TABLE IF EXISTS search_index",
        "CREATE TABLE search_entries (id INTEGER NOT NULL PRIMARY KEY, \
         my_job_id TEXT NOT NULL UNIQUE REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE)",
        "CREATE VIRTUAL TABLE search_index USING fts5(words, content='', \
         contentless_delete=1, tokenize=\"ascii tokenchars ''''\", detail=none)",
        "CREATE TRIGGER search_entries_gone AFTER DELETE ON search_entries BEGIN \
         DELETE FROM search_index WHERE rowid = OLD.id; END",
        "UPDATE search_documents SET indexed = 0",
    ],
    postgres: &[
        "DROP TABLE IF EXISTS search_index",
        "CREATE TABLE search_index (my_job_id TEXT NOT NULL PRIMARY KEY \
         REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE, \
         owner TEXT NOT NULL, created_at BIGINT NOT NULL, words tsvector NOT NULL)",
        "CREATE INDEX search_index_words ON search_index USING gin (words) \
         WITH (fastupdate = off)",
        "CREATE INDEX search_index_newest ON search_index (owner, created_at)",
        "UPDATE search_documents SET indexed = 0",
    ],
};
