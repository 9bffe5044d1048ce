//! Where the next page of a list begins.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use uuid::Uuid;

/// A text as a cursor.
pub(super) fn encode(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(text)
}

/// The text of a cursor.
pub(super) fn decode(cursor: &str) -> Option<String> {
    String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()
}

/// The cursor of the page after the row with this time and id, of a list that shows the newest first.
pub(super) fn write(created_at: i64, id: Uuid) -> String {
    encode(&format!("{created_at} {id}"))
}

/// Time and id of the row that a cursor comes after.
pub(super) fn read(cursor: &str) -> Option<(i64, Uuid)> {
    let text = decode(cursor)?;
    let (created_at, id) = text.split_once(' ')?;
    Some((created_at.parse().ok()?, id.parse().ok()?))
}
