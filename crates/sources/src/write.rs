//! Reads and writes small files of a place: the texts of targets.

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use slovo_fetch::Fetch;
use slovo_rules::source::SourceKind;
use std::path::PathBuf;

use crate::{Place, SourceError, folder, webdav};

/// Longest file that is compared with what was written there, in bytes.
pub(crate) const MAX_FILE: usize = 64 * 1024 * 1024;

/// A file as it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// SHA-256 of its content, in hexadecimal.
    pub digest: String,
    /// The server's name for this version of it (`ETag`), if there is one.
    pub version: Option<String>,
}

/// What is expected to be there before a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected<'a> {
    /// Nothing.
    Nothing,
    /// This version of the file.
    Version(&'a Current),
}

/// SHA-256 in hexadecimal.
#[must_use]
pub fn digest(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}

/// Reads the file `name` of a place; `None` if there is none. `roots` are the folders below which a
/// folder may be.
///
/// # Errors
/// The place or the file cannot be read.
pub async fn current(
    fetch: &Fetch,
    place: &Place<'_>,
    roots: &[PathBuf],
    name: &str,
) -> Result<Option<Current>, SourceError> {
    match place.kind {
        SourceKind::Webdav => webdav::current(fetch, place, name).await,
        SourceKind::Folder => folder::current(place.location, roots, name).await,
        SourceKind::Podcast | SourceKind::S3 => Err(SourceError::NotFound),
    }
}

/// Writes the file `name` of a place, whole or not at all. `false` if something else is there than
/// expected; then it is left as it is.
///
/// # Errors
/// The file cannot be written.
pub async fn write(
    fetch: &Fetch,
    place: &Place<'_>,
    roots: &[PathBuf],
    name: &str,
    content: Bytes,
    expected: Expected<'_>,
) -> Result<bool, SourceError> {
    match place.kind {
        SourceKind::Webdav => webdav::write(fetch, place, name, content, expected).await,
        SourceKind::Folder => {
            let is_new = expected == Expected::Nothing;
            folder::write(place.location, roots, name, content, is_new).await
        }
        SourceKind::Podcast | SourceKind::S3 => Err(SourceError::NotFound),
    }
}
