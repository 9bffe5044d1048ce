//! Creating, reading, changing and deleting presets, and who is allowed to.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::presets::generated_id;
use uuid::Uuid;

use super::support::{PATH, create, form, list, path, people, put};
use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::jobs::support::{lite, send};

#[apply(each_database!)]
fn a_preset_is_created_read_changed_and_deleted(backend: Backend) {
    with_server(backend, async |server| {
        let (_, olha, _) = people(&server).await;
        let first_form = json!({"name": " Лекція\u{0}\n\u{202e}1 ", "description": " ",
            "category": "education", "is_public": false,
            "settings": {"language_code": "pl", "diarization": true, "url": "https://x.org/a.mp3"}});
        let mut created = create(&server, &olha, &first_form).await;
        assert_eq!(server.get_as(&olha, &path(&created)).await.json(), created);
        assert_eq!(list(&server, &olha).await, [created.clone()]);
        let id: Uuid = created["id"].as_str().unwrap().parse().unwrap();
        let settings = created["settings"].take();
        assert_eq!(
            (&settings["diarization"], &settings["url"]),
            (&json!(true), &json!(""))
        );
        let expected = json!({
            "id": id, "preset_id": generated_id(id), "name": "Лекція 1", "name_en": null,
            "description": null, "description_en": null, "category": "education",
            "is_public": false, "is_default": false, "transcription_type": "full",
            "language_code": "pl", "settings": null, "usage_count": 0, "is_system": false,
            "is_own": true, "quick_start": null, "settings_en": null, "created_at": "2026-03-01T12:00:00Z",
            "updated_at": "2026-03-01T12:00:00Z",
        });
        assert_eq!(created, expected);

        server.clock.advance_seconds(60);
        let second_form = json!({"name": "Співбесіда", "description": "Про\u{0} що\nй як",
            "category": "interview", "is_public": false, "settings": lite()});
        let changed = put(&server, &olha, &created, &second_form).await.json();
        assert_eq!(changed["description"], "Про що\nй як");
        assert_eq!(changed["transcription_type"], "lite");
        assert_eq!(changed["preset_id"], expected["preset_id"]);
        assert_eq!(changed["updated_at"], "2026-03-01T12:01:00Z");
        assert_eq!(server.get_as(&olha, &path(&created)).await.json(), changed);

        let deleted = send(&server, &olha, Method::DELETE, &path(&created)).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        for method in [Method::GET, Method::DELETE] {
            let answer = send(&server, &olha, method, &path(&created)).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let answer = put(&server, &olha, &created, &second_form).await;
        answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(list(&server, &olha).await, [] as [Value; 0]);
    });
}

#[apply(each_database!)]
fn other_users_cannot_change_a_preset_or_read_a_private_one(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, olha, taras) = people(&server).await;
        let private = create(&server, &olha, &form("Моя")).await;
        let public = create(
            &server,
            &admin,
            &json!({"name": "Спільна", "is_public": true}),
        )
        .await;
        let visible = server.get_as(&taras, &path(&public)).await.json();
        assert_eq!(
            (&visible["is_own"], &visible["is_system"]),
            (&json!(false), &json!(false))
        );
        for (preset, status, code) in [
            (&private, StatusCode::NOT_FOUND, "not_found"),
            (&public, StatusCode::FORBIDDEN, "forbidden"),
        ] {
            let answer = put(&server, &taras, preset, &form("Моя тепер")).await;
            answer.is_problem(status, code);
            let answer = send(&server, &taras, Method::DELETE, &path(preset)).await;
            answer.is_problem(status, code);
        }
        let hidden = server.get_as(&taras, &path(&private)).await;
        hidden.is_problem(StatusCode::NOT_FOUND, "not_found");
        for id in ["x", "%00", "..%2f..", &Uuid::nil().to_string()] {
            let answer = server.get_as(&olha, &format!("{PATH}/{id}")).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        // An administrator can; the preset keeps its owner.
        let shared = json!({"name": "Її", "is_public": true, "is_default": true});
        let changed = put(&server, &admin, &private, &shared).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.text());
        let hers = server.get_as(&olha, &path(&private)).await.json();
        assert_eq!(
            (&hers["is_own"], &hers["name"]),
            (&json!(true), &json!("Її"))
        );
        let deleted = send(&server, &admin, Method::DELETE, &path(&private)).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    });
}

#[apply(each_database!)]
fn only_administrators_can_publish_or_recommend(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, olha, _) = people(&server).await;
        let mine = create(&server, &olha, &form("Моя")).await;
        let quiet = create(&server, &olha, &json!({"name": "Тиха"})).await;
        assert_eq!(
            quiet["is_public"], false,
            "nobody said that all should see it"
        );
        for public_form in [
            json!({"name": "a", "is_public": true}),
            json!({"name": "a", "is_public": false, "is_default": true}),
        ] {
            let answer = server.post_as(&olha, PATH, &public_form).await;
            answer.is_problem(StatusCode::FORBIDDEN, "publishing_denied");
            let answer = put(&server, &olha, &mine, &public_form).await;
            answer.is_problem(StatusCode::FORBIDDEN, "publishing_denied");
            let created = create(&server, &admin, &public_form).await;
            assert_eq!(
                created["is_default"],
                public_form.get("is_default") == Some(&json!(true))
            );
        }
        assert_eq!(server.get_as(&olha, &path(&mine)).await.json(), mine);
    });
}

#[apply(each_database!)]
fn invalid_presets_are_reported_by_field_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, ..) = people(&server).await;
        let mine = create(&server, &admin, &form("Моя")).await;
        let long = json!({"name": "\u{0}\u{200f}", "description": "x".repeat(2001),
            "settings": {"language_code": "xx", "summarize": 2000}});
        for answer in [
            server.post_as(&admin, PATH, &long).await,
            put(&server, &admin, &mine, &long).await,
        ] {
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let errors = answer.json()["errors"].clone();
            let fields: Vec<_> = errors
                .as_array()
                .unwrap()
                .iter()
                .map(|error| &error["field"])
                .collect();
            let expected = [
                "name",
                "description",
                "settings.language_code",
                "settings.summarize",
            ];
            assert_eq!(fields, expected);
        }
        for junk in [
            json!("x"),
            json!({"name": 1}),
            json!({"category": "x"}),
            json!({"settings": {"x": 1}}),
        ] {
            let answer = server.post_as(&admin, PATH, &junk).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        }
        assert_eq!(list(&server, &admin).await, [mine]);
    });
}
