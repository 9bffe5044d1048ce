//! The recordings that this server accepts, according to its settings and decoders.

use slovo_rules::upload::{AudioType, MAX_UPLOAD_BYTES};

use crate::texts::fill;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedFiles {
    /// Largest recording, in bytes.
    pub max_bytes: u64,
    /// File extensions of the formats beyond the ten of the rules.
    pub more_types: Vec<String>,
}

impl Default for AcceptedFiles {
    /// The limits of the specification.
    fn default() -> Self {
        Self {
            max_bytes: MAX_UPLOAD_BYTES,
            more_types: Vec::new(),
        }
    }
}

impl AcceptedFiles {
    /// The text with formats and size filled in.
    pub(crate) fn filled_in(&self, text: &str) -> String {
        let types = AudioType::ALL.iter().map(|kind| kind.extension());
        let types = types.chain(self.more_types.iter().map(String::as_str));
        let types = types.collect::<Vec<_>>().join(", ").to_uppercase();
        let text = fill(text, "formats", &types);
        fill(&text, "max_mb", &(self.max_bytes >> 20).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::AcceptedFiles;

    #[test]
    fn accepted_formats_and_sizes_are_filled_in() {
        let text = "{{formats}}: {{max_mb}} MB";
        assert_eq!(
            AcceptedFiles::default().filled_in(text),
            "MP3, WAV, M4A, FLAC, OGG, WEBM, MP4, AVI, MOV, MKV: 500 MB"
        );
        let more = AcceptedFiles {
            max_bytes: 3 << 30,
            more_types: vec!["aac".to_owned(), "wma".to_owned()],
        };
        assert_eq!(
            more.filled_in(text),
            "MP3, WAV, M4A, FLAC, OGG, WEBM, MP4, AVI, MOV, MKV, AAC, WMA: 3072 MB"
        );
    }
}
