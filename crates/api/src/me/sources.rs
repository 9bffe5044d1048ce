//! `/api/v1/me/sources`: places that are watched for new recordings of the caller. No API key can add
//! or change them, because they outlive the key.

mod bodies;
pub(super) mod recordings;

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::ledger;
use slovo_db::sources::{self, Source};
use slovo_db::{Connection, presets};
use slovo_rules::Valid;
use slovo_rules::codes::ProblemCode;
use slovo_rules::source::{MAX_SOURCES, SourceForm, SourceKind, is_elsewhere, validate};
use uuid::Uuid;

use super::own::{Own, Owned};
use crate::places::{self, password};
use crate::presets::viewer;
pub(super) use bodies::ProblemBody;
use bodies::{List, SourceBody};

impl Owned for Source {
    async fn find(connection: &mut Connection, id: Uuid) -> slovo_db::Result<Option<Self>> {
        sources::find(connection, id).await
    }

    fn is_of_user(&self, user_id: &str) -> bool {
        self.account_id == user_id
    }
}

/// Which kinds the caller may add.
fn permitted_kinds(state: &AppState, caller: &Caller) -> Vec<SourceKind> {
    let may_watch = caller.is_admin() && !state.config.sources.watched_folders.is_empty();
    let permitted = |kind: &&SourceKind| **kind != SourceKind::Folder || may_watch;
    SourceKind::ALL.iter().filter(permitted).copied().collect()
}

/// Checks what the rules cannot: the address, and that the caller has the preset.
async fn check(
    state: &AppState,
    connection: &mut Connection,
    caller: &Caller,
    form: &Valid<SourceForm>,
) -> Result<(), Problem> {
    if !permitted_kinds(state, caller).contains(&form.kind) {
        return Err(Problem::forbidden());
    }
    if form.kind.has_address() {
        places::check_address(state, &form.location)?;
    }
    if let Some(preset) = &form.preset_id {
        let found = match preset.parse() {
            Ok(id) => presets::find(connection, viewer(caller), id).await?,
            Err(_) => None,
        };
        if found.is_none() {
            return Err(Problem::not_found().detail("The account has no such preset."));
        }
    }
    Ok(())
}

/// Logs an action on a source.
fn noted(source: &Source, action: &str) {
    let host = places::host(&source.location);
    let kind = source.kind.as_str();
    tracing::info!(user = source.account_id, source = %source.id, kind, host, "{action}");
}

/// The source as it is now.
async fn shown(
    state: &AppState,
    connection: &mut Connection,
    caller: &Caller,
    id: Uuid,
) -> Result<SourceBody, Problem> {
    let source = sources::find(connection, id).await?;
    let source = source.ok_or_else(Problem::not_found)?;
    Ok(SourceBody::of(state, connection, caller, source).await?)
}

/// Lists the sources of the account.
#[utoipa::path(get, path = "/me/sources", tag = "me", operation_id = "list_sources",
    responses((status = OK, body = List)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<List>, Problem> {
    let mut connection = state.db.read().await?;
    let mut shown = Vec::new();
    for source in sources::of_account(&mut connection, &caller.user_id).await? {
        shown.push(SourceBody::of(&state, &mut connection, &caller, source).await?);
    }
    let kinds = permitted_kinds(&state, &caller);
    let folders = &state.config.sources.watched_folders;
    let may_watch = kinds.contains(&SourceKind::Folder);
    let watched_folders = folders.iter().filter(|_| may_watch);
    Ok(Json(List {
        sources: shown,
        watched_folders: watched_folders
            .map(|folder| folder.display().to_string())
            .collect(),
        kinds,
    }))
}

/// Adds a source, which is looked at within seconds.
#[utoipa::path(post, path = "/me/sources", tag = "me", operation_id = "create_source",
    request_body = SourceForm,
    responses(
        (status = CREATED, body = SourceBody),
        (status = FORBIDDEN, body = Document, description = "forbidden: only administrators watch \
            folders of the server"),
        (status = NOT_FOUND, body = Document, description = "not_found: the preset does not exist"),
        (status = CONFLICT, body = Document, description = "too_many_sources (params: max)"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<SourceForm>,
) -> Result<(StatusCode, Json<SourceBody>), Problem> {
    let form = validate(&form)?;
    let password = password::after(&state, (&form.location, form.password.as_deref()), None)
        .map_err(Problem::internal)?;
    let id: Uuid = state.new_id().parse().map_err(Problem::internal)?;
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    check(&state, &mut transaction, &caller, &form).await?;
    // Locks the account, so that sources are counted one request after the other.
    ledger::lock_balance(&mut transaction, user_id, now).await?;
    if sources::count(&mut transaction, user_id).await? >= MAX_SOURCES {
        let too_many = Problem::new(StatusCode::CONFLICT, ProblemCode::TooManySources);
        return Err(too_many.params([("max".to_owned(), Value::from(MAX_SOURCES))].into()));
    }
    sources::insert(&mut transaction, user_id, id, &form, password.as_ref(), now).await?;
    let added = sources::find(&mut transaction, id).await?;
    let body = shown(&state, &mut transaction, &caller, id).await?;
    transaction.commit().await?;
    if let Some(added) = added {
        noted(&added, "a source was added");
    }
    Ok((StatusCode::CREATED, Json(body)))
}

/// A source of the account.
#[utoipa::path(get, path = "/me/sources/{id}", tag = "me", operation_id = "get_source",
    params(("id" = Uuid, Path, description = "Source id")),
    responses(
        (status = OK, body = SourceBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    own: Own<Source>,
) -> Result<Json<SourceBody>, Problem> {
    let mut connection = state.db.read().await?;
    let body = SourceBody::of(&state, &mut connection, &own.caller, own.item).await?;
    Ok(Json(body))
}

/// Changes a source. It is looked at within seconds. At another place, what was found at the old one is
/// forgotten, and what is there already is skipped unless `take_existing` is set; another query in the
/// address is the same place.
#[utoipa::path(put, path = "/me/sources/{id}", tag = "me", operation_id = "update_source",
    params(("id" = Uuid, Path, description = "Source id")), request_body = SourceForm,
    responses(
        (status = OK, body = SourceBody),
        (status = FORBIDDEN, body = Document, description = "forbidden: only administrators watch \
            folders of the server"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "source_kind_fixed"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused"),
    ))]
pub(super) async fn update(
    State(state): State<AppState>,
    own: Own<Source>,
    Json(form): Json<SourceForm>,
) -> Result<Json<SourceBody>, Problem> {
    let form = validate(&form)?;
    let Own {
        caller,
        item: source,
    } = own;
    if form.kind != source.kind {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            ProblemCode::SourceKindFixed,
        ));
    }
    let password = password::after(
        &state,
        (&form.location, form.password.as_deref()),
        source.password.clone(),
    );
    let password = password.map_err(Problem::internal)?;
    let (id, now) = (source.id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    // What is only paused or renamed may have an address or a preset that is not permitted any more.
    if form.location != source.location || form.preset_id != source.preset_id {
        check(&state, &mut transaction, &caller, &form).await?;
    }
    let has_moved = is_elsewhere(source.kind, &source.location, &form.location);
    let change = (has_moved, now);
    sources::update(&mut transaction, id, &form, password.as_ref(), change).await?;
    let body = shown(&state, &mut transaction, &caller, id).await?;
    transaction.commit().await?;
    noted(&source, "a source was changed");
    Ok(Json(body))
}

/// Deletes a source; what came from it stays in the library.
#[utoipa::path(delete, path = "/me/sources/{id}", tag = "me", operation_id = "delete_source",
    params(("id" = Uuid, Path, description = "Source id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    own: Own<Source>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    sources::delete(&mut transaction, own.item.id).await?;
    transaction.commit().await?;
    noted(&own.item, "a source was deleted");
    Ok(StatusCode::NO_CONTENT)
}

/// Has a source looked at now.
#[utoipa::path(post, path = "/me/sources/{id}/check", tag = "me", operation_id = "check_source",
    params(("id" = Uuid, Path, description = "Source id")),
    responses(
        (status = ACCEPTED, body = SourceBody, description = "It is looked at within seconds"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "source_paused"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn check_now(
    State(state): State<AppState>,
    own: Own<Source>,
) -> Result<(StatusCode, Json<SourceBody>), Problem> {
    places::refuse_paused(own.item.is_active)?;
    state.limits.webhook_call(&own.caller.user_id)?;
    let mut transaction = state.db.write().await?;
    sources::check_soon(&mut transaction, own.item.id, state.clock.now_ms()).await?;
    let body = shown(&state, &mut transaction, &own.caller, own.item.id).await?;
    transaction.commit().await?;
    Ok((StatusCode::ACCEPTED, Json(body)))
}
