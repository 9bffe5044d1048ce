//! A file that an address leads to, byte by byte.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{CONTENT_DISPOSITION, ETAG, LAST_MODIFIED};
use serde::{Deserialize, Serialize};
use slovo_db::stages;
use slovo_db::uploads::Fault;
use slovo_rules::job::Stage;
use slovo_rules::upload::{MAX_UPLOAD_BYTES, SNIFF_BYTES};
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio::time::Instant;

use super::{Got, Pace, disk};
use crate::fetch::client::{Answer, Part};
use crate::fetch::{FetchError, names, probe};
use crate::jobs::digest;
use crate::jobs::failure::Failure;
use crate::jobs::run::Run;

/// Bytes after which what is on the disk is noted: a kill repeats at most these.
const NOTE_BYTES: u64 = 8 * 1024 * 1024;
/// Time after which it is noted as well, where bytes come slowly.
const NOTE_TIME: Duration = Duration::from_secs(5);
/// Longest `ETag` that is kept, in bytes.
const MAX_VALIDATOR: usize = 1024;

/// What is known of a file that is not whole.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Known {
    /// Bytes that are on the disk.
    stored: u64,
    /// What they were when the job last got on: beginning anew is no progress.
    best: u64,
    /// Bytes of the whole, where known.
    total: Option<u64>,
    /// By what the other side knows this file again.
    same: Option<String>,
    /// Display name.
    filename: String,
    /// By its first bytes; none before these were looked at.
    container: Option<String>,
}

/// A file on its way.
struct Writing<'a> {
    run: &'a Run,
    file: File,
    known: Known,
    /// The first bytes, until they were looked at.
    head: Vec<u8>,
    noted: (u64, Instant),
    pace: Pace,
}

impl Run {
    /// Fetches the file at an address; `None` if that is a page.
    pub(super) async fn fetch_file(&self, url: &Url) -> Result<Option<Got>, Failure> {
        let path = self.jobs.0.storage.media(self.job.media_id);
        if let Some(known) = self.taken_up(&path).await? {
            let part = Part {
                from: known.stored,
                to: None,
                if_range: known.same.as_deref(),
            };
            match self.jobs.0.fetch.get(url, part).await {
                // The rest, of the same file.
                Ok(answer) if answer.place().is_some_and(|at| follows(at, &known)) => {
                    tracing::info!(job = %self.job.id, stored = known.stored, "going on");
                    return self.receive(path, known, answer).await;
                }
                Ok(answer) if matches!(answer.place(), Some((0, _))) => {
                    return self.receive_anew(path, known.best, answer).await;
                }
                Err(error @ FetchError::Unreachable(_)) if is_passing(&error) => {
                    return Err(error.into());
                }
                // Another part, or no such part any more.
                Ok(_) | Err(FetchError::Unreachable(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let whole = Part {
            from: 0,
            to: None,
            if_range: None,
        };
        let answer = self.jobs.0.fetch.get(url, whole).await?;
        self.receive_anew(path, 0, answer).await
    }

    /// What an earlier claim has on the disk, if the other side can be asked for the rest of it.
    async fn taken_up(&self, path: &PathBuf) -> Result<Option<Known>, Failure> {
        let mut connection = self.jobs.0.db.read().await?;
        let (id, version) = (self.job.id, self.job.version);
        let row = stages::find::<Known>(&mut connection, id, version, Stage::Downloading).await?;
        drop(connection);
        let row = row.filter(|row| row.input_digest == digest::download(&self.job));
        let Some(known) = row.and_then(|row| row.output) else {
            return Ok(None);
        };
        let there = tokio::fs::metadata(path).await.map_or(0, |data| data.len());
        let usable = known.same.is_some() && known.container.is_some();
        Ok((usable && known.stored > 0 && there >= known.stored).then_some(known))
    }

    async fn receive_anew(
        &self,
        path: PathBuf,
        best: u64,
        answer: Answer,
    ) -> Result<Option<Got>, Failure> {
        let Some((0, total)) = answer.place() else {
            return Err(FetchError::silent("another part than was asked for").into());
        };
        self.begin(Stage::Downloading, &digest::download(&self.job))
            .await?;
        let known = Known {
            stored: 0,
            best,
            total,
            same: validator(&answer),
            filename: names::of_answer(
                answer.raw_header(CONTENT_DISPOSITION.as_str()),
                &answer.url,
            ),
            container: None,
        };
        self.receive(path, known, answer).await
    }

    async fn receive(
        &self,
        path: PathBuf,
        known: Known,
        mut answer: Answer,
    ) -> Result<Option<Got>, Failure> {
        let missing = known.total.unwrap_or(known.stored) - known.stored;
        if known.total.is_some_and(|total| total > MAX_UPLOAD_BYTES) {
            return Err(FetchError::TooLarge.into());
        }
        if !self.jobs.0.storage.has_room(missing) {
            return Err(Failure::Passing(Fault::new("storage_failed")));
        }
        let mut writing = Writing::open(self, &path, known).await?;
        loop {
            match answer.chunk().await {
                Ok(Some(chunk)) => writing.take(chunk.as_ref()).await?,
                Ok(None) => return writing.finish().await,
                Err(error) => {
                    // What came needs not come again.
                    writing.note().await?;
                    return Err(error.into());
                }
            }
            if writing.shows_page()? {
                return Ok(None);
            }
        }
    }
}

/// Whether an answer goes on where the file ends.
fn follows((first, total): (u64, Option<u64>), known: &Known) -> bool {
    let same_length = match (total, known.total) {
        (Some(now), Some(then)) => now == then,
        _ => true,
    };
    first == known.stored && first > 0 && same_length
}

fn is_passing(error: &FetchError) -> bool {
    matches!(error, FetchError::Unreachable(silence) if silence.passing)
}

/// By what the other side knows the file again: a strong `ETag`, else the date of its last change
/// (RFC 9110, 13.1.5).
fn validator(answer: &Answer) -> Option<String> {
    let strong = |tag: &&str| tag.starts_with('"') && tag.len() <= MAX_VALIDATOR;
    let tag = answer.header(ETAG.as_str()).filter(strong);
    let date = || {
        let date = answer.header(LAST_MODIFIED.as_str())?;
        (date.len() <= MAX_VALIDATOR).then_some(date)
    };
    tag.or_else(date).map(str::to_owned)
}

impl<'a> Writing<'a> {
    /// Opens the file, and cuts it to what is known to be good.
    async fn open(run: &'a Run, path: &PathBuf, known: Known) -> Result<Self, Failure> {
        let opened = async {
            let mut file = OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(false)
                .open(path)
                .await?;
            file.set_len(known.stored).await?;
            file.seek(std::io::SeekFrom::End(0)).await?;
            Ok(file)
        };
        let file = opened.await.map_err(|error| disk(&error))?;
        let pace = Pace::from(known.stored);
        run.tell(known.stored, known.total, None);
        Ok(Self {
            run,
            file,
            noted: (known.stored, Instant::now()),
            head: Vec::new(),
            known,
            pace,
        })
    }

    async fn take(&mut self, chunk: &[u8]) -> Result<(), Failure> {
        self.known.stored += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        // Whatever its head has promised.
        if self.known.stored > MAX_UPLOAD_BYTES {
            return Err(FetchError::TooLarge.into());
        }
        if self
            .known
            .total
            .is_some_and(|total| self.known.stored > total)
        {
            return Err(FetchError::passing("more bytes than were announced").into());
        }
        self.file.write_all(chunk).await.map_err(|e| disk(&e))?;
        if self.known.container.is_none() {
            let missing = SNIFF_BYTES.saturating_sub(self.head.len());
            self.head.extend(chunk.iter().take(missing));
        }
        let (known, run) = (&self.known, self.run);
        run.tell(known.stored, known.total, Some(&self.pace));
        let (bytes, time) = self.noted;
        let due = known.stored - bytes >= NOTE_BYTES || time.elapsed() >= NOTE_TIME;
        if due {
            self.note().await?;
        }
        Ok(())
    }

    /// Looks at the first bytes once they are there: whether it is a page, and not a recording.
    fn shows_page(&mut self) -> Result<bool, Failure> {
        if self.known.container.is_some() || self.head.len() < SNIFF_BYTES {
            return Ok(false);
        }
        self.judge()
    }

    fn judge(&mut self) -> Result<bool, Failure> {
        if self.head.is_empty() {
            return Err(FetchError::not_media("empty").into());
        }
        let container = probe::recording(&self.head)?;
        self.known.container = container.map(|found| found.as_str().to_owned());
        self.head = Vec::new();
        Ok(container.is_none())
    }

    /// Notes what is on the disk, after it is.
    async fn note(&mut self) -> Result<(), Failure> {
        if self.known.container.is_none() {
            return Ok(());
        }
        self.file.flush().await.map_err(|e| disk(&e))?;
        self.file.sync_data().await.map_err(|e| disk(&e))?;
        let got_on = self.known.stored >= self.known.best + NOTE_BYTES;
        if got_on {
            self.known.best = self.known.stored;
        }
        let run = self.run;
        let mut transaction = run.jobs.0.db.write().await?;
        let held = stages::note(
            &mut transaction,
            &run.lease,
            run.job.version,
            Stage::Downloading,
            &self.known,
            got_on,
        )
        .await?;
        run.commit(transaction, held).await?;
        if got_on {
            run.trace.got_on.store(true, Ordering::Relaxed);
        }
        self.noted = (self.known.stored, Instant::now());
        Ok(())
    }

    async fn finish(mut self) -> Result<Option<Got>, Failure> {
        if self
            .known
            .total
            .is_some_and(|total| self.known.stored < total)
        {
            return Err(FetchError::passing("the answer broke off").into());
        }
        if self.known.container.is_none() && self.judge()? {
            return Ok(None);
        }
        self.file.flush().await.map_err(|e| disk(&e))?;
        self.file.sync_all().await.map_err(|e| disk(&e))?;
        Ok(self.known.container.map(|container| Got {
            filename: self.known.filename,
            container,
        }))
    }
}
