//! `/api/v1/admin/api-keys`: the API keys of all accounts, without their secrets.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_api::me::api_keys::ApiKeyBody;
use slovo_app::auth::Administrator;
use slovo_app::http::list_query::plain;
use slovo_app::http::{Document, Json, Path, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::accounts::api_keys::{self, OwnedKey};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::page::PageParams;

/// Filters for the keys.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct KeyQuery {
    /// Part of the owner's e-mail address; case is ignored.
    search: Option<String>,
}

/// A key with its owner.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnedApiKey)]
pub(super) struct OwnedKeyBody {
    /// The account.
    user_id: String,
    /// Its e-mail address.
    email: String,
    /// The key.
    key: ApiKeyBody,
}

impl From<OwnedKey> for OwnedKeyBody {
    fn from(owned: OwnedKey) -> Self {
        Self {
            user_id: owned.user_id,
            email: owned.email,
            key: owned.key.into(),
        }
    }
}

/// A page of keys.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKeyPage)]
pub(super) struct Page {
    /// The newest first.
    items: Vec<OwnedKeyBody>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists the API keys of all accounts.
#[utoipa::path(get, path = "/admin/api-keys", tag = "admin", operation_id = "list_all_api_keys",
    params(KeyQuery, PageParams),
    responses(
        (status = OK, body = Page),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(wanted): Query<KeyQuery>,
    Query(query): Query<PageParams>,
) -> Result<Json<Page>, Problem> {
    let after = query.after()?;
    let search = plain(wanted.search.as_deref());
    let mut connection = state.db.read().await?;
    let mut found = api_keys::list_all(&mut connection, &search, after, query.read()).await?;
    let next_cursor = query.cut(&mut found, |owned| (owned.key.created_at, owned.key.id));
    Ok(Json(Page {
        items: found.into_iter().map(OwnedKeyBody::from).collect(),
        next_cursor,
    }))
}

/// Revokes a user's API key: it no longer works, and streams opened with it end.
#[utoipa::path(delete, path = "/admin/api-keys/{id}", tag = "admin",
    operation_id = "revoke_any_api_key",
    params(("id" = Uuid, Path, description = "Key id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn revoke(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    let owned = api_keys::find(&mut transaction, id).await?;
    let owned = owned.ok_or_else(Problem::not_found)?;
    api_keys::delete(&mut transaction, &owned.user_id, id).await?;
    let change = Change {
        action: "user.revoke_key",
        kind: "user",
        id: &owned.user_id,
        name: &owned.email,
        before: json!({ "name": owned.key.name }),
        after: Value::Null,
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
