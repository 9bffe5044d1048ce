//! The built-in presets: read from their files and loaded into the database at every start.
//!
//! A new preset is added; a newer version replaces the old one, unless an administrator has changed
//! it; a deleted one stays deleted. Administrators can restore all of them. See the README beside
//! the files.

mod files;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result};
use serde::Deserialize;
use slovo_db::presets::built_in::{BuiltIn, LoadOutcome, PresetDifferences};
use slovo_db::presets::{self, Preset};
use slovo_db::{Connection, Database};
use slovo_platform::random::Random;
use slovo_rules::preset::{PresetCategory, PresetForm, validate};
use slovo_rules::settings::TranscriptionSettings;
use toml::{Table, Value};

/// One file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    preset_id: String,
    version: u32,
    category: PresetCategory,
    recommended: bool,
    /// Position among the quick-start presets.
    quick_start: Option<i64>,
    name: Words,
    description: Words,
    settings: Table,
    /// Settings that differ for English readers, besides the language.
    #[serde(default)]
    settings_en: Table,
}

/// A text in both languages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    uk: String,
    en: String,
}

/// Loads this program's presets into the database: all or none, and once even if several servers
/// start at the same time.
///
/// # Errors
/// If a file breaks the rules, which a test prevents, or the database fails.
pub async fn load(db: &Database, random: &dyn Random, now: i64) -> Result<()> {
    let presets = built_in()?;
    let (mut added, mut updated) = (0, 0);
    let mut transaction = db.write().await?;
    for preset in &presets {
        let id = random.uuid_at(now).parse()?;
        match presets::built_in::load(&mut transaction, preset, id, now).await? {
            LoadOutcome::Added => added += 1,
            LoadOutcome::Updated => updated += 1,
            LoadOutcome::Unchanged => {}
        }
    }
    transaction.commit().await?;
    if added + updated > 0 {
        tracing::info!(
            added,
            raised = updated,
            "presets of this version were loaded"
        );
    }
    Ok(())
}

/// Result of restoring the built-in presets.
#[derive(Debug, Default)]
pub struct RestoredPresets {
    /// The permanent ids of those that had been deleted.
    pub added: Vec<String>,
    /// Those that had been changed, as they were before.
    pub reset: Vec<Preset>,
}

/// The number of built-in presets, and how many of them an administrator has deleted or changed.
///
/// # Errors
/// If the database fails.
pub async fn built_in_status(connection: &mut Connection) -> Result<(usize, PresetDifferences)> {
    let presets = built_in()?;
    let ids: Vec<_> = presets.iter().map(|preset| &*preset.preset_id).collect();
    let differing = presets::built_in::count_differences(connection, &ids).await?;
    Ok((presets.len(), differing))
}

/// Restores the built-in presets, including those that were changed or deleted.
///
/// # Errors
/// If the database fails.
pub async fn restore(
    connection: &mut Connection,
    random: &dyn Random,
    now: i64,
) -> Result<RestoredPresets> {
    let mut done = RestoredPresets::default();
    for preset in built_in()? {
        let id = random.uuid_at(now).parse()?;
        match presets::built_in::restore(connection, &preset, id, now).await? {
            presets::built_in::RestoreOutcome::Added => done.added.push(preset.preset_id),
            presets::built_in::RestoreOutcome::Reset(before) => done.reset.push(*before),
            presets::built_in::RestoreOutcome::Unchanged => {}
        }
    }
    Ok(done)
}

/// All presets, ordered by permanent id: a fixed order prevents deadlocks between servers that
/// start at once.
fn built_in() -> Result<Vec<BuiltIn>> {
    let mut presets = files::FILES
        .map(read)
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    presets.sort_by(|a, b| a.preset_id.cmp(&b.preset_id));
    Ok(presets)
}

fn read(text: &str) -> Result<BuiltIn> {
    let file: File = toml::from_str(text).context("a preset's file cannot be read")?;
    let broken = || format!("the preset {} breaks a rule", file.preset_id);
    let form = |name: &str, description: &str, settings: TranscriptionSettings| {
        let form = PresetForm {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            category: file.category,
            is_public: true,
            is_default: file.recommended,
            settings,
        };
        validate(&form).with_context(broken)
    };
    let ukrainian = settings(file.settings.clone()).with_context(broken)?;
    let english = settings(in_english(&file)).with_context(broken)?;
    let ukrainian = form(&file.name.uk, &file.description.uk, ukrainian)?;
    let english = form(&file.name.en, &file.description.en, english)?.into_inner();
    Ok(BuiltIn {
        form: ukrainian,
        name_en: english.name,
        description_en: english.description.unwrap_or_default(),
        settings_en: english.settings,
        quick_start: file.quick_start,
        version: i64::from(file.version),
        preset_id: file.preset_id,
    })
}

/// The settings for English readers, who record English.
fn in_english(file: &File) -> Table {
    let mut merged = file.settings.clone();
    merged.insert("language_code".to_owned(), Value::from("en"));
    merged.extend(file.settings_en.clone());
    merged
}

fn settings(table: Table) -> Result<TranscriptionSettings> {
    let mut settings: TranscriptionSettings = table.try_into()?;
    // Removes the trailing newline of the text in the file.
    let prompt = settings.custom_prompt.trim_end().len();
    settings.custom_prompt.truncate(prompt);
    Ok(settings)
}
