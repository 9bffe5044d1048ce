//! `Content-Disposition` (RFC 6266) with Unicode file names (RFC 8187).

use std::fmt::Write;

use axum::http::HeaderValue;
use slovo_db::jobs::Job;
use slovo_transcripts::exports::title;

/// Whether the browser displays the file or saves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Displayed or played.
    Inline,
    /// Saved.
    Attachment,
}

/// The header for a file of this name.
///
/// Old clients read `filename`, which is ASCII without characters that could end the string or are
/// special in shells or file systems; all others read `filename*`, which has the full name.
#[must_use]
pub fn header(kind: Kind, name: &str) -> HeaderValue {
    let kind = match kind {
        Kind::Inline => "inline",
        Kind::Attachment => "attachment",
    };
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || " .-_()".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        // attr-char of RFC 8187.
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    let text = format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    // The text is printable ASCII.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("attachment"))
}

/// The name of a file made from the job's text: `talk.srt` for `talk.mp3`.
#[must_use]
pub fn file_name(job: &Job, extension: &str) -> String {
    format!("{}.{extension}", title(job))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_name_is_escaped_in_the_header() {
        let text = |name: &str| header(Kind::Attachment, name).to_str().unwrap().to_owned();
        assert_eq!(
            text("звук — ї.srt"),
            "attachment; filename=\"____ _ _.srt\"; \
             filename*=UTF-8''%D0%B7%D0%B2%D1%83%D0%BA%20%E2%80%94%20%D1%97.srt"
        );
        let hostile = text("a\"; x=\"\r\nSet-Cookie: a=b\\<script>%00.txt");
        assert!(!hostile.contains('\r') && !hostile.contains('\n'));
        assert_eq!(hostile.matches('"').count(), 2);
        assert!(text("").starts_with("attachment; filename=\"\""));
        assert!(
            header(Kind::Inline, "a.mp3")
                .to_str()
                .unwrap()
                .starts_with("inline; ")
        );
    }
}
