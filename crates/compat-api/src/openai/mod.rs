//! OpenAI's audio API: `/v1/audio/transcriptions`, `/v1/audio/translations` and `/v1/models`, as its
//! clients of version 1 and 2 send it (<https://platform.openai.com/docs/api-reference/audio>).
//!
//! `temperature` is checked but has no effect: the engine raises it by itself where a passage
//! repeats. `chunking_strategy` neither: speech is always cut at pauses.

mod answer;
mod error;
mod form;
mod known_speakers;
mod models;
mod stream;
mod transcriptions;

use axum::extract::DefaultBodyLimit;
use axum::middleware::map_response;
use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this module. They have no time limit: an answer comes when the text is there.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(transcriptions::transcribe))
        .routes(routes!(transcriptions::translate))
        .routes(routes!(models::list))
        .routes(routes!(models::get))
        .route("/v1", axum::routing::any(error::unknown_address))
        .route("/v1/{*rest}", axum::routing::any(error::unknown_address))
        // The recording is streamed, and limited by the settings of uploads.
        .layer(DefaultBodyLimit::disable())
        .layer(map_response(error::in_their_form))
}
