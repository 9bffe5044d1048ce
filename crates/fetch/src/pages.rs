//! Recordings in web pages, found by yt-dlp where it is installed.
//!
//! Its output is untrusted. It runs without a shell and without user configuration, in its own
//! folder, with limits on time, output and disk space, and reaches the network only through our
//! [`Proxy`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use slovo_rules::upload::MAX_UPLOAD_BYTES;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::error::FetchError;
use crate::guard::Guard;
use crate::process::Program;
use crate::proxy::Proxy;
use crate::ytdlp_output::{DownloadProgress, Page, read_page, read_progress};
use slovo_platform::random::Random;

/// Pages that are probed concurrently. Each process takes some 100 MB and sometimes a core.
const MAX_DESCRIBED: usize = 4;
/// Recordings that are downloaded concurrently, with separate slots, because they hold them long.
pub const MAX_FETCHED: usize = 4;
/// Timeout for probing a page, including the wait for a slot.
const DESCRIBING: Duration = Duration::from_secs(22);
/// Timeout for downloading a recording.
const FETCHING: Duration = Duration::from_secs(2 * 60 * 60);
/// Longest time without progress of a download.
const STALLED: Duration = Duration::from_secs(120);
/// Transfer limit for probing a page, in bytes. A YouTube page takes some 5 MB.
const DESCRIPTION_BYTES: u64 = 64 * 1024 * 1024;
/// Transfer limit for downloading a recording of at most this size, in bytes: fragments may be
/// repeated.
const fn recording_bytes(limit: u64) -> u64 {
    let limit = if limit > MAX_UPLOAD_BYTES {
        limit
    } else {
        MAX_UPLOAD_BYTES
    };
    limit.saturating_mul(2)
}
/// How often the folder's size is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Name of the output file, without its extension.
const STEM: &str = "media";
/// Prefix of the lines of its output that our templates produce.
const MARK_PAGE: &str = "slovo-page ";
const MARK_PROGRESS: &str = "slovo-progress ";

/// A completed download.
#[derive(Debug)]
pub struct DownloadedPage {
    /// The page's metadata.
    pub page: Page,
    /// The recording, in the given folder.
    pub file: PathBuf,
}

/// Runs yt-dlp.
pub struct Downloader {
    program: Option<PathBuf>,
    guard: Guard,
    random: Arc<dyn Random>,
    describing: Semaphore,
    fetching: Semaphore,
}

impl Downloader {
    /// With the program at this path, if any.
    #[must_use]
    pub fn new(program: Option<PathBuf>, guard: Guard, random: Arc<dyn Random>) -> Self {
        Self {
            program,
            guard,
            random,
            describing: Semaphore::new(MAX_DESCRIBED),
            fetching: Semaphore::new(MAX_FETCHED),
        }
    }

    /// Whether yt-dlp is available.
    #[must_use]
    pub fn is_installed(&self) -> bool {
        self.program.is_some()
    }

    /// The page's metadata about its recording; the recording is not downloaded.
    ///
    /// # Errors
    /// There is no recording, or the page cannot be read.
    pub async fn describe(&self, url: &Url, max_bytes: u64) -> Result<Page, FetchError> {
        let described = timeout(DESCRIBING, async {
            let _place = place(&self.describing).await?;
            let folder = tempfile::tempdir().map_err(|error| internal_error(&error))?;
            let arguments = ["--dump-single-json", "--no-progress"].map(OsString::from);
            let bytes = DESCRIPTION_BYTES;
            let started = self.start(url, folder.path(), &arguments, bytes).await?;
            let (mut program, proxy) = started;
            let printed = program
                .line()
                .await
                .map_err(|error| internal_error(&error))?;
            let (went_well, complaints) = program
                .end()
                .await
                .map_err(|error| internal_error(&error))?;
            match printed {
                Some(json) if went_well => read_page(&json, max_bytes),
                _ => Err(classify_failure(&complaints, &proxy)),
            }
        });
        let described = described.await;
        described.unwrap_or_else(|_| Err(FetchError::transient("the page takes too long")))
    }

    /// Downloads a page's recording into the folder, resuming what an earlier run has left there.
    /// `tell` receives the progress. Dropping the future ends the program.
    ///
    /// # Errors
    /// There is no recording, it cannot be downloaded, or it is too large.
    pub async fn fetch(
        &self,
        url: &Url,
        folder: &Path,
        max_bytes: u64,
        mut report: impl FnMut(DownloadProgress) + Send,
    ) -> Result<DownloadedPage, FetchError> {
        let fetched = timeout(FETCHING, async {
            let _place = place(&self.fetching).await?;
            let progress = "%(progress.downloaded_bytes)s %(progress.total_bytes)s \
                %(progress.total_bytes_estimate)s";
            let page = "%(.{title,duration,filesize,is_live})j";
            let arguments = [
                "--no-simulate".to_owned(),
                "--progress".to_owned(),
                "--newline".to_owned(),
                "--progress-template".to_owned(),
                format!("download:{MARK_PROGRESS}{progress}"),
                "--print".to_owned(),
                format!("before_dl:{MARK_PAGE}{page}"),
                "--match-filters".to_owned(),
                "!is_live".to_owned(),
                "--no-mtime".to_owned(),
                "--output".to_owned(),
                format!("{STEM}.%(ext)s"),
            ];
            let arguments = arguments.map(OsString::from);
            let bytes = recording_bytes(max_bytes);
            let started = self.start(url, folder, &arguments, bytes).await?;
            let (mut program, proxy) = started;
            let page = watch(&mut program, folder, max_bytes, &mut report).await?;
            let (went_well, complaints) = program
                .end()
                .await
                .map_err(|error| internal_error(&error))?;
            match finished(folder) {
                Some(file) if went_well => Ok(DownloadedPage { page, file }),
                None if went_well => Err(FetchError::not_media("html")),
                _ => Err(classify_failure(&complaints, &proxy)),
            }
        });
        let fetched = fetched.await;
        fetched.unwrap_or_else(|_| Err(FetchError::transient("the recording takes too long")))
    }

    async fn start(
        &self,
        url: &Url,
        folder: &Path,
        arguments: &[OsString],
        bytes: u64,
    ) -> Result<(Program, Proxy), FetchError> {
        let program = self.program.as_ref().ok_or(FetchError::NeedsDownloader)?;
        // URLs that can be refused at once are not passed to it.
        self.guard.check(url)?;
        let mut secret = [0; 16];
        self.random.fill(&mut secret);
        let proxy = Proxy::start(self.guard.clone(), hex::encode(secret), bytes).await;
        let proxy = proxy.map_err(|error| internal_error(&error))?;
        // Without ffmpeg nothing needs to be merged, and nothing bypasses the proxy: one file that
        // yt-dlp downloads itself, audio only if the page offers that.
        let common = [
            "--no-config",
            "--no-playlist",
            "--playlist-items",
            "1",
            "--no-warnings",
            "--no-cache-dir",
            "--no-check-formats",
            "--no-exec",
            "--fixup",
            "never",
            "--ffmpeg-location",
            "/nonexistent",
            "--downloader",
            "native",
            "--socket-timeout",
            "15",
            "--retries",
            "3",
            "--extractor-retries",
            "1",
            "--format",
            // Protocols delegated to other programs (rtsp, rtmp) would bypass the proxy.
            "bestaudio[protocol^=http]/best[protocol^=http]/\
             bestaudio[protocol=m3u8_native]/best[protocol=m3u8_native]",
            "--encoding",
            "utf-8",
            // The URL goes through standard input: its query may be a secret, and every user of the
            // machine can read arguments. It also cannot be taken for an option.
            "--batch-file",
            "-",
        ];
        let mut all: Vec<OsString> = common.map(OsString::from).into();
        all.extend_from_slice(arguments);
        let input = format!("{url}\n");
        let started = Program::start(program, &all, &input, folder, &proxy.url()).await;
        let started = started.map_err(|error| {
            tracing::error!(%error, "yt-dlp cannot be started");
            FetchError::NeedsDownloader
        })?;
        Ok((started, proxy))
    }
}

async fn place(room: &Semaphore) -> Result<SemaphorePermit<'_>, FetchError> {
    let place = room.acquire().await;
    place.map_err(|_| FetchError::transient("the server stops"))
}

/// Reads the program's output and watches the size of its folder, until the last line.
async fn watch(
    program: &mut Program,
    folder: &Path,
    max_bytes: u64,
    report: &mut (impl FnMut(DownloadProgress) + Send),
) -> Result<Page, FetchError> {
    let mut ticker = interval(POLL_INTERVAL);
    ticker.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut page = Page::default();
    let (mut size, mut grown) = (0, Instant::now());
    loop {
        tokio::select! {
            line = program.line() => {
                let Some(line) = line.map_err(|error| internal_error(&error))? else {
                    return Ok(page);
                };
                if let Some(json) = line.strip_prefix(MARK_PAGE) {
                    page = read_page(json, max_bytes)?;
                } else if let Some(numbers) = line.strip_prefix(MARK_PROGRESS) {
                    let progress = read_progress(numbers);
                    if progress.total.is_some_and(|total| total > max_bytes) {
                        return Err(FetchError::TooLarge { max_bytes });
                    }
                    report(progress);
                }
            }
            _ = ticker.tick() => {
                let now = size_of(folder);
                if now > max_bytes {
                    return Err(FetchError::TooLarge { max_bytes });
                }
                if now != size {
                    (size, grown) = (now, Instant::now());
                } else if grown.elapsed() > STALLED {
                    return Err(FetchError::transient("nothing came for too long"));
                }
            }
        }
    }
}

/// An internal error, which may be temporary.
fn internal_error(error: &std::io::Error) -> FetchError {
    FetchError::transient(format!("the program cannot be run: {}", error.kind()))
}

/// Why it failed. Its messages are only classified, because they contain the URL.
fn classify_failure(complaints: &str, proxy: &Proxy) -> FetchError {
    let says = |words: &[&str]| words.iter().any(|word| complaints.contains(word));
    if proxy.has_refused() {
        crate::guard::GuardRefusal::Address.into()
    } else if proxy.is_exhausted() {
        FetchError::silent("the page exceeds the byte limit")
    } else if says(&["Unsupported URL", "No video formats", "no media"]) {
        FetchError::not_media("html")
    } else if let Some(status) = status_in(complaints) {
        FetchError::status(status, None)
    } else if says(&["timed out", "Connection reset"]) {
        FetchError::transient("the page is temporarily unavailable")
    } else {
        FetchError::silent("yt-dlp found nothing")
    }
}

/// The HTTP status in an error message: `HTTP Error 404: Not Found`.
fn status_in(complaints: &str) -> Option<u16> {
    let (_, after) = complaints.split_once("HTTP Error ")?;
    let status = after.get(..3)?.parse().ok()?;
    (400..600).contains(&status).then_some(status)
}

/// The one complete file in the folder.
fn finished(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten();
    let mut complete = files.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let unfinished = [".part", ".ytdl", ".temp"];
        name.starts_with(STEM)
            && !name.contains(".part-")
            && !unfinished.iter().any(|end| name.ends_with(end))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    });
    complete.next().map(|entry| entry.path())
}

/// Bytes in a folder, including its subfolders.
fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
