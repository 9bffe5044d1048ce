//! `GET /api/v1/shared/waveform/{token}`: the waveform of a link's recording.

use axum::extract::State;
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;

use super::super::jobs::waveform::{self, Error, WaveformBody};
use super::media::job_of_token;

/// Returns the waveform behind a share link that includes audio, with the same token as the
/// recording. If there isn't one yet, it is being created: ask again after a few seconds.
#[utoipa::path(get, path = "/shared/waveform/{token}", tag = "shares",
    operation_id = "get_shared_waveform",
    security(()), params(("token" = String, Path, description = "From the shared text")),
    responses(
        (status = OK, body = WaveformBody),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = CONFLICT, body = Document, description = "waveform_not_ready"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn waveform(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
) -> Result<Json<WaveformBody>, Error> {
    let (_, job) = job_of_token(&state, address, &token).await?;
    waveform::shape(&state, &job).await
}
