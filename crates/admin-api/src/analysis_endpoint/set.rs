//! `PUT /api/v1/admin/analysis-endpoint`: changes the endpoint.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::server_settings::{AnalysisForm, validate_analysis, validate_endpoint_key};
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_work::analysis::configured::{self, StoredSettings};

use super::{Form, View};
use crate::endpoint_audit::with_key;

/// Sets the language model endpoint, overriding the server's configuration. It takes effect
/// immediately here and within seconds in other processes; running work finishes with the endpoint
/// it started with. A key is kept only for the scheme, host and port it was entered for, encrypted
/// with the server's secret, and never returned.
#[utoipa::path(put, path = "/admin/analysis-endpoint", tag = "admin",
    operation_id = "set_analysis_endpoint", request_body = Form,
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
    let valid = validate_analysis(&AnalysisForm {
        url: form.url,
        model: form.model,
    })?;
    let entered = form.key.as_deref().map(validate_endpoint_key).transpose()?;
    let mut transaction = state.db.write().await?;
    let before = configured::stored(&mut transaction).await?;
    let mut after = StoredSettings {
        form: (*valid).clone(),
        key: before.key.clone(),
    };
    let found = state.analyses.in_force(&after)?;
    match entered {
        None => {}
        Some(None) => after.key = None,
        Some(Some(key)) => {
            let url = found.map(|found| found.url);
            let url =
                url.ok_or_else(|| Violations::from(Violation::new("url", Code::UrlRequired)))?;
            after.key = Some(state.analyses.seal_key(&url, key)?);
        }
    }
    if before != after {
        let now = state.clock.now_ms();
        configured::store(&mut transaction, &valid, after.key.as_ref(), now).await?;
        let is_new_key = after.key.is_some() && after.key != before.key;
        let change = Change {
            action: "analysis.configure",
            kind: "analysis",
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
        state.analyses.apply_configured().await?;
    }
    Ok(Json(View::of(&state, &after)))
}

/// The entry for the audit log.
fn audit_details(stored: &StoredSettings, is_new_key: bool) -> Value {
    let StoredSettings { form, key } = stored;
    let details = json!({
        "url": form.url,
        "model": form.model,
    });
    with_key(details, key.as_ref(), is_new_key)
}
