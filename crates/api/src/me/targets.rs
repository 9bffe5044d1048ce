//! `/api/v1/me/targets`: folders in which the caller's texts are kept up to date. No API key can use
//! them, because they outlive the key.

mod bodies;
pub(super) mod files;

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::groups;
use slovo_db::plans::ledger;
use slovo_db::targets::{self, Target};
use slovo_rules::Valid;
use slovo_rules::codes::ProblemCode;
use slovo_rules::source::is_elsewhere;
use slovo_rules::target::{MAX_TARGETS, TargetForm, TargetKind, validate};
use uuid::Uuid;

use super::own::{Own, Owned};
use crate::places::{self, password};
use bodies::{List, TargetBody};

impl Owned for Target {
    async fn find(connection: &mut Connection, id: Uuid) -> slovo_db::Result<Option<Self>> {
        targets::find(connection, id).await
    }

    fn is_of_user(&self, user_id: &str) -> bool {
        self.account_id == user_id
    }
}

/// Which kinds the caller may add.
fn permitted_kinds(state: &AppState, caller: &Caller) -> Vec<TargetKind> {
    let may_write = caller.is_admin() && !state.config.sources.target_folders.is_empty();
    let permitted = |kind: &&TargetKind| **kind != TargetKind::Folder || may_write;
    TargetKind::ALL.iter().filter(permitted).copied().collect()
}

/// Checks what the rules cannot: the address, and that the caller has the folder or tag.
async fn check(
    state: &AppState,
    connection: &mut Connection,
    caller: &Caller,
    form: &Valid<TargetForm>,
) -> Result<(), Problem> {
    if !permitted_kinds(state, caller).contains(&form.kind) {
        return Err(Problem::forbidden());
    }
    if form.kind == TargetKind::Webdav {
        places::check_address(state, &form.location)?;
    }
    if let Some(group) = &form.group_id {
        let found = match group.parse() {
            Ok(id) => groups::find(connection, &caller.user_id, id).await?,
            Err(_) => None,
        };
        if found.is_none() {
            return Err(Problem::not_found().detail("The account has no such folder or tag."));
        }
    }
    Ok(())
}

/// Logs an action on a target.
fn noted(target: &Target, action: &str) {
    let host = places::host(&target.location);
    let kind = target.kind.as_str();
    tracing::info!(user = target.account_id, target = %target.id, kind, host, "{action}");
}

/// The target as it is now.
async fn shown(
    state: &AppState,
    connection: &mut Connection,
    id: Uuid,
) -> Result<TargetBody, Problem> {
    let target = targets::find(connection, id).await?;
    let target = target.ok_or_else(Problem::not_found)?;
    Ok(TargetBody::of(state, connection, target).await?)
}

/// Lists the targets of the account.
#[utoipa::path(get, path = "/me/targets", tag = "me", operation_id = "list_targets",
    responses((status = OK, body = List)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<List>, Problem> {
    let mut connection = state.db.read().await?;
    let mut shown = Vec::new();
    for target in targets::of_account(&mut connection, &caller.user_id).await? {
        shown.push(TargetBody::of(&state, &mut connection, target).await?);
    }
    let kinds = permitted_kinds(&state, &caller);
    let folders = &state.config.sources.target_folders;
    let may_write = kinds.contains(&TargetKind::Folder);
    let folders = folders.iter().filter(|_| may_write);
    Ok(Json(List {
        targets: shown,
        folders: folders.map(|folder| folder.display().to_string()).collect(),
        kinds,
    }))
}

/// Adds a target. Texts that are finished or changed from now on are written there within seconds.
#[utoipa::path(post, path = "/me/targets", tag = "me", operation_id = "create_target",
    request_body = TargetForm,
    responses(
        (status = CREATED, body = TargetBody),
        (status = FORBIDDEN, body = Document, description = "forbidden: only administrators have \
            texts written to folders of the server"),
        (status = NOT_FOUND, body = Document, description = "not_found: the folder or tag does not \
            exist"),
        (status = CONFLICT, body = Document, description = "too_many_sources (params: max)"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<TargetForm>,
) -> Result<(StatusCode, Json<TargetBody>), Problem> {
    let form = validate(&form)?;
    let entered = (&*form.location, form.password.as_deref());
    let password = password::after(&state, entered, None).map_err(Problem::internal)?;
    let id: Uuid = state.new_id().parse().map_err(Problem::internal)?;
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    check(&state, &mut transaction, &caller, &form).await?;
    // Locks the account, so that targets are counted one request after the other.
    ledger::lock_balance(&mut transaction, user_id, now).await?;
    if targets::count(&mut transaction, user_id).await? >= MAX_TARGETS {
        let too_many = Problem::new(StatusCode::CONFLICT, ProblemCode::TooManySources);
        return Err(too_many.params([("max".to_owned(), Value::from(MAX_TARGETS))].into()));
    }
    targets::insert(&mut transaction, user_id, id, &form, password.as_ref(), now).await?;
    let added = targets::find(&mut transaction, id).await?;
    let body = shown(&state, &mut transaction, id).await?;
    transaction.commit().await?;
    if let Some(added) = added {
        noted(&added, "a target was added");
    }
    Ok((StatusCode::CREATED, Json(body)))
}

/// A target of the account.
#[utoipa::path(get, path = "/me/targets/{id}", tag = "me", operation_id = "get_target",
    params(("id" = Uuid, Path, description = "Target id")),
    responses(
        (status = OK, body = TargetBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    own: Own<Target>,
) -> Result<Json<TargetBody>, Problem> {
    let mut connection = state.db.read().await?;
    Ok(Json(
        TargetBody::of(&state, &mut connection, own.item).await?,
    ))
}

/// Changes a target. At another place, or with another format, the texts that it has are written anew.
#[utoipa::path(put, path = "/me/targets/{id}", tag = "me", operation_id = "update_target",
    params(("id" = Uuid, Path, description = "Target id")), request_body = TargetForm,
    responses(
        (status = OK, body = TargetBody),
        (status = FORBIDDEN, body = Document, description = "forbidden: only administrators have \
            texts written to folders of the server"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "source_kind_fixed"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused"),
    ))]
pub(super) async fn update(
    State(state): State<AppState>,
    own: Own<Target>,
    Json(form): Json<TargetForm>,
) -> Result<Json<TargetBody>, Problem> {
    let form = validate(&form)?;
    let Own {
        caller,
        item: target,
    } = own;
    if form.kind != target.kind {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            ProblemCode::SourceKindFixed,
        ));
    }
    let entered = (&*form.location, form.password.as_deref());
    let password = password::after(&state, entered, target.password.clone());
    let password = password.map_err(Problem::internal)?;
    let (id, now) = (target.id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    // What is only paused or renamed may have an address or a folder that is not permitted any more.
    if form.location != target.location || form.group_id != target.group_id {
        check(&state, &mut transaction, &caller, &form).await?;
    }
    let has_moved = is_elsewhere(target.kind.place(), &target.location, &form.location);
    let change = (has_moved || form.format != target.format, now);
    targets::update(&mut transaction, id, &form, password.as_ref(), change).await?;
    let body = shown(&state, &mut transaction, id).await?;
    transaction.commit().await?;
    noted(&target, "a target was changed");
    Ok(Json(body))
}

/// Deletes a target; the files that were written stay where they are.
#[utoipa::path(delete, path = "/me/targets/{id}", tag = "me", operation_id = "delete_target",
    params(("id" = Uuid, Path, description = "Target id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    own: Own<Target>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    targets::delete(&mut transaction, own.item.id).await?;
    transaction.commit().await?;
    noted(&own.item, "a target was deleted");
    Ok(StatusCode::NO_CONTENT)
}

/// Has a target written to now, also if it has to wait after a failure.
#[utoipa::path(post, path = "/me/targets/{id}/run", tag = "me", operation_id = "run_target",
    params(("id" = Uuid, Path, description = "Target id")),
    responses(
        (status = ACCEPTED, body = TargetBody, description = "It is written to within seconds"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "source_paused"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn run_now(
    State(state): State<AppState>,
    own: Own<Target>,
) -> Result<(StatusCode, Json<TargetBody>), Problem> {
    places::refuse_paused(own.item.is_active)?;
    state.limits.webhook_call(&own.caller.user_id)?;
    let mut transaction = state.db.write().await?;
    let now = state.clock.now_ms();
    targets::files::retry_all(&mut transaction, own.item.id).await?;
    targets::run_soon(&mut transaction, own.item.id, now).await?;
    let body = shown(&state, &mut transaction, own.item.id).await?;
    transaction.commit().await?;
    Ok((StatusCode::ACCEPTED, Json(body)))
}
