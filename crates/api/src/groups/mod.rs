//! Tags and folders: `/api/v1/tags` and `/api/v1/folders`. Each user sees only their own; those of
//! others are not found.

use std::collections::BTreeMap;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Path, Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs::groups::{self, Group, NAME_KEY, NewGroup, UpdateOutcome};
use slovo_db::texts::search;
use slovo_rules::codes::ProblemCode;
use slovo_rules::group::{self as rules, GroupKind, MAX_OWN};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

mod folders;
mod tags;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let router = OpenApiRouter::new()
        .routes(routes!(tags::list, tags::create))
        .routes(routes!(tags::change, tags::remove))
        .routes(routes!(folders::list, folders::create))
        .routes(routes!(folders::change, folders::remove));
    time_limit(router)
}

/// A tag or a folder.
#[derive(Serialize, ToSchema)]
#[schema(as = JobGroup)]
pub(crate) struct GroupBody {
    /// Its id.
    id: Uuid,
    /// Its name.
    name: String,
    /// One of eight colours, from 0; pages show it beside the name.
    #[schema(minimum = 0, maximum = 7)]
    color: u8,
}

impl From<Group> for GroupBody {
    fn from(group: Group) -> Self {
        Self {
            id: group.id,
            name: group.name,
            color: group.color,
        }
    }
}

/// Name and colour of a tag or a folder.
#[derive(Deserialize, ToSchema)]
#[schema(as = JobGroupForm)]
#[serde(deny_unknown_fields)]
struct Form {
    /// 1 to 40 characters, on one line; unique among the account's tags or folders, ignoring case.
    name: String,
    /// One of eight colours: 0 to 7.
    #[schema(minimum = 0, maximum = 7)]
    color: i64,
}

/// The caller's tag or folder from the path.
struct OwnGroup {
    caller: Caller,
    group: Group,
}

impl OwnGroup {
    /// Checks that it is of this kind.
    fn of(self, kind: GroupKind) -> Result<Self, Problem> {
        match self.group.kind == kind {
            true => Ok(self),
            false => Err(Problem::not_found()),
        }
    }
}

impl FromRequestParts<AppState> for OwnGroup {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(id) = Path::<Uuid>::from_request_parts(parts, state).await?;
        let mut connection = state.db.read().await?;
        let group = groups::find(&mut connection, &caller.user_id, id).await?;
        let group = group.ok_or_else(Problem::not_found)?;
        Ok(Self { caller, group })
    }
}

/// Checks that the caller has a tag or folder with this id.
///
/// # Errors
/// `not_found` otherwise.
pub(super) async fn ensure_exists(
    state: &AppState,
    caller: &Caller,
    id: Uuid,
    kind: GroupKind,
) -> Result<(), Problem> {
    let group = groups::find(&mut *state.db.read().await?, &caller.user_id, id).await?;
    match group.is_some_and(|group| group.kind == kind) {
        true => Ok(()),
        false => Err(Problem::not_found()),
    }
}

async fn all(
    state: &AppState,
    caller: &Caller,
    kind: GroupKind,
) -> Result<Vec<GroupBody>, Problem> {
    let mut connection = state.db.read().await?;
    let found = groups::list(&mut connection, &caller.user_id, kind).await?;
    Ok(found.into_iter().map(GroupBody::from).collect())
}

async fn make(
    state: &AppState,
    caller: &Caller,
    kind: GroupKind,
    form: &Form,
) -> Result<GroupBody, Problem> {
    let form = rules::validate(&form.name, form.color)?;
    let id = state.new_id().parse().map_err(Problem::internal)?;
    let user_id = &caller.user_id;
    let mut transaction = state.db.write().await?;
    let count = groups::count(&mut transaction, user_id, kind).await?;
    if usize::try_from(count).unwrap_or(usize::MAX) >= MAX_OWN {
        let code = match kind {
            GroupKind::Tag => ProblemCode::TooManyTags,
            GroupKind::Folder => ProblemCode::TooManyFolders,
        };
        let params = BTreeMap::from([("max".to_owned(), MAX_OWN.into())]);
        return Err(Problem::new(StatusCode::CONFLICT, code).params(params));
    }
    let group = NewGroup {
        id,
        user_id,
        kind,
        form: &form,
        now: state.clock.now_ms(),
    };
    groups::insert(&mut transaction, &group)
        .await
        .map_err(refused)?;
    transaction.commit().await?;
    let form = form.into_inner();
    Ok(GroupBody {
        id,
        name: form.name,
        color: form.color,
    })
}

async fn update_group(state: &AppState, own: OwnGroup, form: &Form) -> Result<GroupBody, Problem> {
    let form = rules::validate(&form.name, form.color)?;
    let id = own.group.id;
    let mut transaction = state.db.write().await?;
    let user = &own.caller.user_id;
    let updated = groups::update(&mut transaction, user, id, &form).await;
    match updated.map_err(refused)? {
        UpdateOutcome::NotFound => return Err(Problem::not_found()),
        UpdateOutcome::Renamed => {
            search::mark_tagged_jobs_stale(&mut transaction, user, id).await?;
        }
        UpdateOutcome::SameName => {}
    }
    transaction.commit().await?;
    let form = form.into_inner();
    Ok(GroupBody {
        id,
        name: form.name,
        color: form.color,
    })
}

async fn end(state: &AppState, own: OwnGroup) -> Result<StatusCode, Problem> {
    let (user, id) = (&own.caller.user_id, own.group.id);
    let mut transaction = state.db.write().await?;
    groups::block_additions(&mut transaction, user, id).await?;
    search::mark_tagged_jobs_stale(&mut transaction, user, id).await?;
    if !groups::delete(&mut transaction, user, id).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn refused(error: slovo_db::Error) -> Problem {
    match error.constraint() {
        Some(NAME_KEY) => Problem::new(StatusCode::CONFLICT, ProblemCode::GroupNameTaken),
        _ => error.into(),
    }
}
