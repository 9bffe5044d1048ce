//! Number of presets, built-in presets, and usage counts.

use axum::http::{Method, StatusCode};
use serde_json::json;
use slovo_db::presets::{self, NewPreset, generated_id};
use slovo_rules::preset::{MAX_OWN, PresetForm, validate};
use uuid::Uuid;

use super::support::{PATH, create, form, import, imported, list, load, path, people, put};
use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::jobs::support::{lite, send, upload};

#[apply(each_database!)]
fn a_user_can_have_at_most_five_hundred_presets(backend: Backend) {
    with_server(backend, async |server| {
        let (_, olha, taras) = people(&server).await;
        let mut transaction = server.state.db.write().await.unwrap();
        let new_presets = (2..MAX_OWN).map(|_| {
            let form = PresetForm {
                name: "п".to_owned(),
                is_public: false,
                ..PresetForm::default()
            };
            let id = Uuid::new_v4();
            NewPreset {
                id,
                preset_id: generated_id(id),
                form: validate(&form).unwrap(),
            }
        });
        let new_presets = new_presets.collect();
        let inserted = presets::insert(&mut transaction, &olha.user_id, new_presets, 1).await;
        assert!(inserted.unwrap().is_some());
        transaction.commit().await.unwrap();
        let three = json!([imported("a", "A"), imported("b", "B"), imported("c", "C")]);
        let too_many = import(&server, &olha, three.clone()).await;
        too_many.is_problem(StatusCode::CONFLICT, "too_many_presets");
        assert_eq!(too_many.json()["params"]["max"], 500);
        let new_form = form("ще одна");
        let create = async || server.post_as(&olha, PATH, &new_form).await.status;
        let (a, b, c, d) = tokio::join!(create(), create(), create(), create());
        let mut statuses = [a, b, c, d];
        statuses.sort();
        let (created, full) = (StatusCode::CREATED, StatusCode::CONFLICT);
        assert_eq!(statuses, [created, created, full, full]);
        // Each user has a count of their own.
        assert_eq!(
            import(&server, &taras, three).await.status,
            StatusCode::CREATED
        );
    });
}

#[apply(each_database!)]
fn builtin_presets_are_public_and_changed_only_by_administrators(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, olha, _) = people(&server).await;
        load(&server).await;
        load(&server).await;
        let all = list(&server, &olha).await;
        assert_eq!(all.len(), 26);
        let (quick, standard) = all.split_at(6);
        assert!(quick.iter().all(|preset| preset["quick_start"].is_number()));
        let categories: Vec<_> = standard
            .iter()
            .map(|preset| preset["category"].as_str().unwrap())
            .collect();
        let order = [
            "media",
            "education",
            "legal_medical",
            "business",
            "cross_scenario",
        ];
        let position = |category: &&str| order.iter().position(|known| known == category);
        assert!(categories.is_sorted_by_key(position), "{categories:?}");
        assert!(
            all.iter()
                .all(|preset| preset["is_system"] == true && preset["name_en"].is_string())
        );
        let first = &all[0];
        let answer = put(&server, &olha, first, &form("Моя")).await;
        answer.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let answer = send(&server, &olha, Method::DELETE, &path(first)).await;
        answer.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let same_words = json!({"name": first["name"], "description": "інша", "is_public": true});
        let changed = put(&server, &admin, first, &same_words).await.json();
        assert_eq!(
            (&changed["name_en"], &changed["description_en"]),
            (&first["name_en"], &json!(null))
        );
        let deleted = send(&server, &admin, Method::DELETE, &path(&all[1])).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        load(&server).await;
        assert_eq!(list(&server, &olha).await.len(), 25);
    });
}

#[apply(each_database!)]
fn a_job_counts_a_visible_preset_and_keeps_its_audio_track(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, olha, taras) = people(&server).await;
        let mine = create(&server, &olha, &form("Моя")).await;
        let hidden = create(&server, &taras, &form("Чужа")).await;
        let public = create(
            &server,
            &admin,
            &json!({"name": "Спільна", "is_public": true}),
        )
        .await;
        let deleted = json!({"id": Uuid::new_v4()});
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        for preset in [&mine, &public, &hidden, &deleted] {
            let upload = upload(&server, &olha, "talk.wav", &wav).await;
            let body = json!({"upload_id": upload, "settings": lite(), "preset_id": preset["id"],
                "audio_track": 0});
            let created = server.post_as(&olha, "/api/v1/jobs", &body).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
            assert_eq!(created.json()["audio_track"], 0);
            // No job is created, so nothing is counted.
            let again = server.post_as(&olha, "/api/v1/jobs", &body).await;
            again.is_problem(StatusCode::CONFLICT, "upload_already_used");
        }
        for (who, preset, count) in [
            (&olha, &mine, 1),
            (&admin, &public, 1),
            (&taras, &hidden, 0),
        ] {
            let stored = server.get_as(who, &path(preset)).await.json();
            assert_eq!(stored["usage_count"], count, "{stored}");
        }
        for junk in [
            json!({"preset_id": "x"}),
            json!({"audio_track": -1}),
            json!({"audio_track": 0.5}),
        ] {
            let answer = server.post_as(&olha, "/api/v1/jobs", &junk).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        }
    });
}
