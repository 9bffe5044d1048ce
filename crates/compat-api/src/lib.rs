//! The HTTP APIs of other speech services, so that their clients work with this server, and the MCP
//! server for assistants.
//!
//! Each protocol translates a request into a [`request::SpeechRequest`], and the text into its own
//! answers; it has no logic of its own. The recording becomes an ordinary job of the caller: it
//! counts, is limited, and stays in the library like one that was uploaded on the page, also if the
//! client goes away before the text is there.

mod asr_webservice;
mod deepgram;
mod fields;
mod mcp;
mod models;
mod openai;
mod receive;
mod recognised_text;
mod refusal;
mod relayed;
mod request;
mod run;
mod text_files;
mod whisper_cpp;
mod whisper_json;
pub mod wyoming;

use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// All routes, with their OpenAPI document.
#[must_use]
pub fn router() -> OpenApiRouter<AppState> {
    openai::router()
        .merge(deepgram::router())
        .merge(asr_webservice::router())
        .merge(whisper_cpp::router())
        .merge(mcp::router())
}
