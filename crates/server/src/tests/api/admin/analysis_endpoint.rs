//! The chat endpoint: changing it, testing it, and its stored key.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, each_database, with_server, with_server_options,
};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/analysis-endpoint";
const KEY: &str = "sk-hunter2";

/// A test endpoint: the requests it gets, and how it answers.
#[derive(Clone, Default)]
struct Endpoint {
    /// `Authorization` of each request.
    keys: Arc<Mutex<Vec<Option<String>>>>,
    /// Status of a completion; 0 means 200 with a valid body.
    status: u16,
    /// Answers with an HTML page.
    page: bool,
    /// Has no list of models.
    listless: bool,
}

async fn models(State(endpoint): State<Endpoint>, headers: HeaderMap) -> Response {
    note(&endpoint, &headers);
    if endpoint.listless {
        return StatusCode::NOT_FOUND.into_response();
    }
    Json(json!({"data": [{"id": "small"}, {"id": "large\n<b>"}]})).into_response()
}

async fn chat(
    State(endpoint): State<Endpoint>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    note(&endpoint, &headers);
    assert_eq!(body["max_tokens"], 1);
    if endpoint.page {
        return "<html>Welcome</html>".into_response();
    }
    if endpoint.status > 0 {
        let text = format!("{KEY} is what I was sent");
        let location = [("location", "http://127.0.0.1:1/steal")];
        return (
            StatusCode::from_u16(endpoint.status).unwrap(),
            location,
            text,
        )
            .into_response();
    }
    if body["model"] == "small" || endpoint.listless {
        return Json(json!({"choices": [{"message": {"content": "H"}}]})).into_response();
    }
    StatusCode::NOT_FOUND.into_response()
}

fn note(endpoint: &Endpoint, headers: &HeaderMap) {
    let key = headers.get("authorization");
    let key = key.map(|key| key.to_str().unwrap().to_owned());
    endpoint.keys.lock().unwrap().push(key);
}

impl Endpoint {
    /// Serves on a free port; returns the base URL.
    async fn serve(&self) -> String {
        let app = Router::new()
            .route("/v1/models", get(models))
            .route("/v1/chat/completions", post(chat))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        url
    }

    fn keys(&self) -> Vec<Option<String>> {
        self.keys.lock().unwrap().clone()
    }
}

async fn set(server: &TestServer, admin: &TestUser, url: &str, model: &str) -> Answer {
    let form = json!({"url": url, "model": model});
    send_json(server, admin, Method::PUT, PATH, &form).await
}

async fn outcome(server: &TestServer, admin: &TestUser) -> Value {
    let path = format!("{PATH}/test");
    let answer = server.post_as(admin, &path, &Value::Null).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert!(!answer.text().contains("hunter2"), "{}", answer.text());
    answer.json()
}

#[apply(each_database!)]
fn an_endpoint_takes_effect_when_set_and_can_be_removed(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let summaries = async || {
            let capabilities = server.get_as(&admin, "/api/v1/capabilities").await.json();
            (
                capabilities["features"]["summarization"].clone(),
                capabilities["text_goes_to"].clone(),
            )
        };
        assert_eq!(summaries().await, (json!(false), Value::Null));
        let answer = set(&server, &admin, " http://10.0.0.7:8080/v1/ ", "llama").await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let view = json!({
            "set": {"url": "http://10.0.0.7:8080/v1", "model": "llama"},
            "configured_url": null, "configured_model": null,
            "url": "http://10.0.0.7:8080/v1", "model": "llama", "key": "missing",
            "own_key_for": null,
        });
        assert_eq!(answer.json(), view);
        assert_eq!(server.get_as(&admin, PATH).await.json(), view);
        assert_eq!(summaries().await, (json!(true), json!("10.0.0.7:8080")));
        let cleared = set(&server, &admin, "", "").await;
        assert_eq!(cleared.json()["url"], Value::Null);
        assert_eq!(summaries().await, (json!(false), Value::Null));
        assert_eq!(outcome(&server, &admin).await["outcome"], "not_configured");
    });
}

#[apply(each_database!)]
fn incomplete_and_hostile_endpoints_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        for (url, model, field, code) in [
            ("http://a/v1", "", "model", "model_required"),
            ("", "m", "url", "url_required"),
            ("a", "m", "url", "url_invalid"),
            ("file:///etc/passwd", "m", "url", "url_invalid"),
            ("gopher://a:25/x", "m", "url", "url_invalid"),
            ("http://me:hunter2@a/v1", "m", "url", "url_invalid"),
            ("http://a/v1?key=hunter2", "m", "url", "secret_in_address"),
            ("http://a/v1#x", "m", "url", "url_invalid"),
            ("http://a\r\nX-Evil: 1/v1", "m", "url", "url_invalid"),
        ] {
            let refused = set(&server, &admin, url, model).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &refused.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code)),
                "{url}"
            );
            assert!(!refused.text().contains("hunter2"));
        }
        let stored = server.get_as(&admin, PATH).await.json();
        assert_eq!(stored["set"], json!({"url": "", "model": ""}));
    });
}

#[apply(each_database!)]
fn the_endpoint_test_reports_what_is_wrong(backend: Backend) {
    let endpoint = |status: u16| Endpoint {
        status,
        ..Endpoint::default()
    };
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let tried = async |endpoint: &Endpoint, model: &str| {
            let url = endpoint.serve().await;
            assert_eq!(
                set(&server, &admin, &url, model).await.status,
                StatusCode::OK
            );
            outcome(&server, &admin).await
        };
        let works = tried(&endpoint(0), "small").await;
        assert_eq!(
            (&works["outcome"], &works["status"]),
            (&json!("works"), &json!(200))
        );
        assert_eq!(works["models"], json!(["small", "large <b>"]));
        assert_eq!(
            tried(&endpoint(0), "other").await["outcome"],
            "model_unknown"
        );
        let listless = Endpoint {
            listless: true,
            ..Endpoint::default()
        };
        assert_eq!(tried(&listless, "any").await["outcome"], "works");
        let page = Endpoint {
            page: true,
            ..Endpoint::default()
        };
        assert_eq!(tried(&page, "small").await["outcome"], "not_chat");
        for (status, expected) in [
            (302, "redirect"),
            (401, "unauthorized"),
            (403, "unauthorized"),
            (429, "busy"),
            (422, "rejected"),
            (500, "server_error"),
            (503, "server_error"),
        ] {
            let tried = tried(&endpoint(status), "small").await;
            assert_eq!(
                (&tried["outcome"], &tried["status"]),
                (&json!(expected), &json!(status))
            );
        }
        let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", nowhere.local_addr().unwrap());
        drop(nowhere);
        set(&server, &admin, &url, "m").await;
        assert_eq!(outcome(&server, &admin).await["outcome"], "connection");
        set(&server, &admin, "http://no-such-host.invalid/v1", "m").await;
        assert_eq!(outcome(&server, &admin).await["outcome"], "dns");
        // TLS to a server without TLS.
        let plain = Endpoint::default()
            .serve()
            .await
            .replace("http://", "https://");
        set(&server, &admin, &plain, "m").await;
        assert_eq!(outcome(&server, &admin).await["outcome"], "tls");
    });
}

#[apply(each_database!)]
fn the_configured_key_is_sent_only_to_its_endpoint_and_never_shown(backend: Backend) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (own, other) = (Endpoint::default(), Endpoint::default());
    let (own_url, other_url) = runtime.block_on(async { (own.serve().await, other.serve().await) });
    let options = [
        "--analysis-url",
        own_url.as_str(),
        "--analysis-model",
        "small",
        "--analysis-api-key",
        KEY,
    ];
    with_server_options(backend, &options, async |server| {
        let admin = server.signup("admin@example.com").await;
        own.keys.lock().unwrap().clear();
        let view = server.get_as(&admin, PATH).await;
        assert!(!view.text().contains("hunter2"), "{}", view.text());
        assert_eq!(view.json()["key"], "sent");
        assert_eq!(outcome(&server, &admin).await["outcome"], "works");
        let key = Some(format!("Bearer {KEY}"));
        assert_eq!(own.keys(), [key.clone(), key]);

        let view = set(&server, &admin, &other_url, "").await;
        assert_eq!(view.json()["key"], "withheld");
        assert_eq!(outcome(&server, &admin).await["outcome"], "works");
        assert!(
            other.keys().iter().all(Option::is_none),
            "{:?}",
            other.keys()
        );
        assert!(!other.keys().is_empty());

        let mut connection = server.state.db.read().await.unwrap();
        let query = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 10)
            .await
            .unwrap();
        let entries = format!("{entries:?}");
        assert!(entries.contains("analysis.configure") && entries.contains(&other_url));
        assert!(!entries.contains("hunter2"));
    });
}

#[apply(each_database!)]
fn a_saved_key_is_encrypted_and_sent_only_to_its_own_endpoint(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let (own, other) = (Endpoint::default(), Endpoint::default());
        let (own_url, other_url) = (own.serve().await, other.serve().await);
        let enter = async |url: &str, key: Value| {
            let form = json!({"url": url, "model": "small", "key": key});
            let answer = send_json(&server, &admin, Method::PUT, PATH, &form).await;
            assert!(!answer.text().contains("hunter2"), "{}", answer.text());
            answer
        };
        let sent_to = async |endpoint: &Endpoint| {
            endpoint.keys.lock().unwrap().clear();
            assert_eq!(outcome(&server, &admin).await["outcome"], "works");
            endpoint.keys()
        };
        let with_key = Some(format!("Bearer {KEY}"));

        // The query of an Azure URL is kept.
        let azure_url = format!("{own_url}?api-version=2024-10-21");
        let view = enter(&azure_url, json!(KEY)).await.json();
        assert_eq!(view["key"], "own");
        assert_eq!(view["url"], azure_url);
        assert_eq!(view["own_key_for"], own_url.trim_end_matches("/v1"));
        assert_eq!(sent_to(&own).await, [with_key.clone(), with_key.clone()]);
        let view = server.get_as(&admin, PATH).await;
        assert!(!view.text().contains("hunter2"), "{}", view.text());

        // The key is not sent to another server; when the URL is set back, it is sent again.
        let view = enter(&other_url, Value::Null).await.json();
        assert_eq!(view["key"], "withheld");
        assert!(sent_to(&other).await.iter().all(Option::is_none));
        assert_eq!(enter(&own_url, Value::Null).await.json()["key"], "own");
        assert_eq!(sent_to(&own).await, [with_key.clone(), with_key]);

        let mut connection = server.state.db.read().await.unwrap();
        let stored: Option<Value> =
            slovo_db::site::server_settings::get(&mut connection, "analysis_key")
                .await
                .unwrap();
        assert!(!stored.unwrap().to_string().contains("hunter2"));
        let query = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 10)
            .await
            .unwrap();
        drop(connection);
        assert_eq!(entries.len(), 3);
        let entries = format!("{entries:?}");
        assert!(entries.contains("new_key") && !entries.contains("hunter2"));

        assert_eq!(enter(&own_url, json!(" ")).await.json()["key"], "missing");
        assert!(sent_to(&own).await.iter().all(Option::is_none));
        for bad in ["two words", "a\r\nX-Evil: 1"] {
            let refused = enter(&own_url, json!(bad)).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(refused.json()["errors"][0]["code"], "key_invalid");
        }
        enter("", Value::Null).await;
        let form = json!({"url": "", "model": "", "key": KEY});
        let refused = send_json(&server, &admin, Method::PUT, PATH, &form).await;
        assert_eq!(refused.json()["errors"][0]["code"], "url_required");
    });
}

#[apply(each_database!)]
fn an_endpoint_set_by_another_process_is_applied(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        // Stored as by another process, without notifying this one.
        let mut transaction = server.state.db.write().await.unwrap();
        let form = json!({"url": "http://10.0.0.8/v1", "model": "m"});
        slovo_db::site::server_settings::set(&mut transaction, "analysis", &form, 0)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        server.state.analyses.apply_configured().await.unwrap();
        let capabilities = server.get_as(&admin, "/api/v1/capabilities").await.json();
        assert_eq!(capabilities["text_goes_to"], "10.0.0.8");
    });
}
