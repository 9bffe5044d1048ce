//! Media for tests: real speech from Debian's prompt packages, the same speech in every
//! container by ffmpeg, and hostile files made here byte by byte.
//!
//! A development dependency only. Everything is deterministic, and nothing is read that a
//! clone on a machine with the packages `asterisk-core-sounds-en-wav` and `ffmpeg` lacks.
//! Problems panic with a message: a test that lacks its material has failed.

pub mod amr;
pub mod containers;
pub mod flac;
pub mod hostile;
pub mod prompts;
pub mod speech;
pub mod tracks;
pub mod wave;

use std::path::{Path, PathBuf};

/// The data that stands beside a checkout on the authors' machines: `SLOVO_SHARED`, else
/// `../shared` beside the workspace. `None` in a plain clone.
#[must_use]
pub fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("SLOVO_SHARED").map_or_else(beside, PathBuf::from);
    folder
        .join("audio/manifest.jsonl")
        .is_file()
        .then_some(folder)
}
