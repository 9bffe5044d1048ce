//! One pull: checks the folder first, then downloads from the hub.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slovo_model_catalogue::{
    Digests, Model, Origin, Record, State, StoreError, install, lock_path, record, state, verify,
};
use slovo_platform::disk::free_bytes;

use crate::error::PullError;
use crate::hub::HubEndpoint;
use crate::leftovers::{part_path, remove_leftovers};
use crate::progress::{Progress, Step};

/// Interval between attempts to get a lock that another pull holds.
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Which source a pull may use besides the models folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The model's public hub, or its mirror.
    Hub,
    /// None: what is not in the models folder is missing.
    None,
}

/// How a pull ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PullOutcome {
    /// The file already existed, and its checksum is correct.
    Present(Record),
    /// The file was fetched.
    Fetched(Record),
}

/// Fetches models into a folder.
#[derive(Clone, Debug)]
pub struct Fetcher {
    /// The models folder; created if missing.
    pub dir: PathBuf,
    /// Where models are published.
    pub hub: HubEndpoint,
    /// The allowed source.
    pub source: Source,
}

impl Fetcher {
    /// A fetcher for the hub in the environment.
    ///
    /// # Errors
    /// When `HF_ENDPOINT` is not a valid URL.
    pub fn new(dir: PathBuf, source: Source) -> Result<Self, PullError> {
        Ok(Self {
            dir,
            hub: HubEndpoint::from_environment()?,
            source,
        })
    }

    /// Ensures that the model is in the folder. Two pulls of one model, even from two processes, do
    /// not interfere: the second waits and finds the file.
    ///
    /// # Errors
    /// When the source does not provide the right file. Nothing new exists under the final name
    /// then.
    pub async fn pull(
        &self,
        model: &Model,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<PullOutcome, PullError> {
        std::fs::create_dir_all(&self.dir).map_err(PullError::io(&self.dir))?;
        let _lock = self.take_lock(model, progress).await?;
        if let Some(record) = self.existing(model, progress).await? {
            remove_leftovers(&self.dir, model);
            return Ok(PullOutcome::Present(record));
        }
        self.check_room(model)?;
        match self.source {
            Source::Hub => Ok(PullOutcome::Fetched(
                self.fetch_from_hub(model, progress).await?,
            )),
            Source::None => Err(PullError::NotHere(self.dir.clone())),
        }
    }

    /// The lock of one model in this folder; released when the file is closed.
    async fn take_lock(
        &self,
        model: &Model,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<File, PullError> {
        let path = lock_path(&self.dir, model);
        let file = File::create(&path).map_err(PullError::io(&path))?;
        let mut reported = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(PullError::io(&path)(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            if !reported {
                progress(Progress::Step(Step::Waiting));
                reported = true;
            }
            // Polls instead of blocking: a blocking wait could not be cancelled by Ctrl-C.
            tokio::time::sleep(LOCK_PAUSE).await;
        }
    }

    /// The record of the file in the folder, if its checksum is right.
    async fn existing(
        &self,
        model: &Model,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<Option<Record>, PullError> {
        let found = state(&self.dir, model);
        if found == State::Missing {
            return Ok(None);
        }
        progress(Progress::Step(Step::Verifying));
        match blocking(&self.dir, model, |dir, model| verify(dir, model, |_| ())).await {
            Ok(digests) => Ok(Some(match found {
                State::Installed(record) if record.sha256 == digests.sha256 => record,
                _ => record_found(&self.dir, model, &digests)?,
            })),
            Err(error @ StoreError::WrongChecksum { .. }) => {
                progress(Progress::Note(&format!("{error}; downloading it again")));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Checks that the disk has room for the rest of the model.
    fn check_room(&self, model: &Model) -> Result<(), PullError> {
        let Some(free) = free_bytes(&self.dir) else {
            return Ok(());
        };
        let part = self
            .part(model)
            .metadata()
            .map_or(0, |metadata| metadata.len());
        let needed = model.bytes().saturating_sub(part);
        if free < needed {
            return Err(PullError::NoRoom {
                path: self.dir.clone(),
                needed,
                free,
            });
        }
        Ok(())
    }

    fn part(&self, model: &Model) -> PathBuf {
        part_path(&self.dir, model)
    }

    async fn fetch_from_hub(
        &self,
        model: &Model,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<Record, PullError> {
        if model.hub_repository.is_none() {
            return Err(PullError::NotOnHub);
        }
        progress(Progress::Step(Step::Downloading));
        let part = self.part(model);
        loop {
            let (origin, resumed) = self.hub.download(model, &part, progress).await?;
            progress(Progress::Step(Step::Verifying));
            let finished = part.clone();
            let outcome = blocking(&self.dir, model, move |dir, model| {
                install(&finished, dir, model, origin)
            })
            .await;
            match outcome {
                Err(error @ StoreError::WrongChecksum { .. }) => {
                    std::fs::remove_file(&part).map_err(PullError::io(&part))?;
                    if !resumed {
                        return Err(error.into());
                    }
                    // The beginning may belong to another file: start over.
                    progress(Progress::Note(
                        "the partial file did not match; downloading it again",
                    ));
                }
                other => return Ok(other?),
            }
        }
    }
}

fn record_found(dir: &Path, model: &Model, digests: &Digests) -> Result<Record, StoreError> {
    record(dir, model, digests, Origin::found())
}

/// Runs blocking file operations on a blocking thread.
async fn blocking<T: Send + 'static>(
    dir: &Path,
    model: &Model,
    work: impl FnOnce(&Path, &Model) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let (folder, model) = (dir.to_owned(), *model);
    tokio::task::spawn_blocking(move || work(&folder, &model))
        .await
        .unwrap_or_else(|error| {
            Err(StoreError::Io {
                path: dir.to_owned(),
                error: io::Error::other(error),
            })
        })
}
