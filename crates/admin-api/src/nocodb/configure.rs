//! `PUT /api/v1/admin/nocodb`: sets or removes the external database.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::nocodb::{self, Config};
use slovo_rules::nocodb::{NocodbBase, validate_place};

use super::Body;

/// Configures the external database; leave both fields empty to turn it off. If the address or the
/// base changes, rows on both sides are matched again.
#[utoipa::path(put, path = "/admin/nocodb", tag = "admin", operation_id = "configure_nocodb",
    request_body = NocodbBase,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn configure(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<NocodbBase>,
) -> Result<Json<Body>, Problem> {
    let is_none = form.api_url.trim().is_empty() && form.project_id.trim().is_empty();
    let place = if is_none {
        None
    } else {
        Some(validate_place(&form)?)
    };
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let before = nocodb::config(&mut transaction).await?;
    let same = |config: &Config| {
        place.as_ref().is_some_and(|place| {
            config.api_url == place.api_url && config.project_id == place.project_id
        })
    };
    let is_change = match &before {
        Some(config) => !same(config),
        None => place.is_some(),
    };
    if is_change {
        nocodb::delete_all_links(&mut transaction).await?;
        match &place {
            Some(place) => nocodb::configure(&mut transaction, place, now).await?,
            None => nocodb::clear(&mut transaction).await?,
        }
        let after = nocodb::config(&mut transaction).await?;
        let change = Change {
            action: "nocodb.configure",
            kind: "nocodb",
            id: "1",
            name: place.as_ref().map_or("", |place| &place.api_url),
            before: audit_details(before.as_ref()),
            after: audit_details(after.as_ref()),
        };
        state
            .audit()
            .record(&mut transaction, &caller, change)
            .await?;
        transaction.commit().await?;
        return Ok(Json(Body::new(&state, after)));
    }
    Ok(Json(Body::new(&state, before)))
}

fn audit_details(config: Option<&Config>) -> Value {
    config.map_or(
        Value::Null,
        |config| json!({"api_url": config.api_url, "project_id": config.project_id}),
    )
}
