//! Which names at a source are those of recordings.

use sha2::{Digest as _, Sha256};
use slovo_rules::text::one_line;
use slovo_rules::upload::is_media_name;

use crate::Found;

/// Longest key, in bytes.
const MAX_KEY: usize = 1_000;
/// Longest version that is kept as it is, in bytes.
const MAX_VERSION: usize = 200;
/// What the names of files end with while they are being written or downloaded.
const UNFINISHED: [&str; 4] = [".part", ".tmp", ".crdownload", ".partial"];

/// Whether a path below a source's location is one that is taken: without hidden, unfinished and
/// climbing parts.
pub(crate) fn is_acceptable(path: &str) -> bool {
    let is_part_acceptable = |part: &str| !part.is_empty() && !part.starts_with('.');
    let lower = path.to_ascii_lowercase();
    path.len() <= MAX_KEY
        && path.split('/').all(is_part_acceptable)
        && !path.contains(['\0', '\\'])
        && !path.contains(char::is_control)
        && !UNFINISHED.iter().any(|end| lower.ends_with(end))
}

/// Whether an acceptable path is that of a recording.
pub(crate) fn is_recording(path: &str) -> bool {
    is_acceptable(path) && is_media_name(file_name(path))
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A recording as it is stored: what a server says may be of any length and any characters.
pub(crate) fn tidy(found: Found) -> Found {
    let is_long = found.version.len() > MAX_VERSION || found.version.contains(char::is_control);
    Found {
        name: one_line(&found.name).trim().to_owned(),
        version: if is_long {
            hex::encode(Sha256::digest(&found.version))
        } else {
            found.version
        },
        ..found
    }
}

/// Whether a content type is one of recordings.
pub(crate) fn is_recording_type(content_type: &str) -> bool {
    let lower = content_type.trim().to_ascii_lowercase();
    lower.starts_with("audio/") || lower.starts_with("video/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_unfinished_and_climbing_names_are_not_taken() {
        for path in ["розмова.mp3", "2026/05/a talk.WAV", "x.webm"] {
            assert!(is_recording(path), "{path}");
        }
        let long = format!("{}.mp3", "ї".repeat(600));
        for path in [
            "",
            "/etc/passwd",
            "../a.mp3",
            "a/../../b.mp3",
            ".hidden.mp3",
            ".trash/a.mp3",
            "a.mp3.part",
            "a.mp3.PART",
            "a\0.mp3",
            "a\\b.mp3",
            "a\n.mp3",
            "a//b.mp3",
            "notes.txt",
            "mp3",
            &long,
        ] {
            assert!(!is_recording(path), "{path:?}");
        }
    }

    #[test]
    fn what_a_server_says_is_made_short_and_printable() {
        let found = Found {
            key: "a.mp3".to_owned(),
            name: " Розмова\0\n\u{202e}друга ".to_owned(),
            version: "v".repeat(100_000),
            size: None,
            url: None,
        };
        let tidied = tidy(found.clone());
        assert!(!tidied.name.contains(char::is_control), "{:?}", tidied.name);
        assert_eq!(tidied.version.len(), 64);
        let other = Found {
            version: "v".repeat(100_001),
            ..found.clone()
        };
        assert_ne!(tidy(other).version, tidied.version);
        let short = Found {
            version: "\"abc\"".to_owned(),
            ..found
        };
        assert_eq!(tidy(short).version, "\"abc\"");
    }

    #[test]
    fn content_types_of_recordings_are_known() {
        assert!(is_recording_type("audio/mpeg"));
        assert!(is_recording_type(" Video/mp4; codecs=x"));
        assert!(!is_recording_type("text/html"));
        assert!(!is_recording_type(""));
    }
}
