//! The audit log's entries about endpoints with keys.

use serde_json::{Value, json};
use slovo_work::endpoint_keys::SealedKey;

/// The details of an endpoint with its key: only the server that it was entered for, and whether it is
/// new.
pub(crate) fn with_key(mut details: Value, key: Option<&SealedKey>, is_new_key: bool) -> Value {
    details["key_for"] = json!(key.map(|key| &key.place));
    if is_new_key {
        details["new_key"] = true.into();
    }
    details
}
