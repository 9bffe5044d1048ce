//! Which languages may be spoken in a recording: the job's, else its preset's, else the account's,
//! else the server's.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_test_media::prompts::WELCOME;

use super::support::{make_job_with, path, send, upload};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

const PREFERENCES: &str = "/api/v1/me/preferences";
const SERVER: &str = "/api/v1/admin/settings";

fn wav() -> Vec<u8> {
    std::fs::read(WELCOME.path()).unwrap()
}

/// The languages of a new job with these settings.
async fn languages_of(server: &TestServer, who: &TestUser, settings: Value) -> Value {
    let job = make_job_with(server, who, "a.wav", &wav(), settings).await;
    job["settings"]["languages"].clone()
}

async fn set_account(server: &TestServer, who: &TestUser, languages: Value) {
    let mut preferences = server.get_as(who, PREFERENCES).await.json();
    preferences["settings"]["languages"] = languages;
    let set = send_json(server, who, Method::PUT, PREFERENCES, &preferences).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text());
}

/// Sets the server's default languages.
pub(crate) async fn set_server(server: &TestServer, admin: &TestUser, languages: Value) {
    let mut body = server.get_as(admin, SERVER).await.json()["settings"].clone();
    body["defaults"]["languages"] = languages;
    let set = send_json(server, admin, Method::PUT, SERVER, &body).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text());
    assert_eq!(set.json(), body);
}

/// Creates a preset; returns its id.
async fn preset(server: &TestServer, who: &TestUser, languages: Value) -> String {
    let form = json!({"name": "П", "category": "media",
        "settings": {"language_code": "auto", "languages": languages}});
    let made = server.post_as(who, "/api/v1/presets", &form).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    assert_eq!(made.json()["settings"]["languages"], languages);
    made.json()["id"].as_str().unwrap().to_owned()
}

async fn of_preset(server: &TestServer, who: &TestUser, preset: &str, settings: Value) -> Value {
    let upload = upload(server, who, "a.wav", &wav()).await;
    let body = json!({"upload_id": upload, "settings": settings, "preset_id": preset});
    let made = server.post_as(who, "/api/v1/jobs", &body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    made.json()["settings"]["languages"].clone()
}

fn auto() -> Value {
    json!({"language_code": "auto"})
}

#[apply(each_database!)]
fn job_preset_account_and_server_are_asked_in_this_order(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("me@example.com").await;
        let capabilities = async || server.get_as(&me, "/api/v1/capabilities").await.json();
        assert_eq!(languages_of(&server, &me, auto()).await, json!([]));
        assert_eq!(capabilities().await["languages"], json!([]));

        set_server(&server, &admin, json!(["uk", "en"])).await;
        assert_eq!(capabilities().await["languages"], json!(["uk", "en"]));
        assert_eq!(
            languages_of(&server, &me, auto()).await,
            json!(["uk", "en"])
        );

        set_account(&server, &me, json!(["uk", "pl"])).await;
        assert_eq!(
            languages_of(&server, &me, auto()).await,
            json!(["uk", "pl"])
        );
        // The account of somebody else does not matter.
        let others = languages_of(&server, &admin, auto()).await;
        assert_eq!(others, json!(["uk", "en"]));

        let with_set = preset(&server, &me, json!(["de", "fr"])).await;
        let without = preset(&server, &me, json!([])).await;
        let found = of_preset(&server, &me, &with_set, auto()).await;
        assert_eq!(found, json!(["de", "fr"]));
        let found = of_preset(&server, &me, &without, auto()).await;
        assert_eq!(found, json!(["uk", "pl"]));

        let own = json!({"language_code": "auto", "languages": ["ja"]});
        let found = of_preset(&server, &me, &with_set, own).await;
        assert_eq!(found, json!(["ja"]));
        let any = json!({"language_code": "auto", "languages": []});
        assert_eq!(of_preset(&server, &me, &with_set, any).await, json!([]));
        // No set is needed if the language is given.
        let given = json!({"language_code": "uk"});
        assert_eq!(languages_of(&server, &me, given).await, json!([]));
    });
}

#[apply(each_database!)]
fn the_preset_of_somebody_else_is_not_used(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        let petro = server.signup("petro@example.com").await;
        let hidden = preset(&server, &olha, json!(["de", "fr"])).await;
        let found = of_preset(&server, &petro, &hidden, auto()).await;
        assert_eq!(found, json!([]));
    });
}

#[apply(each_database!)]
fn a_rerun_keeps_the_languages_unless_it_has_its_own(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("me@example.com").await;
        let settings = json!({"language_code": "auto", "languages": ["uk", "ru"]});
        let job = make_job_with(&server, &me, "a.wav", &wav(), settings).await;
        set_account(&server, &me, json!(["de"])).await;
        let rerun = async |settings: Value| {
            send(
                &server,
                &me,
                Method::POST,
                &format!("{}/cancel", path(&job)),
            )
            .await;
            let address = format!("{}/rerun", path(&job));
            let body = json!({"settings": settings});
            let answer = server.post_as(&me, &address, &body).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answer.json()["settings"]["languages"].clone()
        };
        assert_eq!(rerun(auto()).await, json!(["uk", "ru"]));
        let other = json!({"language_code": "auto", "languages": ["en", "uk"]});
        assert_eq!(rerun(other).await, json!(["en", "uk"]));
        let any = json!({"language_code": "auto", "languages": []});
        assert_eq!(rerun(any).await, json!([]));
    });
}

#[apply(each_database!)]
fn invalid_languages_are_refused_everywhere(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("me@example.com").await;
        let upload = upload(&server, &me, "a.wav", &wav()).await;
        let preferences = server.get_as(&me, PREFERENCES).await.json();
        let stored = server.get_as(&admin, SERVER).await.json()["settings"].clone();
        let all: Vec<&str> = slovo_rules::language::LANGUAGES.to_vec();
        let too_many = [all.clone(), vec!["uk"]].concat();
        for (languages, field, code) in [
            (json!(["uk", "xx"]), ".1", "language_unsupported"),
            (json!(["uk", "uk"]), ".1", "repeated"),
            (json!(["auto"]), ".0", "language_unsupported"),
            (json!(["<script>"]), ".0", "language_unsupported"),
            (json!(too_many), "", "too_many"),
        ] {
            let mut settings = auto();
            settings["languages"] = languages.clone();
            let body = json!({"upload_id": upload, "settings": settings});
            let job = server.post_as(&me, "/api/v1/jobs", &body).await;
            let mut changed = preferences.clone();
            changed["settings"]["languages"] = languages.clone();
            let account = send_json(&server, &me, Method::PUT, PREFERENCES, &changed).await;
            let mut changed = stored.clone();
            changed["defaults"]["languages"] = languages.clone();
            let limits = send_json(&server, &admin, Method::PUT, SERVER, &changed).await;
            for (answer, group) in [
                (job, "settings"),
                (account, "settings"),
                (limits, "defaults"),
            ] {
                answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
                let error = &answer.json()["errors"][0];
                assert_eq!(error["field"], format!("{group}.languages{field}"));
                assert_eq!(error["code"], code);
            }
        }
        assert_eq!(server.get_as(&me, PREFERENCES).await.json(), preferences);
        let unchanged = server.get_as(&admin, SERVER).await.json()["settings"].clone();
        assert_eq!(unchanged, stored);
        let body = json!({"upload_id": upload, "settings": {"languages": "uk"}});
        let wrong = server.post_as(&me, "/api/v1/jobs", &body).await;
        wrong.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(wrong.json()["errors"][0]["code"], "wrong_type");
        // Only administrators set the server's.
        let denied = send_json(&server, &me, Method::PUT, SERVER, &stored).await;
        denied.is_problem(StatusCode::FORBIDDEN, "forbidden");
    });
}

#[apply(each_database!)]
fn the_servers_languages_stay_if_a_request_leaves_them_out(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        set_server(&server, &admin, json!(["uk", "ru"])).await;
        let mut body = server.get_as(&admin, SERVER).await.json()["settings"].clone();
        body.as_object_mut().unwrap().remove("defaults");
        body["limits"]["waiting_jobs"] = json!(3);
        let set = send_json(&server, &admin, Method::PUT, SERVER, &body).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        assert_eq!(set.json()["defaults"]["languages"], json!(["uk", "ru"]));
        set_server(&server, &admin, json!([])).await;
        assert_eq!(languages_of(&server, &admin, auto()).await, json!([]));
    });
}
