//! The pieces of which backups are made.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use slovo_platform::secret::Secret;

use crate::place::Place;
use crate::seal::{Identities, Recipients};

/// The folder of all pieces.
const FOLDER: &str = "pieces";

/// Bytes of a piece of a recording; of the lines of a table before compression.
pub(crate) const PIECE: usize = 8 * 1024 * 1024;

/// The name under which the key for names of sealed pieces is derived.
const PURPOSE: &str = "names of sealed backup pieces";

pub(crate) fn key(name: &str) -> String {
    let folder = name.get(..2).unwrap_or("00");
    format!("{FOLDER}/{folder}/{name}")
}

/// Pieces that are there, by name, with when they were written.
pub(crate) async fn listed(place: &Place) -> Result<Vec<(String, Option<i64>)>> {
    let blobs = place.storage().blobs(FOLDER).await?;
    let pieces = blobs.into_iter().filter_map(|blob| {
        let name = blob.key.rsplit('/').next()?;
        let is_piece = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_piece.then(|| (name.to_owned(), blob.written_at))
    });
    Ok(pieces.collect())
}

/// Stores pieces that are not there yet.
pub(crate) struct Writer<'a> {
    place: &'a Place,
    recipients: &'a Recipients,
    key: [u8; 32],
    there: HashSet<String>,
    /// Bytes stored so far.
    pub stored: u64,
}

impl<'a> Writer<'a> {
    pub(crate) async fn new(
        place: &'a Place,
        recipients: &'a Recipients,
        secret: &Secret,
    ) -> Result<Self> {
        let there = listed(place).await?;
        Ok(Self {
            place,
            recipients,
            key: secret.derive(PURPOSE),
            there: there.into_iter().map(|(name, _)| name).collect(),
            stored: 0,
        })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.there.contains(name)
    }

    /// Stores a piece, and returns its name.
    pub(crate) async fn put(&mut self, content: Vec<u8>) -> Result<String> {
        let name = self.name(&content);
        if self.there.contains(&name) {
            return Ok(name);
        }
        let content = if self.recipients.is_empty() {
            content
        } else {
            let recipients = self.recipients.clone();
            tokio::task::spawn_blocking(move || recipients.seal(&content)).await??
        };
        let bytes = u64::try_from(content.len())?;
        let stored = self.place.storage().put_blob(&key(&name), content).await;
        stored.with_context(|| format!("a piece cannot be stored in {}", self.place.name()))?;
        self.stored += bytes;
        self.there.insert(name.clone());
        Ok(name)
    }

    /// Without its key, the name of a sealed piece does not tell what is in it.
    fn name(&self, content: &[u8]) -> String {
        if self.recipients.is_empty() {
            return hex::encode(Sha256::digest(content));
        }
        // A key of any length is fine.
        let mac = Hmac::<Sha256>::new_from_slice(&self.key);
        mac.map_or_else(
            |_| hex::encode(Sha256::digest(content)),
            |mac| hex::encode(mac.chain_update(content).finalize().into_bytes()),
        )
    }
}

/// Reads pieces.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    pub place: &'a Place,
    pub identities: &'a Identities,
    pub sealed: bool,
}

impl Reader<'_> {
    /// A piece as it was before it was stored.
    pub(crate) async fn get(&self, name: &str) -> Result<Vec<u8>> {
        let damaged = || format!("the piece {name} in {} is damaged", self.place.name());
        let content = self.place.storage().blob(&key(name)).await?;
        let content = content
            .with_context(|| format!("the piece {name} is missing in {}", self.place.name()))?;
        if !self.sealed {
            ensure!(hex::encode(Sha256::digest(&content)) == name, damaged());
            return Ok(content);
        }
        let identities = self.identities.clone();
        let opened = tokio::task::spawn_blocking(move || identities.open(&content)).await?;
        opened.with_context(|| format!("the piece {name} in {}", self.place.name()))
    }
}
