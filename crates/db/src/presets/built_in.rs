//! The presets that come with the program: what was loaded, and what has become of it since.

use slovo_rules::Valid;
use slovo_rules::preset::PresetForm;
use slovo_rules::settings::TranscriptionSettings;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::{Fields, json, word};
use crate::presets::{self, Preset};
use crate::{Connection, Result};

/// A preset as the program brings it. It is public and belongs to the system.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    /// Its lasting id.
    pub preset_id: String,
    /// Of its text and its settings, from 1.
    pub version: i64,
    /// What it is, in Ukrainian.
    pub form: Valid<PresetForm>,
    /// Name for readers of English.
    pub name_en: String,
    /// Description for readers of English.
    pub description_en: String,
    /// What it sets for readers of English.
    pub settings_en: TranscriptionSettings,
    /// Its place among those for a quick start.
    pub quick_start: Option<i64>,
}

/// What loading a preset has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    /// It is new.
    Added,
    /// It follows the newer version.
    Raised,
    /// It stays as it is: of this or a newer version, changed or deleted by an administrator.
    Kept,
}

/// Brings one preset, under the id `id` if it is new. Servers that start at once and bring theirs in
/// the same order do so one after the other, and the second one finds the work done.
///
/// # Errors
/// When the database fails.
pub async fn load(
    connection: &mut Connection,
    preset: &BuiltIn,
    id: Uuid,
    now: i64,
) -> Result<Loaded> {
    let first = sqlx::query(
        "INSERT INTO built_in_presets (preset_id, version, loaded_at) VALUES ($1, $2, $3) \
         ON CONFLICT (preset_id) DO NOTHING",
    )
    .bind(&preset.preset_id)
    .bind(preset.version)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    if first.rows_affected() == 1 {
        return Ok(match add(connection, preset, id, now).await? {
            true => Loaded::Added,
            false => Loaded::Kept,
        });
    }
    let raised = sqlx::query(
        "UPDATE built_in_presets SET version = $2, loaded_at = $3 \
         WHERE preset_id = $1 AND version < $2",
    )
    .bind(&preset.preset_id)
    .bind(preset.version)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    if raised.rows_affected() == 1 && raise(connection, preset, now).await? {
        return Ok(Loaded::Raised);
    }
    Ok(Loaded::Kept)
}

/// What bringing a preset back has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restored {
    /// It had been deleted.
    Added,
    /// It had been changed: how it was.
    Reset(Box<Preset>),
    /// It was there as the program brings it.
    Kept,
}

/// How many of the program's presets are not as it brings them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Differing {
    /// Deleted by an administrator.
    pub missing: u32,
    /// Changed by an administrator.
    pub changed: u32,
}

/// How many of the presets with these lasting ids have been deleted or changed.
///
/// # Errors
/// When the database fails.
pub async fn differing(connection: &mut Connection, preset_ids: &[&str]) -> Result<Differing> {
    let mut differing = Differing::default();
    for preset_id in preset_ids {
        match find(connection, preset_id).await? {
            None => differing.missing += 1,
            Some((_, true)) => differing.changed += 1,
            Some((_, false)) => {}
        }
    }
    Ok(differing)
}

/// Brings one preset back as the program has it, whatever an administrator has made of it; it
/// follows the program's versions again. `id` is for one that had been deleted.
///
/// # Errors
/// When the database fails.
pub async fn restore(
    connection: &mut Connection,
    preset: &BuiltIn,
    id: Uuid,
    now: i64,
) -> Result<Restored> {
    let before = find(connection, &preset.preset_id).await?;
    if let Some((_, false)) = before {
        return Ok(Restored::Kept);
    }
    // Also one that a newer program has brought before: that one raises it again.
    sqlx::query(
        "INSERT INTO built_in_presets (preset_id, version, loaded_at) VALUES ($1, $2, $3) \
         ON CONFLICT (preset_id) DO UPDATE SET version = $2, loaded_at = $3",
    )
    .bind(&preset.preset_id)
    .bind(preset.version)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    let Some((before, _)) = before else {
        let added = add(connection, preset, id, now).await?;
        return Ok(if added {
            Restored::Added
        } else {
            Restored::Kept
        });
    };
    sqlx::query(
        "UPDATE synced_presets SET changed_at = NULL, is_public = 1 \
         WHERE preset_id = $1 AND user_id IS NULL",
    )
    .bind(&preset.preset_id)
    .execute(&mut *connection)
    .await?;
    raise(connection, preset, now).await?;
    Ok(Restored::Reset(Box::new(before)))
}

/// The system's preset of this lasting id, and whether an administrator has changed it.
async fn find(connection: &mut Connection, preset_id: &str) -> Result<Option<(Preset, bool)>> {
    let row = sqlx::query("SELECT * FROM synced_presets WHERE preset_id = $1 AND user_id IS NULL")
        .bind(preset_id)
        .fetch_optional(connection)
        .await?;
    let read = |row: &AnyRow| {
        let fields = Fields::new(row, "synced_presets", "id")?;
        let changed = fields.integer_or_none("changed_at")?.is_some();
        Ok((presets::read(row)?, changed))
    };
    row.as_ref().map(read).transpose()
}

/// `false` if the system has a preset of that name from elsewhere.
async fn add(connection: &mut Connection, preset: &BuiltIn, id: Uuid, now: i64) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO synced_presets (id, preset_id, name, name_en, description, description_en, \
         category, is_public, is_default, transcription_type, language_code, settings, \
         settings_en, quick_start, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, \
         $8, $9, $10, $11, $12, $13, $14, $14) ON CONFLICT DO NOTHING",
    )
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

/// `false` if an administrator has changed it, or deleted it.
async fn raise(connection: &mut Connection, preset: &BuiltIn, now: i64) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE synced_presets SET name = $2, name_en = $3, description = $4, \
         description_en = $5, category = $6, is_default = $7, transcription_type = $8, \
         language_code = $9, settings = $10, settings_en = $11, quick_start = $12, \
         updated_at = $13 WHERE preset_id = $1 AND user_id IS NULL AND changed_at IS NULL",
    )
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
