//! `POST /api/v1/auth/google/session`: fetches the session of a completed sign-in.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use serde::Deserialize;
use slovo_app::auth::Origin;
use slovo_app::auth::session::{self, Session, token_hash};
use slovo_app::auth::sign_ins::{self, Failure};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, Status, identities};
use slovo_rules::codes::ProblemCode;
use slovo_rules::sign_in::{SignInMethod, SignInOutcome};
use utoipa::ToSchema;

use super::cookie::{clear_cookie, cookie};

/// The handoff that leads from the redirect to the session.
#[derive(Deserialize, ToSchema)]
pub(super) struct HandoffForm {
    /// From the URL of the page. It works once, for a minute, in the browser that began the
    /// sign-in.
    pub handoff: String,
}

/// Exchanges a handoff for its session.
#[utoipa::path(post, path = "/google/session", tag = "auth", operation_id = "google_session",
    security(()), request_body = HandoffForm,
    responses(
        (status = OK, body = Session),
        (status = FORBIDDEN, body = Document, description = "account_blocked"),
        (status = GONE, body = Document, description = "handoff_expired"),
    ))]
pub(super) async fn session(
    State(state): State<AppState>,
    origin: Origin,
    headers: HeaderMap,
    Json(form): Json<HandoffForm>,
) -> ([(HeaderName, String); 1], Result<Json<Session>, Problem>) {
    let browser = cookie(&headers);
    let session = exchange(&state, &origin, browser, &form.handoff).await;
    // The cookie is needed no longer, whether the exchange succeeded or not.
    ([(header::SET_COOKIE, clear_cookie(&state))], session)
}

async fn exchange(
    state: &AppState,
    origin: &Origin,
    browser: Option<&str>,
    handoff: &str,
) -> Result<Json<Session>, Problem> {
    let expired = || Problem::new(StatusCode::GONE, ProblemCode::HandoffExpired);
    let browser = token_hash(browser.ok_or_else(expired)?);
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let handoff =
        identities::consume_handoff(&mut transaction, &token_hash(handoff), &browser, now).await?;
    let handoff = handoff.ok_or_else(expired)?;
    // A concurrent block is seen here, or waits for this transaction and ends the session too.
    accounts::lock(&mut transaction, &handoff.user_id).await?;
    let account = accounts::get(&mut transaction, &handoff.user_id).await?;
    let account = account.ok_or_else(expired)?;
    if account.status == Status::Blocked {
        drop(transaction);
        let failure = Failure {
            email: &account.email,
            account_id: Some(account.id.clone()),
            method: SignInMethod::OpenId,
            outcome: SignInOutcome::Blocked,
        };
        sign_ins::failed(state.auth(), origin, failure).await;
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            ProblemCode::AccountBlocked,
        ));
    }
    let method = SignInMethod::OpenId;
    let written =
        sign_ins::succeeded(state.auth(), &mut transaction, origin, &account, method).await;
    written.map_err(Problem::internal)?;
    let (device, remember) = (&origin.device, handoff.remember);
    let session = session::begin(state.auth(), &mut transaction, account, device, remember).await?;
    transaction.commit().await?;
    Ok(Json(session))
}
