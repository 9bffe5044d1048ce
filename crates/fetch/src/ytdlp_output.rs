//! Parses yt-dlp's output, which is untrusted.

use serde::Deserialize;

use crate::error::FetchError;

/// Longest title that is kept, in characters.
const MAX_TITLE: usize = 300;

/// A page's metadata about its recording.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Title, cleaned.
    pub title: Option<String>,
    /// Seconds.
    pub duration: Option<f64>,
    /// Bytes, if the page says.
    pub size: Option<u64>,
}

/// Progress of a download, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DownloadProgress {
    /// Downloaded so far.
    pub done: u64,
    /// Total, if known.
    pub total: Option<u64>,
}

/// The fields of yt-dlp's JSON that are used; all are untrusted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output {
    title: Option<serde_json::Value>,
    duration: Option<serde_json::Value>,
    filesize: Option<serde_json::Value>,
    is_live: Option<serde_json::Value>,
    entries: Option<Vec<Output>>,
}

/// Parses a page's metadata from one line of JSON.
///
/// # Errors
/// The line cannot be parsed, or names a recording that cannot be downloaded.
pub fn read_page(json: &str, max_bytes: u64) -> Result<Page, FetchError> {
    let unreadable = || FetchError::silent("the output of yt-dlp cannot be parsed");
    // Serde would accept a JSON array as the fields in their order.
    let object = json.trim_start().starts_with('{').then_some(json);
    let output = object.and_then(|json| serde_json::from_str(json).ok());
    let mut output: Output = output.ok_or_else(unreadable)?;
    let title = output.title.take();
    if let Some(first) = output.entries.take().and_then(|all| all.into_iter().next()) {
        output = first;
    }
    if output.is_live.and_then(|live| live.as_bool()) == Some(true) {
        return Err(FetchError::not_media("live"));
    }
    let text = |value: Option<serde_json::Value>| clean(value?.as_str()?);
    let bytes = |value: Option<serde_json::Value>| value?.as_f64().filter(|n| *n > 0.0);
    let duration = output.duration.and_then(|value| value.as_f64());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of bytes; what is too large becomes the largest"
    )]
    let size = bytes(output.filesize).map(|size| size as u64);
    if size.is_some_and(|size| size > max_bytes) {
        return Err(FetchError::TooLarge { max_bytes });
    }
    Ok(Page {
        title: text(output.title).or_else(|| text(title)),
        duration: duration.filter(|seconds| seconds.is_finite() && *seconds > 0.0),
        size,
    })
}

/// Cleans an untrusted line: without control characters and characters that change the text
/// direction.
fn clean(text: &str) -> Option<String> {
    let turns = |c: char| {
        matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let visible = text.chars().take(MAX_TITLE * 16);
    let visible = visible.filter(|c| !turns(*c) && (c.is_whitespace() || !c.is_control()));
    let visible: String = visible.collect();
    let words: Vec<_> = visible.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(MAX_TITLE).collect();
    (!line.is_empty()).then_some(line)
}

/// Three numbers, or `NA`.
pub fn read_progress(line: &str) -> DownloadProgress {
    let mut numbers = line.split(' ').map(|word| {
        // Estimates have fractions.
        let digits = word.split('.').next().unwrap_or_default();
        digits.parse::<u64>().ok()
    });
    let mut next = || numbers.next().flatten();
    let (done, total, estimate) = (next(), next(), next());
    DownloadProgress {
        done: done.unwrap_or_default(),
        total: total.or(estimate).filter(|total| *total > 0),
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::upload::MAX_UPLOAD_BYTES;

    use super::*;

    #[test]
    fn metadata_of_a_page_is_untrusted() {
        let json = serde_json::json!({
            "title": format!(" A\u{202e}\u{7}\n B {}", "x".repeat(1000)),
            "duration": "long",
            "filesize": -3,
        });
        let page = read_page(&json.to_string(), MAX_UPLOAD_BYTES).unwrap();
        let title = page.title.unwrap();
        assert!(title.starts_with("A B xxx"), "{title}");
        assert_eq!(title.chars().count(), MAX_TITLE);
        assert_eq!((page.duration, page.size), (None, None));

        let list = r#"{"title": "List", "entries": [{"title": "One", "duration": 5}]}"#;
        let page = read_page(list, MAX_UPLOAD_BYTES).unwrap();
        assert_eq!(
            (page.title.as_deref(), page.duration),
            (Some("One"), Some(5.0))
        );
        for wrong in ["", "[]", "{\"entries\": 1}", &"[".repeat(100_000)] {
            assert!(matches!(
                read_page(wrong, MAX_UPLOAD_BYTES),
                Err(FetchError::Unreachable(_))
            ));
        }
        assert_eq!(
            read_page(r#"{"is_live": true}"#, MAX_UPLOAD_BYTES),
            Err(FetchError::not_media("live"))
        );
        assert_eq!(
            read_page(r#"{"filesize": 1e18}"#, MAX_UPLOAD_BYTES),
            Err(FetchError::TooLarge {
                max_bytes: MAX_UPLOAD_BYTES
            })
        );
    }

    #[test]
    fn progress_is_parsed_with_unknown_values() {
        let progress = |done, total| DownloadProgress { done, total };
        assert_eq!(read_progress("5 10 NA"), progress(5, Some(10)));
        assert_eq!(read_progress("5 NA 20.7"), progress(5, Some(20)));
        assert_eq!(read_progress("NA NA NA"), progress(0, None));
        assert_eq!(read_progress(""), progress(0, None));
    }
}
