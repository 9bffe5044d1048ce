//! Presets on both databases: visibility, uniqueness, and the limit per user.

use std::collections::HashSet;

use slovo_rules::Valid;
use slovo_rules::preset::{MAX_OWN, PresetCategory, PresetForm, validate};
use slovo_rules::settings::TranscriptionSettings;
use uuid::Uuid;

use crate::presets::{
    NewPreset, Preset, Viewer, count_use, delete, find, generated_id, insert, list, list_own,
    update,
};
use crate::testing::{Backend, account, apply, each_database, with_database};
use crate::{Connection, Database};

fn form(name: &str, category: PresetCategory, is_public: bool) -> Valid<PresetForm> {
    let form = PresetForm {
        name: name.to_owned(),
        description: None,
        category,
        is_public,
        is_default: false,
        settings: TranscriptionSettings {
            custom_prompt: "Підсумуй\0 'усе'".to_owned(),
            ..TranscriptionSettings::default()
        },
    };
    validate(&form).unwrap()
}

fn new(name: &str, preset_id: &str, is_public: bool) -> NewPreset {
    NewPreset {
        id: Uuid::new_v4(),
        preset_id: preset_id.to_owned(),
        form: form(name, PresetCategory::Media, is_public),
    }
}

async fn make(connection: &mut Connection, user: &str, preset: NewPreset) -> Uuid {
    let ids = insert(connection, user, vec![preset], 7).await.unwrap();
    ids.unwrap()[0]
}

fn user(user_id: &str) -> Viewer<'_> {
    Viewer {
        user_id,
        is_admin: false,
    }
}

fn names(presets: &[Preset]) -> Vec<&str> {
    presets.iter().map(|preset| &*preset.name).collect()
}

#[apply(each_database!)]
fn users_find_public_presets_and_their_own(backend: Backend) {
    with_database(backend, async |database| {
        let mut db = database.write().await.unwrap();
        account(&mut db, "u1").await;
        account(&mut db, "u2").await;
        let private = make(&mut db, "u1", new("Моя", "a", false)).await;
        let public = make(&mut db, "u1", new("Спільна", "b", true)).await;
        make(&mut db, "u2", new("Чужа", "a", false)).await;
        assert_eq!(
            names(&list(&mut db, "u1").await.unwrap()),
            ["Моя", "Спільна"]
        );
        assert_eq!(
            names(&list(&mut db, "u2").await.unwrap()),
            ["Спільна", "Чужа"]
        );
        assert_eq!(names(&list_own(&mut db, "u2").await.unwrap()), ["Чужа"]);
        let administrator = Viewer {
            user_id: "u2",
            is_admin: true,
        };
        for (viewer, id, expected) in [
            (user("u1"), private, true),
            (user("u2"), private, false),
            (administrator, private, true),
            (user("u2"), public, true),
            (administrator, Uuid::new_v4(), false),
        ] {
            let found = find(&mut db, viewer, id).await.unwrap();
            assert_eq!(found.is_some(), expected, "{viewer:?} {id}");
            count_use(&mut db, viewer, id).await.unwrap();
        }
        let own = find(&mut db, user("u1"), private).await.unwrap().unwrap();
        assert_eq!((own.usage_count, own.created_at, own.updated_at), (2, 7, 7));
        assert_eq!(own.user_id.as_deref(), Some("u1"));
        assert_eq!(own.settings.custom_prompt, "Підсумуй\0 'усе'");
        let shared = find(&mut db, user("u1"), public).await.unwrap().unwrap();
        assert_eq!(shared.usage_count, 1);
    });
}

#[apply(each_database!)]
fn presets_are_ordered_by_category_then_name(backend: Backend) {
    with_database(backend, async |database| {
        let mut db = database.write().await.unwrap();
        account(&mut db, "u1").await;
        for (name, category) in [
            ("б", PresetCategory::Other),
            ("б", PresetCategory::Media),
            ("А", PresetCategory::Other),
            ("Бб", PresetCategory::Media),
            ("z", PresetCategory::LegalMedical),
        ] {
            let id = Uuid::new_v4();
            let preset = NewPreset {
                id,
                preset_id: generated_id(id),
                form: form(name, category, false),
            };
            make(&mut db, "u1", preset).await;
        }
        let ordered = list(&mut db, "u1").await.unwrap();
        assert_eq!(names(&ordered), ["б", "Бб", "z", "А", "б"]);
    });
}

#[apply(each_database!)]
fn a_preset_is_changed_and_removed(backend: Backend) {
    with_database(backend, async |database| {
        let mut db = database.write().await.unwrap();
        account(&mut db, "u1").await;
        let id = make(&mut db, "u1", new("Стара", "a", false)).await;
        let changed = form("Нова", PresetCategory::Interview, true);
        assert!(update(&mut db, id, &changed, 9).await.unwrap());
        let found = find(&mut db, user("u1"), id).await.unwrap().unwrap();
        assert_eq!(
            (&*found.name, found.category, found.is_public),
            ("Нова", PresetCategory::Interview, true)
        );
        assert_eq!((found.created_at, found.updated_at), (7, 9));
        assert_eq!(found.preset_id, "a");
        assert!(delete(&mut db, id).await.unwrap());
        assert!(!delete(&mut db, id).await.unwrap());
        assert!(!update(&mut db, id, &changed, 9).await.unwrap());
        assert_eq!(find(&mut db, user("u1"), id).await.unwrap(), None);
    });
}

#[apply(each_database!)]
fn a_taken_preset_id_is_replaced_by_a_generated_one(backend: Backend) {
    with_database(backend, async |database| {
        let mut db = database.write().await.unwrap();
        account(&mut db, "u1").await;
        account(&mut db, "u2").await;
        make(&mut db, "u2", new("Чужа", "a", true)).await;
        let three = vec![
            new("1", "a", false),
            new("2", "a", false),
            new("3", "b", false),
        ];
        let inserted = insert(&mut db, "u1", three, 1).await.unwrap().unwrap();
        let mut ids = Vec::new();
        for id in &inserted {
            let found = find(&mut db, user("u1"), *id).await.unwrap().unwrap();
            ids.push(found.preset_id);
        }
        assert_eq!(
            ids,
            ["a".to_owned(), generated_id(inserted[1]), "b".to_owned()]
        );
        let again = make(&mut db, "u1", new("4", "b", false)).await;
        let again = find(&mut db, user("u1"), again).await.unwrap().unwrap();
        assert_eq!(again.preset_id, generated_id(again.id));
    });
}

#[apply(each_database!)]
fn the_limit_per_user_holds_for_concurrent_inserts(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        account(&mut transaction, "u1").await;
        let many = (2..MAX_OWN).map(|number| new("п", &format!("p{number}"), false));
        let inserted = insert(&mut transaction, "u1", many.collect(), 1).await;
        assert_eq!(inserted.unwrap().unwrap().len(), MAX_OWN - 2);
        let three = (0..3).map(|number| new("т", &format!("t{number}"), false));
        let over = insert(&mut transaction, "u1", three.collect(), 1).await;
        assert_eq!(over.unwrap(), None);
        transaction.commit().await.unwrap();

        let insert_one = |database: Database| async move {
            let mut transaction = database.write().await.unwrap();
            let inserted = insert(&mut transaction, "u1", vec![new("о", "one", false)], 1).await;
            transaction.commit().await.unwrap();
            inserted.unwrap().is_some()
        };
        let tries: Vec<_> = (0..5)
            .map(|_| tokio::spawn(insert_one(database.clone())))
            .collect();
        let mut successes = 0;
        for attempt in tries {
            successes += usize::from(attempt.await.unwrap());
        }
        assert_eq!(successes, 2);
        let mut connection = database.read().await.unwrap();
        let own = list_own(&mut connection, "u1").await.unwrap();
        assert_eq!(own.len(), MAX_OWN);
        let ids: HashSet<_> = own.iter().map(|preset| &preset.preset_id).collect();
        assert_eq!(ids.len(), MAX_OWN);
    });
}
