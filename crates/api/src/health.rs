//! `GET /healthz` and `GET /readyz`: liveness and readiness.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use slovo_storage::Space;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// The server's condition.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; anything else is a problem document.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The program's version.
    pub version: &'static str,
}

/// The condition of a server that can serve requests.
#[derive(Serialize, ToSchema)]
pub struct Ready {
    /// Always `ok`; anything else is a problem document.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The program's version.
    pub version: &'static str,
    /// How much space the disk has. If it is low, no recordings are accepted, so that the remaining
    /// space is left to the database.
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
        return Err(Problem::unavailable().with_cause("the server is stopping"));
    }
    let report = state.condition.report().await;
    let not_ready = |code, detail| {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, code).detail(detail);
        problem.header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    };
    if !report.has_folder {
        let detail = match state.storage.is_shared() {
            true => "The object store does not answer.",
            false => "The data folder is not there: its disk may not be mounted.",
        };
        return Err(not_ready(ProblemCode::DataFolderMissing, detail));
    }
    if report.space == Space::Full {
        return Err(not_ready(
            ProblemCode::StorageFull,
            "The server's disk is full.",
        ));
    }
    if let Some(cause) = report.database {
        return Err(Problem::unavailable().with_cause(cause));
    }
    Ok(Json(Ready {
        status: OK.status,
        version: OK.version,
        space: report.space,
    }))
}
