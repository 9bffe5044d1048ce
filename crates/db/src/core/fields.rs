//! Reads and writes single fields: enums, as words, and JSON. Errors name the table and the key of
//! an unreadable row, if it has one.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use sqlx::{Any, Decode, Row, Type, any::AnyRow};
use uuid::Uuid;

use crate::{Error, Result};

/// The stored form of an enum without fields, for example `processing`.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        // Callers pass only enums without fields, which always serialise to a string.
        other => unreachable!("not a word: {other:?}"),
    }
}

/// The stored JSON. Serialising fails only for maps with keys that are not strings, which these
/// types do not have.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("not JSON: {error}"))
}

/// The pattern for `LIKE … ESCAPE '!'` on a lower-cased column that contains this text, with `%`
/// and `_` escaped. `%%` for an empty text.
pub(crate) fn containing(text: &str) -> String {
    let folded = text.to_lowercase();
    let escaped = folded.replace('!', "!!").replace('%', "!%");
    format!("%{}%", escaped.replace('_', "!_"))
}

/// A row whose fields are read by name.
pub(crate) struct Fields<'r> {
    row: &'r AnyRow,
    /// Its table and its key there, if it has one.
    place: Option<(&'static str, String)>,
}

impl<'r> Fields<'r> {
    /// A row of `table` whose primary key (or the identifying part of it) is in the text column
    /// `key`.
    pub(crate) fn new(row: &'r AnyRow, table: &'static str, key: &str) -> Result<Self> {
        Ok(Self {
            row,
            place: Some((table, row.try_get(key)?)),
        })
    }

    /// A row without a key, for example of sums. Its errors are those of the database, with the
    /// column.
    pub(crate) fn without_key(row: &'r AnyRow) -> Self {
        Self { row, place: None }
    }

    /// An error about a column of the row.
    pub(crate) fn error(&self, column: &str, reason: impl std::fmt::Display) -> Error {
        match self.place {
            Some((table, ref key)) => Error::row(table, key.clone(), format!("{column}: {reason}")),
            None => Error::from(sqlx::Error::ColumnDecode {
                index: format!("{column:?}"),
                source: reason.to_string().into(),
            }),
        }
    }

    fn value<T>(&self, column: &str) -> Result<T>
    where
        T: Decode<'r, Any> + Type<Any>,
    {
        self.row.try_get(column).map_err(|error| match self.place {
            Some(_) => self.error(column, error),
            None => error.into(),
        })
    }

    pub(crate) fn text(&self, column: &str) -> Result<String> {
        self.value(column)
    }

    pub(crate) fn text_or_none(&self, column: &str) -> Result<Option<String>> {
        self.value(column)
    }

    pub(crate) fn integer(&self, column: &str) -> Result<i64> {
        self.value(column)
    }

    pub(crate) fn integer_or_none(&self, column: &str) -> Result<Option<i64>> {
        self.value(column)
    }

    /// 0 or 1.
    pub(crate) fn flag(&self, column: &str) -> Result<bool> {
        Ok(self.integer(column)? != 0)
    }

    /// A number of bytes or items, never negative.
    pub(crate) fn count(&self, column: &str) -> Result<u64> {
        u64::try_from(self.integer(column)?).map_err(|e| self.error(column, e))
    }

    /// A number that is stored as a larger type.
    pub(crate) fn index<T>(&self, column: &str) -> Result<T>
    where
        T: TryFrom<i64, Error: std::fmt::Display>,
    {
        T::try_from(self.integer(column)?).map_err(|e| self.error(column, e))
    }

    /// A position in a list, if there is one.
    pub(crate) fn index_or_none(&self, column: &str) -> Result<Option<u32>> {
        self.integer_or_none(column)?
            .map(|index| u32::try_from(index).map_err(|e| self.error(column, e)))
            .transpose()
    }

    pub(crate) fn number(&self, column: &str) -> Result<f64> {
        self.value(column)
    }

    pub(crate) fn number_or_none(&self, column: &str) -> Result<Option<f64>> {
        self.value(column)
    }

    pub(crate) fn uuid(&self, column: &str) -> Result<Uuid> {
        self.text(column)?
            .parse()
            .map_err(|e| self.error(column, e))
    }

    pub(crate) fn uuid_or_none(&self, column: &str) -> Result<Option<Uuid>> {
        self.text_or_none(column)?
            .map(|id| id.parse().map_err(|e| self.error(column, e)))
            .transpose()
    }

    pub(crate) fn word<T: DeserializeOwned>(&self, column: &str) -> Result<T> {
        serde_json::from_value(Value::String(self.text(column)?)).map_err(|e| self.error(column, e))
    }

    pub(crate) fn word_or_none<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>> {
        self.text_or_none(column)?
            .map(|word| {
                serde_json::from_value(Value::String(word)).map_err(|e| self.error(column, e))
            })
            .transpose()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T> {
        serde_json::from_str(&self.text(column)?).map_err(|e| self.error(column, e))
    }

    pub(crate) fn json_or_none<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>> {
        self.text_or_none(column)?
            .map(|text| serde_json::from_str(&text).map_err(|e| self.error(column, e)))
            .transpose()
    }
}

/// Rows, or values of a list, per statement. SQLite and its driver look each numbered parameter up in a
/// list of all of them, so that a statement takes time quadratic in their number: at nine values per
/// row, 500 rows at once take longer than ten times 50 of them.
pub(crate) const ROWS_PER_STATEMENT: usize = 50;

/// `($9, $10, …)` for a row whose first value is parameter `before` + 1.
pub(crate) fn placeholders(before: usize, columns: usize) -> String {
    let numbers: Vec<String> = (1..=columns)
        .map(|column| format!("${}", before + column))
        .collect();
    format!("({})", numbers.join(", "))
}
