//! Makes a backup while the server works.
//!
//! First the rows of one moment are read, then the files: a file that a row names was there before
//! it. One that was deleted in between is left out; so was its row, a moment later.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use slovo_db::Database;
use slovo_db::transfer::{Snapshot, Table};
use slovo_platform::clock::Clock;
use slovo_platform::secret::Secret;
use slovo_storage::Storage;
use tokio::sync::watch;
use uuid::Uuid;

use crate::manifest::{FORMAT, FileEntry, Manifest, SnapshotFile, TableEntry};
use crate::pieces::{PIECE, Writer};
use crate::place::Place;
use crate::seal::Recipients;

mod index;

use index::Index;

/// Lines of a table are cut into pieces from this many bytes on, where [`is_border`] says so.
const LEAST_PIECE: usize = 512 * 1024;

/// One line in so many is a border between pieces.
const BORDER: u32 = 64;

/// Whether the backup has the recordings, or only their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recordings {
    /// It has them.
    Copied,
    /// They stay where they are: the backup is of use only with the storage.
    Referred,
}

/// The server of which a backup is made.
pub struct Source<'a> {
    /// Its database.
    pub db: &'a Database,
    /// Its recordings and pictures.
    pub storage: &'a Storage,
    /// Its data folder.
    pub data: &'a Path,
    /// Its secret.
    pub secret: &'a Secret,
    /// Names of installed models.
    pub models: Vec<String>,
    /// The time.
    pub clock: &'a dyn Clock,
    /// The version of the program.
    pub program: &'static str,
}

/// A finished backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Its name.
    pub name: String,
    /// Bytes that had to be stored.
    pub stored_bytes: u64,
    /// Bytes of everything in it.
    pub total_bytes: u64,
    /// Rows in it.
    pub rows: u64,
    /// Recordings and pictures in it.
    pub files: u64,
}

/// Makes a backup. `progress` gets the bytes that were stored and all that were read.
///
/// # Errors
/// When something cannot be read or stored. Nothing of it counts then.
pub async fn create(
    source: &Source<'_>,
    place: &Place,
    recipients: &Recipients,
    recordings: Recordings,
    progress: &watch::Sender<(u64, u64)>,
) -> Result<Created> {
    let mut making = Making {
        source,
        writer: Writer::new(place, recipients, source.secret).await?,
        bytes: 0,
        progress,
    };
    let created_at = source.clock.now_ms();
    let mut snapshot = source.db.snapshot().await?;
    let schema = snapshot.version();
    let mut tables = Vec::new();
    for table in snapshot.tables().to_vec() {
        tables.push(making.table(&mut snapshot, table).await?);
    }
    snapshot.close().await?;
    let mut index = Index::load(source.data, place, recipients).await;
    let files = making.files(recordings, &mut index).await?;
    let manifest = Manifest {
        format: FORMAT,
        created_at,
        program: source.program.to_owned(),
        schema,
        tables,
        files,
        secret: source.secret.of_file().map(hex::encode),
        models: source.models.clone(),
    };
    let list = making.manifest(&manifest).await?;
    let name = making.finish(place, recipients, &manifest, list).await?;
    index.save(source.data, place, recipients).await;
    Ok(Created {
        name,
        stored_bytes: making.writer.stored,
        total_bytes: making.bytes,
        rows: manifest.tables.iter().map(|table| table.rows).sum(),
        files: u64::try_from(manifest.files.len())?,
    })
}

struct Making<'a> {
    source: &'a Source<'a>,
    writer: Writer<'a>,
    bytes: u64,
    progress: &'a watch::Sender<(u64, u64)>,
}

impl Making<'_> {
    async fn table(&mut self, snapshot: &mut Snapshot, table: Table) -> Result<TableEntry> {
        let mut entry = TableEntry {
            rows: 0,
            sha256: String::new(),
            pieces: Vec::new(),
            table,
        };
        let mut digest = Sha256::new();
        let mut lines = Vec::new();
        let table = entry.table.clone();
        let mut rows = std::pin::pin!(snapshot.rows(&table));
        while let Some(mut line) = rows.try_next().await? {
            line.push(b'\n');
            digest.update(&line);
            entry.rows += 1;
            let is_border = is_border(&line);
            lines.append(&mut line);
            if lines.len() >= PIECE || (lines.len() >= LEAST_PIECE && is_border) {
                let piece = self.compressed(std::mem::take(&mut lines)).await?;
                entry.pieces.push(piece);
            }
        }
        if !lines.is_empty() {
            entry.pieces.push(self.compressed(lines).await?);
        }
        entry.sha256 = hex::encode(digest.finalize());
        Ok(entry)
    }

    /// Stores a piece of text.
    async fn compressed(&mut self, text: Vec<u8>) -> Result<String> {
        self.count(text.len())?;
        let compressed = tokio::task::spawn_blocking(move || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&text)?;
            encoder.finish()
        });
        let name = self.writer.put(compressed.await??).await?;
        self.report();
        Ok(name)
    }

    async fn files(&mut self, recordings: Recordings, index: &mut Index) -> Result<Vec<FileEntry>> {
        let storage = self.source.storage;
        let mut found = BTreeMap::new();
        for file in storage
            .files()
            .await
            .context("recordings cannot be listed")?
        {
            let key = format!("media/{}", file.id.as_hyphenated());
            found.insert(key, (file.bytes, file.written_at, Some(file.id)));
        }
        for blob in storage.blobs("avatars").await? {
            found.insert(blob.key, (blob.bytes, blob.written_at, None));
        }
        let mut entries = Vec::new();
        for (key, (bytes, written_at, id)) in found {
            let mut entry = FileEntry {
                key,
                bytes,
                written_at,
                sha256: None,
                pieces: Vec::new(),
            };
            let is_copied = recordings == Recordings::Copied || id.is_none();
            if is_copied && !index.fill(&mut entry, &self.writer) {
                // Deleted since, or an upload of which nothing is stored as a file yet.
                let Some(content) = self.content(&entry, id).await? else {
                    continue;
                };
                (entry.sha256, entry.pieces) = content;
                index.note(&entry);
            }
            self.count(usize::try_from(bytes)?)?;
            self.report();
            entries.push(entry);
        }
        index.keep(&entries);
        Ok(entries)
    }

    /// The digest and the pieces of a file; `None` if it is not there.
    async fn content(
        &mut self,
        entry: &FileEntry,
        id: Option<Uuid>,
    ) -> Result<Option<(Option<String>, Vec<String>)>> {
        let storage = self.source.storage;
        let Some(id) = id else {
            let Some(content) = storage.blob(&entry.key).await? else {
                return Ok(None);
            };
            let digest = hex::encode(Sha256::digest(&content));
            return Ok(Some((Some(digest), vec![self.writer.put(content).await?])));
        };
        if storage.length(id).await?.is_none() {
            return Ok(None);
        }
        let read = storage.read(id, 0..entry.bytes, entry.bytes).await;
        let mut stream = match read {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("{} cannot be read", entry.key))?,
        };
        let (mut digest, mut pieces, mut piece) = (Sha256::new(), Vec::new(), Vec::new());
        while let Some(bytes) = stream.try_next().await? {
            digest.update(&bytes);
            piece.extend_from_slice(&bytes);
            while piece.len() >= PIECE {
                let rest = piece.split_off(PIECE);
                let full = std::mem::replace(&mut piece, rest);
                pieces.push(self.writer.put(full).await?);
                self.report();
            }
        }
        if !piece.is_empty() {
            pieces.push(self.writer.put(piece).await?);
        }
        Ok(Some((Some(hex::encode(digest.finalize())), pieces)))
    }

    async fn manifest(&mut self, manifest: &Manifest) -> Result<Vec<String>> {
        let before = self.bytes;
        let mut pieces = Vec::new();
        for text in serde_json::to_vec(manifest)?.chunks(PIECE) {
            pieces.push(self.compressed(text.to_vec()).await?);
        }
        self.bytes = before;
        Ok(pieces)
    }

    async fn finish(
        &self,
        place: &Place,
        recipients: &Recipients,
        manifest: &Manifest,
        list: Vec<String>,
    ) -> Result<String> {
        let of_tables = manifest.tables.iter().flat_map(|table| &table.pieces);
        let of_files = manifest.files.iter().flat_map(|file| &file.pieces);
        let mut pieces: Vec<String> = of_tables.chain(of_files).cloned().collect();
        pieces.sort_unstable();
        pieces.dedup();
        // Others remove pieces that no backup needs; those that were found may be gone.
        let there = crate::pieces::listed(place).await?;
        let there: std::collections::HashSet<_> = there.into_iter().map(|(name, _)| name).collect();
        ensure!(
            pieces.iter().chain(&list).all(|name| there.contains(name)),
            "pieces in {} were removed meanwhile; try again",
            place.name()
        );
        let name = self.name(place).await?;
        let snapshot = SnapshotFile {
            format: FORMAT,
            created_at: manifest.created_at,
            program: manifest.program.clone(),
            sealed: !recipients.is_empty(),
            bytes: self.bytes,
            rows: manifest.tables.iter().map(|table| table.rows).sum(),
            files: u64::try_from(manifest.files.len())?,
            manifest: list,
            pieces,
        };
        place.put_snapshot(&name, &snapshot).await?;
        Ok(name)
    }

    /// The time, such as `20261130T020000Z`, and a number if there is a backup of this second.
    async fn name(&self, place: &Place) -> Result<String> {
        let time = self
            .source
            .clock
            .now()
            .strftime("%Y%m%dT%H%M%SZ")
            .to_string();
        let names = place.names().await?;
        let mut candidates =
            std::iter::once(time.clone()).chain((2..).map(|number| format!("{time}-{number}")));
        candidates
            .find(|name| !names.contains(name))
            .context("there is no name left")
    }

    fn count(&mut self, bytes: usize) -> Result<()> {
        self.bytes += u64::try_from(bytes)?;
        Ok(())
    }

    fn report(&self) {
        self.progress.send_replace((self.writer.stored, self.bytes));
    }
}

/// Whether a piece may end after this line. That depends on the line alone: a changed row changes its
/// piece, not all after it.
fn is_border(line: &[u8]) -> bool {
    let mut crc = Crc::new();
    crc.update(line);
    crc.sum().is_multiple_of(BORDER)
}
