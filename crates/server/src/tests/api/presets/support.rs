//! Helpers for the tests of presets.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{Answer, TestServer, TestUser};
use crate::tests::api::me::support::send_json;

pub const PATH: &str = "/api/v1/presets";
pub const IMPORT: &str = "/api/v1/presets/import";

/// An administrator and two others.
pub async fn people(server: &TestServer) -> (TestUser, TestUser, TestUser) {
    let admin = server.signup("admin@example.com").await;
    let olha = server.signup("olha@example.com").await;
    let taras = server.signup("taras@example.com").await;
    (admin, olha, taras)
}

pub fn form(name: &str) -> Value {
    json!({"name": name, "is_public": false})
}

pub async fn create(server: &TestServer, who: &TestUser, form: &Value) -> Value {
    let answer = server.post_as(who, PATH, form).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

pub fn path(preset: &Value) -> String {
    format!("{PATH}/{}", preset["id"].as_str().unwrap())
}

pub async fn put(server: &TestServer, who: &TestUser, preset: &Value, form: &Value) -> Answer {
    send_json(server, who, Method::PUT, &path(preset), form).await
}

pub async fn list(server: &TestServer, who: &TestUser) -> Vec<Value> {
    let answer = server.get_as(who, PATH).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["presets"].as_array().unwrap().clone()
}

/// A preset as in an import file.
pub fn imported(preset_id: &str, name: &str) -> Value {
    json!({"preset_id": preset_id, "name": name, "category": "interview",
        "transcription_type": "full", "language_code": "pl", "settings": {"summarize": 50}})
}

pub async fn import(server: &TestServer, who: &TestUser, presets: Value) -> Answer {
    server
        .post_as(who, IMPORT, &json!({"presets": presets}))
        .await
}

/// Loads the built-in presets, as a start of the server does.
pub async fn load(server: &TestServer) {
    let state = &server.state;
    let loaded = slovo_app::presets::load(&state.db, &*state.random, state.clock.now_ms()).await;
    loaded.unwrap();
}
