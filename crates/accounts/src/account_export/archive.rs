//! Streams an archive while it is built: a thread packs the entries into a pipe with a small
//! bounded buffer. Memory use does not depend on the archive's size, and the thread stops when the
//! client stops reading.

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use slovo_storage::LocalFile;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Size of one chunk in bytes.
const PIECE_BYTES: usize = 64 * 1024;
/// Chunks buffered for the reader.
const PIECES: usize = 4;
/// Entries queued for packing. Texts are held in memory in full, so only one.
const ENTRIES: usize = 1;

/// One file of the archive.
pub enum Entry {
    /// A text, compressed with deflate.
    Text {
        /// Path within the archive.
        name: String,
        /// Its content.
        content: Vec<u8>,
    },
    /// A file, stored uncompressed: recordings and images are already compressed.
    File {
        /// Path within the archive.
        name: String,
        /// What it contains.
        content: LocalFile,
    },
    /// The last entry. If it is missing the archive is incomplete, and the stream ends with an
    /// error.
    End,
}

/// Sender for the archive's entries.
pub type Entries = mpsc::Sender<Entry>;

/// The archive's bytes, in chunks. An error as the last item means the archive is incomplete.
pub type Pieces = mpsc::Receiver<io::Result<Vec<u8>>>;

/// Starts packing. `now` is the modification time of all files.
fn start(now: Timestamp) -> (Entries, Pieces) {
    let modified = modified(now);
    let (entries, given) = mpsc::channel(ENTRIES);
    let (sender, pieces) = mpsc::channel(PIECES);
    tokio::task::spawn_blocking(move || {
        let open = Arc::new(AtomicBool::new(true));
        let pipe = Pipe {
            sender: sender.clone(),
            waiting: Vec::with_capacity(PIECE_BYTES),
            open: Arc::clone(&open),
        };
        let Err(error) = pack(given, pipe, &open, modified) else {
            return;
        };
        if error.kind() == io::ErrorKind::BrokenPipe {
            tracing::debug!("the reader of an archive is gone");
            return;
        }
        tracing::error!(%error, "an archive of an account could not be completed");
        // An error instead of an end of stream, so that the client sees the archive is incomplete.
        let _ = sender.blocking_send(Err(error));
    });
    (entries, pieces)
}

/// Packs in the background what `fill` adds and then gives back the sender, until the server stops.
/// `guard` is dropped when the last entry is packed or the archive ends early; `name` is for the
/// log. `now` is the modification time of all files.
pub fn fill_in_background<Filling>(
    now: Timestamp,
    (tasks, shutdown): (&TaskTracker, &CancellationToken),
    name: &'static str,
    guard: impl Send + 'static,
    fill: impl FnOnce(Entries) -> Filling,
) -> Pieces
where
    Filling: Future<Output = Result<Entries>> + Send + 'static,
{
    let (entries, pieces) = start(now);
    let filling = fill(entries);
    let shutdown = shutdown.clone();
    tasks.spawn(async move {
        let _guard = guard;
        let packed = async {
            filling.await?.closed().await;
            Ok::<_, anyhow::Error>(())
        };
        let packed = tokio::select! {
            packed = packed => packed,
            () = shutdown.cancelled() => Ok(()),
        };
        // Without the end entry the stream ends with an error.
        if let Err(error) = packed {
            tracing::warn!(error = %format!("{error:#}"), name, "an archive ends early");
        }
    });
    pieces
}

/// Adds a text to the archive.
///
/// # Errors
/// When the archive no longer has a reader.
pub async fn text(entries: &Entries, name: &str, content: Vec<u8>) -> Result<()> {
    let name = name.to_owned();
    add_entry(entries, Entry::Text { name, content }).await
}

/// Adds an entry to the archive.
///
/// # Errors
/// When the archive no longer has a reader.
pub async fn add_entry(entries: &Entries, entry: Entry) -> Result<()> {
    let sent = entries.send(entry).await;
    sent.ok().context("its reader is gone")
}

/// The modification time of all files, in UTC; zip can only represent the years 1980 to 2107.
fn modified(now: Timestamp) -> DateTime {
    let now = now.to_zoned(TimeZone::UTC).datetime();
    let byte = |figure: i8| u8::try_from(figure).unwrap_or_default();
    DateTime::from_date_and_time(
        u16::try_from(now.year()).unwrap_or_default(),
        byte(now.month()),
        byte(now.day()),
        byte(now.hour()),
        byte(now.minute()),
        byte(now.second()),
    )
    .unwrap_or_default()
}

fn pack(
    mut received: mpsc::Receiver<Entry>,
    pipe: Pipe,
    open: &AtomicBool,
    modified: DateTime,
) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(pipe);
    if let Err(error) = pack_all(&mut archive, &mut received, modified) {
        // On drop, the library would finish the archive as if it were complete.
        open.store(false, Ordering::Relaxed);
        return Err(error);
    }
    archive.finish()?.into_inner().flush()
}

fn pack_all<W: Write + io::Seek>(
    archive: &mut ZipWriter<W>,
    received: &mut mpsc::Receiver<Entry>,
    modified: DateTime,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .last_modified_time(modified)
        .unix_permissions(0o600);
    loop {
        match received.blocking_recv() {
            Some(Entry::Text { name, content }) => {
                archive.start_file(name, options)?;
                archive.write_all(&content)?;
            }
            Some(Entry::File { name, content }) => {
                let mut file = match File::open(content.path()) {
                    Ok(file) => file,
                    // Deleted while the archive was built, so it no longer belongs in it.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                };
                let large = file.metadata()?.len() >= u64::from(u32::MAX);
                let stored = options
                    .compression_method(CompressionMethod::Stored)
                    .large_file(large);
                archive.start_file(name, stored)?;
                io::copy(&mut file, archive)?;
            }
            Some(Entry::End) => return Ok(()),
            None => return Err(io::Error::other("the file to be packed ended early")),
        }
    }
}

/// The writing end of the pipe. Once closed it discards everything that is written.
struct Pipe {
    sender: mpsc::Sender<io::Result<Vec<u8>>>,
    waiting: Vec<u8>,
    open: Arc<AtomicBool>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = mem::take(&mut self.waiting);
        if piece.is_empty() || !self.open.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.sender.blocking_send(Ok(piece)).map_err(|_| {
            self.open.store(false, Ordering::Relaxed);
            io::ErrorKind::BrokenPipe.into()
        })
    }
}
