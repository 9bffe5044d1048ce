//! Digests of rows, for detecting changes since both sides last agreed.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Bytes of a digest that are kept: enough to avoid collisions within a table.
const BYTES: usize = 16;

/// The digest of these values, independent of the order of their names.
pub fn of_fields(fields: &Map<String, Value>) -> String {
    let mut names: Vec<&String> = fields.keys().collect();
    names.sort();
    let mut hash = Sha256::new();
    for name in names {
        let value = fields[name].to_string();
        for part in [name.as_str(), value.as_str()] {
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(part);
        }
    }
    shortened(&hash.finalize())
}

/// The digest of a text.
pub fn of_text(text: &str) -> String {
    shortened(&Sha256::digest(text))
}

fn shortened(digest: &[u8]) -> String {
    hex::encode(&digest[..BYTES.min(digest.len())])
}
