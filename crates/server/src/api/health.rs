//! `GET /healthz` and `GET /readyz`: whether the process lives, and whether it can serve.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// The server's condition.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; anything else is a problem document.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The program's version.
    pub version: &'static str,
}

const OK: Health = Health {
    status: "ok",
    version: env!("CARGO_PKG_VERSION"),
};

/// The actions of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(live))
        .routes(routes!(ready))
}

/// Says that the process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", security(()),
    responses((status = OK, body = Health)))]
async fn live() -> Json<Health> {
    Json(OK)
}

/// Says whether requests can be served: the database answers and nobody has asked to stop.
#[utoipa::path(get, path = "/readyz", tag = "health", security(()),
    responses((status = OK, body = Health), (status = SERVICE_UNAVAILABLE, body = Document)))]
async fn ready(State(state): State<AppState>) -> Result<Json<Health>, Problem> {
    let unavailable =
        |cause: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable").because(cause);
    if state.shutdown.is_cancelled() {
        return Err(unavailable("the server is stopping".into()));
    }
    state
        .db
        .ping()
        .await
        .map_err(|error| unavailable(error.to_string()))?;
    Ok(Json(OK))
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
