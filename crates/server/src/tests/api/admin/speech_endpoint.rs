//! The speech endpoint: its settings, its key, and what its test reports.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::speech_double::{Reply, SpeechDouble};
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/speech-endpoint";
const KEY: &str = "sk-hunter2";

async fn set(server: &TestServer, admin: &TestUser, form: &Value) -> Answer {
    let answer = send_json(server, admin, Method::PUT, PATH, form).await;
    assert!(!answer.text().contains("hunter2"), "{}", answer.text());
    answer
}

async fn outcome(server: &TestServer, admin: &TestUser) -> Value {
    let answer = server
        .post_as(admin, &format!("{PATH}/test"), &Value::Null)
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert!(!answer.text().contains("hunter2"), "{}", answer.text());
    answer.json()
}

#[apply(each_database!)]
fn an_endpoint_is_set_named_to_visitors_and_removed(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let nothing = json!({"url": "", "model": "", "full": true, "lite": false, "languages": [],
            "translates": false, "parallel": 4, "falls_back": true});
        let view = server.get_as(&admin, PATH).await.json();
        assert_eq!(
            view,
            json!({"set": nothing, "key": "missing", "own_key_for": null})
        );
        assert_eq!(outcome(&server, &admin).await["outcome"], "not_configured");

        let form = json!({"url": " https://speech.slova.org.ua/secret-path/v1/ ", "model": "large",
            "full": false, "lite": true, "languages": ["uk", "en"], "translates": true,
            "parallel": 16, "falls_back": false, "key": KEY});
        let view = set(&server, &admin, &form).await;
        assert_eq!(view.status, StatusCode::OK, "{}", view.text());
        let mut expected = form.clone();
        expected["url"] = json!("https://speech.slova.org.ua/secret-path/v1");
        expected.as_object_mut().unwrap().remove("key");
        let expected = json!({"set": expected, "key": "own",
            "own_key_for": "https://speech.slova.org.ua"});
        assert_eq!(view.json(), expected);
        assert_eq!(server.get_as(&admin, PATH).await.json(), expected);
        for address in ["/privacy?lang=en", "/privacy"] {
            let page = server.get(address).await.text();
            assert!(page.contains("speech.slova.org.ua") && !page.contains("secret-path"));
        }
        let log = server.get_as(&admin, "/api/v1/admin/audit").await;
        assert!(log.text().contains("speech_endpoint.configure"));
        assert!(!log.text().contains("hunter2"));

        // Without an address there is nothing to keep the key for.
        let view = set(&server, &admin, &json!({})).await;
        let expected = json!({"set": nothing, "key": "missing", "own_key_for": null});
        assert_eq!(view.json(), expected);
        let page = server.get("/privacy?lang=en").await.text();
        assert!(!page.contains("speech.slova.org.ua"));
    });
}

#[apply(each_database!)]
fn wrong_settings_are_refused_field_by_field(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let url = "http://10.0.0.7:8000/v1";
        for (form, field, code) in [
            (json!({"url": url}), "model", "model_required"),
            (json!({"model": "m"}), "url", "url_required"),
            (json!({"key": "k"}), "url", "url_required"),
            (json!({"url": "gpu", "model": "m"}), "url", "url_invalid"),
            (
                json!({"url": "file:///etc/passwd", "model": "m"}),
                "url",
                "url_invalid",
            ),
            (
                json!({"url": "http://u:p@gpu/v1", "model": "m"}),
                "url",
                "url_invalid",
            ),
            (
                json!({"url": "http://300.1.1.1/v1", "model": "m", "key": "k"}),
                "url",
                "url_invalid",
            ),
            (
                json!({"url": "http://[::1", "model": "m"}),
                "url",
                "url_invalid",
            ),
            (
                json!({"url": "http://gpu/v1?token=x", "model": "m"}),
                "url",
                "secret_in_address",
            ),
            (
                json!({"url": url, "model": "m", "parallel": 0}),
                "parallel",
                "number_too_small",
            ),
            (
                json!({"url": url, "model": "m", "parallel": 17}),
                "parallel",
                "number_too_large",
            ),
            (
                json!({"url": url, "model": "m", "languages": ["xx"]}),
                "languages.0",
                "language_unsupported",
            ),
            (
                json!({"url": url, "model": "m", "key": "a b"}),
                "key",
                "key_invalid",
            ),
        ] {
            let refused = set(&server, &admin, &form).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &refused.json()["errors"][0];
            let found = (&error["field"], &error["code"]);
            assert_eq!(found, (&json!(field), &json!(code)), "{form}");
        }
        let unknown = set(&server, &admin, &json!({"adress": url})).await;
        assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(server.get_as(&admin, PATH).await.json()["set"]["url"], "");
    });
}

#[apply(each_database!)]
fn a_key_is_sent_only_to_the_origin_it_was_entered_for(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let (own, other) = (SpeechDouble::start().await, SpeechDouble::start().await);
        let form = |double: &SpeechDouble| json!({"url": double.url(), "model": "large"});
        let mut with_key = form(&own);
        with_key["key"] = json!(KEY);
        assert_eq!(set(&server, &admin, &with_key).await.json()["key"], "own");
        own.replies([Reply::models(&["large"]), Reply::text("")]);
        let tested = outcome(&server, &admin).await;
        assert_eq!(tested["outcome"], "works");
        assert_eq!(tested["models"], json!(["large"]));
        let bearer = format!("Bearer {KEY}");
        assert_eq!(own.keys(), [bearer.clone(), bearer]);

        // Another address keeps the key for the first one, and gets none.
        assert_eq!(
            set(&server, &admin, &form(&other)).await.json()["key"],
            "withheld"
        );
        other.replies([Reply::models(&["large"]), Reply::text("")]);
        assert_eq!(outcome(&server, &admin).await["outcome"], "works");
        assert_eq!(other.keys(), ["", ""]);
        assert_eq!(set(&server, &admin, &form(&own)).await.json()["key"], "own");
        let mut without = form(&own);
        without["key"] = json!("");
        assert_eq!(
            set(&server, &admin, &without).await.json()["key"],
            "missing"
        );
    });
}

#[apply(each_database!)]
fn the_test_reports_what_is_wrong(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let double = SpeechDouble::start().await;
        let form = json!({"url": double.url(), "model": "large"});
        set(&server, &admin, &form).await;
        let page = Reply::With("200 OK", "<html>Welcome</html>".to_owned());
        for (reply, expected) in [
            (Reply::text("Thank you."), "works"),
            (page, "not_transcription"),
            (Reply::json(&json!({"choices": []})), "not_transcription"),
            (Reply::status("302 Found"), "redirect"),
            (Reply::status("401 Unauthorized"), "unauthorized"),
            (Reply::status("404 Not Found"), "model_unknown"),
            (Reply::status("429 Too Many Requests"), "busy"),
            (Reply::status("500 Internal Server Error"), "server_error"),
            (Reply::Close, "connection"),
        ] {
            double.replies([Reply::models(&["small"]), reply]);
            let tested = outcome(&server, &admin).await;
            assert_eq!(tested["outcome"], expected, "{tested}");
        }
        let form = double.last_form();
        assert_eq!(form.field("model"), "large");
        assert_eq!(form.wav_seconds(), 1.0);
    });
}
