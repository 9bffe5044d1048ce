//! Presets: named settings of a user or of the system. [`built_in`] loads those that come with the
//! program.

pub mod built_in;
pub mod managed;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use slovo_rules::Valid;
use slovo_rules::preset::{MAX_OWN, PresetCategory, PresetForm, follow};
use slovo_rules::settings::TranscriptionSettings;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// Public id.
    pub id: Uuid,
    /// Permanent name for programs, unique among the presets of one owner.
    pub preset_id: String,
    /// Name.
    pub name: String,
    /// English name, if any.
    pub name_en: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// English description, if any.
    pub description_en: Option<String>,
    /// Its category.
    pub category: PresetCategory,
    /// Visible to everybody.
    pub is_public: bool,
    /// Recommended.
    pub is_default: bool,
    /// The settings.
    pub settings: TranscriptionSettings,
    /// The settings for readers of English, if different.
    pub settings_en: Option<TranscriptionSettings>,
    /// Position among the quick-start presets, which come first in every list.
    pub quick_start: Option<i64>,
    /// Number of jobs created with it.
    pub usage_count: u64,
    /// The owner's account id; `None` is the system.
    pub user_id: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// A new preset of a user.
#[derive(Debug)]
pub struct NewPreset {
    /// Public id.
    pub id: Uuid,
    /// Permanent name; replaced by a generated one if the user or the system already has it.
    pub preset_id: String,
    /// Its content.
    pub form: Valid<PresetForm>,
}

/// Who looks for presets: everybody sees public presets and their own, an administrator sees all.
#[derive(Debug, Clone, Copy)]
pub struct Viewer<'a> {
    /// The account's id.
    pub user_id: &'a str,
    /// Whether the account is an administrator.
    pub is_admin: bool,
}

/// The columns of [`Preset`], each after `$table`, for example `s.`.
macro_rules! preset_columns {
    ($table:literal) => {
        $crate::core::statement::columns!(
            $table: id, preset_id, name, name_en, description, description_en, category, is_public,
            is_default, settings, settings_en, quick_start, usage_count, user_id, created_at,
            updated_at
        )
    };
}
pub(crate) use preset_columns;

row_columns! {
    pub(crate) fn read() -> Preset from "synced_presets" by "id" {
        id: uuid,
        preset_id: text,
        name: text,
        name_en: text_or_none,
        description: text_or_none,
        description_en: text_or_none,
        category: word,
        is_public: flag,
        is_default: flag,
        settings: json,
        settings_en: json_or_none,
        quick_start: integer_or_none,
        usage_count: count,
        user_id: text_or_none,
        created_at: integer,
        updated_at: integer,
    }
}

/// Sorts quick-start presets first, then by category in the order of its definition, then by name,
/// case-insensitively.
fn sorted(rows: &[AnyRow]) -> Result<Vec<Preset>> {
    let mut presets = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    presets.sort_by_cached_key(|preset| {
        (
            preset.quick_start.unwrap_or(i64::MAX),
            preset.category,
            preset.name.to_lowercase(),
            preset.id,
        )
    });
    Ok(presets)
}

statements! {
    const LIST: BOTH -> Preset = concat!(
        "SELECT ",
        preset_columns!(""),
        " FROM synced_presets WHERE is_public = 1 OR user_id = $1"
    );
}

/// The public presets and the user's own: quick start first, then by category and name.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, user_id: &str) -> Result<Vec<Preset>> {
    let rows = sqlx::query(LIST)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    sorted(&rows)
}

statements! {
    const LIST_OWN: BOTH -> Preset = concat!(
        "SELECT ",
        preset_columns!(""),
        " FROM synced_presets WHERE user_id = $1"
    );
}

/// The user's own presets, by category and name.
///
/// # Errors
/// A row that cannot be read.
pub async fn list_own(connection: &mut Connection, user_id: &str) -> Result<Vec<Preset>> {
    let rows = sqlx::query(LIST_OWN)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    sorted(&rows)
}

statements! {
    const FIND: BOTH -> Preset = concat!(
        "SELECT ",
        preset_columns!(""),
        " FROM synced_presets WHERE id = $1 AND (is_public = 1 OR user_id = $2 OR $3 = 1)"
    );
}

/// The preset `id`, if the viewer may see it.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    viewer: Viewer<'_>,
    id: Uuid,
) -> Result<Option<Preset>> {
    sqlx::query(FIND)
        .bind(id.to_string())
        .bind(viewer.user_id)
        .bind(i64::from(viewer.is_admin))
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// Stores new presets of a user, all or none: `None` if the user would have more than [`MAX_OWN`].
/// Returns their ids in the given order. Concurrent calls for one account are serialised.
///
/// # Errors
/// The constraint `synced_presets_user_id_fkey` (`foreign_key` in SQLite) for an unknown account.
pub async fn insert(
    connection: &mut Connection,
    user_id: &str,
    presets: Vec<NewPreset>,
    now: i64,
) -> Result<Option<Vec<Uuid>>> {
    let mut taken = taken_ids(connection, user_id).await?;
    if taken.own + presets.len() > MAX_OWN {
        return Ok(None);
    }
    let mut ids = Vec::with_capacity(presets.len());
    for mut preset in presets {
        if !taken.ids.insert(preset.preset_id.clone()) {
            preset.preset_id = generated_id(preset.id);
            taken.ids.insert(preset.preset_id.clone());
        }
        insert_one(connection, user_id, &preset, now).await?;
        ids.push(preset.id);
    }
    Ok(Some(ids))
}

/// The permanent name of a preset that has none; unique, because it contains the id.
#[must_use]
pub fn generated_id(id: Uuid) -> String {
    format!("preset_{}", id.simple())
}

/// The names and the number that limit the user's new presets.
struct TakenNames {
    /// Number of the user's own presets.
    own: usize,
    /// The permanent names of those and of the system's presets.
    ids: HashSet<String>,
}

statements! {
    const LOCK_ACCOUNT: BOTH = "UPDATE accounts SET id = id WHERE id = $1";
    const TAKEN_IDS: BOTH -> rows::TakenName =
        "SELECT preset_id, user_id FROM synced_presets WHERE user_id IS NULL OR user_id = $1";
}

async fn taken_ids(connection: &mut Connection, user_id: &str) -> Result<TakenNames> {
    // Serialises these changes per account, in PostgreSQL too.
    sqlx::query(LOCK_ACCOUNT)
        .bind(user_id)
        .execute(&mut *connection)
        .await?;
    let rows = sqlx::query(TAKEN_IDS)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    let mut taken = TakenNames {
        own: 0,
        ids: HashSet::with_capacity(rows.len()),
    };
    for row in &rows {
        let name = rows::read_taken(row)?;
        taken.own += usize::from(name.is_own);
        taken.ids.insert(name.preset_id);
    }
    Ok(taken)
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO synced_presets (id, preset_id, user_id, name, description, category, \
         is_public, is_default, transcription_type, language_code, settings, created_at, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";
}

async fn insert_one(
    connection: &mut Connection,
    user_id: &str,
    preset: &NewPreset,
    now: i64,
) -> Result<()> {
    let form = &preset.form;
    sqlx::query(INSERT)
        .bind(preset.id.to_string())
        .bind(&preset.preset_id)
        .bind(user_id)
        .bind(&form.name)
        .bind(&form.description)
        .bind(word(&form.category))
        .bind(i64::from(form.is_public))
        .bind(i64::from(form.is_default))
        .bind(word(&form.settings.transcription_type))
        .bind(&form.settings.language_code)
        .bind(json(&form.settings))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const UPDATE: BOTH =
        "UPDATE synced_presets SET name = $2, description = $3, category = $4, is_public = $5, \
         is_default = $6, transcription_type = $7, language_code = $8, settings = $9, \
         updated_at = $10, settings_en = $11, \
         name_en = CASE WHEN name = $2 THEN name_en ELSE NULL END, \
         description_en = CASE WHEN description = $3 THEN description_en ELSE NULL END, \
         changed_at = CASE WHEN user_id IS NULL THEN $10 ELSE changed_at END \
         WHERE id = $1";
}

/// Changes a preset; `false` if there is none. A preset of the system is marked as changed. An
/// English name or description is dropped when its Ukrainian original changes; the settings for
/// readers of English follow the change (see [`follow`]).
///
/// # Errors
/// When the database fails.
pub async fn update(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<PresetForm>,
    now: i64,
) -> Result<bool> {
    let english = english_after(connection, id, &form.settings).await?;
    let done = sqlx::query(UPDATE)
        .bind(id.to_string())
        .bind(&form.name)
        .bind(&form.description)
        .bind(word(&form.category))
        .bind(i64::from(form.is_public))
        .bind(i64::from(form.is_default))
        .bind(word(&form.settings.transcription_type))
        .bind(&form.settings.language_code)
        .bind(json(&form.settings))
        .bind(now)
        .bind(english)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const SETTINGS: BOTH -> rows::BothSettings =
        "SELECT id, settings, settings_en FROM synced_presets WHERE id = $1";
}

/// The settings for readers of English once the other settings become `after`.
async fn english_after(
    connection: &mut Connection,
    id: Uuid,
    after: &TranscriptionSettings,
) -> Result<Option<String>> {
    let row = sqlx::query(SETTINGS)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let before = rows::read_settings(&row)?;
    let followed = before
        .english
        .and_then(|english| follow(&english, &before.settings, after));
    Ok(followed.as_ref().map(json))
}

statements! {
    const DELETE: BOTH = "DELETE FROM synced_presets WHERE id = $1";
}

/// Deletes a preset; `false` if there is none.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const COUNT_USE: BOTH =
        "UPDATE synced_presets SET usage_count = usage_count + 1 WHERE id = $1 \
         AND (is_public = 1 OR user_id = $2 OR $3 = 1)";
}

/// Counts a job created with the preset. A preset that was deleted, or that the viewer may not see,
/// is ignored.
///
/// # Errors
/// When the database fails.
pub async fn count_use(connection: &mut Connection, viewer: Viewer<'_>, id: Uuid) -> Result<()> {
    sqlx::query(COUNT_USE)
        .bind(id.to_string())
        .bind(viewer.user_id)
        .bind(i64::from(viewer.is_admin))
        .execute(connection)
        .await?;
    Ok(())
}
