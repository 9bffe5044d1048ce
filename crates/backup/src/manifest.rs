//! What a backup contains.

use serde::{Deserialize, Serialize};
use slovo_db::transfer::Table;

/// The format of what is stored; raised when an older program could not read it any more.
pub(crate) const FORMAT: u32 = 1;

/// A file of `snapshots`. It tells nothing about the content, so that it need not be encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotFile {
    /// The format.
    pub format: u32,
    /// When it was made, Unix milliseconds.
    pub created_at: i64,
    /// The version of the program.
    pub program: String,
    /// Whether the pieces are encrypted.
    pub sealed: bool,
    /// Bytes of everything in it.
    pub bytes: u64,
    /// Rows in it.
    pub rows: u64,
    /// Recordings and pictures in it.
    pub files: u64,
    /// The pieces that make the [`Manifest`].
    pub manifest: Vec<String>,
    /// All other pieces.
    pub pieces: Vec<String>,
}

/// The list of everything in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format.
    pub format: u32,
    /// When its rows were read, Unix milliseconds.
    pub created_at: i64,
    /// The version of the program.
    pub program: String,
    /// The number of the last migration of the database.
    pub schema: i64,
    /// The tables, each after those that it refers to.
    pub tables: Vec<TableEntry>,
    /// Recordings and pictures.
    pub files: Vec<FileEntry>,
    /// The server's secret in hex, unless it is in an environment variable.
    pub secret: Option<String>,
    /// The names of installed models. They can be downloaded again.
    pub models: Vec<String>,
}

/// The rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// The table.
    #[serde(flatten)]
    pub table: Table,
    /// How many rows it has.
    pub rows: u64,
    /// The SHA-256 of all lines, each with its line break, in hex.
    pub sha256: String,
    /// The compressed lines.
    pub pieces: Vec<String>,
}

/// A recording or a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// `media/{id}` or `avatars/…`.
    pub key: String,
    /// Its length.
    pub bytes: u64,
    /// When it was last written, Unix milliseconds.
    pub written_at: Option<i64>,
    /// The SHA-256 of its content, in hex; `None` if the backup only refers to it.
    pub sha256: Option<String>,
    /// Its content; empty if the backup only refers to it.
    pub pieces: Vec<String>,
}

impl FileEntry {
    /// Whether the backup has its content.
    #[must_use]
    pub fn is_copied(&self) -> bool {
        self.sha256.is_some()
    }
}
