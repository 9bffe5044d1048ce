//! Local side of `synced_presets`. Remote changes are applied by [`crate::presets`].

use serde_json::{Value, json};
use slovo_rules::Valid;
use slovo_rules::preset::PresetForm;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use uuid::Uuid;

use super::{Row, time};
use crate::core::fields::{self, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A preset as it is sent.
struct SentPreset {
    id: String,
    preset_id: String,
    name: String,
    description: String,
    category: String,
    is_public: bool,
    is_default: bool,
    transcription_type: String,
    language_code: String,
    settings: String,
    usage_count: i64,
    user_id: Option<String>,
    created_at: i64,
    updated_at: i64,
}

row_columns! {
    fn read_sent() -> SentPreset from "synced_presets" by "id" {
        id: text,
        preset_id: text,
        name: text,
        description: text_or_none => Option::unwrap_or_default,
        category: text,
        is_public: flag,
        is_default: flag,
        transcription_type: text,
        language_code: text,
        settings: text,
        usage_count: integer,
        user_id: text_or_none,
        created_at: integer,
        updated_at: integer,
    }
}

/// The columns of [`SentPreset`].
macro_rules! preset_columns {
    () => {
        columns!(
            "": id, preset_id, name, description, category, is_public, is_default,
            transcription_type, language_code, settings, usage_count, user_id, created_at, updated_at
        )
    };
}

fn read(row: &AnyRow) -> Result<Row> {
    let preset = read_sent(row)?;
    let Value::Object(carried) = json!({
        "slovo_id": preset.id,
        "preset_id": preset.preset_id,
        "name": preset.name,
        "description": preset.description,
        "category": preset.category,
        "is_public": preset.is_public,
        "is_default": preset.is_default,
        "transcription_type": preset.transcription_type,
        "language_code": preset.language_code,
        // JSON as text in the remote column, and read back as such.
        "settings": preset.settings,
        "usage_count": preset.usage_count,
        "user_id": preset.user_id,
        "created_at": time(Some(preset.created_at)),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: preset.id,
        fields: carried,
        updated_at: Some(preset.updated_at),
    })
}

statements! {
    const PAGE: BOTH -> SentPreset = concat!(
        "SELECT ",
        preset_columns!(),
        " FROM synced_presets WHERE id > $1 ORDER BY id LIMIT $2"
    );
}

pub(super) async fn page(connection: &mut Connection, after: &str, limit: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query(PAGE)
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const GET: BOTH -> SentPreset = concat!(
        "SELECT ",
        preset_columns!(),
        " FROM synced_presets WHERE id = $1"
    );
}

pub(super) async fn get(connection: &mut Connection, id: &str) -> Result<Option<Row>> {
    sqlx::query(GET)
        .bind(id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const FIND: BOTH =
        "SELECT id FROM synced_presets WHERE preset_id = $1 AND COALESCE(user_id, '') = $2";
}

/// The id of the owner's preset with this permanent name; the owner `None` is the system.
///
/// # Errors
/// When the database fails.
pub async fn find(
    connection: &mut Connection,
    preset_id: &str,
    owner: Option<&str>,
) -> Result<Option<String>> {
    let row = sqlx::query(FIND)
        .bind(preset_id)
        .bind(owner.unwrap_or_default())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("id")).transpose()?)
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO synced_presets (id, preset_id, name, description, category, is_public, \
         is_default, transcription_type, language_code, settings, changed_at, created_at, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11)";
}

/// Stores a preset from the external database as one of the system. It is marked as changed, so
/// that no version of the program overwrites it.
///
/// # Errors
/// The constraint `synced_presets_owner_preset_id` if the system has a preset with this permanent
/// name.
pub async fn insert(
    connection: &mut Connection,
    id: Uuid,
    preset_id: &str,
    form: &Valid<PresetForm>,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(preset_id)
        .bind(&form.name)
        .bind(&form.description)
        .bind(word(&form.category))
        .bind(i64::from(form.is_public))
        .bind(i64::from(form.is_default))
        .bind(word(&form.settings.transcription_type))
        .bind(&form.settings.language_code)
        .bind(fields::json(&form.settings))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
