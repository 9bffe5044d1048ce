//! The built web app inside the program, so that one file is all that a server needs.
//!
//! Without the feature `embedded` there are no files: tests and developers serve a folder.

use std::borrow::Cow;

/// A file of the web app.
#[derive(Clone, Debug)]
pub struct File {
    /// Its bytes.
    pub content: Cow<'static, [u8]>,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
}

#[cfg(feature = "embedded")]
#[derive(rust_embed::Embed)]
#[folder = "../../web/dist"]
struct Files;

/// Whether the web app is inside the program.
#[must_use]
pub const fn are_embedded() -> bool {
    cfg!(feature = "embedded")
}

/// The file at this path, which begins without a slash.
#[cfg(feature = "embedded")]
#[must_use]
pub fn get(path: &str) -> Option<File> {
    let found = <Files as rust_embed::RustEmbed>::get(path)?;
    Some(File {
        content: found.data,
        sha256: found.metadata.sha256_hash(),
    })
}

/// The file at this path, which begins without a slash.
#[cfg(not(feature = "embedded"))]
#[must_use]
pub const fn get(_: &str) -> Option<File> {
    None
}
