//! What the two kinds of storage say alike of uploads.

use std::io::{self, ErrorKind};

/// How many of the first bytes [`Storage::complete`] passes to its caller.
pub(crate) const HEAD: u64 = 4096;

/// New bytes for the beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where they go, within the first 4096 bytes.
    pub at: u64,
    /// The bytes.
    pub bytes: [u8; 4],
}

/// What to change in a file, by its first 4096 bytes and its length.
pub type Fix = fn(&[u8], u64) -> Vec<Edit>;

/// Why a recording cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process writes to the file.
    #[error("another process writes to this upload")]
    Locked,
    /// There is no file although bytes were stored: its disk is not mounted, or another process has
    /// it in a separate folder.
    #[error("the file of the stored bytes is missing")]
    Missing,
    /// The file has fewer bytes than were recorded as stored.
    #[error("the file has only {0} of the stored bytes")]
    Shorter(u64),
    /// The disk, or the object store.
    #[error("the upload's file cannot be opened: {0}")]
    Io(#[from] io::Error),
}

pub(crate) fn too_short(stored: u64, length: u64) -> io::Error {
    let missing = format!("the file has {stored} of {length} bytes");
    io::Error::new(ErrorKind::UnexpectedEof, missing)
}
