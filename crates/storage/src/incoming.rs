//! A recording that is being received, possibly in many requests and by several nodes.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use uuid::Uuid;

use crate::completion::{Fix, HEAD, OpenError, too_short};
use crate::folder::on_disk;
use crate::objects::incoming::IncomingObject;
use crate::{Place, Storage};

/// Maximum number of retries to lock a file; starting a program takes far less time than all of
/// them.
const LOCK_TRIES: u32 = 20;
/// The pause between two attempts.
const LOCK_PAUSE: Duration = Duration::from_millis(10);
/// A recording that grows. One writer at a time: with a folder another process is kept out by a lock
/// on the file, which the system releases when a process dies; with an object store the caller must
/// record the stored bytes only if nobody else has recorded more.
#[derive(Debug)]
pub struct Incoming(Sink);

#[derive(Debug)]
enum Sink {
    /// `None` while a blocking thread has it.
    File(Option<File>),
    Object(Box<IncomingObject>),
}

impl Storage {
    /// Opens an upload of which `stored` bytes are recorded, to append. With 0 it is created.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open_incoming(&self, id: Uuid, stored: u64) -> Result<Incoming, OpenError> {
        match self.place() {
            Place::Folder(folder) => {
                let file = open(folder.media(id), stored > 0).await?;
                Ok(Incoming(Sink::File(Some(file))))
            }
            Place::Objects(objects) => {
                let object = IncomingObject::open(objects.clone(), id, stored).await?;
                Ok(Incoming(Sink::Object(Box::new(object))))
            }
        }
    }

    /// Makes an upload whose `length` bytes are all stored a recording. `fix` gets its first 4096
    /// bytes and its length, and returns what to change in them. Idempotent: it can be repeated after
    /// a kill.
    ///
    /// # Errors
    /// When it cannot be read or written, or has fewer bytes.
    pub async fn complete(&self, id: Uuid, length: u64, fix: Fix) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => {
                let path = folder.media(id);
                on_disk(move || complete(&path, length, fix)).await
            }
            Place::Objects(objects) => objects.complete(id, length, fix).await,
        }
    }
}

impl Incoming {
    /// An existing file as an upload.
    #[must_use]
    pub fn of_file(file: File) -> Self {
        Self(Sink::File(Some(file)))
    }

    /// Drops what follows the first `stored` bytes, which a killed writer has left, and continues
    /// there.
    ///
    /// # Errors
    /// [`OpenError::Shorter`], or the disk.
    pub async fn continue_at(&mut self, stored: u64) -> Result<(), OpenError> {
        match &mut self.0 {
            Sink::File(file) => {
                let length = with(file, move |file| {
                    let length = file.metadata()?.len();
                    if length >= stored {
                        file.set_len(stored)?;
                        file.seek(SeekFrom::Start(stored))?;
                    }
                    Ok(length)
                })
                .await?;
                if length < stored {
                    return Err(OpenError::Shorter(length));
                }
                Ok(())
            }
            // It was opened for exactly these bytes.
            Sink::Object(_) => Ok(()),
        }
    }

    /// Appends all of `bytes` and returns the emptied buffer.
    ///
    /// # Errors
    /// When they cannot be written.
    pub async fn write(&mut self, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        match &mut self.0 {
            Sink::File(file) => {
                with(file, move |file| {
                    file.write_all(&bytes)?;
                    bytes.clear();
                    Ok(bytes)
                })
                .await
            }
            Sink::Object(object) => {
                object.write(&bytes).await?;
                bytes.clear();
                Ok(bytes)
            }
        }
    }

    /// Makes all bytes durable.
    ///
    /// # Errors
    /// When that fails.
    pub async fn sync(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Sink::File(file) => with(file, |file| file.sync_data()).await,
            Sink::Object(object) => object.sync().await,
        }
    }

    /// Tells that the durable bytes are recorded: what was only needed for fewer of them can go.
    pub async fn recorded(&mut self) {
        if let Sink::Object(object) = &mut self.0 {
            object.remove_superseded().await;
        }
    }

    /// Gives up what follows the first `length` bytes, which are recorded, and ends writing.
    ///
    /// # Errors
    /// When the file cannot be truncated.
    pub async fn give_up(&mut self, length: u64) -> io::Result<()> {
        match &mut self.0 {
            Sink::File(file) => with(file, move |file| file.set_len(length)).await,
            // What is not recorded is overwritten or removed later.
            Sink::Object(object) => {
                object.give_up();
                Ok(())
            }
        }
    }

    /// At most `bytes` of the first bytes.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn head(&mut self, bytes: u64) -> io::Result<Vec<u8>> {
        match &mut self.0 {
            Sink::File(file) => with(file, move |file| read_head(file, bytes)).await,
            Sink::Object(object) => object.head(bytes).await,
        }
    }
}

fn read_head(file: &File, bytes: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len().min(bytes);
    let mut head = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact_at(&mut head, 0)?;
    Ok(head)
}

fn complete(path: &Path, length: u64, fix: Fix) -> io::Result<()> {
    let file = File::options().read(true).write(true).open(path)?;
    let stored = file.metadata()?.len();
    if stored < length {
        return Err(too_short(stored, length));
    }
    // The rest was written by a process that was killed before it could record it.
    let is_longer = stored > length;
    if is_longer {
        file.set_len(length)?;
    }
    let edits = fix(&read_head(&file, HEAD)?, length);
    for edit in &edits {
        file.write_all_at(&edit.bytes, edit.at)?;
    }
    if is_longer || !edits.is_empty() {
        file.sync_all()?;
    }
    Ok(())
}

/// Opens and locks the file, which must exist if it has bytes.
async fn open(path: PathBuf, has_bytes: bool) -> Result<File, OpenError> {
    let opened = on_disk(move || {
        let file = File::options()
            .create(!has_bytes)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)?;
        Ok(lock(&file)?.then_some(file))
    });
    match opened.await {
        Ok(file) => file.ok_or(OpenError::Locked),
        Err(error) if has_bytes && error.kind() == ErrorKind::NotFound => Err(OpenError::Missing),
        Err(error) => Err(error.into()),
    }
}

/// Locks the file against other processes. A child process being started briefly holds copies of
/// all open files, and with them the lock of a finished request: hence several attempts.
fn lock(file: &File) -> io::Result<bool> {
    let mut tries = LOCK_TRIES;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if tries == 0 => return Ok(false),
            Err(TryLockError::WouldBlock) => {
                tries -= 1;
                std::thread::sleep(LOCK_PAUSE);
            }
        }
    }
}

/// Passes the file to a blocking thread and gets it back.
async fn with<T: Send + 'static>(
    file: &mut Option<File>,
    work: impl FnOnce(&mut File) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let mut borrowed = file
        .take()
        .ok_or_else(|| io::Error::other("the file was lost"))?;
    let (returned, done) = on_disk(move || {
        let done = work(&mut borrowed);
        Ok((borrowed, done))
    })
    .await?;
    *file = Some(returned);
    done
}
