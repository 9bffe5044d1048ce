//! Readers of sessions.

use super::{Device, Session};
use crate::core::statement::row_columns;

row_columns! {
    pub(super) fn read_device() -> Device from "sessions" by "id" {
        user_agent: text_or_none,
        address: text_or_none,
    }
}

row_columns! {
    pub(super) fn read() -> Session from "sessions" by "id" {
        id: text,
        remember: flag,
        created_at: integer,
        last_used_at: integer;
        device: read_device,
    }
}

/// A refresh token and its session.
pub(super) struct StoredToken {
    pub session_id: String,
    pub user_id: String,
    pub expires_at: i64,
    pub remember: bool,
}

row_columns! {
    pub(super) fn read_token() -> StoredToken {
        session_id: text,
        user_id: text,
        expires_at: integer,
        remember: flag,
    }
}
