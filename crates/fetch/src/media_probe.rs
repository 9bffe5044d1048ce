//! Opening complete media files, limited to one at a time per core.
//!
//! A file is only rejected for its own content. Server-side trouble (a disk that does not respond,
//! a missing program, no free thread) is [`ProbeUnavailable`].

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use slovo_engine::media::{MediaError, MediaInfo, Track};
use slovo_engine::{Engine, EngineError};
use slovo_rules::media::{AudioTrack, Fault, Media};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// Opening a file reads its headers. One that takes longer than this was made to waste time.
const OPEN_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a file waits for a free slot before its sender is asked to retry.
const WAITING: Duration = Duration::from_secs(30);

/// One per core of this process: a probe uses more processor time than I/O.
static ROOM: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Arc::new(Semaphore::new(cores))
});

/// The server could not inspect a file. A retry may succeed.
#[derive(Debug, thiserror::Error)]
#[error("the recording cannot be inspected now: {cause}")]
pub struct ProbeUnavailable {
    /// For a job that fails because of it.
    pub fault: Fault,
    cause: String,
}

impl ProbeUnavailable {
    /// With this reason, which is for the log.
    pub fn with_cause(cause: &(impl ToString + ?Sized)) -> Self {
        Self {
            fault: Fault::new("io"),
            cause: cause.to_string(),
        }
    }
}

/// Opens a complete file. `Ok(Err(_))` means that the file is at fault. `keep` is held until the
/// file is closed, even if the caller has stopped waiting.
///
/// # Errors
/// When the server is at fault.
pub async fn probe(
    path: &Path,
    engine: &Engine,
    keep: impl Send + 'static,
) -> Result<Result<Media, Fault>, ProbeUnavailable> {
    let (path, engine) = (path.to_owned(), engine.clone());
    let work = move || engine.probe(&path);
    match in_turn(&ROOM, (WAITING, OPEN_TIMEOUT), keep, work).await? {
        None => Ok(Err(Fault::new("too_slow"))),
        Some(Ok(info)) => Ok(Ok(media_of(info))),
        Some(Err(EngineError::Media(error))) => classify(&error).map(Err),
        Some(Err(error)) => Err(ProbeUnavailable::with_cause(&error)),
    }
}

/// Decides whether the file or the server is at fault.
fn classify(error: &MediaError) -> Result<Fault, ProbeUnavailable> {
    let fault = Fault {
        code: error.code().to_owned(),
        params: error.params(),
    };
    match error {
        MediaError::Io { .. } => Err(ProbeUnavailable::with_cause(error)),
        MediaError::DecoderMissing { .. } => Err(ProbeUnavailable {
            fault,
            cause: error.to_string(),
        }),
        _ => {
            // Its owner gets a code; the decoder's message is only logged here.
            tracing::info!(%error, "a file cannot be used");
            Ok(fault)
        }
    }
}

fn media_of(info: MediaInfo) -> Media {
    Media {
        channels: info
            .tracks
            .get(info.track)
            .map_or(0, |track| counted(track.channels)),
        tracks: counted(info.tracks.len()),
        audio_tracks: info.tracks.into_iter().map(track_of).collect(),
        container: info.container,
        codec: info.codec,
        duration: info.duration,
        has_video: info.has_video,
    }
}

fn track_of(track: Track) -> AudioTrack {
    AudioTrack {
        index: counted(track.index),
        codec: track.codec,
        language: track.language,
        title: track.title,
        channels: counted(track.channels),
        sample_rate: track.rate,
        default: track.default,
    }
}

/// Converts a count, which the engine keeps far below the limit.
fn counted(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Runs `work` on a blocking thread once there is a slot. The times are limits for waiting and for
/// working; `None` if the work itself exceeds its limit.
async fn in_turn<T: Send + 'static>(
    room: &Arc<Semaphore>,
    (waiting, working): (Duration, Duration),
    keep: impl Send + 'static,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>, ProbeUnavailable> {
    let queued = async {
        let permit = Arc::clone(room).acquire_owned().await;
        let (begin, started) = oneshot::channel();
        let task = tokio::task::spawn_blocking(move || {
            // Work that cannot be cancelled keeps its slot until it ends.
            let _kept = (permit, keep);
            // The caller has stopped waiting: the work is not started.
            begin.send(()).ok()?;
            Some(work())
        });
        started.await.map(|()| task)
    };
    let started = timeout(waiting, queued).await;
    let task = started
        .map_err(|_| ProbeUnavailable::with_cause("too many files are being inspected"))?
        .map_err(|error| ProbeUnavailable::with_cause(&error))?;
    match timeout(working, task).await {
        Ok(done) => done.map_err(|error| ProbeUnavailable::with_cause(&error)),
        Err(_) => Ok(None),
    }
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
        ("aac", _) => "audio/aac",
        ("aiff", _) => "audio/aiff",
        ("amr", _) => "audio/amr",
        ("asf", false) => "audio/x-ms-wma",
        ("asf", true) => "video/x-ms-wmv",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use slovo_engine::EngineConfig;

    use std::sync::atomic::{AtomicUsize, Ordering};

    use slovo_rules::codes::ProblemCode;

    use super::*;

    const LONG: Duration = Duration::from_secs(20);
    const SHORT: Duration = Duration::from_millis(50);

    fn sleeper(time: Duration) -> impl FnOnce() {
        move || std::thread::sleep(time)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn slow_work_is_a_fault_of_the_file_but_waiting_is_not() {
        let room = Arc::new(Semaphore::new(1));
        let slow = in_turn(&room, (LONG, SHORT), (), sleeper(SHORT * 10));
        assert!(slow.await.unwrap().is_none());
        // The first task is still running and holds the only slot.
        let second = in_turn(&room, (SHORT, LONG), (), || ());
        assert!(second.await.is_err());
        // The time limit of the work starts with the work.
        let third = in_turn(&room, (LONG, SHORT * 4), (), || ());
        assert!(third.await.unwrap().is_some());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn concurrent_probes_are_limited() {
        let room = Arc::new(Semaphore::new(2));
        let (running, peak) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let all = (0..8).map(|_| {
            let (room, running, peak) =
                (Arc::clone(&room), Arc::clone(&running), Arc::clone(&peak));
            tokio::spawn(async move {
                let work = move || {
                    peak.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(20));
                    running.fetch_sub(1, Ordering::SeqCst);
                };
                in_turn(&room, (LONG, LONG), (), work).await.unwrap()
            })
        });
        for task in all.collect::<Vec<_>>() {
            assert!(task.await.unwrap().is_some());
        }
        assert_eq!(peak.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn input_output_errors_are_not_faults_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::new(EngineConfig::new(PathBuf::new())).unwrap();
        let error = probe(&folder.path().join("gone"), &engine, ()).await;
        assert_eq!(error.unwrap_err().fault.code, "io");
        let missing = MediaError::DecoderMissing {
            program: "ffmpeg".to_owned(),
        };
        assert_eq!(
            classify(&missing).unwrap_err().fault.code,
            "decoder_missing"
        );
        assert_eq!(classify(&MediaError::TooSlow).unwrap().code, "too_slow");
    }

    /// The error after this one. A new kind of error does not compile until it has its place here.
    fn next(error: &MediaError) -> Option<MediaError> {
        let name = || "other".to_owned();
        Some(match error {
            MediaError::EmptyFile => MediaError::UnsupportedFormat { found: name() },
            MediaError::UnsupportedFormat { .. } => MediaError::Damaged { what: name() },
            MediaError::Damaged { .. } => MediaError::NoAudioTrack { container: name() },
            MediaError::NoAudioTrack { .. } => MediaError::NoSuchTrack {
                track: 1,
                tracks: 1,
            },
            MediaError::NoSuchTrack { .. } => MediaError::NoSamples,
            MediaError::NoSamples => MediaError::UnsupportedCodec { codec: name() },
            MediaError::UnsupportedCodec { .. } => MediaError::BadSampleRate { rate: 0 },
            MediaError::BadSampleRate { .. } => MediaError::BadChannels { channels: 0 },
            MediaError::BadChannels { .. } => MediaError::TooLong { limit_seconds: 1.0 },
            MediaError::TooLong { .. } => MediaError::TooSlow,
            MediaError::TooSlow => MediaError::DecoderMissing { program: name() },
            MediaError::DecoderMissing { .. } => MediaError::Io { what: name() },
            MediaError::Io { .. } => return None,
        })
    }

    /// An upload stores the code, and the answers about it give it as a problem.
    #[test]
    fn every_fault_of_a_file_is_a_problem_code() {
        let mut stored = Vec::new();
        let mut error = Some(MediaError::EmptyFile);
        while let Some(current) = error {
            if let Ok(fault) = classify(&current) {
                let code = ProblemCode::parse(&fault.code);
                let code = code.unwrap_or_else(|| panic!("{}", fault.code));
                assert!(code.is_of_file(), "{code}");
                stored.push(code);
            }
            error = next(&current);
        }
        let of_file = ProblemCode::ALL.iter().copied();
        let of_file: Vec<_> = of_file.filter(|code| code.is_of_file()).collect();
        stored.sort_unstable();
        assert_eq!(stored, of_file);
    }
}
