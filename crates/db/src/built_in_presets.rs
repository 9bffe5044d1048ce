//! The presets that come with the program: what was loaded, and what has become of it since.

use slovo_rules::preset::PresetCategory;
use slovo_rules::settings::TranscriptionSettings;
use uuid::Uuid;

use crate::fields::{json, word};
use crate::{Connection, Result};

/// A preset as the program brings it. It is public and belongs to the system.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    /// Its lasting id.
    pub preset_id: String,
    /// Of its text and its settings, from 1.
    pub version: i64,
    /// Name.
    pub name: String,
    /// Name for readers of English.
    pub name_en: String,
    /// Description.
    pub description: String,
    /// Description for readers of English.
    pub description_en: String,
    /// What for.
    pub category: PresetCategory,
    /// Recommended.
    pub is_default: bool,
    /// What it sets, validated.
    pub settings: TranscriptionSettings,
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

/// `false` if the system has a preset of that name from elsewhere.
async fn add(connection: &mut Connection, preset: &BuiltIn, id: Uuid, now: i64) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO synced_presets (id, preset_id, name, name_en, description, description_en, \
         category, is_public, is_default, transcription_type, language_code, settings, \
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $12, \
         $12) ON CONFLICT DO NOTHING",
    )
    .bind(id.to_string())
    .bind(&preset.preset_id)
    .bind(&preset.name)
    .bind(&preset.name_en)
    .bind(&preset.description)
    .bind(&preset.description_en)
    .bind(word(&preset.category))
    .bind(i64::from(preset.is_default))
    .bind(word(&preset.settings.transcription_type))
    .bind(&preset.settings.language_code)
    .bind(json(&preset.settings))
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
         language_code = $9, settings = $10, updated_at = $11 \
         WHERE preset_id = $1 AND user_id IS NULL AND changed_at IS NULL",
    )
    .bind(&preset.preset_id)
    .bind(&preset.name)
    .bind(&preset.name_en)
    .bind(&preset.description)
    .bind(&preset.description_en)
    .bind(word(&preset.category))
    .bind(i64::from(preset.is_default))
    .bind(word(&preset.settings.transcription_type))
    .bind(&preset.settings.language_code)
    .bind(json(&preset.settings))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}
