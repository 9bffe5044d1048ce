//! Downloads a file directly from a URL.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{CONTENT_DISPOSITION, ETAG, LAST_MODIFIED};
use serde::{Deserialize, Serialize};
use slovo_db::jobs::stages;
use slovo_rules::job::Stage;
use slovo_rules::upload::SNIFF_BYTES;
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio::time::Instant;

use super::{DownloadSpeed, FetchedFile, disk, in_time, no_room};
use crate::jobs::digest;
use crate::jobs::failure::Failure;
use crate::jobs::run::Run;
use slovo_fetch::client::{Answer, Part};
use slovo_fetch::{FetchError, names, probe};

/// Bytes between two checkpoints: after a kill at most these are downloaded again.
const NOTE_BYTES: u64 = 8 * 1024 * 1024;
/// Longest time between two checkpoints, for slow downloads.
const NOTE_TIME: Duration = Duration::from_secs(5);
/// Bytes between two checks of the free disk space.
const SPACE_CHECK_BYTES: u64 = 4 * 1024 * 1024;
/// Longest download time of one claim, so that other jobs get a turn. The next claim continues
/// where this one stopped.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);
/// Longest `ETag` that is kept, in bytes.
const MAX_VALIDATOR: usize = 1024;

/// State of an incomplete download, stored in the checkpoint.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct DownloadState {
    /// Bytes on the disk.
    stored: u64,
    /// Highest number of bytes so far: only exceeding it counts as progress, starting over does
    /// not.
    best: u64,
    /// Whether the server supports range requests, as announced or observed. If it does not, the
    /// partial file is useless to the next claim.
    #[serde(default)]
    goes_on: bool,
    /// Total bytes, if known.
    total: Option<u64>,
    /// Validator (`ETag` or date) that identifies this version of the file.
    same: Option<String>,
    /// Display name.
    filename: String,
    /// Detected from the first bytes; `None` before they are checked.
    container: Option<String>,
}

/// A file being downloaded.
struct PartialDownload<'a> {
    run: &'a Run,
    file: File,
    state: DownloadState,
    /// The first bytes, until they are checked.
    head: Vec<u8>,
    saved: (u64, Instant),
    /// Bytes downloaded when the disk space was last checked.
    checked_at: u64,
    /// Largest recording in bytes.
    max_bytes: u64,
    pace: DownloadSpeed,
}

impl Run {
    /// Downloads the file at a URL; `None` if it is a web page.
    pub(super) async fn fetch_file(
        &self,
        url: &Url,
        max_bytes: u64,
    ) -> Result<Option<FetchedFile>, Failure> {
        in_time(LONGEST, self.fetch_rest(url, max_bytes)).await
    }

    async fn fetch_rest(&self, url: &Url, max_bytes: u64) -> Result<Option<FetchedFile>, Failure> {
        let path = self.direct_download()?;
        let checkpoint = self.load_checkpoint(&path).await?;
        let best = checkpoint.best;
        if checkpoint.stored > 0 {
            let part = Part {
                from: checkpoint.stored,
                to: None,
                if_range: checkpoint.same.as_deref(),
            };
            match self.jobs.0.fetch.get(url, part).await {
                // The rest of the same file.
                Ok(answer) if follows(&answer, &checkpoint) => {
                    tracing::info!(job = %self.job.id, stored = checkpoint.stored, "resuming");
                    let stated_total = answer.place().and_then(|(_, total)| total);
                    let checkpoint = DownloadState {
                        total: checkpoint.total.or(stated_total),
                        goes_on: true,
                        ..checkpoint
                    };
                    return self.receive(path, checkpoint, answer, max_bytes).await;
                }
                Ok(answer) if complete_length(&answer).is_some() => {
                    return self.restart_download(path, best, answer, max_bytes).await;
                }
                Err(error @ FetchError::Unreachable(_)) if is_temporary(&error) => {
                    return Err(error.into());
                }
                // A different range, or the range is not available any more.
                Ok(_) | Err(FetchError::Unreachable(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let all = Part {
            from: 0,
            to: None,
            if_range: None,
        };
        let answer = self.jobs.0.fetch.get(url, all).await?;
        self.restart_download(path, best, answer, max_bytes).await
    }

    /// The file into which the recording is fetched.
    fn direct_download(&self) -> Result<PathBuf, Failure> {
        let path = self.jobs.0.storage.direct_download(self.job.media_id);
        path.map_err(|error| disk(&error))
    }

    /// Starts over for a page's recording, and removes the partial file.
    pub(super) async fn begin_page(&self) -> Result<(), Failure> {
        let storage = &self.jobs.0.storage;
        let path = self.direct_download()?;
        let checkpoint = DownloadState {
            best: self.load_checkpoint(&path).await?.best,
            ..DownloadState::default()
        };
        let emptied = storage.empty_direct_download(self.job.media_id).await;
        emptied.map_err(|e| disk(&e))?;
        self.begin_with(&checkpoint).await
    }

    /// Begins the stage, and stores the progress of earlier claims at once: starting over
    /// repeatedly is no progress.
    async fn begin_with(&self, checkpoint: &DownloadState) -> Result<(), Failure> {
        let digest = digest::download(&self.job);
        self.begin(Stage::Downloading, &digest).await?;
        self.store_known(checkpoint, false).await
    }

    async fn store_known(&self, checkpoint: &DownloadState, advanced: bool) -> Result<(), Failure> {
        let (version, stage) = (self.job.version, Stage::Downloading);
        let mut transaction = self.jobs.0.db.write().await?;
        let noted = stages::store_partial_output(
            &mut transaction,
            &self.lease,
            version,
            stage,
            checkpoint,
            advanced,
        );
        let still_leased = noted.await?;
        self.commit(transaction, still_leased).await?;
        if advanced {
            self.trace.made_progress.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The state stored by earlier claims. Bytes are kept only if they exist and the server
    /// supports ranges; nothing is kept if the file is gone, because the job was cancelled
    /// meanwhile.
    async fn load_checkpoint(&self, path: &Path) -> Result<DownloadState, Failure> {
        let mut connection = self.jobs.0.db.read().await?;
        let (id, version) = (self.job.id, self.job.version);
        let row =
            stages::find::<DownloadState>(&mut connection, id, version, Stage::Downloading).await?;
        drop(connection);
        let row = row.filter(|row| row.input_digest == digest::download(&self.job));
        let checkpoint = row.and_then(|row| row.output);
        let (Some(checkpoint), Ok(metadata)) = (checkpoint, tokio::fs::metadata(path).await) else {
            return Ok(DownloadState::default());
        };
        let usable = checkpoint.same.is_some() && checkpoint.container.is_some();
        if usable && metadata.len() >= checkpoint.stored {
            return Ok(checkpoint);
        }
        Ok(DownloadState {
            best: checkpoint.best,
            ..DownloadState::default()
        })
    }

    async fn restart_download(
        &self,
        path: PathBuf,
        best: u64,
        answer: Answer,
        max_bytes: u64,
    ) -> Result<Option<FetchedFile>, Failure> {
        let Some(total) = complete_length(&answer) else {
            return Err(FetchError::silent("the response has another byte range").into());
        };
        let same = validator(&answer);
        let checkpoint = DownloadState {
            stored: 0,
            best,
            goes_on: same.is_some() && answer.offers_parts(),
            total,
            same,
            filename: names::of_answer(
                answer.raw_header(CONTENT_DISPOSITION.as_str()),
                &answer.url,
            ),
            container: None,
        };
        self.begin_with(&checkpoint).await?;
        self.receive(path, checkpoint, answer, max_bytes).await
    }

    async fn receive(
        &self,
        path: PathBuf,
        checkpoint: DownloadState,
        mut answer: Answer,
        max_bytes: u64,
    ) -> Result<Option<FetchedFile>, Failure> {
        if checkpoint.total.is_some_and(|total| total > max_bytes) {
            return Err(FetchError::TooLarge { max_bytes }.into());
        }
        self.ensure_disk_space(&checkpoint)?;
        let mut writing = PartialDownload::open(self, &path, checkpoint, max_bytes).await?;
        loop {
            match answer.chunk().await {
                Ok(Some(chunk)) => writing.receive_chunk(chunk.as_ref()).await?,
                Ok(None) => return writing.finish().await,
                Err(error) => {
                    // Keeps what has been downloaded.
                    writing.save_checkpoint().await?;
                    return Err(error.into());
                }
            }
            if writing.is_web_page()? {
                return Ok(None);
            }
        }
    }

    /// Checks that the disk has room for the rest of the file, if its size is known. Other writers
    /// use the disk as well.
    fn ensure_disk_space(&self, checkpoint: &DownloadState) -> Result<(), Failure> {
        let missing = checkpoint
            .total
            .map(|total| total.saturating_sub(checkpoint.stored));
        let storage = &self.jobs.0.storage;
        let has_room = storage.has_room_here(missing.unwrap_or(0));
        has_room.then_some(()).ok_or_else(|| no_room(storage))
    }
}

/// The total length, if known, of a response with the whole file; `None` if it is not one.
fn complete_length(answer: &Answer) -> Option<Option<u64>> {
    match answer.place() {
        Some((0, total)) if answer.ends_file() => Some(total),
        _ => None,
    }
}

/// Whether a partial response continues exactly at the end of our file, and has a known end.
fn follows(answer: &Answer, checkpoint: &DownloadState) -> bool {
    let Some((first, total)) = answer.place() else {
        return false;
    };
    let same_length = match (total, checkpoint.total) {
        (Some(now), Some(then)) => now == then,
        (now, then) => now.or(then).is_some(),
    };
    first == checkpoint.stored && first > 0 && same_length
}

fn is_temporary(error: &FetchError) -> bool {
    matches!(error, FetchError::Unreachable(silence) if silence.transient)
}

/// The file's validator: a strong `ETag`, else the date of last modification (RFC 9110, 13.1.5).
fn validator(answer: &Answer) -> Option<String> {
    let strong = |tag: &&str| tag.starts_with('"') && tag.len() <= MAX_VALIDATOR;
    let tag = answer.header(ETAG.as_str()).filter(strong);
    let date = || {
        let date = answer.header(LAST_MODIFIED.as_str())?;
        (date.len() <= MAX_VALIDATOR).then_some(date)
    };
    tag.or_else(date).map(str::to_owned)
}

impl<'a> PartialDownload<'a> {
    /// Opens the file and truncates it to its valid length.
    async fn open(
        run: &'a Run,
        path: &PathBuf,
        checkpoint: DownloadState,
        max_bytes: u64,
    ) -> Result<Self, Failure> {
        let opened = async {
            let mut file = OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(false)
                .open(path)
                .await?;
            file.set_len(checkpoint.stored).await?;
            file.seek(std::io::SeekFrom::End(0)).await?;
            Ok(file)
        };
        let file = opened.await.map_err(|error| disk(&error))?;
        let pace = DownloadSpeed::from(checkpoint.stored);
        run.publish_progress(checkpoint.stored, checkpoint.total, None);
        Ok(Self {
            run,
            file,
            saved: (checkpoint.stored, Instant::now()),
            checked_at: checkpoint.stored,
            head: Vec::new(),
            state: checkpoint,
            max_bytes,
            pace,
        })
    }

    async fn receive_chunk(&mut self, chunk: &[u8]) -> Result<(), Failure> {
        self.state.stored += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        // Checked again, whatever the headers announced.
        let max_bytes = self.max_bytes;
        if self.state.stored > max_bytes {
            return Err(FetchError::TooLarge { max_bytes }.into());
        }
        if self
            .state
            .total
            .is_some_and(|total| self.state.stored > total)
        {
            return Err(FetchError::transient("more bytes than were announced").into());
        }
        if self.state.stored - self.checked_at >= SPACE_CHECK_BYTES {
            self.checked_at = self.state.stored;
            self.run.ensure_disk_space(&self.state)?;
        }
        self.file.write_all(chunk).await.map_err(|e| disk(&e))?;
        if self.state.container.is_none() {
            let missing = SNIFF_BYTES.saturating_sub(self.head.len());
            self.head.extend(chunk.iter().take(missing));
        }
        let (checkpoint, run) = (&self.state, self.run);
        run.publish_progress(checkpoint.stored, checkpoint.total, Some(&self.pace));
        let (bytes, time) = self.saved;
        let due = checkpoint.stored - bytes >= NOTE_BYTES || time.elapsed() >= NOTE_TIME;
        if due {
            self.save_checkpoint().await?;
        }
        Ok(())
    }

    /// Checks the first bytes once they have arrived: whether they are a web page instead of a
    /// recording.
    fn is_web_page(&mut self) -> Result<bool, Failure> {
        if self.state.container.is_some() || self.head.len() < SNIFF_BYTES {
            return Ok(false);
        }
        self.check_content()
    }

    fn check_content(&mut self) -> Result<bool, Failure> {
        if self.head.is_empty() {
            return Err(FetchError::not_media("empty").into());
        }
        let container = probe::recording(&self.head)?;
        self.state.container = container.map(|found| found.as_str().to_owned());
        self.head = Vec::new();
        Ok(container.is_none())
    }

    /// Stores a checkpoint, after the data has been synced to the disk.
    async fn save_checkpoint(&mut self) -> Result<(), Failure> {
        if self.state.container.is_none() {
            return Ok(());
        }
        self.file.flush().await.map_err(|e| disk(&e))?;
        self.file.sync_data().await.map_err(|e| disk(&e))?;
        let checkpoint = &mut self.state;
        let advanced = checkpoint.goes_on && checkpoint.stored >= checkpoint.best + NOTE_BYTES;
        if advanced {
            checkpoint.best = checkpoint.stored;
        }
        self.run.store_known(&self.state, advanced).await?;
        self.saved = (self.state.stored, Instant::now());
        Ok(())
    }

    async fn finish(mut self) -> Result<Option<FetchedFile>, Failure> {
        if self
            .state
            .total
            .is_some_and(|total| self.state.stored < total)
        {
            self.save_checkpoint().await?;
            return Err(FetchError::transient("the answer broke off").into());
        }
        if self.state.container.is_none() && self.check_content()? {
            return Ok(None);
        }
        self.file.flush().await.map_err(|e| disk(&e))?;
        let (storage, id) = (&self.run.jobs.0.storage, self.run.job.media_id);
        let finished = storage.finish_direct_download(id).await;
        finished.map_err(|e| disk(&e))?;
        Ok(self.state.container.map(|container| FetchedFile {
            filename: self.state.filename,
            container,
        }))
    }
}
