//! SQL of uploads, and their rows as they are stored.

use slovo_rules::media::{Fault, Media};
use slovo_rules::upload::UploadKind;
use uuid::Uuid;

use super::OpenUploads;
use crate::core::statement::{columns, row_columns, statements};

/// An upload as it is stored.
pub(super) struct UploadRow {
    pub id: Uuid,
    pub user_id: String,
    pub filename: String,
    pub content_type: String,
    pub kind: UploadKind,
    pub size: u64,
    pub length: String,
    pub stored: u64,
    pub container: Option<String>,
    pub media: Option<Media>,
    pub problem: Option<Fault>,
    pub created_at: i64,
    pub expires_at: i64,
}

row_columns! {
    pub(super) fn read_row() -> UploadRow from "uploads" by "id" {
        id: uuid,
        user_id: text,
        filename: text,
        content_type: text,
        kind: word,
        size: count,
        length: text,
        stored: count,
        container: text_or_none,
        media: json_or_none,
        problem: json_or_none,
        created_at: integer,
        expires_at: integer,
    }
}

row_columns! {
    pub(super) fn read_open() -> OpenUploads {
        count: integer in "uploads" => i64::unsigned_abs,
        bytes: integer => i64::unsigned_abs,
    }
}

/// The columns of [`UploadRow`].
macro_rules! upload_columns {
    () => {
        columns!(
            "": id, user_id, filename, content_type, kind, size, length, stored, container, media,
            problem, created_at, expires_at
        )
    };
}

statements! {
    pub(super) const INSERT_UPLOAD: BOTH =
        "INSERT INTO uploads \
         (id, user_id, filename, content_type, kind, length, size, stored, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9)";
    pub(super) const SELECT_UPLOAD: BOTH -> UploadRow = concat!(
        "SELECT ",
        upload_columns!(),
        " FROM uploads WHERE id = $1 AND user_id = $2"
    );
    pub(super) const SELECT_UPLOADS: BOTH -> UploadRow = concat!(
        "SELECT ",
        upload_columns!(),
        " FROM uploads WHERE user_id = $1 AND expires_at > $2 AND problem IS NULL \
         ORDER BY created_at DESC, id DESC LIMIT $3"
    );
    pub(super) const SELECT_OPEN_UPLOADS: BOTH -> OpenUploads =
        "SELECT COUNT(*) AS uploads, CAST(COALESCE(SUM( \
         CASE length WHEN 'open' THEN stored ELSE size END), 0) AS BIGINT) AS bytes FROM uploads \
         WHERE user_id = $1 AND expires_at > $2 AND problem IS NULL";
    pub(super) const UPDATE_STORED: BOTH =
        "UPDATE uploads SET stored = $2, expires_at = $3 WHERE id = $1";
    pub(super) const ADVANCE_STORED: BOTH =
        "UPDATE uploads SET stored = $2, expires_at = $3 WHERE id = $1 AND stored = $4";
    pub(super) const DECLARE_LENGTH: BOTH =
        "UPDATE uploads SET size = $2, length = 'declared' \
         WHERE id = $1 AND length = 'open' AND stored <= $2 AND problem IS NULL";
    pub(super) const UPDATE_CONTAINER: BOTH = "UPDATE uploads SET container = $2 WHERE id = $1";
    pub(super) const UPDATE_MEDIA: BOTH =
        "UPDATE uploads SET media = $2 WHERE id = $1 AND problem IS NULL";
    pub(super) const UPDATE_PROBLEM: BOTH =
        "UPDATE uploads SET problem = $2 WHERE id = $1 AND media IS NULL";
    pub(super) const TAKE_UPLOAD: BOTH = "DELETE FROM uploads WHERE id = $1 AND problem IS NULL";
    pub(super) const SELECT_EMPTY_UPLOADS: BOTH -> UploadRow = concat!(
        "SELECT ",
        upload_columns!(),
        " FROM uploads WHERE user_id = $1 AND stored = 0 AND problem IS NULL \
         AND expires_at > $2 ORDER BY created_at, id"
    );
    pub(super) const DELETE_UPLOAD: BOTH = "DELETE FROM uploads WHERE id = $1";
    pub(super) const DELETE_EXPIRED_UPLOADS: BOTH =
        "DELETE FROM uploads WHERE id IN \
         (SELECT id FROM uploads WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) \
         RETURNING id";
    pub(super) const COUNT_REFERENCES: BOTH =
        "SELECT (SELECT COUNT(*) FROM uploads WHERE id = $1) \
         + (SELECT COUNT(*) FROM synced_jobs WHERE media_id = $1) AS owners";
}
