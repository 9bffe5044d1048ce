//! Pagination cursors.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use uuid::Uuid;

/// Encodes a text as a cursor.
pub fn encode(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(text)
}

/// Decodes the text of a cursor.
pub fn decode(cursor: &str) -> Option<String> {
    String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()
}

/// The cursor of the page after this row, for a list in descending order of time.
pub fn write(created_at: i64, id: Uuid) -> String {
    encode(&format!("{created_at} {id}"))
}

/// Time and id of the row before the page.
pub fn read(cursor: &str) -> Option<(i64, Uuid)> {
    let text = decode(cursor)?;
    let (created_at, id) = text.split_once(' ')?;
    Some((created_at.parse().ok()?, id.parse().ok()?))
}
