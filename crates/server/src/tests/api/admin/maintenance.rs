//! Backups on request, and the check of the server.

use axum::http::StatusCode;
use serde_json::json;
use slovo_app::backups::{self, Reason};
use slovo_db::backup_runs;

use crate::testing::{Backend, apply, each_database, with_server};

const BACKUPS: &str = "/api/v1/admin/backups";
const DOCTOR: &str = "/api/v1/admin/doctor";

#[apply(each_database!)]
fn an_administrator_makes_a_backup(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let before = server.get_as(&admin, BACKUPS).await.json();
        assert_eq!(before["runs"], json!([]));
        assert_eq!(before["daily"], true);
        assert_eq!(
            before["with_recordings"], false,
            "they are in the same folder"
        );
        let started = server.post_as(&admin, BACKUPS, &json!({})).await;
        assert_eq!(started.status, StatusCode::OK, "{}", started.text());
        let run = started.json()["runs"][0].clone();
        let mut view = started.json();
        while view["running"] == true {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            view = server.get_as(&admin, BACKUPS).await.json();
        }
        let done = &view["runs"][0];
        assert_eq!(done["id"], run["id"]);
        assert_eq!(done["outcome"], "done", "{done}");
        let name = done["name"].as_str().unwrap();
        let place = server.state.config.data().join("backups/snapshots");
        assert!(place.join(format!("{name}.json")).is_file());
        assert!(done["total_bytes"].as_i64() > Some(1000), "{done}");
        let mut connection = server.state.db.read().await.unwrap();
        let query = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 10).await;
        let entries = entries.unwrap();
        assert!(entries.iter().any(|entry| entry.action == "backup.start"));
    });
}

#[apply(each_database!)]
fn one_backup_goes_on_at_a_time_and_one_a_day(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let state = &server.state;
        let id = backups::begin(state, Reason::Schedule)
            .await
            .unwrap()
            .unwrap();
        let answer = server.post_as(&admin, BACKUPS, &json!({})).await.json();
        assert_eq!(answer["runs"].as_array().unwrap().len(), 1);
        assert_eq!(answer["running"], true);
        backups::run(state, &id).await.unwrap();
        assert_eq!(backups::begin(state, Reason::Schedule).await.unwrap(), None);
        server.clock.advance_seconds(24 * 60 * 60);
        assert!(
            backups::begin(state, Reason::Schedule)
                .await
                .unwrap()
                .is_some()
        );
        // It was killed.
        server.clock.advance_seconds(300);
        let mut connection = state.db.read().await.unwrap();
        let runs = backup_runs::list(&mut connection, 1).await.unwrap();
        assert!(!runs[0].is_running(state.clock.now_ms()), "{runs:?}");
        assert_eq!(runs[0].finished_at, None);
    });
}

#[apply(each_database!)]
fn a_backup_that_fails_says_why(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        // There is a file where the folder should be.
        std::fs::write(server.state.config.data().join("backups"), "").unwrap();
        assert!(backups::make(&server.state, Reason::Request).await.is_err());
        let view = server.get_as(&admin, BACKUPS).await.json();
        assert_eq!(view["runs"][0]["outcome"], "failed");
        let error = view["runs"][0]["error"].as_str().unwrap();
        assert!(error.contains("cannot be used"), "{error}");
    });
}

#[apply(each_database!)]
fn an_administrator_checks_the_server(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let report = server.get_as(&admin, DOCTOR).await.json();
        let findings = report["findings"].as_array().unwrap();
        assert!(findings.len() >= 10, "{report}");
        assert!(findings.iter().all(|finding| finding["message"] != ""));
        let user = server.signup("user@example.com").await;
        for path in [BACKUPS, DOCTOR] {
            let refused = server.get_as(&user, path).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN);
        }
        let refused = server.post_as(&user, BACKUPS, &json!({})).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
    });
}
