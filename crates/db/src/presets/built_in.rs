//! Presets that come with the program: loading, updating and restoring them.

use slovo_rules::Valid;
use slovo_rules::preset::PresetForm;
use slovo_rules::settings::TranscriptionSettings;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::presets::{self, Preset, preset_columns};
use crate::{Connection, Result};

/// A preset of the program. It is public and belongs to the system.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    /// Its permanent id.
    pub preset_id: String,
    /// Version of its texts and settings, from 1.
    pub version: i64,
    /// Its content, in Ukrainian.
    pub form: Valid<PresetForm>,
    /// English name.
    pub name_en: String,
    /// English description.
    pub description_en: String,
    /// Settings for readers of English.
    pub settings_en: TranscriptionSettings,
    /// Position among the quick-start presets.
    pub quick_start: Option<i64>,
}

/// The result of loading a preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadOutcome {
    /// It was added.
    Added,
    /// It was updated to the newer version.
    Updated,
    /// Unchanged: it has this or a newer version, or an administrator changed or deleted it.
    Unchanged,
}

statements! {
    const INSERT_VERSION: BOTH =
        "INSERT INTO built_in_presets (preset_id, version, loaded_at) VALUES ($1, $2, $3) \
         ON CONFLICT (preset_id) DO NOTHING";
    const UPDATE_VERSION: BOTH =
        "UPDATE built_in_presets SET version = $2, loaded_at = $3 \
         WHERE preset_id = $1 AND version < $2";
}

/// Loads one preset, with the id `id` if it is new. Servers that start at the same time load them
/// in the same order, so they are serialised, and the second one finds them loaded.
///
/// # Errors
/// When the database fails.
pub async fn load(
    connection: &mut Connection,
    preset: &BuiltIn,
    id: Uuid,
    now: i64,
) -> Result<LoadOutcome> {
    let first = sqlx::query(INSERT_VERSION)
        .bind(&preset.preset_id)
        .bind(preset.version)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    if first.rows_affected() == 1 {
        return Ok(match add(connection, preset, id, now).await? {
            true => LoadOutcome::Added,
            false => LoadOutcome::Unchanged,
        });
    }
    let raised = sqlx::query(UPDATE_VERSION)
        .bind(&preset.preset_id)
        .bind(preset.version)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    if raised.rows_affected() == 1 && upgrade(connection, preset, now).await? {
        return Ok(LoadOutcome::Updated);
    }
    Ok(LoadOutcome::Unchanged)
}

/// The result of restoring a preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoreOutcome {
    /// It had been deleted.
    Added,
    /// It had been changed: its previous state.
    Reset(Box<Preset>),
    /// It was unchanged.
    Unchanged,
}

/// How many presets of the program administrators have deleted or changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PresetDifferences {
    /// Deleted by an administrator.
    pub missing: u32,
    /// Changed by an administrator.
    pub changed: u32,
}

/// How many of the presets with these permanent ids were deleted or changed.
///
/// # Errors
/// When the database fails.
pub async fn count_differences(
    connection: &mut Connection,
    preset_ids: &[&str],
) -> Result<PresetDifferences> {
    let mut differing = PresetDifferences::default();
    for preset_id in preset_ids {
        match find(connection, preset_id).await? {
            None => differing.missing += 1,
            Some(found) => differing.changed += u32::from(found.is_changed),
        }
    }
    Ok(differing)
}

statements! {
    const SET_VERSION: BOTH =
        "INSERT INTO built_in_presets (preset_id, version, loaded_at) VALUES ($1, $2, $3) \
         ON CONFLICT (preset_id) DO UPDATE SET version = $2, loaded_at = $3";
    const RESET: BOTH =
        "UPDATE synced_presets SET changed_at = NULL, is_public = 1 \
         WHERE preset_id = $1 AND user_id IS NULL";
}

/// Restores a preset that an administrator changed or deleted; later versions of the program update
/// it again. `id` is for a deleted one.
///
/// # Errors
/// When the database fails.
pub async fn restore(
    connection: &mut Connection,
    preset: &BuiltIn,
    id: Uuid,
    now: i64,
) -> Result<RestoreOutcome> {
    let before = find(connection, &preset.preset_id).await?;
    if before.as_ref().is_some_and(|found| !found.is_changed) {
        return Ok(RestoreOutcome::Unchanged);
    }
    // Resets the version even if a newer program had loaded it: that program then updates it again.
    sqlx::query(SET_VERSION)
        .bind(&preset.preset_id)
        .bind(preset.version)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    let Some(before) = before else {
        let added = add(connection, preset, id, now).await?;
        return Ok(if added {
            RestoreOutcome::Added
        } else {
            RestoreOutcome::Unchanged
        });
    };
    sqlx::query(RESET)
        .bind(&preset.preset_id)
        .execute(&mut *connection)
        .await?;
    upgrade(connection, preset, now).await?;
    Ok(RestoreOutcome::Reset(Box::new(before.preset)))
}

/// A preset of the system.
struct SystemPreset {
    preset: Preset,
    /// Whether an administrator has changed it.
    is_changed: bool,
}

row_columns! {
    fn read() -> SystemPreset from "synced_presets" by "id" {
        is_changed: integer_or_none in "changed_at" => |at: Option<i64>| at.is_some();
        preset: presets::read,
    }
}

statements! {
    const FIND: BOTH -> Preset, SystemPreset = concat!(
        "SELECT ",
        preset_columns!(""),
        ", changed_at FROM synced_presets WHERE preset_id = $1 AND user_id IS NULL"
    );
}

/// The system's preset with this permanent id.
async fn find(connection: &mut Connection, preset_id: &str) -> Result<Option<SystemPreset>> {
    let row = sqlx::query(FIND)
        .bind(preset_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const ADD: BOTH =
        "INSERT INTO synced_presets (id, preset_id, name, name_en, description, description_en, \
         category, is_public, is_default, transcription_type, language_code, settings, \
         settings_en, quick_start, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, \
         $8, $9, $10, $11, $12, $13, $14, $14) ON CONFLICT DO NOTHING";
}

/// Adds a preset; `false` if the system already has another one with this permanent id.
async fn add(connection: &mut Connection, preset: &BuiltIn, id: Uuid, now: i64) -> Result<bool> {
    let done = sqlx::query(ADD)
        .bind(id.to_string())
        .bind(&preset.preset_id)
        .bind(&preset.form.name)
        .bind(&preset.name_en)
        .bind(&preset.form.description)
        .bind(&preset.description_en)
        .bind(word(&preset.form.category))
        .bind(i64::from(preset.form.is_default))
        .bind(word(&preset.form.settings.transcription_type))
        .bind(&preset.form.settings.language_code)
        .bind(json(&preset.form.settings))
        .bind(json(&preset.settings_en))
        .bind(preset.quick_start)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

statements! {
    const UPGRADE: BOTH =
        "UPDATE synced_presets SET name = $2, name_en = $3, description = $4, \
         description_en = $5, category = $6, is_default = $7, transcription_type = $8, \
         language_code = $9, settings = $10, settings_en = $11, quick_start = $12, \
         updated_at = $13 WHERE preset_id = $1 AND user_id IS NULL AND changed_at IS NULL";
}

/// Updates a preset; `false` if an administrator has changed or deleted it.
async fn upgrade(connection: &mut Connection, preset: &BuiltIn, now: i64) -> Result<bool> {
    let done = sqlx::query(UPGRADE)
        .bind(&preset.preset_id)
        .bind(&preset.form.name)
        .bind(&preset.name_en)
        .bind(&preset.form.description)
        .bind(&preset.description_en)
        .bind(word(&preset.form.category))
        .bind(i64::from(preset.form.is_default))
        .bind(word(&preset.form.settings.transcription_type))
        .bind(&preset.form.settings.language_code)
        .bind(json(&preset.form.settings))
        .bind(json(&preset.settings_en))
        .bind(preset.quick_start)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

#[cfg(test)]
mod tests;
