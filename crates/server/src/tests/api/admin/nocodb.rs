//! Configuration of the external database.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Backend, TestServer, TestUser, apply, each_database, with_server, with_server_options,
};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/nocodb";

async fn put(server: &TestServer, who: &TestUser, url: &str, base: &str) -> crate::testing::Answer {
    let form = json!({"api_url": url, "project_id": base});
    send_json(server, who, Method::PUT, PATH, &form).await
}

#[apply(each_database!)]
fn the_external_database_is_configured_tested_and_removed(backend: Backend) {
    let token = ["--nocodb-token", "hunter2"];
    with_server_options(backend, &token, async |server| {
        let admin = server.signup("admin@example.com").await;
        let get = async || server.get_as(&admin, PATH).await.json();
        assert_eq!(
            get().await,
            json!({"configured": false, "config": null,
            "token_configured": true, "last_test": null, "sync_minutes": 0})
        );
        for action in ["test", "prepare", "sync"] {
            let path = format!("{PATH}/{action}");
            let answer = server.post_as(&admin, &path, &json!({})).await;
            answer.is_problem(StatusCode::CONFLICT, "nocodb_not_configured");
        }
        let bad = put(&server, &admin, "nowhere", "../x").await;
        bad.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(bad.json()["errors"].as_array().unwrap().len(), 2);

        let saved = put(&server, &admin, "http://127.0.0.1:1/", " pbase ").await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.text());
        let config = json!({"id": 1, "api_url": "http://127.0.0.1:1", "project_id": "pbase",
            "last_test_at": null, "last_test_success": null, "last_test_error": null});
        assert_eq!(saved.json()["config"], config);
        let tested = server
            .post_as(&admin, &format!("{PATH}/test"), &json!({}))
            .await;
        assert_eq!(tested.status, StatusCode::OK);
        let tested = tested.json();
        assert_eq!(
            (&tested["success"], &tested["hint"]),
            (&json!(false), &json!("refused"))
        );
        let after = get().await;
        assert_eq!(after["last_test"], tested);
        assert_eq!(after["config"]["last_test_success"], false);
        // The same configuration again keeps the test result; another place discards it.
        put(&server, &admin, "http://127.0.0.1:1", "pbase").await;
        assert_eq!(get().await["last_test"], tested);
        // Entries of the same millisecond have no order.
        server.clock.advance_seconds(1);
        put(&server, &admin, "http://127.0.0.1:1", "pother").await;
        assert_eq!(get().await["last_test"], Value::Null);

        let mut connection = server.state.db.read().await.unwrap();
        let filter = slovo_db::accounts::audit::Filter::default();
        let log = slovo_db::accounts::audit::list(&mut connection, &filter, None, 10)
            .await
            .unwrap();
        assert_eq!(log.len(), 2, "{log:?}");
        assert_eq!(log[0].action, "nocodb.configure");
        assert_eq!(log[0].before.as_ref().unwrap()["project_id"], "pbase");
        assert!(!format!("{log:?}").contains("hunter2"));
        drop(connection);

        put(&server, &admin, "", "").await;
        assert_eq!(get().await["configured"], false);
    });
}

#[apply(each_database!)]
fn without_a_token_nothing_runs(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        put(&server, &admin, "http://127.0.0.1:1", "pbase").await;
        let answer = server
            .post_as(&admin, &format!("{PATH}/sync"), &json!({}))
            .await;
        answer.is_problem(StatusCode::CONFLICT, "nocodb_token_missing");
        let tested = server
            .post_as(&admin, &format!("{PATH}/test"), &json!({}))
            .await
            .json();
        assert_eq!(tested["hint"], "token_missing");
        let loaded = server
            .post_as(&admin, "/api/v1/me/sync", &json!({}))
            .await
            .json();
        assert_eq!(loaded, json!({"state": "off", "failed": false}));
    });
}

#[apply(each_database!)]
fn a_sync_is_started_and_watched_and_dashboards_start_few(backend: Backend) {
    let options = [
        "--nocodb-token",
        "x",
        "--nocodb-requests-per-second",
        "1000",
    ];
    with_server_options(backend, &options, async |server| {
        let admin = server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        put(&server, &admin, "http://127.0.0.1:1", "pbase").await;
        let before = server.get_as(&admin, &format!("{PATH}/sync")).await.json();
        assert_eq!(before, json!({"run": null}));
        let started = server
            .post_as(&admin, &format!("{PATH}/sync"), &json!({}))
            .await;
        assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text());
        assert_eq!(started.json()["run"]["cause"], "admin");
        let ended = loop {
            let state = server.get_as(&admin, &format!("{PATH}/sync")).await.json();
            if state["run"]["ended_at"].is_string() {
                break state;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        };
        assert_eq!(ended["run"]["success"], false);
        assert_eq!(ended["run"]["message"], "refused");
        let load = async || {
            server
                .post_as(&olha, "/api/v1/me/sync", &json!({}))
                .await
                .json()
        };
        assert_eq!(load().await, json!({"state": "fresh", "failed": true}));
        server.clock.advance_seconds(301);
        assert_eq!(load().await["state"], "started");
        let second = load().await["state"].clone();
        assert!(second == "running" || second == "fresh", "{second}");
    });
}
