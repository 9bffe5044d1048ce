//! Local side of `synced_presets`. Remote changes are applied by [`crate::presets`].

use serde_json::{Value, json};
use slovo_rules::Valid;
use slovo_rules::preset::PresetForm;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use uuid::Uuid;

use super::{Row, time};
use crate::core::fields::{self, Fields, word};
use crate::core::statement::{columns, statements};
use crate::{Connection, Result};

/// The columns that are sent.
macro_rules! preset_columns {
    () => {
        columns!(
            "": id, preset_id, name, description, category, is_public, is_default,
            transcription_type, language_code, settings, usage_count, user_id, created_at, updated_at
        )
    };
}

fn read(row: &AnyRow) -> Result<Row> {
    let fields = Fields::new(row, "synced_presets", "id")?;
    let Value::Object(carried) = json!({
        "slovo_id": fields.text("id")?,
        "preset_id": fields.text("preset_id")?,
        "name": fields.text("name")?,
        "description": fields.text_or_none("description")?.unwrap_or_default(),
        "category": fields.text("category")?,
        "is_public": fields.integer("is_public")? != 0,
        "is_default": fields.integer("is_default")? != 0,
        "transcription_type": fields.text("transcription_type")?,
        "language_code": fields.text("language_code")?,
        // JSON as text in the remote column, and read back as such.
        "settings": fields.text("settings")?,
        "usage_count": fields.integer("usage_count")?,
        "user_id": fields.text_or_none("user_id")?,
        "created_at": time(Some(fields.integer("created_at")?)),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: fields.text("id")?,
        fields: carried,
        updated_at: Some(fields.integer("updated_at")?),
    })
}

statements! {
    const PAGE: BOTH = concat!(
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
    const GET: BOTH = concat!(
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
