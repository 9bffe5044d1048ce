//! Lists the recordings at a source, and opens one of them.
//!
//! Addresses are entered by users, so all requests go through [`slovo_fetch`], which connects to the
//! public internet only. What a server answers is not trusted: names that lead elsewhere are ignored.

mod content;
mod error;
mod folder;
mod names;
mod podcast;
mod s3;
#[cfg(test)]
mod tests;
mod web;
mod webdav;
pub mod write;

use std::fmt;
use std::path::PathBuf;

use bytes::Bytes;
use jiff::Timestamp;
use slovo_fetch::Fetch;
use slovo_fetch::client::{MinimumRate, TransferLimits};
use slovo_fetch::post::PostResponse;
use slovo_rules::source::SourceKind;

pub use error::SourceError;

/// Maximum number of recordings at a source.
pub const MAX_RECORDINGS: usize = 10_000;

/// A recording at a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What identifies it: its path below the location, the key of its object, or the id of its
    /// episode. At most 1,000 bytes.
    pub key: String,
    /// Name of the file, or title of the episode.
    pub name: String,
    /// Changes with the content; empty for episodes. At most 200 bytes.
    pub version: String,
    /// Size in bytes, if known.
    pub size: Option<u64>,
    /// Address of an episode's recording.
    pub url: Option<String>,
}

/// Where to look, and how to sign in.
pub struct Place<'a> {
    /// What it is.
    pub kind: SourceKind,
    /// Address, or absolute path.
    pub location: &'a str,
    /// Region of a bucket; may be empty.
    pub region: &'a str,
    /// User name, or id of the access key; may be empty.
    pub user: &'a str,
    /// Password, or secret access key.
    pub password: Option<&'a str>,
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Lists the recordings at a source. `roots` are the folders below which a folder may be.
///
/// # Errors
/// The source cannot be read, or has more than [`MAX_RECORDINGS`].
pub async fn list(
    fetch: &Fetch,
    place: &Place<'_>,
    roots: &[PathBuf],
    now: Timestamp,
) -> Result<Vec<Found>, SourceError> {
    let found = match place.kind {
        SourceKind::Podcast => podcast::list(fetch, place).await,
        SourceKind::Webdav => webdav::list(fetch, place).await,
        SourceKind::S3 => s3::list(fetch, place, now).await,
        SourceKind::Folder => folder::list(place.location, roots).await,
    };
    Ok(found?.into_iter().map(names::tidy).collect())
}

/// Opens a recording that has no address of its own.
///
/// # Errors
/// It cannot be read, or is not below the source's location.
pub async fn open(
    fetch: &Fetch,
    place: &Place<'_>,
    roots: &[PathBuf],
    key: &str,
    now: Timestamp,
) -> Result<Content, SourceError> {
    let opened = match place.kind {
        SourceKind::Podcast => return Err(SourceError::NotFound),
        SourceKind::Webdav => received(webdav::open(fetch, place, key).await?),
        SourceKind::S3 => received(s3::open(fetch, place, key, now).await?),
        SourceKind::Folder => Opened::File(folder::open(place.location, roots, key).await?),
    };
    Ok(Content(opened))
}

fn received(response: PostResponse) -> Opened {
    Opened::Response(response, MinimumRate::new(TransferLimits::default()))
}

/// A recording that is being read.
#[derive(Debug)]
pub struct Content(Opened);

#[derive(Debug)]
enum Opened {
    Response(PostResponse, MinimumRate),
    File(tokio::fs::File),
}

impl Content {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// The connection breaks, or the file cannot be read.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, SourceError> {
        match &mut self.0 {
            Opened::Response(response, rate) => match response.chunk(web::IDLE).await? {
                Some(piece) if !rate.keeps(piece.len()) => Err(SourceError::TimedOut),
                piece => Ok(piece),
            },
            Opened::File(file) => folder::chunk(file).await,
        }
    }
}
