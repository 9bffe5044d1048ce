//! What is written in each database's own words: full-text indexes and triggers.
//!
//! The migrations are one set of statements for both databases, and these are none that both know.
//! What is made here holds nothing that is not elsewhere, so it needs no migrations either: it is
//! made after them (`migrate`), and a program that wants it in another shape makes it anew. The
//! shapes that a database has are in `search_schema`.

/// Something that is made as a whole.
pub(crate) struct Part {
    /// Its number in `search_schema`.
    pub slot: i64,
    /// Grows with every change of the statements.
    pub shape: i64,
    /// Remove it as it may be there, make it, and fill it.
    pub sqlite: &'static [&'static str],
    /// The same for PostgreSQL.
    pub postgres: &'static [&'static str],
}
