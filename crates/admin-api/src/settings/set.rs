//! `PUT /api/v1/admin/settings`: changes limits, switches and defaults.

use anyhow::Context;
use axum::extract::State;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::Violations;
use slovo_rules::server_settings::{validate_defaults, validate_limits, validate_switches};
use slovo_server_settings::Settings;

use super::{Body, most_upload_bytes};

/// Sets limits, features and defaults. They take effect immediately here and within seconds in other
/// processes.
#[utoipa::path(put, path = "/admin/settings", tag = "admin", operation_id = "set_server_settings",
    request_body = Body,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(body): Json<Body>,
) -> Result<Json<Body>, Problem> {
    let mut transaction = state.db.write().await?;
    let before = slovo_server_settings::read(&mut transaction).await?;
    let largest = most_upload_bytes(&state, &before.limits);
    let limits =
        validate_limits(&body.limits, largest).map_err(|violations| under("limits", violations))?;
    let switches = validate_switches(body.switches);
    let defaults = body.defaults.unwrap_or_else(|| before.defaults.clone());
    let defaults =
        validate_defaults(&defaults).map_err(|violations| under("defaults", violations))?;
    let after = Settings {
        limits: *limits,
        switches: *switches,
        defaults: (*defaults).clone(),
    };
    if before == after {
        return Ok(Json(after.into()));
    }
    let now = state.clock.now_ms();
    slovo_server_settings::store(&mut transaction, &limits, &switches, &defaults, now).await?;
    let as_json = |settings: Settings| serde_json::to_value(Body::from(settings));
    let change = Change {
        action: "settings.update",
        kind: "settings",
        id: "server",
        name: "",
        before: as_json(before).context("settings as JSON")?,
        after: as_json(after.clone()).context("settings as JSON")?,
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    state.settings.changed();
    Ok(Json(after.into()))
}

fn under(group: &str, violations: Violations) -> Problem {
    let mut all = Violations::new();
    all.extend_under(group, violations);
    Problem::from(all)
}
