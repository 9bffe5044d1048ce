//! Makes a recording available as a file for the engine. Input from a pipe or a URL is stored in a
//! temporary folder that is removed when the recording is done.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use reqwest::Url;
use slovo_engine::CancelToken;
use slovo_fetch::client::Part;
use slovo_fetch::{Fetch, FetchError, probe};
use slovo_rules::upload::SNIFF_BYTES;
use slovo_rules::url::UrlKind;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;

use super::inputs::InputSource;

/// Size of the read buffer for pipes, in bytes.
const PIECE: usize = 256 * 1024;
/// How often cancellation is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Largest recording fetched from a URL, in bytes: 4 GiB. A response may be endless.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;
/// Name of the temporary file.
const FILE_NAME: &str = "recording";

/// A recording as a local file.
pub struct LocalFile {
    /// The file's path.
    pub path: PathBuf,
    /// Keeps the temporary folder until the recording is done.
    _folder: Option<TempDir>,
}

/// Why a recording is not available.
#[derive(Debug)]
pub enum InputError {
    /// It cannot be read or fetched, or is not a recording.
    Unreadable(String),
    /// Cancelled by the user.
    Cancelled,
    /// The local disk failed or is full.
    Ours(io::Error),
}

impl From<FetchError> for InputError {
    fn from(error: FetchError) -> Self {
        Self::Unreadable(error.to_string())
    }
}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> Self {
        Self::Ours(error)
    }
}

/// Makes recordings available as files.
pub struct Fetcher<'a> {
    /// Fetches URLs.
    pub fetch: &'a Fetch,
    /// The runtime for fetching.
    pub runtime: &'a Handle,
    /// Checked frequently.
    pub cancel: &'a CancelToken,
}

impl Fetcher<'_> {
    /// Makes the recording at this place available.
    ///
    /// # Errors
    /// It is not available.
    pub fn fetch(&self, place: &InputSource) -> Result<LocalFile, InputError> {
        let folder = || tempfile::Builder::new().prefix("slovo-").tempdir();
        match place {
            InputSource::File(path) => Ok(LocalFile {
                path: path.clone(),
                _folder: None,
            }),
            InputSource::Nowhere(reason) => Err(InputError::Unreadable(reason.clone())),
            InputSource::Stdin => {
                let folder = folder()?;
                let path = self.copy_to_file(folder.path(), || Ok(Box::new(io::stdin())))?;
                Ok(temporary_file(path, folder))
            }
            InputSource::Pipe(pipe) => {
                let (folder, pipe) = (folder()?, pipe.clone());
                let path =
                    self.copy_to_file(folder.path(), move || Ok(Box::new(File::open(pipe)?)))?;
                Ok(temporary_file(path, folder))
            }
            InputSource::Address(url, kind) => {
                let folder = folder()?;
                let path = self.runtime.block_on(async {
                    tokio::select! {
                        path = self.at_address(url, kind, folder.path()) => path,
                        () = self.cancelled() => Err(InputError::Cancelled),
                    }
                })?;
                Ok(temporary_file(path, folder))
            }
        }
    }

    /// Copies a reader into a file. The reader runs on its own thread, because a blocking read
    /// cannot be cancelled.
    fn copy_to_file(
        &self,
        folder: &Path,
        open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static,
    ) -> Result<PathBuf, InputError> {
        let path = folder.join(FILE_NAME);
        let mut file = File::create(&path)?;
        let (sender, receiver) = sync_channel::<io::Result<Vec<u8>>>(4);
        std::thread::spawn(move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            loop {
                let mut piece = vec![0; PIECE];
                let read = input.read(&mut piece);
                let sent = match read {
                    Ok(0) => return,
                    Ok(count) => {
                        piece.truncate(count);
                        sender.send(Ok(piece))
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                if sent.is_err() {
                    return;
                }
            }
        });
        loop {
            let piece = receiver.recv_timeout(POLL_INTERVAL);
            if self.cancel.is_cancelled() {
                return Err(InputError::Cancelled);
            }
            match piece {
                Ok(Ok(piece)) => file.write_all(&piece)?,
                Ok(Err(error)) => return Err(InputError::Unreadable(error.to_string())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(path),
            }
        }
    }

    async fn cancelled(&self) {
        while !self.cancel.is_cancelled() {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn at_address(
        &self,
        url: &Url,
        kind: &UrlKind,
        folder: &Path,
    ) -> Result<PathBuf, InputError> {
        self.fetch.accepts(url, kind)?;
        if *kind == UrlKind::Other
            && let Some(file) = self.file(url, folder).await?
        {
            return Ok(file);
        }
        let page = folder.join("page");
        std::fs::create_dir(&page)?;
        let fetched = self.fetch.fetch_page(url, &page, LARGEST, |_| ()).await?;
        Ok(fetched.file)
    }

    /// The file at a URL; `None` if it is an HTML page.
    async fn file(&self, url: &Url, folder: &Path) -> Result<Option<PathBuf>, InputError> {
        let all = Part {
            from: 0,
            to: None,
            if_range: None,
        };
        let mut answer = self.fetch.get(url, all).await?;
        let Some((0, total)) = answer.place() else {
            return Err(FetchError::silent("the response has another byte range").into());
        };
        let path = folder.join(FILE_NAME);
        let mut file = tokio::fs::File::create(&path).await?;
        too_large(total.unwrap_or(0))?;
        let (mut head, mut stored, mut is_judged) = (Vec::<u8>::new(), 0_u64, false);
        while let Some(chunk) = answer.chunk().await? {
            let bytes: &[u8] = chunk.as_ref();
            stored += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            too_large(stored)?;
            if !is_judged {
                head.extend(bytes.iter().take(SNIFF_BYTES - head.len()));
                is_judged = head.len() == SNIFF_BYTES;
                if is_judged && probe::recording(&head)?.is_none() {
                    return Ok(None);
                }
            }
            file.write_all(bytes).await?;
        }
        file.flush().await?;
        if total.is_some_and(|total| stored < total) {
            return Err(FetchError::transient("the answer broke off").into());
        }
        if head.is_empty() {
            return Err(FetchError::not_media("empty").into());
        }
        if !is_judged && probe::recording(&head)?.is_none() {
            return Ok(None);
        }
        Ok(Some(path))
    }
}

fn temporary_file(path: PathBuf, folder: TempDir) -> LocalFile {
    LocalFile {
        path,
        _folder: Some(folder),
    }
}

fn too_large(bytes: u64) -> Result<(), FetchError> {
    if bytes > LARGEST {
        return Err(FetchError::TooLarge { max_bytes: LARGEST });
    }
    Ok(())
}
