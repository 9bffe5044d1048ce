use axum::http::StatusCode;

use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn a_server_is_live_and_ready_until_it_stops(backend: Backend) {
    with_server(backend, async |server| {
        assert_eq!(server.get("/healthz").await.status, StatusCode::OK);
        assert_eq!(server.get("/readyz").await.status, StatusCode::OK);
        server.state.shutdown.cancel();
        assert_eq!(server.get("/healthz").await.status, StatusCode::OK);
        let stopping = server.get("/readyz").await;
        assert_eq!(stopping.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(stopping.code(), "unavailable");
    });
}

#[apply(each_database!)]
fn readiness_reports_full_storage_and_a_missing_data_folder(backend: Backend) {
    with_server(backend, async |server| {
        let ready = async || {
            // The last report is cached for a second.
            tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
            server.get("/readyz").await
        };
        server.state.storage.set_full(true);
        let full = ready().await;
        full.is_problem(StatusCode::SERVICE_UNAVAILABLE, "storage_full");
        server.state.storage.set_full(false);
        let data = server.state.config.data();
        let media = data.join("media");
        std::fs::rename(&media, data.join("elsewhere")).unwrap();
        let missing = ready().await;
        missing.is_problem(StatusCode::SERVICE_UNAVAILABLE, "data_folder_missing");
        std::fs::rename(data.join("elsewhere"), &media).unwrap();
        let recovered = ready().await;
        assert_eq!(recovered.status, StatusCode::OK, "{}", recovered.text());
        assert_eq!(recovered.json()["space"], "enough");
    });
}

#[apply(each_database!)]
fn a_server_without_its_database_is_not_ready(backend: Backend) {
    with_server(backend, async |server| {
        server.state.db.close().await;
        let answer = server.get("/readyz").await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(
            !answer.text().contains("pool"),
            "causes stay in the log: {}",
            answer.text()
        );
    });
}
