//! Presets of the program on both databases: versions, changes, two concurrent starts.

use slovo_rules::Valid;
use slovo_rules::preset::{PresetForm, validate};
use slovo_rules::settings::TranscriptionSettings;
use uuid::Uuid;

use crate::Database;
use crate::presets::built_in::LoadOutcome::{self, Added, Unchanged, Updated};
use crate::presets::built_in::{
    BuiltIn, PresetDifferences, RestoreOutcome, count_differences, load, restore,
};
use crate::presets::{self, Preset};
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
        settings_en: TranscriptionSettings {
            language_code: "en".to_owned(),
            custom_prompt: format!("Prompt {version}"),
            ..TranscriptionSettings::default()
        },
        quick_start: None,
    }
}

/// The start of a server with this version.
async fn start(database: &Database, version: i64) -> Vec<LoadOutcome> {
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
fn built_in_presets_are_loaded_once_and_updated_by_newer_versions(backend: Backend) {
    with_database(backend, async |database| {
        assert_eq!(start(&database, 2).await, [Added; 3]);
        let first = all(&database).await;
        assert_eq!(start(&database, 2).await, [Unchanged; 3]);
        // A server that still runs an older version.
        assert_eq!(start(&database, 1).await, [Unchanged; 3]);
        assert_eq!(all(&database).await, first);
        assert_eq!(start(&database, 3).await, [Updated; 3]);
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
fn changes_and_deletions_by_an_administrator_are_kept(backend: Backend) {
    with_database(backend, async |database| {
        start(&database, 1).await;
        let before = all(&database).await;
        let mut transaction = database.write().await.unwrap();
        let changed = presets::update(&mut transaction, before[0].id, &form("Наша"), 5).await;
        assert!(changed.unwrap());
        let deleted = presets::delete(&mut transaction, before[1].id).await;
        assert!(deleted.unwrap());
        transaction.commit().await.unwrap();
        assert_eq!(start(&database, 1).await, [Unchanged; 3]);
        assert_eq!(start(&database, 2).await, [Unchanged, Unchanged, Updated]);
        // A third start, which already knows the newer version.
        assert_eq!(start(&database, 3).await, [Unchanged, Unchanged, Updated]);
        let after = all(&database).await;
        let names: Vec<_> = after.iter().map(|preset| &*preset.name).collect();
        assert_eq!(names, ["c_v1 3", "Наша"]);
        // The English texts were dropped because their originals changed.
        assert_eq!(
            (&after[1].name_en, &after[1].description_en),
            (&None, &None)
        );
    });
}

#[apply(each_database!)]
fn an_administrator_restores_changed_and_deleted_presets(backend: Backend) {
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
        let customised = presets::find(
            &mut transaction,
            presets::Viewer {
                user_id: "admin",
                is_admin: true,
            },
            before[0].id,
        );
        let customised = customised.await.unwrap().unwrap();
        let deleted = presets::delete(&mut transaction, before[1].id).await;
        assert!(deleted.unwrap());
        let count = count_differences(&mut transaction, &IDS).await.unwrap();
        let expected_count = PresetDifferences {
            missing: 1,
            changed: 1,
        };
        assert_eq!(count, expected_count);
        // By an older program than the one that loaded them.
        let mut outcomes = Vec::new();
        for preset_id in IDS {
            let preset = built_in(preset_id, 1);
            let restored = restore(&mut transaction, &preset, Uuid::new_v4(), 9).await;
            outcomes.push(restored.unwrap());
        }
        let expected = [
            RestoreOutcome::Reset(Box::new(customised)),
            RestoreOutcome::Added,
            RestoreOutcome::Unchanged,
        ];
        assert_eq!(outcomes, expected);
        let count = count_differences(&mut transaction, &IDS).await.unwrap();
        assert_eq!(count, PresetDifferences::default());
        transaction.commit().await.unwrap();
        let names = async || {
            let names = all(&database).await.into_iter().map(|preset| preset.name);
            names.collect::<Vec<_>>()
        };
        assert_eq!(names().await, ["a_v1 1", "b_v1 1", "c_v1 2"]);
        // They are updated by later versions again.
        assert_eq!(start(&database, 2).await, [Updated, Updated, Unchanged]);
        assert_eq!(names().await, ["a_v1 2", "b_v1 2", "c_v1 2"]);
        let after = all(&database).await;
        assert_eq!((after[0].id, after[0].is_public), (before[0].id, true));
        assert_ne!(after[1].id, before[1].id);
    });
}

#[apply(each_database!)]
fn two_servers_starting_at_once_load_each_preset_once(backend: Backend) {
    with_database(backend, async |database| {
        for version in 1..=3 {
            let start = |database: Database| async move { start(&database, version).await };
            let first = tokio::spawn(start(database.clone()));
            let second = tokio::spawn(start(database.clone()));
            let loads = [first.await.unwrap(), second.await.unwrap()].concat();
            let unchanged = loads.iter().filter(|loaded| **loaded == Unchanged).count();
            assert_eq!(unchanged, 3, "{loads:?}");
            assert_eq!(all(&database).await.len(), 3);
        }
    });
}

#[apply(each_database!)]
fn a_user_preset_does_not_block_the_id_of_a_built_in_one(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        account(&mut transaction, "u1").await;
        let squatter = presets::NewPreset {
            id: Uuid::new_v4(),
            preset_id: IDS[0].to_owned(),
            form: form("Моя"),
        };
        let inserted = presets::insert(&mut transaction, "u1", vec![squatter], 1).await;
        assert!(inserted.unwrap().is_some());
        transaction.commit().await.unwrap();
        assert_eq!(start(&database, 1).await, [Added; 3]);
        assert_eq!(start(&database, 2).await, [Updated; 3]);
        let mut connection = database.read().await.unwrap();
        let own = presets::list_own(&mut connection, "u1").await.unwrap();
        assert_eq!((own.len(), &*own[0].name), (1, "Моя"));
    });
}

#[apply(each_database!)]
fn quick_start_presets_come_first(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        for (preset_id, quick_start) in [("a_v1", None), ("b_v1", Some(2)), ("c_v1", Some(1))] {
            let preset = BuiltIn {
                quick_start,
                ..built_in(preset_id, 1)
            };
            let loaded = load(&mut transaction, &preset, Uuid::new_v4(), 1).await;
            assert_eq!(loaded.unwrap(), Added);
        }
        transaction.commit().await.unwrap();
        let order = async || {
            let found = all(&database).await.into_iter();
            let places = found.map(|preset| (preset.preset_id, preset.quick_start));
            places.collect::<Vec<_>>()
        };
        let first = [("c_v1", Some(1)), ("b_v1", Some(2)), ("a_v1", None)];
        let first = first.map(|(id, place)| (id.to_owned(), place));
        assert_eq!(order().await, first);
        // A newer version may remove its position.
        assert_eq!(start(&database, 2).await, [Updated; 3]);
        assert!(order().await.iter().all(|(_, place)| place.is_none()));
    });
}

#[apply(each_database!)]
fn english_settings_follow_changes_by_an_administrator(backend: Backend) {
    with_database(backend, async |database| {
        start(&database, 1).await;
        let before = all(&database).await.remove(0);
        assert_eq!(
            before.settings_en.as_ref().unwrap().custom_prompt,
            "Prompt 1"
        );
        let set = async |settings: TranscriptionSettings| {
            let form = PresetForm {
                settings,
                ..form("Наша").into_inner()
            };
            let form = validate(&form).unwrap();
            let mut transaction = database.write().await.unwrap();
            let done = presets::update(&mut transaction, before.id, &form, 5).await;
            assert!(done.unwrap());
            transaction.commit().await.unwrap();
            let found = all(&database).await;
            let found = found.into_iter().find(|preset| preset.id == before.id);
            found.unwrap().settings_en.unwrap()
        };
        let diarized = TranscriptionSettings {
            diarization: true,
            ..TranscriptionSettings::default()
        };
        let english = set(diarized.clone()).await;
        assert!(english.diarization);
        assert_eq!(
            (&*english.custom_prompt, &*english.language_code),
            ("Prompt 1", "en")
        );
        let prompted = TranscriptionSettings {
            custom_prompt: "Наш промпт".to_owned(),
            ..diarized
        };
        let english = set(prompted).await;
        assert_eq!(
            (&*english.custom_prompt, &*english.language_code),
            ("Наш промпт", "en")
        );
    });
}
