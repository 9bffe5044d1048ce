//! `GET /api/v1/search/{id}`: all matches of a query in one job.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_db::texts::search::{self, Terms};
use slovo_rules::language::Language;
use slovo_rules::limits::PASSAGES_PAGE;
use slovo_transcripts::search::Finder;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::find::{SearchHit, after, with_languages};

/// Largest page size.
const MAX_PAGE_SIZE: u32 = 200;

/// The query.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct HitsQuery {
    /// The words, as in `GET /api/v1/search`.
    q: String,
    /// 1 to 200; 50 if absent.
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Only passages in this spoken language; all if absent.
    #[param(inline)]
    language: Option<Language>,
}

/// A page of matching passages.
#[derive(Serialize, ToSchema)]
pub(super) struct HitPage {
    /// The passages with the most words, in the order of the recording.
    items: Vec<SearchHit>,
    /// Number of passages on all pages.
    count: usize,
    /// Cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// Returns all matching passages in one of the caller's jobs. Empty if there are none.
#[utoipa::path(get, path = "/search/{id}", tag = "search", operation_id = "search_job",
    params(("id" = String, Path, description = "Job id"), HitsQuery),
    responses(
        (status = OK, body = HitPage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn hits(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Query(query): Query<HitsQuery>,
) -> Result<Json<HitPage>, Problem> {
    let skip = after(query.cursor.as_deref())?;
    let limit = query.limit.unwrap_or(PASSAGES_PAGE).clamp(1, MAX_PAGE_SIZE);
    let terms = Terms::new(&query.q);
    let mut connection = state.db.read().await?;
    let job = jobs::find(&mut connection, &caller.user_id, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let passages = search::passages(&mut connection, &[id], &terms).await?;
    let passages = with_languages(passages.into_values().flatten(), &job);
    let asked = query.language.map(Language::as_str);
    let passages = passages
        .filter(|passage| asked.is_none() || passage.language.as_deref() == asked)
        .collect();
    let found = Finder::new(&terms).hits(passages, skip as usize, limit as usize);
    let next = skip.saturating_add(limit);
    Ok(Json(HitPage {
        items: found.hits.into_iter().map(SearchHit::from).collect(),
        count: found.count,
        next_cursor: (found.count > next as usize).then(|| next.to_string()),
    }))
}
