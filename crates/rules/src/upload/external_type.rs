//! Further formats, accepted by servers with the external decoder.

use super::{AudioType, extension};

wire_enum! {
    /// A format besides the ten; the name is its file extension.
    ExternalType {
        /// AAC without container.
        Aac => "aac",
        /// Windows Media.
        Wma => "wma",
        /// AIFF.
        Aiff => "aiff",
        /// AMR.
        Amr => "amr",
    }
}

/// Other extensions of these formats.
const ALSO: [(&str, ExternalType); 2] = [("wmv", ExternalType::Wma), ("aif", ExternalType::Aiff)];

impl ExternalType {
    /// All extensions of these formats, with their formats.
    fn names() -> impl Iterator<Item = (&'static str, Self)> {
        let plain = Self::ALL.iter().map(|kind| (kind.as_str(), *kind));
        plain.chain(ALSO)
    }

    /// All extensions of these formats, without dot.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        Self::names().map(|(extension, _)| extension)
    }

    /// The format of this file name's extension, case-insensitive.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let extension = extension(name)?;
        Self::names()
            .find(|(known, _)| known.eq_ignore_ascii_case(extension))
            .map(|(_, kind)| kind)
    }
}

/// Whether the file's name has the extension of any readable format.
#[must_use]
pub fn is_media_name(name: &str) -> bool {
    AudioType::of_name(name).is_some() || ExternalType::of_name(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::{Container, check_content_with};
    use super::*;
    use crate::violation::Code;

    #[test]
    fn formats_of_the_external_decoder_are_accepted_only_with_it() {
        let code = |bytes, external| {
            let checked = check_content_with(bytes, external);
            checked.map_err(|violation| violation.code)
        };
        let amr: &[u8] = b"#!AMR\n";
        let aiff: &[u8] = b"FORM\0\0\0\0AIFF";
        let asf: &[u8] = b"\x30\x26\xb2\x75\x8e\x66\xcf\x11";
        for (bytes, container) in [
            (amr, Container::Amr),
            (aiff, Container::Aiff),
            (asf, Container::Asf),
        ] {
            assert_eq!(code(bytes, true), Ok(container));
            assert_eq!(code(bytes, false), Err(Code::ContentRefused));
        }
        assert_eq!(code(b"%PDF-1.7", true), Err(Code::ContentRefused));
        assert_eq!(code(b"OggS", false), Ok(Container::Ogg));
    }

    #[test]
    fn recordings_are_recognised_by_file_extension() {
        for name in [
            "a.mp3", "A.OPUS", "б.3gp", "x.y.aac", "a.wma", "a.aif", "a.amr", "a.MKV",
        ] {
            assert!(is_media_name(name), "{name}");
        }
        for name in ["a.txt", "mp3", ".mp3", "a.mp3.part", "", "a."] {
            assert!(!is_media_name(name), "{name}");
        }
        assert_eq!(ExternalType::of_name("a.WMV"), Some(ExternalType::Wma));
        assert_eq!(ExternalType::of_name("a.mp3"), None);
        let all: Vec<_> = ExternalType::extensions().collect();
        assert_eq!(all, ["aac", "wma", "aiff", "amr", "wmv", "aif"]);
        assert_eq!(AudioType::of_name("a.Opus"), Some(AudioType::Ogg));
        assert_eq!(AudioType::of_name("a.3gp"), Some(AudioType::Mp4));
    }
}
