//! `GET /api/v1/admin/users/{id}/minutes` and `/usage-history`: an account's minutes and their
//! history.

use axum::extract::State;
use slovo_api::me::minutes::Minutes;
use slovo_api::me::usage::{Page, Reader, UsagePageParams, page};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Query};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_db::plans::ledger;
use uuid::Uuid;

use super::Error;

/// Returns an account's minutes this month.
#[utoipa::path(get, path = "/admin/users/{id}/minutes", tag = "admin",
    operation_id = "get_user_minutes",
    params(("id" = Uuid, Path, description = "Account id")),
    responses(
        (status = OK, body = Minutes),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn minutes(
    State(state): State<AppState>,
    _administrator: Administrator,
    Path(id): Path<Uuid>,
) -> Result<Json<Minutes>, Error> {
    let id = id.to_string();
    let mut connection = state.db.read().await?;
    if accounts::get(&mut connection, &id).await?.is_none() {
        return Err(Error::NotFound);
    }
    let balance = ledger::read_balance(&mut connection, &id, state.clock.now_ms()).await?;
    Ok(Json(Minutes::from(&balance)))
}

/// Lists the changes to an account's minutes.
#[utoipa::path(get, path = "/admin/users/{id}/usage-history", tag = "admin",
    operation_id = "list_user_usage_history",
    params(("id" = Uuid, Path, description = "Account id"), UsagePageParams),
    responses(
        (status = OK, body = Page),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn history(
    State(state): State<AppState>,
    _administrator: Administrator,
    Path(id): Path<Uuid>,
    Query(query): Query<UsagePageParams>,
) -> Result<Json<Page>, Error> {
    let id = id.to_string();
    let mut connection = state.db.read().await?;
    if accounts::get(&mut connection, &id).await?.is_none() {
        return Err(Error::NotFound);
    }
    let page = page(&mut connection, &id, Reader::Administrator, &query).await?;
    Ok(Json(page))
}
