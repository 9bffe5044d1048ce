//! Remembered voices: consent, what is proposed in later texts, and what is refused.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_work::analysis::engines::Engines;

use super::downloads::until;
use super::edits::support::{Page, edit, talk};
use super::support::{send, stop};
use crate::testing::scripted::ScriptedSpeakers;
use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, each_database, with_server, with_server_engines,
};
use crate::tests::api::me::support::job;

const TEXTS: [&str; 3] = ["один два", "три чотири", "п’ять шість"];
const VOICES: &str = "/api/v1/me/voices";

fn engines(fails: bool) -> Engines {
    Engines {
        speakers: Some(Arc::new(ScriptedSpeakers { fails })),
        ..Engines::default()
    }
}

fn new_voice(name: &str) -> Value {
    json!({"version": 1, "speaker": "SPEAKER_0", "name": name, "consent": true})
}

async fn voices(server: &TestServer, who: &TestUser) -> Vec<Value> {
    let list = server.get_as(who, VOICES).await.json();
    list["voices"].as_array().unwrap().clone()
}

async fn rename(server: &TestServer, who: &TestUser, path: &str, body: &Value) -> Answer {
    let request = server
        .request(Method::PATCH, path, who)
        .header("content-type", "application/json");
    server
        .send(request.body(Body::from(body.to_string())).unwrap())
        .await
}

async fn of_text(page: &Page<'_>) -> Value {
    page.get("/voices?version=1").await
}

async fn remember(page: &Page<'_>, body: &Value) -> Answer {
    page.post("/voices", body).await
}

/// Asks for the voice of the first speaker of a new text to be remembered. The worker must not have
/// been started: it would take the text's job, which the test completes.
async fn remembered<'a>(server: &'a TestServer, who: &'a TestUser, name: &str) -> Page<'a> {
    let page = Page::on(server, who, &TEXTS).await;
    let answer = remember(&page, &new_voice(name)).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
    page
}

/// Starts the worker, and waits until all voices are computed.
async fn learn(server: &TestServer, who: &TestUser) {
    server.start_work().await;
    until("the voices are not computed", async || {
        let voices = voices(server, who).await;
        voices.iter().all(|voice| voice["state"] == "ready")
    })
    .await;
}

/// Waits until the text is compared with all voices.
async fn compared(page: &Page<'_>) -> Value {
    until("it is not compared", async || {
        of_text(page).await["compared"] == true
    })
    .await;
    of_text(page).await
}

#[apply(each_database!)]
fn a_name_is_proposed_in_the_next_recording_and_never_set(backend: Backend) {
    with_server_engines(backend, engines(false), async |server| {
        let me = server.signup("a@example.com").await;
        let first = remembered(&server, &me, "Олена").await;
        assert_eq!(voices(&server, &me).await[0]["state"], "learning");
        let second = Page::on(&server, &me, &TEXTS).await;
        learn(&server, &me).await;
        let known = &of_text(&first).await["remembered"][0];
        assert_eq!(
            (&known["name"], &known["state"]),
            (&json!("Олена"), &json!("ready"))
        );
        let voice = &voices(&server, &me).await[0];
        assert_eq!(
            (&voice["seconds"], &voice["recordings"]),
            (&json!(12.5), &json!(1))
        );
        let found = compared(&second).await;
        let proposals = found["proposals"].as_array().unwrap();
        assert_eq!(
            proposals.len(),
            1,
            "the second speaker is a stranger: {found}"
        );
        assert_eq!(proposals[0]["speaker"], "SPEAKER_0");
        assert_eq!(proposals[0]["name"], "Олена");
        assert_eq!(proposals[0]["score"], 1.0);
        let text = second.open().await;
        assert_eq!(
            text["speakers"][0]["name"],
            Value::Null,
            "only the user names"
        );
        let name = json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": "Олена"});
        let saved = second.send(vec![edit(name)]).await;
        assert_eq!(saved.status, StatusCode::OK);
        assert_eq!(of_text(&second).await["proposals"], json!([]));
        second.step("undo").await;
        let again = of_text(&second).await["proposals"].clone();
        assert_eq!(again.as_array().unwrap().len(), 1, "it has no name again");
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn a_declined_name_is_not_proposed_again(backend: Backend) {
    with_server_engines(backend, engines(false), async |server| {
        let me = server.signup("a@example.com").await;
        remembered(&server, &me, "Олена").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        learn(&server, &me).await;
        assert_eq!(compared(&page).await["proposals"][0]["name"], "Олена");
        let decline = format!("{}/voices/SPEAKER_0?version=1", page.path);
        let declined = send(&server, &me, Method::DELETE, &decline).await;
        assert_eq!(declined.status, StatusCode::NO_CONTENT);
        let again = page.post("/voices/compare", &json!({"version": 1})).await;
        assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.text());
        assert_eq!(compared(&page).await["proposals"], json!([]));
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn an_older_text_is_compared_on_request(backend: Backend) {
    with_server_engines(backend, engines(false), async |server| {
        let me = server.signup("a@example.com").await;
        let older = Page::on(&server, &me, &TEXTS).await;
        remembered(&server, &me, "Олена").await;
        learn(&server, &me).await;
        let before = of_text(&older).await;
        assert_eq!(
            (&before["compared"], &before["looking"]),
            (&json!(false), &json!(false))
        );
        older.post("/voices/compare", &json!({"version": 1})).await;
        assert_eq!(compared(&older).await["proposals"][0]["name"], "Олена");
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn nothing_is_remembered_without_consent_or_of_nobody(backend: Backend) {
    with_server_engines(backend, engines(false), async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let with = |field: &str, value: Value| {
            let mut body = new_voice("Олена");
            body[field] = value;
            body
        };
        let mut without = new_voice("Олена");
        without.as_object_mut().unwrap().remove("consent");
        let unprocessable = [
            without,
            with("consent", json!(false)),
            with("consent", json!("true")),
            with("speaker", json!("SPEAKER_7")),
            with("speaker", json!("Олена")),
            with("name", json!(" ")),
            with("name", json!("ї".repeat(81))),
            with("name", Value::Null),
            with("voice", json!(page.client)),
        ];
        for body in unprocessable {
            let answer = remember(&page, &body).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        }
        let mut unknown = with("voice", json!(page.client));
        unknown.as_object_mut().unwrap().remove("name");
        assert_eq!(
            remember(&page, &unknown).await.status,
            StatusCode::NOT_FOUND
        );
        let other_run = with("version", json!(2));
        let answer = remember(&page, &other_run).await;
        assert_eq!(answer.json()["code"], "transcript_not_ready");
        let mut connection = server.state.db.read().await.unwrap();
        let found = slovo_db::jobs::find_any(&mut connection, page.job).await;
        drop(connection);
        let media = found.unwrap().unwrap().media_id;
        std::fs::remove_file(server.state.storage.media(media)).unwrap();
        let answer = remember(&page, &new_voice("Олена")).await;
        assert_eq!(answer.json()["code"], "recording_missing");
        assert_eq!(voices(&server, &me).await, Vec::<Value>::new());
    });
}

#[apply(each_database!)]
fn without_speaker_models_nothing_can_be_remembered(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        for answer in [
            remember(&page, &new_voice("Олена")).await,
            page.post("/voices/compare", &json!({"version": 1})).await,
        ] {
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(answer.json()["errors"][0]["code"], "feature_unavailable");
        }
    });
}

#[apply(each_database!)]
fn too_little_speech_is_said(backend: Backend) {
    with_server_engines(backend, engines(true), async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        remember(&page, &new_voice("Олена")).await;
        server.start_work().await;
        until("it has not failed", async || {
            voices(&server, &me).await[0]["state"] == "failed"
        })
        .await;
        assert_eq!(voices(&server, &me).await[0]["error"], "too_little_speech");
        assert_eq!(of_text(&page).await["remembered"][0]["state"], "failed");
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn voices_are_renamed_merged_exported_and_deleted_by_their_owner_only(backend: Backend) {
    with_server_engines(backend, engines(false), async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        remembered(&server, &me, "Олена").await;
        let second = remembered(&server, &me, "olena").await;
        learn(&server, &me).await;
        let listed = voices(&server, &me).await;
        let id = |place: usize| listed[place]["id"].as_str().unwrap().to_owned();
        let (latin, cyrillic) = (format!("{VOICES}/{}", id(0)), format!("{VOICES}/{}", id(1)));
        let name = json!({"name": "Олена Коваль"});
        let merger = json!({"into": id(1)});
        let merge = format!("{latin}/merge");
        for answer in [
            rename(&server, &other, &cyrillic, &name).await,
            server.post_as(&other, &merge, &merger).await,
            send(&server, &other, Method::DELETE, &cyrillic).await,
        ] {
            assert_eq!(answer.status, StatusCode::NOT_FOUND);
        }
        let renamed = rename(&server, &me, &cyrillic, &name).await;
        assert_eq!(renamed.json()["name"], "Олена Коваль");
        let itself = server.post_as(&me, &merge, &json!({"into": id(0)})).await;
        assert_eq!(itself.status, StatusCode::UNPROCESSABLE_ENTITY);
        let merged = server.post_as(&me, &merge, &merger).await.json();
        assert_eq!(
            (&merged["recordings"], &merged["seconds"]),
            (&json!(2), &json!(25.0))
        );
        assert_eq!(voices(&server, &me).await.len(), 1);
        let file = server.get_as(&me, &format!("{VOICES}/export")).await;
        assert!(file.header("content-disposition").contains("voices.json"));
        let samples = file.json()["voices"][0]["samples"].clone();
        assert_eq!(samples[1]["job"], json!(second.job));
        assert_eq!(samples[1]["vector"][0], 1.0);
        let foreign = server.get_as(&other, &format!("{VOICES}/export")).await;
        assert_eq!(foreign.json()["voices"], json!([]));
        let deleted = send(&server, &me, Method::DELETE, &cyrillic).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(voices(&server, &me).await, Vec::<Value>::new());
        assert_eq!(of_text(&second).await["remembered"], json!([]));
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn a_voice_and_a_text_are_the_owners_alone(backend: Backend) {
    with_server_engines(backend, engines(false), async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let page = remembered(&server, &me, "Олена").await;
        let own = job(&server, &other, "a.wav", b"recording").await;
        let own = Page::of(&server, &other, own, &talk(&TEXTS)).await;
        learn(&server, &me).await;
        let theirs = Page {
            who: &other,
            path: page.path.clone(),
            ..page
        };
        let compare = json!({"version": 1});
        for answer in [
            remember(&theirs, &new_voice("Олена")).await,
            theirs.post("/voices/compare", &compare).await,
            server
                .get_as(&other, &format!("{}/voices?version=1", page.path))
                .await,
        ] {
            assert_eq!(answer.status, StatusCode::NOT_FOUND);
        }
        // A voice of one account is no voice of another.
        own.post("/voices/compare", &compare).await;
        assert_eq!(compared(&own).await["proposals"], json!([]));
        let id = voices(&server, &me).await[0]["id"].clone();
        let body = json!({"version": 1, "speaker": "SPEAKER_0", "voice": id, "consent": true});
        assert_eq!(remember(&own, &body).await.status, StatusCode::NOT_FOUND);
        stop(&server).await;
    });
}
