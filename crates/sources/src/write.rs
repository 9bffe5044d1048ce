//! Reads and writes small files of a place: the texts of targets.

use std::path::PathBuf;

use bytes::Bytes;
use slovo_fetch::Fetch;
use slovo_rules::source::SourceKind;

pub use crate::content::{Current, Expected, digest};
use crate::{Place, SourceError, folder, webdav};

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
