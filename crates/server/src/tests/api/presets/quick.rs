//! Quick-start presets: they are listed first and work on a server without a language model.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_analysis::embedded::PARTS as EMBEDDED_PARTS;
use slovo_db::jobs;
use slovo_db::texts::analyses;
use slovo_rules::analysis::Part;
use slovo_rules::preset::{PresetForm, validate};
use slovo_work::analysis::engines::Engines;
use uuid::Uuid;

use super::support::{PATH, list, load, path, people, put};
use crate::testing::scripted::{Scripted, ScriptedSpeakers};
use crate::testing::{
    Backend, TestServer, TestUser, apply, each_database, with_server, with_server_engines,
};
use crate::tests::api::jobs::edits::support::talk;
use crate::tests::api::jobs::support::upload;

const QUICK: usize = 6;

/// The engines of a default installation: all built-in models, and no language model.
fn plain() -> Engines {
    let others = Part::ALL.iter().copied();
    let embedded = Scripted {
        leaves: others
            .filter(|part| !EMBEDDED_PARTS.contains(part))
            .collect(),
        ..Scripted::default()
    };
    Engines {
        embedded: Some(Arc::new(embedded)),
        speakers: Some(Arc::new(ScriptedSpeakers::default())),
        multichannel: true,
        ..Engines::default()
    }
}

/// Creates a job with these settings of the preset; returns the analyses that it requests.
async fn start(server: &TestServer, who: &TestUser, preset: &Value, settings: &str) -> Vec<Part> {
    let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
    let upload = upload(server, who, "talk.wav", &wav).await;
    let body =
        json!({"upload_id": upload, "settings": preset[settings], "preset_id": preset["id"]});
    let created = server.post_as(who, "/api/v1/jobs", &body).await;
    let name = &preset["preset_id"];
    assert_eq!(
        created.status,
        StatusCode::CREATED,
        "{name}: {}",
        created.text()
    );
    let id: Uuid = created.json()["my_job_id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let mut transaction = server.state.db.write().await.unwrap();
    let job = jobs::find(&mut transaction, &who.user_id, id).await;
    let job = job.unwrap().unwrap();
    let text = talk(&["Перше речення.", "Друге речення."]);
    let queued = server.state.analyses.queue(&mut transaction, &job, &text);
    queued.await.unwrap();
    let requested = analyses::list(&mut transaction, id, None).await.unwrap();
    transaction.commit().await.unwrap();
    requested.iter().map(|analysis| analysis.part).collect()
}

async fn held_parts(server: &TestServer, who: &TestUser) -> Value {
    let answer = server.get_as(who, "/api/v1/held-analyses").await;
    answer.json()["parts"].clone()
}

#[apply(each_database!)]
fn quick_start_presets_run_completely_without_a_language_model(backend: Backend) {
    with_server_engines(backend, plain(), async |server| {
        let me = server.signup("a@example.com").await;
        load(&server).await;
        let all = list(&server, &me).await;
        for (preset, place) in all[..QUICK].iter().zip(1..) {
            assert_eq!(preset["quick_start"], place);
            let form = json!({"name": preset["name"], "settings": preset["settings"]});
            let form: PresetForm = serde_json::from_value(form).unwrap();
            assert!(validate(&form).is_ok(), "{preset}");
            for settings in ["settings", "settings_en"] {
                let parts = start(&server, &me, preset, settings).await;
                let expects_summary = preset[settings]["summarize"].as_i64().unwrap() > 0;
                assert_eq!(parts.contains(&Part::Summary), expects_summary, "{parts:?}");
            }
        }
        assert_eq!(held_parts(&server, &me).await, json!([]));
        let other = &all[QUICK];
        assert_eq!(other["quick_start"], json!(null));
        start(&server, &me, other, "settings").await;
        assert_eq!(held_parts(&server, &me).await[0]["part"], "prompt");
    });
}

#[apply(each_database!)]
fn quick_start_presets_keep_their_english_texts_until_changed(backend: Backend) {
    with_server(backend, async |server| {
        let (admin, olha, _) = people(&server).await;
        load(&server).await;
        let all = list(&server, &olha).await;
        let minutes = all
            .iter()
            .find(|preset| preset["preset_id"] == "meeting_minutes_v1");
        let minutes = minutes.unwrap();
        let single = server.get_as(&olha, &path(minutes)).await.json();
        assert_eq!(single, *minutes, "the list and the preset say the same");
        assert_eq!(minutes["settings_en"]["language_code"], "en");
        let english = minutes["settings_en"]["custom_prompt"].as_str().unwrap();
        assert!(english.starts_with("You are"), "{english}");

        // Settings without text change in both languages; each keeps its own prompt.
        let mut form = json!({});
        for field in ["name", "description", "category", "is_public", "settings"] {
            form[field] = minutes[field].clone();
        }
        form["settings"]["summarize"] = json!(50);
        let changed = put(&server, &admin, minutes, &form).await.json();
        assert_eq!(changed["settings"]["summarize"], 50);
        assert_eq!(changed["settings_en"]["summarize"], 50);
        assert_eq!(changed["settings_en"]["custom_prompt"], english);
        assert_eq!(changed["name_en"], minutes["name_en"]);

        // A changed prompt applies to both languages.
        form["settings"]["custom_prompt"] = json!("Наш промпт");
        let changed = put(&server, &admin, minutes, &form).await.json();
        assert_eq!(changed["settings_en"]["custom_prompt"], "Наш промпт");
        assert_eq!(changed["settings"]["custom_prompt"], "Наш промпт");

        // Users' own presets have one language.
        let own = json!({"name": "Моя", "is_public": false});
        let own = server.post_as(&olha, PATH, &own).await.json();
        assert_eq!(
            (&own["settings_en"], &own["quick_start"]),
            (&json!(null), &json!(null))
        );
    });
}
