//! `GET /api/v1/admin/users`: who has an account.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_db::account_search;
use slovo_db::accounts::{self, Account};
use utoipa::{IntoParams, ToSchema};

use crate::auth::Administrator;
use crate::auth::session::Role;
use crate::clock::from_ms;
use crate::http::{Document, Json, Problem, Query};
use crate::state::AppState;

/// Most accounts that are given: whoever looks for another one searches.
const MOST: usize = 100;

/// Whether an account may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AccountStatus)]
pub(super) enum Status {
    /// It may.
    Active,
    /// An administrator has blocked it.
    Blocked,
}

/// An account as administrators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedUser)]
pub(super) struct ManagedUser {
    /// UUID.
    #[schema(format = Uuid)]
    pub id: String,
    /// Normalised e-mail address.
    pub email: String,
    /// Name from the profile.
    #[schema(required)]
    pub fullname: Option<String>,
    /// What they may do.
    pub role: Role,
    /// Whether it may be used.
    pub status: Status,
    /// When the account was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

impl From<Account> for ManagedUser {
    fn from(account: Account) -> Self {
        Self {
            status: match account.status {
                accounts::Status::Active => Status::Active,
                accounts::Status::Blocked => Status::Blocked,
            },
            role: if account.is_admin {
                Role::Admin
            } else {
                Role::User
            },
            created_at: from_ms(account.created_at),
            id: account.id,
            email: account.email,
            fullname: account.fullname,
        }
    }
}

/// Accounts.
#[derive(Serialize, ToSchema)]
#[schema(as = UserList)]
pub(super) struct List {
    /// The newest first, at most 100.
    users: Vec<ManagedUser>,
    /// How many there are in all that fit the search.
    total: i64,
}

/// Which accounts.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// A part of the address or the name; case does not matter.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    pub search: String,
}

/// Accounts whose address or name has the search in it.
#[utoipa::path(get, path = "/admin/users", tag = "admin", operation_id = "list_users",
    params(Filter),
    responses(
        (status = OK, body = List),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(filter): Query<Filter>,
) -> Result<Json<List>, Problem> {
    let mut connection = state.db.read().await?;
    let found = account_search::search(&mut connection, &filter.search, MOST).await?;
    Ok(Json(List {
        users: found.accounts.into_iter().map(Into::into).collect(),
        total: i64::try_from(found.total).unwrap_or(i64::MAX),
    }))
}
