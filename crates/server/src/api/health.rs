//! `GET /healthz` and `GET /readyz`: liveness and readiness.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Document, Json, Problem};
use crate::state::AppState;
use slovo_platform::storage::Space;

/// The server's condition.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; anything else is a problem document.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The program's version.
    pub version: &'static str,
}

/// The condition of a server that can serve.
#[derive(Serialize, ToSchema)]
pub struct Ready {
    /// Always `ok`; anything else is a problem document.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The program's version.
    pub version: &'static str,
    /// How much room the disk has. Where it is low no recordings are taken in any more, which
    /// leaves what there is to the database.
    pub space: Space,
}

const OK: Health = Health {
    status: "ok",
    version: env!("CARGO_PKG_VERSION"),
};

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(live))
        .routes(routes!(ready))
}

/// Returns whether the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "health", security(()),
    responses((status = OK, body = Health)))]
async fn live() -> Json<Health> {
    Json(OK)
}

/// Returns whether requests can be served: the database can store a row, the data folder is
/// available, the disk has space, and the server isn't shutting down. Checked at most once a
/// second.
#[utoipa::path(get, path = "/readyz", tag = "health", security(()),
    responses(
        (status = OK, body = Ready),
        (status = SERVICE_UNAVAILABLE, body = Document, description = "unavailable: it stops, or \
            the database is away; data_folder_missing; storage_full"),
    ))]
async fn ready(State(state): State<AppState>) -> Result<Json<Ready>, Problem> {
    if state.shutdown.is_cancelled() {
        return Err(Problem::unavailable().because("the server is stopping"));
    }
    let report = state.condition.report().await;
    let not_ready = |code, detail| {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, code).detail(detail);
        problem.header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    };
    if !report.has_folder {
        let detail = "The data folder is not there: its disk may not be mounted.";
        return Err(not_ready("data_folder_missing", detail));
    }
    if report.space == Space::Full {
        return Err(not_ready("storage_full", "The server's disk is full."));
    }
    if let Some(cause) = report.database {
        return Err(Problem::unavailable().because(cause));
    }
    Ok(Json(Ready {
        status: OK.status,
        version: OK.version,
        space: report.space,
    }))
}

#[cfg(test)]
mod tests {
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
    fn a_server_that_cannot_store_says_what_it_lacks(backend: Backend) {
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
            let well = ready().await;
            assert_eq!(well.status, StatusCode::OK, "{}", well.text());
            assert_eq!(well.json()["space"], "enough");
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
}
