//! SQL statements as named constants, and rows whose columns are listed once.
//!
//! A statement is a constant in [`statements!`], above the function that runs it or in the module's
//! `statements.rs`. One that is put together at run time is made by a function, of which
//! [`built_statements!`] registers representative texts. A test prepares all of them on a migrated
//! schema of each database. Not registered are BEGIN, the settings of a SQLite connection
//! (`sqlite_settings`), and migrations and parts of the schema, which `migrate` runs.
//!
//! [`row_columns!`] makes the reader of a row from a list of its columns; a statement that names the
//! row's type must give these columns, with these types. In the product only the constants and the
//! readers remain.
//!
//! What the test does not check:
//! - number and types of the bound values: it prepares without them;
//! - columns that are read by hand, without [`row_columns!`], as in rows of a single value;
//! - NULL, except in columns of PostgreSQL's tables: NULL from a LEFT JOIN or an expression is not
//!   seen.

#[cfg(test)]
mod tests;

#[cfg(test)]
use crate::Backend;

/// A registered statement.
#[cfg(test)]
pub(crate) struct Statement {
    /// The name of its constant or of the function that makes it, for messages.
    pub name: &'static str,
    /// File and line of the macro that registers it.
    pub place: &'static str,
    /// The databases that run it.
    pub databases: &'static [Backend],
    /// Its SQL.
    pub text: Text,
    /// The columns that are read from its rows, by type of row.
    pub rows: &'static [&'static [Column]],
}

/// Databases by the names that [`statements!`] uses.
#[cfg(test)]
impl Statement {
    pub(crate) const SQLITE: &[Backend] = &[Backend::Sqlite];
    pub(crate) const POSTGRES: &[Backend] = &[Backend::Postgres];
    pub(crate) const BOTH: &[Backend] = &[Backend::Sqlite, Backend::Postgres];
}

/// The SQL of a registered statement.
#[cfg(test)]
pub(crate) enum Text {
    /// Always the same.
    Constant(&'static str),
    /// Put together at run time: some texts that together contain each of its parts.
    Built(fn(Backend) -> Vec<String>),
}

#[cfg(test)]
inventory::collect!(Statement);

/// A column that is read from a row.
#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub name: &'static str,
    /// The function of `Fields` that reads it, for example `text_or_none`.
    pub reader: &'static str,
}

/// A type that is read from one row; see [`row_columns!`].
#[cfg(test)]
pub(crate) trait RowColumns {
    const COLUMNS: &'static [Column];
}

/// Defines statements, each with the databases that run it (`BOTH`, `SQLITE` or `POSTGRES`) and,
/// after `->`, the types that are read from its rows with [`row_columns!`].
///
/// ```ignore
/// statements! {
///     /// The preset $1.
///     const GET: BOTH -> Preset = concat!("SELECT ", columns!(), " FROM presets WHERE id = $1");
///     const NEXT_POSTGRES: POSTGRES = next!(" FOR UPDATE OF j SKIP LOCKED");
/// }
/// ```
macro_rules! statements {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis const $name:ident: $databases:ident $(-> $($row:ty),+)? = $sql:expr;
    )+) => {$(
        $(#[$attribute])*
        $visibility const $name: &str = $sql;

        #[cfg(test)]
        inventory::submit! {
            $crate::core::statement::Statement {
                name: stringify!($name),
                place: concat!(file!(), ":", line!()),
                databases: $crate::core::statement::Statement::$databases,
                text: $crate::core::statement::Text::Constant($name),
                rows: &[$($(
                    <$row as $crate::core::statement::RowColumns>::COLUMNS
                ),+)?],
            }
        }
    )+};
}

/// Registers statements that functions put together at run time: for each a function that returns
/// representative texts for a database, which together contain every part that the statement can
/// have.
///
/// ```ignore
/// built_statements! {
///     find_some: BOTH -> Job = |_| vec![find_some_statement(1), find_some_statement(3)];
/// }
/// ```
macro_rules! built_statements {
    ($(
        $name:ident: $databases:ident $(-> $($row:ty),+)? = $texts:expr;
    )+) => {$(
        #[cfg(test)]
        inventory::submit! {
            $crate::core::statement::Statement {
                name: stringify!($name),
                place: concat!(file!(), ":", line!()),
                databases: $crate::core::statement::Statement::$databases,
                text: $crate::core::statement::Text::Built($texts),
                rows: &[$($(
                    <$row as $crate::core::statement::RowColumns>::COLUMNS
                ),+)?],
            }
        }
    )+};
}

/// Makes the reader of a type from the list of its columns: for each field the function of
/// `Fields` that reads it, the column if it has another name, and a function that converts what
/// was read. After a semicolon: fields that are rows of their own, with their readers; statements
/// name both types. Table and key column name an unreadable row; without them, as for sums, its
/// error is that of the database.
///
/// ```ignore
/// row_columns! {
///     pub(crate) fn read() -> Preset from "synced_presets" by "id" {
///         id: uuid,
///         is_public: flag,
///         avatar: text_or_none in "avatar_url",
///         tags: text_or_none => tags;
///         owner: read_owner,
///     }
/// }
/// row_columns! {
///     fn read_counts() -> Counts {
///         total: integer,
///         open: integer,
///     }
/// }
/// ```
macro_rules! row_columns {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $function:ident() -> $row:ident $(from $table:literal by $key:literal)? {
            $($field:ident: $reader:ident $(in $column:literal)? $(=> $convert:expr)?),+ $(,)?
            $(; $($part:ident: $read_part:path),+ $(,)?)?
        }
    ) => {
        $(#[$attribute])*
        $visibility fn $function(row: &sqlx::any::AnyRow) -> $crate::Result<$row> {
            let fields = row_columns!(@fields row $($table $key)?);
            Ok($row {
                $($field: row_columns!(
                    @convert
                    fields.$reader(row_columns!(@name $field $($column)?))?
                    $(, $convert)?
                ),)+
                $($($part: $read_part(row)?,)+)?
            })
        }

        #[cfg(test)]
        impl $crate::core::statement::RowColumns for $row {
            const COLUMNS: &'static [$crate::core::statement::Column] = &[
                $($crate::core::statement::Column { name: $key, reader: "text" },)?
                $($crate::core::statement::Column {
                    name: row_columns!(@name $field $($column)?),
                    reader: stringify!($reader),
                },)+
            ];
        }
    };
    (@fields $row:ident) => { $crate::core::fields::Fields::without_key($row) };
    (@fields $row:ident $table:literal $key:literal) => {
        $crate::core::fields::Fields::new($row, $table, $key)?
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:literal) => { $column };
    (@convert $value:expr) => { $value };
    (@convert $value:expr, $convert:expr) => { $convert($value) };
}

/// A list of columns for a statement, each after the given text: `columns!("j.": id, name)` is
/// `"j.id, j.name"`.
macro_rules! columns {
    ($table:literal: $first:ident $(, $next:ident)* $(,)?) => {
        concat!($table, stringify!($first) $(, ", ", $table, stringify!($next))*)
    };
}

pub(crate) use {built_statements, columns, row_columns, statements};
