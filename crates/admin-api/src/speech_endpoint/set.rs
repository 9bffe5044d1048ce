//! `PUT /api/v1/admin/speech-endpoint`: changes the endpoint.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::server_settings::validate_endpoint_key;
use slovo_rules::speech_endpoint::validate;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_work::speech_endpoint::{self, StoredSettings};

use super::{Form, View};
use crate::endpoint_audit::with_key;

/// Sets the OpenAI-compatible speech endpoint. Jobs that begin afterwards use it, if it serves their
/// mode and language; an empty address removes it. A key is kept only for the scheme, host and port
/// it was entered for, encrypted with the server's secret, and never returned.
#[utoipa::path(put, path = "/admin/speech-endpoint", tag = "admin",
    operation_id = "set_speech_endpoint", request_body = Form,
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<Form>,
) -> Result<Json<View>, Problem> {
    let (form, key) = form.parts();
    let valid = validate(&form)?;
    let endpoints = state.jobs.speech_endpoints();
    let entered = key.as_deref().map(validate_endpoint_key).transpose()?;
    let mut transaction = state.db.write().await?;
    let before = speech_endpoint::stored(&mut transaction).await?;
    let mut after = StoredSettings {
        form: (*valid).clone(),
        key: before.key.clone(),
    };
    if endpoints.endpoint(&after).is_err() {
        return Err(Violations::from(Violation::new("url", Code::UrlInvalid)).into());
    }
    match entered {
        None => {}
        Some(None) => after.key = None,
        Some(Some(_)) if after.form.url.is_empty() => {
            return Err(Violations::from(Violation::new("url", Code::UrlRequired)).into());
        }
        Some(Some(key)) => after.key = Some(endpoints.seal_key(&after.form.url, key)?),
    }
    // Nobody needs the key of an endpoint that is gone.
    if after.form.url.is_empty() {
        after.key = None;
    }
    if before != after {
        let now = state.clock.now_ms();
        speech_endpoint::store(&mut transaction, &valid, after.key.as_ref(), now).await?;
        let is_new_key = after.key.is_some() && after.key != before.key;
        let change = Change {
            action: "speech_endpoint.configure",
            kind: "speech_endpoint",
            id: "endpoint",
            name: &valid.url,
            before: audit_details(&before, false),
            after: audit_details(&after, is_new_key),
        };
        state
            .audit()
            .record(&mut transaction, &caller, change)
            .await?;
        transaction.commit().await?;
    }
    Ok(Json(View::of(&state, &after)))
}

/// The entry for the audit log.
fn audit_details(stored: &StoredSettings, is_new_key: bool) -> Value {
    let StoredSettings { form, key } = stored;
    let modes = [(form.full, "full"), (form.lite, "lite")];
    let modes = modes.into_iter().filter(|(serves, _)| *serves);
    let modes: Vec<_> = modes.map(|(_, mode)| mode).collect();
    let details = json!({
        "url": form.url,
        "model": form.model,
        "modes": modes,
        "languages": form.languages,
        "translates": form.translates,
        "parallel": form.parallel,
        "falls_back": form.falls_back,
    });
    with_key(details, key.as_ref(), is_new_key)
}
