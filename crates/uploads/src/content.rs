//! Detects a file's type from its first bytes, as soon as they arrive. The client's file name and
//! MIME type are ignored. The complete file is opened in `probe`.

use slovo_engine::media;
pub use slovo_fetch::media_probe::content_type;
use slovo_rules::media::Fault;
use slovo_rules::upload::{self, SNIFF_BYTES};
use slovo_rules::violation::Code;

/// How many of the first bytes identify every container, as defined by the rules.
const HEAD_BYTES: u64 = SNIFF_BYTES as u64;
/// With fewer bytes the type is not decided, unless the file has no more.
const DECIDING_BYTES: u64 = 4 * 1024;

/// The file type according to the first bytes.
#[derive(Debug, Clone, PartialEq)]
pub enum HeadVerdict {
    /// There are not enough bytes yet.
    Undecided,
    /// An accepted container, by its name.
    Accepted(String),
    /// Something else.
    Refused(Fault),
}

/// How many of the first bytes are needed to check a file of which `stored` of `size` bytes have
/// arrived; `None` if there are not enough yet.
pub fn needed(stored: u64, size: Option<u64>) -> Option<u64> {
    let deciding = DECIDING_BYTES.min(size.unwrap_or(u64::MAX));
    (stored >= deciding).then_some(HEAD_BYTES.min(stored))
}

/// Checks the first bytes of a file of which `stored` of `size` bytes have arrived; `size` is
/// `None` while unknown.
pub fn head(bytes: &[u8], stored: u64, size: Option<u64>) -> HeadVerdict {
    let all = stored >= HEAD_BYTES.min(size.unwrap_or(u64::MAX));
    let judged = upload::check_content_with(bytes, media::has_external_decoder());
    match judged {
        Ok(container) => HeadVerdict::Accepted(container.as_str().to_owned()),
        Err(violation) if all || violation.code == Code::ContentRefused => {
            let code = violation.code.as_str().to_owned();
            HeadVerdict::Refused(Fault {
                code,
                params: violation.params,
            })
        }
        Err(_) => HeadVerdict::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additional_formats_are_accepted_if_ffmpeg_is_installed() {
        let found = head(b"#!AMR\n\x3c\x08\x0c\x00", 10, Some(10));
        if media::has_external_decoder() {
            assert_eq!(found, HeadVerdict::Accepted("amr".to_owned()));
        } else {
            assert!(
                matches!(found, HeadVerdict::Refused(fault) if fault.code == "content_refused")
            );
        }
    }
}
