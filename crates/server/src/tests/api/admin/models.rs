//! Administration of models: the list, failed and cancelled downloads, and models that cannot be
//! deleted. Successful downloads are tested in `slovo-models`.

use std::path::Path;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, each_database, with_server_options,
};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/models";

async fn act(server: &TestServer, who: &TestUser, method: Method, path: &str) -> Answer {
    send_json(server, who, method, &format!("{PATH}/{path}"), &Value::Null).await
}

async fn model(server: &TestServer, admin: &TestUser, id: &str) -> Value {
    let listed = server.get_as(admin, PATH).await;
    assert_eq!(listed.status, StatusCode::OK, "{}", listed.text());
    let listed = listed.json();
    let models = listed["models"].as_array().unwrap();
    models
        .iter()
        .find(|model| model["id"] == id)
        .unwrap()
        .clone()
}

/// The model once it has no running task.
async fn model_after_task(server: &TestServer, admin: &TestUser, id: &str) -> Value {
    for _ in 0..500 {
        let model = model(server, admin, id).await;
        if model["task"].is_null() {
            return model;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the task with {id} does not end");
}

async fn actions(server: &TestServer) -> Vec<String> {
    let mut connection = server.state.db.read().await.unwrap();
    let query = slovo_db::accounts::audit::Filter::default();
    let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 50)
        .await
        .unwrap();
    let mut actions: Vec<_> = entries.into_iter().map(|entry| entry.action).collect();
    actions.retain(|action| action.starts_with("model."));
    actions.reverse();
    actions
}

/// Options of a server with its own models folder and without network access.
fn options(folder: &Path) -> [String; 6] {
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let hub = format!("http://{}", nowhere.local_addr().unwrap());
    [
        "--models".to_owned(),
        folder.to_str().unwrap().to_owned(),
        "--models-source".to_owned(),
        "hub".to_owned(),
        "--models-hub".to_owned(),
        hub,
    ]
}

fn with_models_folder(backend: Backend, test: impl AsyncFnOnce(&TestServer, &Path)) {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path());
    let options = options.each_ref().map(String::as_str);
    with_server_options(backend, &options, async |server| {
        test(&server, folder.path()).await;
    });
}

#[apply(each_database!)]
fn models_are_listed_with_their_uses(backend: Backend) {
    with_models_folder(backend, async |server: &TestServer, folder: &Path| {
        let admin = server.signup("admin@example.com").await;
        std::fs::write(folder.join("ggml-tiny.bin"), "someone's own").unwrap();
        std::fs::write(folder.join("ggml-base.bin.part"), "half").unwrap();
        let listed = server.get_as(&admin, PATH).await.json();
        assert_eq!(listed["folder"], folder.to_str().unwrap());
        assert_eq!(listed["source"], "hub");
        assert_eq!(listed["hub"], "127.0.0.1");
        assert!(listed["free_bytes"].as_u64().unwrap() > 0);
        let full = model(server, &admin, "base-q8_0").await;
        assert_eq!(full["used_by"], json!(["full"]));
        assert_eq!(full["state"], "missing");
        assert_eq!(full["kind"], "speech");
        assert_eq!(full["multilingual"], true);
        let lite = model(server, &admin, "tiny.en-q8_0").await;
        assert_eq!(
            (&lite["used_by"], &lite["multilingual"]),
            (&json!(["lite"]), &json!(false))
        );
        for (id, used_by) in [
            ("silero-v6.2.0", "voice_activity"),
            ("segmentation-3.0", "speakers"),
            ("e5-small-q4", "analysis"),
        ] {
            assert_eq!(model(server, &admin, id).await["used_by"], json!([used_by]));
        }
        let own = model(server, &admin, "tiny").await;
        assert_eq!(
            (&own["state"], &own["used_by"]),
            (&json!("unverified"), &json!([]))
        );
        assert_eq!(model(server, &admin, "base").await["partial_bytes"], 4);
    });
}

#[apply(each_database!)]
fn a_download_without_network_reports_why_and_can_be_retried(backend: Backend) {
    with_models_folder(backend, async |server: &TestServer, folder: &Path| {
        let admin = server.signup("admin@example.com").await;
        for _ in 0..2 {
            let started = act(server, &admin, Method::POST, "tiny/pull").await;
            assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text());
            let ended = model_after_task(server, &admin, "tiny").await["ended"].clone();
            assert_eq!(
                (&ended["kind"], &ended["failure"]),
                (&json!("pull"), &json!("unreachable"))
            );
            assert_eq!(ended["cancelled"], false);
            assert!(
                ended["reason"]
                    .as_str()
                    .unwrap()
                    .contains("cannot be reached")
            );
        }
        assert!(!folder.join("ggml-tiny.bin").exists());
        assert_eq!(actions(server).await, ["model.pull", "model.pull"]);
    });
}

#[apply(each_database!)]
fn only_ids_of_the_model_list_are_accepted(backend: Backend) {
    with_models_folder(backend, async |server: &TestServer, folder: &Path| {
        let admin = server.signup("admin@example.com").await;
        std::fs::write(folder.join("choice.json"), "{}").unwrap();
        for id in [
            "none",
            "..%2Fchoice.json",
            "%2e%2e",
            "http:%2F%2Fevil.example%2Fx",
            "tiny%00",
        ] {
            for (method, verb) in [
                (Method::POST, "/pull"),
                (Method::DELETE, "/pull"),
                (Method::POST, "/verify"),
                (Method::DELETE, ""),
            ] {
                let refused = act(server, &admin, method, &format!("{id}{verb}")).await;
                assert!(refused.status.is_client_error(), "{id}: {}", refused.text());
            }
        }
        assert!(folder.join("choice.json").exists());
        assert!(actions(server).await.is_empty());
    });
}

#[apply(each_database!)]
fn verification_recomputes_the_checksum_and_reports_a_mismatch(backend: Backend) {
    with_models_folder(backend, async |server: &TestServer, folder: &Path| {
        let admin = server.signup("admin@example.com").await;
        let missing = act(server, &admin, Method::POST, "tiny/verify").await;
        missing.is_problem(StatusCode::CONFLICT, "model_missing");
        std::fs::write(folder.join("ggml-tiny.bin"), "someone's own").unwrap();
        let started = act(server, &admin, Method::POST, "tiny/verify").await;
        assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text());
        let ended = model_after_task(server, &admin, "tiny").await["ended"].clone();
        assert_eq!(
            (&ended["kind"], &ended["failure"]),
            (&json!("verify"), &json!("checksum"))
        );
        assert_eq!(actions(server).await, ["model.verify"]);
    });
}

#[apply(each_database!)]
fn only_unused_models_can_be_deleted(backend: Backend) {
    with_models_folder(backend, async |server: &TestServer, folder: &Path| {
        let admin = server.signup("admin@example.com").await;
        for id in [
            "base-q8_0",
            "tiny.en-q8_0",
            "silero-v6.2.0",
            "e5-small-q4",
            "tiny",
            "base",
        ] {
            std::fs::write(folder.join(format!("ggml-{id}.bin")), "weights").unwrap();
        }
        for (id, used_by) in [
            ("base-q8_0", "full"),
            ("tiny.en-q8_0", "lite"),
            ("silero-v6.2.0", "voice_activity"),
            ("e5-small-q4", "analysis"),
        ] {
            let refused = act(server, &admin, Method::DELETE, id).await;
            refused.is_problem(StatusCode::CONFLICT, "model_in_use");
            assert_eq!(refused.json()["params"]["used_by"], json!([used_by]));
            assert!(folder.join(format!("ggml-{id}.bin")).exists());
        }
        // Chosen meanwhile by the command line: the next start needs this model, and running jobs
        // still use the previous one.
        std::fs::write(folder.join("choice.json"), r#"{"full": "base"}"#).unwrap();
        for id in ["base", "base-q8_0"] {
            let refused = act(server, &admin, Method::DELETE, id).await;
            refused.is_problem(StatusCode::CONFLICT, "model_in_use");
        }
        let removed = act(server, &admin, Method::DELETE, "tiny").await;
        assert_eq!(removed.status, StatusCode::OK, "{}", removed.text());
        assert_eq!(removed.json()["state"], "missing");
        assert!(!folder.join("ggml-tiny.bin").exists());
        let again = act(server, &admin, Method::DELETE, "tiny").await;
        again.is_problem(StatusCode::CONFLICT, "model_missing");
        assert_eq!(actions(server).await, ["model.remove"]);
    });
}

#[apply(each_database!)]
fn a_downloaded_model_can_be_chosen_for_a_mode_at_once(backend: Backend) {
    with_models_folder(backend, async |server: &TestServer, folder: &Path| {
        let admin = server.signup("admin@example.com").await;
        let user = server.signup("user@example.com").await;
        let choose = async |who: &TestUser, id: &str, mode: &str| {
            let path = format!("{PATH}/{id}/use");
            send_json(server, who, Method::PUT, &path, &json!({ "mode": mode })).await
        };
        let missing = choose(&admin, "tiny-q8_0", "full").await;
        missing.is_problem(StatusCode::CONFLICT, "model_missing");
        for id in ["tiny", "tiny.en"] {
            std::fs::write(folder.join(format!("ggml-{id}.bin")), "someone's own").unwrap();
        }
        let refused = choose(&user, "tiny", "full").await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let unfit = choose(&admin, "tiny.en", "full").await;
        unfit.is_problem(StatusCode::CONFLICT, "model_unfit");
        let detector = choose(&admin, "silero-v6.2.0", "lite").await;
        detector.is_problem(StatusCode::CONFLICT, "model_unfit");
        let unknown = choose(&admin, "no-such-model", "full").await;
        unknown.is_problem(StatusCode::NOT_FOUND, "not_found");

        let chosen = choose(&admin, "tiny", "full").await;
        assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.text());
        assert_eq!(chosen.json()["used_by"], json!(["full"]));
        let before = model(server, &admin, "base-q8_0").await;
        assert_eq!(before["used_by"], json!([]));
        let serving = server.state.models.serving().now();
        assert_eq!(serving.full.as_deref(), Some("tiny"));
        let in_use = act(server, &admin, Method::DELETE, "tiny").await;
        in_use.is_problem(StatusCode::CONFLICT, "model_in_use");
        assert_eq!(actions(server).await, ["model.use"]);

        // Chosen as by another process; this server does not have the file.
        let mut transaction = server.state.db.write().await.unwrap();
        let choice = json!({"full": "small", "lite": "tiny.en"});
        slovo_db::site::server_settings::set(&mut transaction, "models", &choice, 0)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        server.state.jobs.apply_models().await.unwrap();
        let serving = server.state.models.serving().now();
        assert_eq!(serving.full.as_deref(), Some("tiny"));
        assert_eq!(serving.lite.as_deref(), Some("tiny.en"));
    });
}
