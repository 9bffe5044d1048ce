//! Imports of presets, valid and hostile.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_rules::preset::{MAX_IMPORT, MAX_IMPORT_BYTES};

use super::support::{IMPORT, import, imported, list, load, people};
use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn an_import_creates_private_copies(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, olha, taras) = people(&server).await;
        load(&server).await;
        // A downloaded list, with all fields of the response.
        let mut download = list(&server, &admin).await;
        download.truncate(2);
        let answer = import(&server, &olha, json!(download)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        for (copy, original) in answer.json()["presets"]
            .as_array()
            .unwrap()
            .iter()
            .zip(&download)
        {
            for same in ["name", "description", "category", "settings"] {
                assert_eq!(copy[same], original[same]);
            }
            assert_ne!(
                copy["preset_id"], original["preset_id"],
                "the system has it"
            );
            let flags = ["is_own", "is_system", "is_public", "is_default"].map(|flag| &copy[flag]);
            assert_eq!(flags, [true, false, false, false]);
        }
        // A single preset; an id that only another user has is free.
        let mut single = imported("talks", "Розмови");
        single["is_public"] = json!(true);
        for who in [&olha, &taras] {
            let created = import(&server, who, single.clone()).await.json();
            assert_eq!(created["presets"][0]["preset_id"], "talks");
            assert_eq!(created["presets"][0]["is_public"], false);
            assert_eq!(created["presets"][0]["language_code"], "pl");
        }
        // The same id twice in one import; the order is kept.
        let twice = json!([
            imported("b", "Я"),
            imported("b", "А"),
            imported("a\u{0}", "Б\u{0}")
        ]);
        let answer = import(&server, &taras, twice).await.json();
        let values_of = |field: &str| {
            let presets = answer["presets"].as_array().unwrap();
            presets
                .iter()
                .map(|preset| preset[field].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(values_of("name"), ["Я", "А", "Б"]);
        let ids = values_of("preset_id");
        assert_eq!((&*ids[0], &*ids[2]), ("b", "a"));
        assert!(ids[1].starts_with("preset_"), "{ids:?}");
        assert_eq!(list(&server, &taras).await.len(), 30);
    });
}

#[apply(each_database!)]
fn a_hostile_import_changes_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let (_, olha, _) = people(&server).await;
        let nested = |depth: usize| {
            let mut preset = imported("a", "A").to_string();
            let deep = "[".repeat(depth) + &"]".repeat(depth);
            preset.insert_str(1, &format!("\"deep\":{deep},"));
            format!("{{\"presets\":{preset}}}")
        };
        let raw = async |body: String| {
            let request = server.request(Method::POST, IMPORT, &olha);
            let request = request.header("content-type", "application/json");
            server.send(request.body(body.into()).unwrap()).await
        };
        assert_eq!(raw(nested(20)).await.status, StatusCode::CREATED);
        let refused = async |presets: Value, field: &str, code: &str| {
            let answer = import(&server, &olha, presets).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let first = &answer.json()["errors"][0];
            assert_eq!(
                (&first["field"], &first["code"]),
                (&json!(field), &json!(code))
            );
        };
        let deep: Value = serde_json::from_str(&nested(40)).unwrap();
        refused(deep["presets"].clone(), "presets", "preset_json_invalid").await;
        let deepest = raw(nested(100_000)).await;
        deepest.is_problem(StatusCode::BAD_REQUEST, "malformed_json");
        for empty in [json!([]), json!("[]"), json!(null), json!(1)] {
            refused(empty, "presets", "preset_json_invalid").await;
        }
        let mut broken = imported("a", "A");
        broken["settings"]["summarize"] = json!(-1);
        let second = json!([imported("b", "B"), broken]);
        refused(
            second,
            "presets.1.settings.summarize",
            "summarize_out_of_range",
        )
        .await;
        let nameless = imported("a", "\u{0}");
        refused(nameless, "presets.0.name", "preset_field_missing").await;
        let many = json!(vec![imported("a", "A"); MAX_IMPORT + 1]);
        refused(many, "presets", "too_many").await;
        // Exactly the maximum size, and more.
        let padded = |bytes: usize| {
            let mut preset = imported("a", "A");
            preset["padding"] = json!("x".repeat(bytes));
            preset
        };
        refused(padded(MAX_IMPORT_BYTES), "presets", "too_long").await;
        let huge = import(&server, &olha, padded(MAX_IMPORT_BYTES + 2000)).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        assert_eq!(list(&server, &olha).await.len(), 1);
    });
}
