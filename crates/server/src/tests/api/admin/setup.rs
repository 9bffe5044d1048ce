//! Which setup steps are done, and what changes each.

use std::path::Path;

use axum::Router;
use axum::http::{Method, StatusCode};
use axum::routing::get;
use serde_json::{Value, json};
use slovo_engine::models::{VOICE_ACTIVITY, find};

use crate::testing::{
    Backend, TestServer, TestUser, apply, each_database, with_server, with_server_options,
};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/setup";

async fn setup_steps(server: &TestServer, admin: &TestUser, query: &str) -> Value {
    let answer = server.get_as(admin, &format!("{PATH}{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

async fn step(server: &TestServer, admin: &TestUser, name: &str) -> Value {
    setup_steps(server, admin, "").await[name].clone()
}

#[apply(each_database!)]
fn only_administrators_see_the_setup_steps(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let other = server.signup("a@example.com").await;
        let all = setup_steps(&server, &admin, "").await;
        let steps = all.as_object().unwrap().keys();
        let expected = ["address", "analysis", "legal", "mail", "models"];
        let mut steps: Vec<_> = steps.map(String::as_str).collect();
        steps.sort_unstable();
        assert_eq!(steps, expected);
        let refused = server.get_as(&other, PATH).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let refused = server.get(PATH).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn the_mail_step_is_done_after_a_successful_test_mail(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let expected = json!({"state": "to_do", "cause": "untested", "place": "mail.test:25",
            "failure": null});
        assert_eq!(step(&server, &admin, "mail").await, expected);
        let path = "/api/v1/admin/mail/test";
        let sent = server.post_as(&admin, path, &json!({"locale": "en"})).await;
        assert_eq!(sent.status, StatusCode::OK, "{}", sent.text());
        let mail = step(&server, &admin, "mail").await;
        assert_eq!(mail["state"], "done");
        assert_eq!(mail["cause"], "works");
    });
}

#[apply(each_database!)]
fn the_models_step_is_done_when_all_files_exist(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    with_server_options(backend, &["--models", path], async |server| {
        let admin = server.signup("admin@example.com").await;
        let models = step(&server, &admin, "models").await;
        assert_eq!(
            (&models["state"], &models["cause"]),
            (&json!("to_do"), &json!("missing"))
        );
        let needed = models["models"].as_array().unwrap();
        let full = needed
            .iter()
            .find(|model| model["used_by"] == json!(["full"]));
        let expected = json!({"id": "base-q8_0", "used_by": ["full"], "on_disk": false});
        assert_eq!(full, Some(&expected));
        let put = |id: &str| {
            let file = Path::new(path).join(find(id).unwrap().file_name());
            std::fs::write(file, "someone's own").unwrap();
        };
        put("base-q8_0");
        put("tiny.en-q8_0");
        assert_eq!(step(&server, &admin, "models").await["cause"], "missing");
        put(VOICE_ACTIVITY);
        let models = step(&server, &admin, "models").await;
        assert_eq!(
            (&models["state"], &models["cause"]),
            (&json!("done"), &json!("ready"))
        );
    });
}

#[apply(each_database!)]
fn the_analysis_step_is_optional_until_a_chosen_endpoint_fails(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let expected = json!({"state": "optional", "cause": "not_set", "host": null,
            "outcome": null});
        assert_eq!(step(&server, &admin, "analysis").await, expected);
        let set = async |url: &str| {
            let form = json!({"url": url, "model": "llama"});
            let path = "/api/v1/admin/analysis-endpoint";
            let answer = send_json(&server, &admin, Method::PUT, path, &form).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            step(&server, &admin, "analysis").await
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new()
            .route("/v1/models", get(async || "{\"data\":[]}"))
            .route("/locked/models", get(async || StatusCode::UNAUTHORIZED));
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let expected = json!({"state": "done", "cause": "answers", "host": address.to_string(),
            "outcome": "works"});
        assert_eq!(set(&format!("http://{address}/v1")).await, expected);
        let locked = set(&format!("http://{address}/locked")).await;
        assert_eq!(
            (&locked["state"], &locked["outcome"]),
            (&json!("to_do"), &json!("unauthorized"))
        );
        serving.abort();
        let _ = serving.await;
        let unreachable = set(&format!("http://{address}/v1")).await;
        assert_eq!(
            (&unreachable["cause"], &unreachable["outcome"]),
            (&json!("fails"), &json!("connection"))
        );
    });
}

#[apply(each_database!)]
fn the_address_step_compares_the_public_url_with_the_page_origin(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        for (origin, state, cause) in [
            ("", "optional", "local"),
            ("?origin=http://localhost:8787", "optional", "local"),
            ("?origin=http://[::1]:8787", "optional", "local"),
            ("?origin=https://slovo.example.com", "to_do", "unset"),
            ("?origin=http://192.168.0.7:8787", "to_do", "unset"),
        ] {
            let address = setup_steps(&server, &admin, origin).await["address"].clone();
            let expected = json!({"state": state, "cause": cause, "url": "http://127.0.0.1:8787",
                "configured": false});
            assert_eq!(address, expected, "{origin}");
        }
        for wrong in [
            "?origin=",
            "?origin=null",
            "?origin=javascript:alert(1)",
            "?origin=https://me:secret@slovo.example.com",
            "?origin=https://slovo.example.com/path",
        ] {
            let refused = server.get_as(&admin, &format!("{PATH}{wrong}")).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
    });
    for (url, origin, state, cause) in [
        (
            "https://slovo.example.com",
            "https://Slovo.Example.com:443",
            "done",
            "right",
        ),
        (
            "https://slovo.example.com",
            "https://10.0.0.7",
            "to_do",
            "other",
        ),
        (
            "http://slovo.example.com",
            "http://slovo.example.com",
            "to_do",
            "insecure",
        ),
        (
            "http://localhost:9000",
            "http://localhost:9000",
            "done",
            "right",
        ),
    ] {
        with_server_options(backend, &["--public-url", url], async |server| {
            let admin = server.signup("admin@example.com").await;
            let steps = setup_steps(&server, &admin, &format!("?origin={origin}")).await;
            let expected = json!({"state": state, "cause": cause, "url": url, "configured": true});
            assert_eq!(steps["address"], expected);
        });
    }
}

#[apply(each_database!)]
fn the_legal_step_is_done_when_all_legal_details_are_given(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let expected = json!({"state": "to_do",
            "missing": ["legal_name", "email", "address", "imprint"]});
        assert_eq!(step(&server, &admin, "legal").await, expected);
        let path = "/api/v1/admin/site";
        let mut settings = server.get_as(&admin, path).await.json()["settings"].clone();
        let save = async |settings: &Value| {
            let answer = send_json(&server, &admin, Method::PUT, path, settings).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            step(&server, &admin, "legal").await
        };
        settings["legal_name"] = json!({"uk": "ГО «Слова»", "en": ""});
        settings["email"] = json!("arkhiv@slova.org.ua");
        settings["address"] = json!({"uk": "Львів, вул. Друкарська, 1", "en": ""});
        let expected = json!({"state": "to_do", "missing": ["imprint"]});
        assert_eq!(save(&settings).await, expected);
        settings["imprint"] = json!({"uk": "ЄДРПОУ 00000000", "en": ""});
        let expected = json!({"state": "done", "missing": []});
        assert_eq!(save(&settings).await, expected);
    });
}
