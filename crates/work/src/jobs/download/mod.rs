//! The first stage of a job with a URL: downloads its recording.
//!
//! A direct download is written to the final media path from the first byte. The number of synced
//! bytes and the file's validator are stored in the stage's row periodically; after a kill the next
//! claim requests the rest, or the whole file if it has changed. A page's recording is downloaded
//! by yt-dlp in a folder of its own, where yt-dlp resumes by itself.
//!
//! A complete recording is probed like an upload, the job gets its name, size and duration, and the
//! claim ends: the job then waits for recognition like all others.

mod direct;

use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

use reqwest::Url;
use slovo_db::jobs;
use slovo_db::jobs::queue::{self, Progress, Release};
use slovo_db::jobs::stages::DownloadedFile;
use slovo_db::lifecycle;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::media::{Fault, Media};
use slovo_rules::upload::SNIFF_BYTES;
use slovo_rules::url::{UrlKind, classify};
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};

use super::failure::Failure;
use super::run::{Run, RunOutcome};
use slovo_fetch::{FetchError, names, probe};
use slovo_platform::disk::is_full;
use slovo_storage::{Space, Storage};
use slovo_uploads::content;

/// How often the free disk space is checked while yt-dlp writes: the reserve covers two seconds of
/// a fast download.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// A downloaded file that has not been probed.
struct FetchedFile {
    /// Display name.
    filename: String,
    /// Detected from its first bytes.
    container: String,
}

/// Measures the download speed, for the remaining time.
struct DownloadSpeed {
    started_at: Instant,
    initial_bytes: u64,
}

impl Run {
    /// Downloads the job's recording, unless the run is stopped.
    pub(super) async fn download(&self) -> Result<(), Failure> {
        let stopping = &self.running.stopping;
        let fetched = tokio::select! {
            fetched = self.fetch_and_open() => fetched,
            () = stopping.cancelled() => Err(Failure::Lost),
        };
        match fetched {
            Err(_) if self.jobs.0.shutdown.is_cancelled() => Err(Failure::Stopped),
            other => other,
        }
    }

    async fn fetch_and_open(&self) -> Result<(), Failure> {
        self.publish_progress(0, None, None);
        let url = self.job.plan.url();
        let kind = classify(url).map_err(|_| Failure::Input(Fault::new("url_refused")))?;
        let url = Url::parse(url.trim()).map_err(|_| Failure::Input(Fault::new("url_refused")))?;
        let max_bytes = {
            let mut connection = self.jobs.0.db.read().await?;
            slovo_server_settings::read(&mut connection).await?
        };
        let max_bytes = max_bytes.limits.upload_bytes();
        let fetched = match kind {
            UrlKind::Youtube { .. } => None,
            UrlKind::Other => self.fetch_file(&url, max_bytes).await?,
        };
        let fetched = match fetched {
            Some(fetched) => fetched,
            None => self.fetch_page(&url, max_bytes).await?,
        };
        let media = self.probe_file().await?;
        let size = self.jobs.0.storage.length(self.job.media_id).await;
        let size = size.map_err(|e| disk(&e))?.unwrap_or_default();
        self.store(fetched, media, size).await
    }

    /// Downloads a page's recording and moves it to the media path.
    async fn fetch_page(&self, url: &Url, max_bytes: u64) -> Result<FetchedFile, Failure> {
        let (storage, id) = (&self.jobs.0.storage, self.job.media_id);
        self.begin_page().await?;
        let folder = storage.download_folder(id).await.map_err(|e| disk(&e))?;
        let mut pace = None;
        let report = |progress: slovo_fetch::ytdlp_output::DownloadProgress| {
            let pace = pace.get_or_insert_with(|| DownloadSpeed::from(progress.done));
            self.publish_progress(progress.done, progress.total, Some(pace));
        };
        let fetched = tokio::select! {
            // Checks the disk before the download starts.
            biased;
            () = self.full() => return Err(no_room(storage)),
            fetched = self.jobs.0.fetch.fetch_page(url, &folder, max_bytes, report) => fetched?,
        };
        let head = head_of(&fetched.file).await.map_err(|e| disk(&e))?;
        let Some(container) = probe::recording(&head)? else {
            return Err(FetchError::not_media("html").into());
        };
        let extension = fetched.file.extension().unwrap_or_default();
        let title = fetched.page.title.as_deref().unwrap_or_default();
        let filename = names::of_title(title, &extension.to_string_lossy());
        let moved = storage.take_download(id, &fetched.file).await;
        moved.map_err(|e| disk(&e))?;
        // Remaining files are swept with the job.
        let _ = storage.remove_download_folder(id).await;
        Ok(FetchedFile {
            filename: filename.unwrap_or_else(|| names::of_url(url)),
            container: container.as_str().to_owned(),
        })
    }

    /// Returns when the disk has no room for the external program's output.
    async fn full(&self) {
        while self.jobs.0.storage.has_room_here(0) {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn store(&self, fetched: FetchedFile, media: Media, size: u64) -> Result<(), Failure> {
        let downloaded = DownloadedFile {
            content_type: content::content_type(&fetched.container, media.has_video).to_owned(),
            filename: fetched.filename,
            size,
            media,
        };
        let now = self.jobs.0.clock.now_ms();
        let mut transaction = self.jobs.0.db.write().await?;
        let still_leased =
            lifecycle::set_downloaded(&mut transaction, &self.lease, &downloaded, now).await?;
        self.commit(transaction, still_leased).await
    }

    /// Removes the partial download of a recording that will not be continued.
    pub(super) async fn clear_download(&self, ending: &RunOutcome) {
        let unwanted = match ending {
            // If the lease has expired meanwhile, another worker owns the job and the file.
            RunOutcome::Released(Release::Error(_) | Release::Failed(_)) => {
                self.holds_lease().await
            }
            // Cancelled or removed; or another worker has the job and writes to the same file.
            RunOutcome::Lost => self.is_cancelled().await,
            _ => false,
        };
        if !unwanted {
            return;
        }
        if let Err(error) = self.jobs.0.storage.remove(self.job.media_id).await {
            tracing::error!(job = %self.job.id, %error, "a partial download could not be removed");
        }
    }

    async fn is_cancelled(&self) -> bool {
        let look = async {
            let mut connection = self.jobs.0.db.read().await?;
            jobs::find_any(&mut connection, self.job.id).await
        };
        match look.await {
            // A complete recording is kept, even if the job was cancelled at this moment.
            Ok(job) => {
                job.is_none_or(|job| job.status == JobStatus::Cancelled && job.awaits_download)
            }
            Err(_) => false,
        }
    }

    async fn holds_lease(&self) -> bool {
        let look = async {
            let mut connection = self.jobs.0.db.read().await?;
            queue::is_lease_valid(&mut connection, &self.lease).await
        };
        look.await.unwrap_or(false)
    }

    /// Publishes the progress.
    fn publish_progress(&self, done: u64, total: Option<u64>, pace: Option<&DownloadSpeed>) {
        #[expect(clippy::cast_precision_loss, reason = "a percentage for display")]
        let share = |total: u64| (done as f64 / total.max(1) as f64 * 100.0).min(100.0);
        let progress = Progress {
            stage: Stage::Downloading,
            percent: total.map_or(0.0, share),
            seconds_left: total.and_then(|total| pace?.seconds_for(done, total)),
        };
        *self
            .trace
            .progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(progress);
        self.jobs.0.live.progress(self.job.id, progress);
    }
}

impl DownloadSpeed {
    /// Starts measuring now, at this many bytes.
    fn from(done: u64) -> Self {
        Self {
            started_at: Instant::now(),
            initial_bytes: done,
        }
    }

    /// Seconds left at the average speed so far; `None` if it is not known yet.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn seconds_for(&self, done: u64, total: u64) -> Option<f64> {
        let elapsed = self.started_at.elapsed();
        let received = done.saturating_sub(self.initial_bytes);
        if elapsed < Duration::from_millis(500) || received == 0 {
            return None;
        }
        let rate = received as f64 / elapsed.as_secs_f64();
        Some((total.saturating_sub(done) as f64 / rate).round())
    }
}

async fn head_of(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let limit = u64::try_from(SNIFF_BYTES).unwrap_or(u64::MAX);
    let file = tokio::fs::File::open(file).await?;
    file.take(limit).read_to_end(&mut head).await?;
    Ok(head)
}

/// Fails if the work takes too long; it is then retried, as after a broken connection.
async fn in_time<T>(
    longest: Duration,
    fetch: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let fetched = timeout(longest, fetch).await;
    fetched.unwrap_or_else(|_| Err(FetchError::transient("the recording takes too long").into()))
}

/// The failure if there is no room for a recording. If other files use the disk, the job waits; a
/// recording larger than the whole free space fails.
fn no_room(storage: &Storage) -> Failure {
    tracing::warn!("the disk has no space for a download");
    match storage.space() {
        Space::Enough => Failure::Transient(Fault::new("storage_failed")),
        Space::Low | Space::Full => Failure::NoStorage,
    }
}

/// A failure of our own disk: may be retried.
fn disk(error: &std::io::Error) -> Failure {
    tracing::error!(%error, "a downloaded recording cannot be stored");
    if is_full(error) {
        return Failure::NoStorage;
    }
    Failure::Transient(Fault::new("storage_failed"))
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn a_download_that_exceeds_the_time_limit_fails_with_a_retryable_fault() {
        let started = Instant::now();
        let longest = Duration::from_millis(50);
        let late = in_time(longest, pending::<Result<(), Failure>>()).await;
        assert!(started.elapsed() >= longest);
        assert!(
            matches!(&late, Err(Failure::External { fault, .. }) if fault.code == "url_unreachable"),
            "{late:?}"
        );
        assert!(
            in_time(longest, ready(Ok(7)))
                .await
                .is_ok_and(|value| value == 7)
        );
        let lost = in_time(longest, ready(Err::<(), _>(Failure::Lost))).await;
        assert!(matches!(lost, Err(Failure::Lost)), "{lost:?}");
    }
}
