//! Requests of a server that uses this one as its speech endpoint.

use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_rules::job_plan;
use slovo_rules::settings::Source;
use slovo_work::speech_endpoint;

use crate::refusal::Refusal;
use crate::request::SpeechRequest;
use crate::run;

/// Refuses a request of a server that uses this one as its speech endpoint, if this one would send the
/// recording to an endpoint of its own: it might come back.
///
/// # Errors
/// The refusal.
pub(crate) async fn check_not_sent_on(
    state: &AppState,
    caller: &Caller,
    request: &SpeechRequest,
) -> Result<(), Refusal> {
    let settings = run::settings(state, caller, request).await?;
    let plan = job_plan::validate(&settings, Source::File).map_err(Problem::from)?;
    let mut connection = state.db.read().await.map_err(Problem::from)?;
    let stored = speech_endpoint::stored(&mut connection).await;
    if stored.map_err(Problem::from)?.form.serves(&plan) {
        let message = "This server has such recordings recognised by a speech endpoint of its own.";
        return Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            "speech_endpoint_loop",
            message,
        ));
    }
    Ok(())
}
