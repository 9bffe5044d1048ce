//! What is in an uploaded file: by its first bytes as soon as they are there, and by opening it
//! once it is complete. A client's name and MIME type are never asked.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use slovo_db::uploads::{Fault, Media};
use slovo_engine::media::{self, Limits};
use slovo_rules::upload::{self, SNIFF_BYTES};
use slovo_rules::violation::Code;

/// First bytes that tell every container apart, as the rules say.
const HEAD_BYTES: u64 = SNIFF_BYTES as u64;
/// With fewer bytes than this nothing is decided, unless the file has no more.
const DECIDING_BYTES: u64 = 4 * 1024;
/// Opening a file reads its headers. One that takes longer than this is made to waste time.
const PROBE_TIME: Duration = Duration::from_secs(30);

/// What the first bytes say.
#[derive(Debug, Clone, PartialEq)]
pub enum Head {
    /// Not enough of them yet.
    Undecided,
    /// A container that is accepted, by its name.
    Accepted(String),
    /// Something else.
    Refused(Fault),
}

/// Looks at the first bytes of a file that has `stored` of its `size` bytes.
pub async fn head(path: PathBuf, stored: u64, size: u64) -> io::Result<Head> {
    if stored < DECIDING_BYTES.min(size) {
        return Ok(Head::Undecided);
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
    Ok(match upload::check_content(&bytes) {
        Ok(container) => Head::Accepted(container.as_str().to_owned()),
        Err(violation) if all || violation.code == Code::ContentRefused => {
            let code = violation.code.as_str().to_owned();
            Head::Refused(Fault {
                code,
                params: violation.params,
            })
        }
        Err(_) => Head::Undecided,
    })
}

/// Opens a complete file. `Ok(Err(_))` is a file at fault.
pub async fn probe(path: &Path, limits: &Limits) -> io::Result<Result<Media, Fault>> {
    let (path, limits) = (path.to_owned(), limits.clone());
    let probing = tokio::task::spawn_blocking(move || media::probe(&path, &limits));
    let probed = match tokio::time::timeout(PROBE_TIME, probing).await {
        Ok(probed) => probed.map_err(io::Error::other)?,
        Err(_) => {
            return Ok(Err(Fault {
                code: "too_slow".to_owned(),
                params: BTreeMap::new(),
            }));
        }
    };
    Ok(match probed {
        Ok(info) => Ok(Media {
            channels: info
                .tracks
                .get(info.track)
                .map_or(0, |track| u32::try_from(track.channels).unwrap_or(u32::MAX)),
            tracks: u32::try_from(info.tracks.len()).unwrap_or(u32::MAX),
            container: info.container,
            codec: info.codec,
            duration: info.duration,
            has_video: info.has_video,
        }),
        Err(error) => Err(Fault {
            code: error.code().to_owned(),
            params: error.params(),
        }),
    })
}

/// The MIME type under which a file of this container is sent to a player.
#[must_use]
pub fn content_type(container: &str, has_video: bool) -> &'static str {
    match (container, has_video) {
        ("mp3", _) => "audio/mpeg",
        ("wav", _) => "audio/wav",
        ("flac", _) => "audio/flac",
        ("ogg", _) => "audio/ogg",
        ("m4a", _) | ("mp4", false) => "audio/mp4",
        ("mp4", true) => "video/mp4",
        ("mov", _) => "video/quicktime",
        ("webm", false) => "audio/webm",
        ("webm", true) => "video/webm",
        ("matroska" | "mkv", false) => "audio/x-matroska",
        ("matroska" | "mkv", true) => "video/x-matroska",
        ("avi", _) => "video/x-msvideo",
        _ => "application/octet-stream",
    }
}
