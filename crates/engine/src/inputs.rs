//! Opens recordings. In the engine's process, its parent does.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

type Opener = Box<dyn Fn(&Path) -> io::Result<File> + Send + Sync>;

/// Opens recordings instead of this process.
static OPENER: OnceLock<Opener> = OnceLock::new();

/// From now on recordings are opened by `opener`; only the first one counts.
pub(crate) fn open_by(opener: Opener) {
    let _ = OPENER.set(opener);
}

/// Opens a recording.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    match OPENER.get() {
        Some(opener) => opener(path),
        None => open_regular_file(path),
    }
}

/// Links are followed; devices, pipes and folders are refused before anything is read from them.
pub(crate) fn open_regular_file(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}
