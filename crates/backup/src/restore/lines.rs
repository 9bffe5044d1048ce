//! The lines in compressed pieces.

use std::io::Read as _;

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;

use crate::pieces::{PIECE, Reader};

/// The most bytes of a piece: a row may follow what is just below the limit.
const MOST: u64 = 64 * PIECE as u64;

/// Reads one line after the other.
pub(super) struct Lines<'a> {
    reader: &'a Reader<'a>,
    pieces: std::slice::Iter<'a, String>,
    text: Vec<u8>,
    at: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(reader: &'a Reader<'a>, pieces: &'a [String]) -> Self {
        Self {
            reader,
            pieces: pieces.iter(),
            text: Vec::new(),
            at: 0,
        }
    }

    /// The next line without its line break.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            let rest = &self.text[self.at..];
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line = rest[..end].to_vec();
                self.at += end + 1;
                return Ok(Some(line));
            }
            let Some(piece) = self.pieces.next() else {
                ensure!(rest.is_empty(), "the last line is cut off");
                return Ok(None);
            };
            let mut text = rest.to_vec();
            text.extend(self.piece(piece).await?);
            (self.text, self.at) = (text, 0);
        }
    }

    /// Everything in the pieces.
    pub(super) async fn all(&mut self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        for piece in self.pieces.by_ref() {
            all.extend(decompressed(self.reader, piece).await?);
        }
        Ok(all)
    }

    async fn piece(&self, name: &str) -> Result<Vec<u8>> {
        decompressed(self.reader, name).await
    }
}

async fn decompressed(reader: &Reader<'_>, name: &str) -> Result<Vec<u8>> {
    let compressed = reader.get(name).await?;
    let text = tokio::task::spawn_blocking(move || {
        let mut text = Vec::new();
        let mut decoder = GzDecoder::new(compressed.as_slice()).take(MOST + 1);
        decoder.read_to_end(&mut text).map(|_| text)
    });
    let text = text
        .await?
        .with_context(|| format!("the piece {name} is damaged"))?;
    ensure!(
        u64::try_from(text.len())? <= MOST,
        "the piece {name} is larger than any piece of a backup"
    );
    Ok(text)
}
