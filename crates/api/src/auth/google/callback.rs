//! `GET /api/v1/auth/google/callback`: the redirect URI for the provider.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::net::IpAddr;

use anyhow::anyhow;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use slovo_app::auth::Origin;
use slovo_app::auth::openid::attempt::{Attempt, Intent};
use slovo_app::auth::openid::person::{self, HANDOFF_SECONDS, PendingHandoff, SignInError};
use slovo_app::auth::session::token_hash;
use slovo_app::auth::sign_ins::{self, Failure};
use slovo_app::http::{Problem, Query};
use slovo_app::state::AppState;
use slovo_rules::sign_in::SignInMethod;
use utoipa::IntoParams;

use super::cookie::{cookie, set_cookie};
use super::{redirect, redirect_back};

/// Maximum length of the provider's error in the log, in characters.
const MAX_LOGGED: usize = 100;

/// The provider's response (RFC 6749, section 4.1.2).
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Answer {
    /// Code to be exchanged for tokens.
    pub code: Option<String>,
    /// The state that was sent to the provider.
    pub state: Option<String>,
    /// The error, if there is no code.
    pub error: Option<String>,
}

/// Completes the sign-in at the provider and redirects the browser back to the page.
#[utoipa::path(get, path = "/google/callback", tag = "auth", operation_id = "finish_google",
    security(()), params(Answer),
    responses((status = SEE_OTHER, description = "To the page, with a handoff or a problem")))]
pub(super) async fn callback(
    State(state): State<AppState>,
    origin: Origin,
    headers: HeaderMap,
    answer: Result<Query<Answer>, Problem>,
) -> Response {
    let attempt =
        cookie(&headers).and_then(|sealed| Attempt::open(&state.secret, sealed, state.clock.now()));
    let intent = attempt
        .as_ref()
        .map_or(Intent::Login, |attempt| attempt.intent);
    match finish(&state, origin.address, attempt, answer).await {
        Ok(handed) => {
            let page = format!(
                "{}/signed-in#handoff={}",
                state.config.public_url().as_str(),
                handed.token
            );
            let cookie = set_cookie(&state, &handed.browser, HANDOFF_SECONDS);
            redirect(&page, cookie)
        }
        Err(refusal) => {
            refusal.log();
            if let Some(outcome) = refusal.outcome() {
                let failure = Failure {
                    email: "",
                    account_id: None,
                    method: SignInMethod::OpenId,
                    outcome,
                };
                sign_ins::failed(state.auth(), &origin, failure).await;
            }
            redirect_back(&state, intent, refusal.problem())
        }
    }
}

async fn finish(
    state: &AppState,
    address: IpAddr,
    attempt: Option<Attempt>,
    answer: Result<Query<Answer>, Problem>,
) -> Result<PendingHandoff, SignInError> {
    let switches = state.settings.current().await?.switches;
    let openid = state.openid.as_ref().filter(|_| switches.google);
    let openid = openid.ok_or(SignInError::ForeignRequest(
        "sign-in with Google is not set up",
    ))?;
    let attempt = attempt.ok_or(SignInError::ForeignRequest(
        "no sign-in began in this browser",
    ))?;
    let Query(answer) =
        answer.map_err(|_| SignInError::ForeignRequest("the answer is malformed"))?;
    let secrets = attempt.secrets(&state.secret);
    // Compared as hashes, so that timing reveals nothing about the expected state.
    if token_hash(&answer.state.unwrap_or_default()) != token_hash(&secrets.state) {
        return Err(SignInError::ForeignRequest(
            "it is the answer to another sign-in",
        ));
    }
    if let Some(error) = answer.error {
        let error: String = error.chars().take(MAX_LOGGED).collect();
        return Err(SignInError::Failed(anyhow!(
            "the provider returned the error {error:?}"
        )));
    }
    let code = answer.code.filter(|code| !code.is_empty());
    let code = code.ok_or(SignInError::ForeignRequest("there is no code"))?;
    let limits = state.limits.login(address);
    limits.map_err(|_| SignInError::ForeignRequest("too many sign-ins from one address"))?;
    let person = openid.identify(code, secrets).await?;
    person::hand_off(state.auth(), &person, &attempt, switches.sign_up).await
}
