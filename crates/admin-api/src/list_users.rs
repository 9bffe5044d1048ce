//! `GET /api/v1/admin/users`: all accounts.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Administrator;
use slovo_app::auth::session::Role;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_db::accounts::search::Person;
use slovo_platform::clock::from_ms;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::page::PageParams;

/// Whether an account can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AccountStatus)]
pub(super) enum Status {
    /// It can.
    Active,
    /// An administrator has blocked it.
    Blocked,
}

impl From<accounts::Status> for Status {
    fn from(status: accounts::Status) -> Self {
        match status {
            accounts::Status::Active => Self::Active,
            accounts::Status::Blocked => Self::Blocked,
        }
    }
}

impl From<Status> for accounts::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Active => Self::Active,
            Status::Blocked => Self::Blocked,
        }
    }
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
    /// Name from the profile, or else from the external database.
    #[schema(required)]
    pub fullname: Option<String>,
    /// Number of its plan; null without one.
    #[schema(required)]
    pub subscription_id: Option<i64>,
    /// Name of its plan; null without one.
    #[schema(required)]
    pub plan_name: Option<String>,
    /// The account's role.
    pub role: Role,
    /// Whether it can be used.
    pub status: Status,
    /// When the account was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When one of its sessions was last used; null if it has no sessions.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub last_used_at: Option<Timestamp>,
}

impl From<Person> for ManagedUser {
    fn from(person: Person) -> Self {
        let account = person.account;
        Self {
            fullname: person.name,
            plan_name: person.plan_name,
            last_used_at: person.last_used_at.map(from_ms),
            status: account.status.into(),
            role: if account.is_admin {
                Role::Admin
            } else {
                Role::User
            },
            subscription_id: account.plan_number,
            created_at: from_ms(account.created_at),
            id: account.id,
            email: account.email,
        }
    }
}

/// A page of accounts.
#[derive(Serialize, ToSchema)]
#[schema(as = UserList)]
pub(super) struct List {
    /// The newest first.
    users: Vec<ManagedUser>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Total number of matching accounts.
    total: u64,
}

/// Filters for the accounts.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Part of the address or the name; case is ignored.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    search: String,
    /// Active or blocked; both if absent.
    status: Option<Status>,
    /// The role; all if absent.
    role: Option<Role>,
    /// Number of the plan; 0 finds accounts without one.
    #[param(value_type = Option<i64>, minimum = 0)]
    plan: Option<u64>,
}

impl From<Filter> for accounts::search::Filter {
    fn from(filter: Filter) -> Self {
        Self {
            search: filter.search,
            status: filter.status.map(Into::into),
            is_admin: filter.role.map(|role| role == Role::Admin),
            plan: filter.plan.map(|number| match number {
                0 => accounts::search::Plan::Without,
                // Larger than any plan's number: no account matches.
                number => accounts::search::Plan::Number(i64::try_from(number).unwrap_or(i64::MAX)),
            }),
        }
    }
}

/// Lists accounts, optionally those whose email or name contains the search.
#[utoipa::path(get, path = "/admin/users", tag = "admin", operation_id = "list_users",
    params(PageParams, Filter),
    responses(
        (status = OK, body = List),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(query): Query<PageParams>,
    Query(filter): Query<Filter>,
) -> Result<Json<List>, Problem> {
    let filter = filter.into();
    let after = query.after()?.map(|(at, id)| (at, id.to_string()));
    let after = after.as_ref().map(|(at, id)| (*at, id.as_str()));
    let mut connection = state.db.read().await?;
    let mut found = accounts::search::list(&mut connection, &filter, after, query.read()).await?;
    let total = accounts::search::count(&mut connection, &filter).await?;
    let next_cursor = query.cut(&mut found, |person| {
        let id = Uuid::parse_str(&person.account.id).unwrap_or_default();
        (person.account.created_at, id)
    });
    Ok(Json(List {
        users: found.into_iter().map(Into::into).collect(),
        next_cursor,
        total,
    }))
}
