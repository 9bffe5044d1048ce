//! One pull: checks the folder first, then downloads from the hub.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use slovo_engine::models::{
    Digests, Model, Origin, Record, State, StoreError, install, lock_path, record, state, verify,
};
use utoipa::ToSchema;

use super::hub::Home;
use super::leftovers::{part_path, remove_leftovers};
use slovo_platform::storage::free_bytes;

/// Interval between attempts to get a lock that another pull holds.
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Which source a pull may use besides the models folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The model's public home, or its mirror.
    Hub,
    /// None: what is not in the models folder is missing.
    None,
}

/// What a pull is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelStep)]
pub enum Step {
    /// Another pull of this model has the lock.
    Waiting,
    /// Bytes come from the home.
    Downloading,
    /// The checksum is computed.
    Verifying,
}

impl Step {
    /// In words, for the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting for another pull of this model",
            Self::Downloading => "downloading",
            Self::Verifying => "verifying",
        }
    }
}

/// Progress of a pull.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The current step.
    Step(Step),
    /// Bytes of the current transfer.
    Bytes {
        /// Bytes so far.
        done: u64,
        /// Total bytes, if known.
        total: Option<u64>,
    },
    /// A message about a problem that the pull recovers from.
    Note(&'a str),
}

/// How a pull ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pulled {
    /// The file was there already, and its checksum is right.
    Present(Record),
    /// The file was fetched.
    Fetched(Record),
}

/// Why a model could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// `HF_ENDPOINT` is not an address.
    #[error("HF_ENDPOINT is not an http or https address: {0}")]
    Endpoint(String),
    /// No connection to the hub.
    #[error("the model's home cannot be reached ({0})")]
    Unreachable(String),
    /// The hub responds with an error.
    #[error("the model's home answers {0}")]
    Refused(u16),
    /// The hub responds with something else.
    #[error("the model's home gives {0} instead of the model")]
    NotAModel(&'static str),
    /// The transfer makes no progress.
    #[error(
        "the transfer broke off again and again ({0}); run the command again to go on where it stopped"
    )]
    BrokenOff(String),
    /// The checksum is wrong, or the models folder is not usable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The disk has too little space.
    #[error("{} has too little room: {needed} bytes are needed, {free} are free", path.display())]
    NoRoom {
        /// The models folder.
        path: PathBuf,
        /// Bytes.
        needed: u64,
        /// Bytes.
        free: u64,
    },
    /// The model is not in the folder and downloads are disabled.
    #[error("it is not in {}", .0.display())]
    NotHere(PathBuf),
    /// Another process has the model's lock.
    #[error("it is being pulled at this moment")]
    Busy,
    /// The model is not published on a public hub.
    #[error("no public home has this model")]
    NoHome,
}

impl PullError {
    /// Whether the hub failed to provide the model, so that another source may help.
    #[must_use]
    pub const fn is_of_home(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::Refused(_) | Self::NotAModel(_) | Self::NoHome
        )
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}

/// Fetches models into a folder.
#[derive(Clone, Debug)]
pub struct Fetcher {
    /// The models folder; created if missing.
    pub dir: PathBuf,
    /// Where models are published.
    pub home: Home,
    /// The allowed source.
    pub source: Source,
}

impl Fetcher {
    /// A fetcher for the hub in the environment.
    ///
    /// # Errors
    /// When `HF_ENDPOINT` is not an address.
    pub fn new(dir: PathBuf, source: Source) -> Result<Self, PullError> {
        Ok(Self {
            dir,
            home: Home::from_environment()?,
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
    ) -> Result<Pulled, PullError> {
        std::fs::create_dir_all(&self.dir).map_err(PullError::io(&self.dir))?;
        let _lock = self.locked(model, progress).await?;
        if let Some(record) = self.present(model, progress).await? {
            remove_leftovers(&self.dir, model);
            return Ok(Pulled::Present(record));
        }
        self.check_room(model)?;
        match self.source {
            Source::Hub => Ok(Pulled::Fetched(
                self.fetch_from_home(model, progress).await?,
            )),
            Source::None => Err(PullError::NotHere(self.dir.clone())),
        }
    }

    /// The lock of one model in this folder; released when the file is closed.
    async fn locked(
        &self,
        model: &Model,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<File, PullError> {
        let path = lock_path(&self.dir, model);
        let file = File::create(&path).map_err(PullError::io(&path))?;
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(PullError::io(&path)(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            if !told {
                progress(Progress::Step(Step::Waiting));
                told = true;
            }
            // Polls instead of blocking: a blocking wait could not be cancelled by Ctrl-C.
            tokio::time::sleep(LOCK_PAUSE).await;
        }
    }

    /// The record of the file in the folder, if its checksum is right.
    async fn present(
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
                progress(Progress::Note(&format!("{error}; fetching it anew")));
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

    async fn fetch_from_home(
        &self,
        model: &Model,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<Record, PullError> {
        if model.home.is_none() {
            return Err(PullError::NoHome);
        }
        progress(Progress::Step(Step::Downloading));
        let part = self.part(model);
        loop {
            let (origin, resumed) = self.home.download(model, &part, progress).await?;
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
                        "what an earlier pull left did not fit; downloading anew",
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
