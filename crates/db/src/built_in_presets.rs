//! The presets that come with the program: what was loaded, and what has become of it since.

use slovo_rules::Valid;
use slovo_rules::preset::PresetForm;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::fields::{Fields, json, word};
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
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $12, \
         $12) ON CONFLICT DO NOTHING",
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
    .bind(&preset.form.name)
    .bind(&preset.name_en)
    .bind(&preset.form.description)
    .bind(&preset.description_en)
    .bind(word(&preset.form.category))
    .bind(i64::from(preset.form.is_default))
    .bind(word(&preset.form.settings.transcription_type))
    .bind(&preset.form.settings.language_code)
    .bind(json(&preset.form.settings))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use slovo_rules::preset::validate;

    use super::Loaded::{Added, Kept, Raised};
    use super::*;
    use crate::Database;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    const IDS: [&str; 3] = ["a_v1", "b_v1", "c_v1"];

    fn form(name: &str) -> Valid<PresetForm> {
        let form = PresetForm {
            name: name.to_owned(),
            description: Some(format!("про {name}")),
            is_public: true,
            ..PresetForm::default()
        };
        validate(&form).unwrap()
    }

    fn built_in(preset_id: &str, version: i64) -> BuiltIn {
        BuiltIn {
            preset_id: preset_id.to_owned(),
            version,
            form: form(&format!("{preset_id} {version}")),
            name_en: format!("English {version}"),
            description_en: format!("about {version}"),
        }
    }

    /// What a server of this version does at its start.
    async fn start(database: &Database, version: i64) -> Vec<Loaded> {
        let mut transaction = database.write().await.unwrap();
        let mut all = Vec::new();
        for preset_id in IDS {
            let preset = built_in(preset_id, version);
            let loaded = load(&mut transaction, &preset, Uuid::new_v4(), version).await;
            all.push(loaded.unwrap());
        }
        transaction.commit().await.unwrap();
        all
    }

    async fn all(database: &Database) -> Vec<Preset> {
        let mut connection = database.read().await.unwrap();
        presets::list(&mut connection, "nobody").await.unwrap()
    }

    #[apply(each_database!)]
    fn they_are_loaded_once_and_follow_their_versions(backend: Backend) {
        with_database(backend, async |database| {
            assert_eq!(start(&database, 2).await, [Added; 3]);
            let first = all(&database).await;
            assert_eq!(start(&database, 2).await, [Kept; 3]);
            // A server that was forgotten at an older version.
            assert_eq!(start(&database, 1).await, [Kept; 3]);
            assert_eq!(all(&database).await, first);
            assert_eq!(start(&database, 3).await, [Raised; 3]);
            let raised = all(&database).await;
            assert_eq!(raised.len(), 3);
            for (before, after) in first.iter().zip(&raised) {
                assert_eq!((before.id, before.created_at), (after.id, 2));
                assert_eq!(after.name, format!("{} 3", after.preset_id));
                assert_eq!(after.name_en.as_deref(), Some("English 3"));
                assert_eq!(after.updated_at, 3);
                assert!(after.is_public && after.user_id.is_none());
            }
        });
    }

    #[apply(each_database!)]
    fn what_an_administrator_changed_or_deleted_stays_so(backend: Backend) {
        with_database(backend, async |database| {
            start(&database, 1).await;
            let before = all(&database).await;
            let mut transaction = database.write().await.unwrap();
            let changed = presets::update(&mut transaction, before[0].id, &form("Наша"), 5).await;
            assert!(changed.unwrap());
            let deleted = presets::delete(&mut transaction, before[1].id).await;
            assert!(deleted.unwrap());
            transaction.commit().await.unwrap();
            assert_eq!(start(&database, 1).await, [Kept; 3]);
            assert_eq!(start(&database, 2).await, [Kept, Kept, Raised]);
            // Also the third time, when the newer version is known already.
            assert_eq!(start(&database, 3).await, [Kept, Kept, Raised]);
            let after = all(&database).await;
            let names: Vec<_> = after.iter().map(|preset| &*preset.name).collect();
            assert_eq!(names, ["c_v1 3", "Наша"]);
            // The English text spoke of something else.
            assert_eq!(
                (&after[1].name_en, &after[1].description_en),
                (&None, &None)
            );
        });
    }

    #[apply(each_database!)]
    fn an_administrator_brings_back_what_was_changed_or_deleted(backend: Backend) {
        with_database(backend, async |database| {
            start(&database, 2).await;
            let before = all(&database).await;
            let mut transaction = database.write().await.unwrap();
            let hidden = PresetForm {
                is_public: false,
                ..form("Наша").into_inner()
            };
            let hidden = validate(&hidden).unwrap();
            let changed = presets::update(&mut transaction, before[0].id, &hidden, 5).await;
            assert!(changed.unwrap());
            let ours = presets::find(
                &mut transaction,
                presets::Viewer {
                    user_id: "admin",
                    is_admin: true,
                },
                before[0].id,
            );
            let ours = ours.await.unwrap().unwrap();
            let deleted = presets::delete(&mut transaction, before[1].id).await;
            assert!(deleted.unwrap());
            let count = differing(&mut transaction, &IDS).await.unwrap();
            let one_each = Differing {
                missing: 1,
                changed: 1,
            };
            assert_eq!(count, one_each);
            // By a program that is older than the one that brought them.
            let mut done = Vec::new();
            for preset_id in IDS {
                let preset = built_in(preset_id, 1);
                let restored = restore(&mut transaction, &preset, Uuid::new_v4(), 9).await;
                done.push(restored.unwrap());
            }
            let expected = [
                Restored::Reset(Box::new(ours)),
                Restored::Added,
                Restored::Kept,
            ];
            assert_eq!(done, expected);
            let count = differing(&mut transaction, &IDS).await.unwrap();
            assert_eq!(count, Differing::default());
            transaction.commit().await.unwrap();
            let names = async || {
                let names = all(&database).await.into_iter().map(|preset| preset.name);
                names.collect::<Vec<_>>()
            };
            assert_eq!(names().await, ["a_v1 1", "b_v1 1", "c_v1 2"]);
            // They follow their versions again.
            assert_eq!(start(&database, 2).await, [Raised, Raised, Kept]);
            assert_eq!(names().await, ["a_v1 2", "b_v1 2", "c_v1 2"]);
            let after = all(&database).await;
            assert_eq!((after[0].id, after[0].is_public), (before[0].id, true));
            assert_ne!(after[1].id, before[1].id);
        });
    }

    #[apply(each_database!)]
    fn two_servers_that_start_at_once_load_each_once(backend: Backend) {
        with_database(backend, async |database| {
            for version in 1..=3 {
                let start = |database: Database| async move { start(&database, version).await };
                let first = tokio::spawn(start(database.clone()));
                let second = tokio::spawn(start(database.clone()));
                let both = [first.await.unwrap(), second.await.unwrap()].concat();
                let kept = both.iter().filter(|loaded| **loaded == Kept).count();
                assert_eq!(kept, 3, "{both:?}");
                assert_eq!(all(&database).await.len(), 3);
            }
        });
    }

    #[apply(each_database!)]
    fn nobody_takes_the_id_of_one_that_is_still_to_come(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            let squatter = presets::NewPreset {
                id: Uuid::new_v4(),
                preset_id: IDS[0].to_owned(),
                form: form("Моя"),
            };
            let made = presets::insert(&mut transaction, "u1", vec![squatter], 1).await;
            assert!(made.unwrap().is_some());
            transaction.commit().await.unwrap();
            assert_eq!(start(&database, 1).await, [Added; 3]);
            assert_eq!(start(&database, 2).await, [Raised; 3]);
            let mut connection = database.read().await.unwrap();
            let own = presets::list_own(&mut connection, "u1").await.unwrap();
            assert_eq!((own.len(), &*own[0].name), (1, "Моя"));
        });
    }
}
