//! Brings a backup back: into an empty database and a storage, compared with what was stored, before
//! anything takes the place of what is there ([`switch`]).

mod lines;
pub mod switch;
pub mod verify;

use anyhow::{Context, Result, ensure};
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use slovo_db::{Database, newest_version, transfer};
use slovo_storage::Storage;
use uuid::Uuid;

use crate::manifest::{FORMAT, FileEntry, Manifest, SnapshotFile};
use crate::pieces::Reader;
use crate::place::Place;
use crate::seal::Identities;

use lines::Lines;

/// A backup that can be read.
#[derive(Debug)]
pub struct Opened<'a> {
    /// Its name.
    pub name: String,
    /// What can be read without a key.
    pub snapshot: SnapshotFile,
    /// The list of everything in it.
    pub manifest: Manifest,
    reader: Reader<'a>,
}

/// Files that were brought back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Stored from the backup.
    pub stored: u64,
    /// They were there already.
    pub present: u64,
    /// The backup only refers to them, and they are not there.
    pub missing: u64,
}

impl<'a> Opened<'a> {
    /// Opens a backup by its name, or the `latest`.
    ///
    /// # Errors
    /// When it does not exist, is damaged, sealed for another key, or made by a newer program.
    pub async fn open(place: &'a Place, name: &str, identities: &'a Identities) -> Result<Self> {
        let (name, snapshot) = place.snapshot(name).await?;
        let reader = Reader {
            place,
            identities,
            sealed: snapshot.sealed,
        };
        let mut lines = Lines::new(&reader, &snapshot.manifest);
        let text = lines.all().await?;
        let manifest: Manifest = serde_json::from_slice(&text)
            .with_context(|| format!("the list of backup {name} is damaged"))?;
        ensure!(
            manifest.format <= FORMAT && manifest.schema <= newest_version(),
            "backup {name} was made by version {} of Slovo, which is newer than this one; install that \
             version",
            manifest.program
        );
        Ok(Self {
            name,
            snapshot,
            manifest,
            reader,
        })
    }

    /// Fills an empty database with the rows, in the state that they had, and compares what it then
    /// has with what was stored. The database still has to be migrated.
    ///
    /// # Errors
    /// When the database fails, or the backup is damaged; nothing was stored then.
    pub async fn fill(&self, db: &Database) -> Result<u64> {
        db.migrate_to(self.manifest.schema).await?;
        let tables: Vec<_> = self
            .manifest
            .tables
            .iter()
            .map(|entry| entry.table.clone())
            .collect();
        let mut transaction = db.write().await?;
        transfer::clear(&mut transaction, &tables).await?;
        let mut rows = 0;
        for entry in &self.manifest.tables {
            let mut lines = Lines::new(&self.reader, &entry.pieces);
            let mut batch: Vec<Vec<u8>> = Vec::new();
            while let Some(line) = lines.next().await? {
                rows += 1;
                batch.push(line);
                if batch.len() == entry.table.rows_at_once() {
                    transfer::insert(&mut transaction, &entry.table, &batch).await?;
                    batch.clear();
                }
            }
            transfer::insert(&mut transaction, &entry.table, &batch).await?;
        }
        transaction.commit().await?;
        self.compare(db).await?;
        Ok(rows)
    }

    /// Compares every row of the database with those that the backup was made of.
    ///
    /// # Errors
    /// Names the first table that differs.
    pub async fn compare(&self, db: &Database) -> Result<()> {
        let mut there = db.snapshot().await?;
        for entry in &self.manifest.tables {
            let mut digest = Sha256::new();
            let mut rows = 0;
            {
                let mut lines = std::pin::pin!(there.rows(&entry.table));
                while let Some(line) = lines.try_next().await? {
                    digest.update(&line);
                    digest.update(b"\n");
                    rows += 1;
                }
            }
            ensure!(
                (rows, hex::encode(digest.finalize())) == (entry.rows, entry.sha256.clone()),
                "the table {} is not what was stored: {rows} rows instead of {}, or other values. \
                 Nothing was changed",
                entry.table.name,
                entry.rows
            );
        }
        Ok(there.close().await?)
    }

    /// Stores recordings and pictures that are not there.
    ///
    /// # Errors
    /// When one of them is damaged, or cannot be stored; those before it stay.
    pub async fn put_files(&self, storage: &Storage) -> Result<Files> {
        let mut files = Files::default();
        for entry in &self.manifest.files {
            let id = media_id(entry);
            let there = match id {
                Some(id) => storage.length(id).await? == Some(entry.bytes),
                None => storage.blob(&entry.key).await?.is_some(),
            };
            if there {
                files.present += 1;
            } else if !entry.is_copied() {
                files.missing += 1;
            } else {
                let put = match id {
                    Some(id) => self.put_recording(storage, id, entry).await,
                    None => self.put_picture(storage, entry).await,
                };
                put.with_context(|| format!("{} cannot be restored", entry.key))?;
                files.stored += 1;
            }
        }
        Ok(files)
    }

    async fn put_recording(&self, storage: &Storage, id: Uuid, entry: &FileEntry) -> Result<()> {
        storage.remove(id).await?;
        let mut file = storage.open_incoming(id, 0).await?;
        file.continue_at(0).await?;
        let mut digest = Sha256::new();
        for piece in &entry.pieces {
            let content = self.reader.get(piece).await?;
            digest.update(&content);
            file.write(content).await?;
        }
        file.sync().await?;
        if !is(entry, &digest.finalize()) {
            storage.remove(id).await?;
            anyhow::bail!("its content is not what was stored");
        }
        drop(file);
        // It was repaired, if it had to be, before the backup.
        Ok(storage.complete(id, entry.bytes, |_, _| Vec::new()).await?)
    }

    async fn put_picture(&self, storage: &Storage, entry: &FileEntry) -> Result<()> {
        let mut content = Vec::new();
        for piece in &entry.pieces {
            content.extend(self.reader.get(piece).await?);
        }
        ensure!(
            is(entry, &Sha256::digest(&content)),
            "its content is not what was stored"
        );
        ensure!(
            entry.key.starts_with("avatars/") && !entry.key.split('/').any(|part| part == ".."),
            "it is no picture"
        );
        Ok(storage.put_blob(&entry.key, content).await?)
    }
}

/// The recording of an entry; `None` for a picture.
fn media_id(entry: &FileEntry) -> Option<Uuid> {
    entry.key.strip_prefix("media/")?.parse().ok()
}

fn is(entry: &FileEntry, digest: &[u8]) -> bool {
    entry.sha256.as_deref() == Some(hex::encode(digest).as_str())
}
