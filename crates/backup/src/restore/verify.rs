//! Reads a whole backup without storing anything.

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

use super::Opened;
use super::lines::Lines;

/// What was read and is as it was stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Rows.
    pub rows: u64,
    /// Recordings and pictures.
    pub files: u64,
    /// Recordings that the backup only refers to.
    pub referred: u64,
}

impl Opened<'_> {
    /// Reads every row and every file of the backup, and compares their digests.
    ///
    /// # Errors
    /// Names the first table or file that is damaged.
    pub async fn verify(&self) -> Result<Verified> {
        let mut verified = Verified::default();
        for entry in &self.manifest.tables {
            let mut lines = Lines::new(&self.reader, &entry.pieces);
            let mut digest = Sha256::new();
            let mut rows = 0;
            while let Some(line) = lines.next().await? {
                digest.update(&line);
                digest.update(b"\n");
                rows += 1;
            }
            ensure!(
                rows == entry.rows && hex::encode(digest.finalize()) == entry.sha256,
                "the table {} is not what was stored",
                entry.table.name
            );
            verified.rows += rows;
        }
        for entry in &self.manifest.files {
            if !entry.is_copied() {
                verified.referred += 1;
                continue;
            }
            let mut digest = Sha256::new();
            for piece in &entry.pieces {
                digest.update(self.reader.get(piece).await?);
            }
            ensure!(
                super::is(entry, &digest.finalize()),
                "{} is not what was stored",
                entry.key
            );
            verified.files += 1;
        }
        Ok(verified)
    }
}
