//! Locates yt-dlp, the program that finds recordings in web pages.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Name of the program in `PATH`.
const PROGRAM: &str = "yt-dlp";

/// The absolute path of the program: the given one, or the first in `PATH`. `None` if there is no
/// executable file.
#[must_use]
pub fn find(configured: Option<&Path>) -> Option<PathBuf> {
    let found = match configured {
        Some(program) => Some(program.to_owned()),
        None => {
            let path = std::env::var_os("PATH")?;
            let mut folders = std::env::split_paths(&path).map(|folder| folder.join(PROGRAM));
            folders.find(|program| is_program(program))
        }
    };
    // It is started in another folder, so a relative path would not work.
    std::path::absolute(found?)
        .ok()
        .filter(|program| is_program(program))
}

/// Whether there is an executable file at this path.
#[must_use]
pub fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
