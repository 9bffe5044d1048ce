//! Files that earlier backups have: they are not read again. A recording never changes.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::manifest::FileEntry;
use crate::pieces::Writer;
use crate::place::Place;
use crate::seal::Recipients;

/// The file in the data folder. Without it all files are read once more.
const FILE: &str = "backup-index.json";

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Index {
    /// The place that has them.
    place: String,
    /// For whom they were sealed there.
    recipients: Vec<String>,
    files: BTreeMap<String, FileEntry>,
}

impl Index {
    pub(super) async fn load(data: &Path, place: &Place, recipients: &Recipients) -> Self {
        let empty = || Self {
            place: place.id().to_owned(),
            recipients: recipients.names(),
            files: BTreeMap::new(),
        };
        let Ok(text) = tokio::fs::read(data.join(FILE)).await else {
            return empty();
        };
        match serde_json::from_slice::<Self>(&text) {
            Ok(index) if index.place == place.id() && index.recipients == recipients.names() => {
                index
            }
            _ => empty(),
        }
    }

    /// Fills in what an earlier backup has of the file; returns whether it has it.
    pub(super) fn fill(&self, entry: &mut FileEntry, writer: &Writer<'_>) -> bool {
        let known = self.files.get(&entry.key).filter(|known| {
            known.bytes == entry.bytes
                && known.written_at.is_some()
                && known.written_at == entry.written_at
                && known.pieces.iter().all(|piece| writer.has(piece))
        });
        let Some(known) = known else {
            return false;
        };
        entry.sha256.clone_from(&known.sha256);
        entry.pieces.clone_from(&known.pieces);
        true
    }

    pub(super) fn note(&mut self, entry: &FileEntry) {
        self.files.insert(entry.key.clone(), entry.clone());
    }

    /// Forgets all other files.
    pub(super) fn keep(&mut self, entries: &[FileEntry]) {
        let copied = entries.iter().filter(|entry| entry.is_copied());
        self.files = copied
            .map(|entry| (entry.key.clone(), entry.clone()))
            .collect();
    }

    /// A failure costs time at the next backup, nothing else.
    pub(super) async fn save(&self, data: &Path, place: &Place, recipients: &Recipients) {
        debug_assert_eq!(self.place, place.id());
        debug_assert_eq!(self.recipients, recipients.names());
        let saved = async {
            let text = serde_json::to_vec(self)?;
            let written = data.join("backup-index.new");
            tokio::fs::write(&written, text).await?;
            tokio::fs::rename(written, data.join(FILE)).await
        };
        if let Err(error) = saved.await {
            tracing::warn!(%error, "the list of files in backups cannot be stored");
        }
    }
}
