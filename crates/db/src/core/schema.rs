//! Schema parts that need SQL specific to each database: full-text indexes and triggers.
//!
//! The migrations are one set of statements for both databases, which cannot express these. The
//! parts hold only derived data, so they need no migrations: they are created after them
//! (`migrate`) and recreated when a program needs another shape. The table `search_schema` stores
//! the shapes of a database.

/// A part that is created as a whole.
pub(crate) struct Part {
    /// Its number in `search_schema`.
    pub slot: i64,
    /// Incremented with every change of the statements.
    pub shape: i64,
    /// The tables that it creates, or how their names begin: an index has several.
    pub tables: &'static [&'static str],
    /// Statements that drop it if it exists, create it and fill it.
    pub sqlite: &'static [&'static str],
    /// The same for PostgreSQL.
    pub postgres: &'static [&'static str],
}
