//! Detects a file's type from its first bytes, as soon as they arrive. The client's file name and
//! MIME type are ignored. The complete file is opened in `probe`.

use std::{
    io::{self, Read},
    path::PathBuf,
};

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

/// Checks the first bytes of a file of which `stored` of `size` bytes have arrived; `size` is
/// `None` while unknown.
///
/// # Errors
/// When the file cannot be read.
pub async fn head(path: PathBuf, stored: u64, size: Option<u64>) -> io::Result<HeadVerdict> {
    let size = size.unwrap_or(u64::MAX);
    if stored < DECIDING_BYTES.min(size) {
        return Ok(HeadVerdict::Undecided);
    }
    let mut bytes = Vec::new();
    let bytes = tokio::task::spawn_blocking(move || {
        std::fs::File::open(path)?
            .take(HEAD_BYTES.min(stored))
            .read_to_end(&mut bytes)?;
        io::Result::Ok(bytes)
    })
    .await
    .map_err(io::Error::other)??;
    let all = stored >= HEAD_BYTES.min(size);
    let judged = upload::check_content_with(&bytes, media::has_external_decoder());
    Ok(match judged {
        Ok(container) => HeadVerdict::Accepted(container.as_str().to_owned()),
        Err(violation) if all || violation.code == Code::ContentRefused => {
            let code = violation.code.as_str().to_owned();
            HeadVerdict::Refused(Fault {
                code,
                params: violation.params,
            })
        }
        Err(_) => HeadVerdict::Undecided,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[tokio::test]
    async fn additional_formats_are_accepted_if_ffmpeg_is_installed() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"#!AMR\n\x3c\x08\x0c\x00").unwrap();
        let path = file.path().to_owned();
        let found = head(path, 10, Some(10)).await.unwrap();
        if media::has_external_decoder() {
            assert_eq!(found, HeadVerdict::Accepted("amr".to_owned()));
        } else {
            assert!(
                matches!(found, HeadVerdict::Refused(fault) if fault.code == "content_refused")
            );
        }
    }
}
