//! Which names at a source are those of recordings.

use slovo_rules::upload::is_media_name;

/// Longest key, in bytes.
const MAX_KEY: usize = 1_000;
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
    fn content_types_of_recordings_are_known() {
        assert!(is_recording_type("audio/mpeg"));
        assert!(is_recording_type(" Video/mp4; codecs=x"));
        assert!(!is_recording_type("text/html"));
        assert!(!is_recording_type(""));
    }
}
