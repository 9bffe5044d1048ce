//! Writing an archive while it is sent: a thread that packs what it is given, into a pipe that holds
//! a few pieces. Nothing is kept: memory does not grow with the archive, and a reader that stops
//! reading stops the thread.

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use tokio::sync::mpsc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Bytes of one piece.
const PIECE_BYTES: usize = 64 * 1024;
/// Pieces that wait for the reader.
const PIECES: usize = 4;
/// Entries that wait to be packed. Texts are whole in memory, so no more than one.
const ENTRIES: usize = 1;

/// One file of the archive.
pub enum Entry {
    /// A text, deflated.
    Text {
        /// Path within the archive.
        name: String,
        /// What is in it.
        content: Vec<u8>,
    },
    /// A file as it is: recordings and images are compressed already.
    File {
        /// Path within the archive.
        name: String,
        /// Where it is.
        path: PathBuf,
    },
    /// Everything was given. Without this the archive is not whole, and is broken off.
    End,
}

/// Where entries are given in.
pub type Entries = mpsc::Sender<Entry>;

/// What comes out, piece by piece. An error as the last piece says that it is not whole.
pub type Pieces = mpsc::Receiver<io::Result<Bytes>>;

/// Starts packing. `modified` is the date of all its files.
pub fn start(modified: DateTime) -> (Entries, Pieces) {
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
        tracing::error!(%error, "an archive of an account is broken off");
        // Instead of an end that looks like one.
        let _ = sender.blocking_send(Err(error));
    });
    (entries, pieces)
}

fn pack(
    mut given: mpsc::Receiver<Entry>,
    pipe: Pipe,
    open: &AtomicBool,
    modified: DateTime,
) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(pipe);
    if let Err(error) = pack_all(&mut archive, &mut given, modified) {
        // The library would end the archive properly when it is dropped.
        open.store(false, Ordering::Relaxed);
        return Err(error);
    }
    archive.finish()?.into_inner().flush()
}

fn pack_all<W: Write + io::Seek>(
    archive: &mut ZipWriter<W>,
    given: &mut mpsc::Receiver<Entry>,
    modified: DateTime,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .last_modified_time(modified)
        .unix_permissions(0o600);
    loop {
        match given.blocking_recv() {
            Some(Entry::Text { name, content }) => {
                archive.start_file(name, options)?;
                archive.write_all(&content)?;
            }
            Some(Entry::File { name, path }) => {
                let mut file = match File::open(path) {
                    Ok(file) => file,
                    // Removed while the archive was made: it is not theirs any more.
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
            None => return Err(io::Error::other("what is to be packed ended early")),
        }
    }
}

/// The writing end of the pipe. Once closed it takes everything and passes nothing on.
struct Pipe {
    sender: mpsc::Sender<io::Result<Bytes>>,
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
        self.sender.blocking_send(Ok(piece.into())).map_err(|_| {
            self.open.store(false, Ordering::Relaxed);
            io::ErrorKind::BrokenPipe.into()
        })
    }
}
