//! How full a disk is.

use std::io::{self, ErrorKind};
use std::path::Path;

/// Whether an operation failed because the disk or this user's quota is full.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    )
}

/// The bytes that this process may still write to the folder's disk; `None` if the disk does not
/// report them.
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
