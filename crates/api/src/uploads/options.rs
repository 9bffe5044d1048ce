//! `OPTIONS /api/v1/uploads`: the supported protocol versions and extensions.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use slovo_app::http::Problem;
use slovo_app::state::AppState;

use super::tus;

type Capabilities = (StatusCode, [(HeaderName, HeaderValue); 4]);

async fn capabilities(state: &AppState) -> Result<Capabilities, Problem> {
    let largest = state.settings.current().await?.limits.upload_bytes();
    let headers = [
        (tus::TUS_VERSION, HeaderValue::from_static(tus::VERSION)),
        (
            tus::TUS_EXTENSION,
            HeaderValue::from_static(tus::EXTENSIONS),
        ),
        (tus::TUS_MAX_SIZE, HeaderValue::from(largest)),
        (
            tus::TUS_CHECKSUM_ALGORITHM,
            HeaderValue::from_static(tus::CHECKSUM_ALGORITHMS),
        ),
    ];
    Ok((StatusCode::NO_CONTENT, headers))
}

/// Returns the supported versions and extensions of tus, and the maximum size.
#[utoipa::path(options, path = "/uploads", tag = "uploads", security(()),
    operation_id = "upload_options",
    responses((status = NO_CONTENT, description = "Tus-Version, Tus-Extension, Tus-Max-Size, \
        Tus-Checksum-Algorithm")))]
pub(super) async fn options(State(state): State<AppState>) -> Result<Capabilities, Problem> {
    capabilities(&state).await
}

/// Returns the same for one upload, for clients that ask there.
#[utoipa::path(options, path = "/uploads/{id}", tag = "uploads", security(()),
    operation_id = "upload_options_of_one",
    params(("id" = String, Path, description = "Upload id")),
    responses((status = NO_CONTENT, description = "Tus-Version, Tus-Extension, Tus-Max-Size, \
        Tus-Checksum-Algorithm")))]
pub(super) async fn options_of_one(State(state): State<AppState>) -> Result<Capabilities, Problem> {
    capabilities(&state).await
}
