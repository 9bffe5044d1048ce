//! What a file of a target has, and what is expected there.

use sha2::{Digest as _, Sha256};

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
