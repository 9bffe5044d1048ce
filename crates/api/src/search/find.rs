//! `GET /api/v1/search`: finds jobs by name, tags, text and speakers.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::ops::Range;

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::{self, Job};
use slovo_db::texts::search::{self as index, Passage, Terms};
use slovo_rules::codes::ProblemCode;
use slovo_rules::limits::SEARCH_PAGE;
use slovo_rules::transcript::rounded;
use slovo_transcripts::search::{Finder, Hit};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::jobs::JobBody;

/// Largest page size.
const MAX_PAGE_SIZE: u32 = 50;
/// Passages shown per job.
const SHOWN: usize = 3;
/// Maximum number of index queries per page.
const MAX_LOOKS: u32 = 10;

/// Maximum number of jobs whose passages are in memory at once: long recordings have many.
const AT_ONCE: usize = 10;

/// The query.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// Words that must all occur, ignoring case and the form of the apostrophe, in all their
    /// Ukrainian and English forms; the last one may be the beginning of a word. Text in quotation
    /// marks is found only exactly as written. At most 1000 characters and 12 words.
    q: String,
    /// 1 to 50; 10 if absent.
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// A page of search results.
#[derive(Serialize, ToSchema)]
pub struct SearchPage {
    /// The results, the best first.
    pub items: Vec<FoundJob>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// A job that contains the words in its name, tags, text or speakers' names.
#[derive(Serialize, ToSchema)]
pub struct FoundJob {
    /// The job.
    pub job: JobBody,
    /// Ranges of the words in its name, in UTF-16 units: start and exclusive end.
    #[schema(value_type = Vec<Vec<u32>>)]
    name_ranges: Vec<[u32; 2]>,
    /// The first three passages with the most words, in the order of the recording.
    pub hits: Vec<SearchHit>,
    /// Number of such passages; `GET /api/v1/search/{my_job_id}` returns all of them.
    hit_count: usize,
}

/// A passage that contains words of the query.
#[derive(Serialize, ToSchema)]
pub struct SearchHit {
    /// Id of the segment.
    segment_id: String,
    /// Its start in seconds.
    pub start: f64,
    /// The speaker's name, or the id if there is no name.
    pub speaker: Option<String>,
    /// Ranges of the words in the speaker's name, as for the text.
    #[schema(value_type = Vec<Vec<u32>>)]
    speaker_ranges: Vec<[u32; 2]>,
    /// Language of the passage (ISO 639-1); null if it is unknown.
    language: Option<String>,
    /// The text.
    pub text: String,
    /// Ranges of the words in the text, in UTF-16 units: start and exclusive end.
    #[schema(value_type = Vec<Vec<u32>>)]
    ranges: Vec<[u32; 2]>,
}

impl From<Hit> for SearchHit {
    fn from(hit: Hit) -> Self {
        Self {
            segment_id: hit.passage.segment_id,
            start: rounded(hit.passage.start),
            speaker: hit.passage.speaker,
            speaker_ranges: pairs(hit.speaker_ranges),
            language: hit.passage.language,
            text: hit.passage.text,
            ranges: pairs(hit.ranges),
        }
    }
}

fn pairs(ranges: Vec<Range<u32>>) -> Vec<[u32; 2]> {
    ranges
        .into_iter()
        .map(|range| [range.start, range.end])
        .collect()
}

/// Passages with their languages: those that were indexed without one have the job's.
pub(super) fn with_languages(
    passages: impl IntoIterator<Item = Passage>,
    job: &Job,
) -> impl Iterator<Item = Passage> {
    passages.into_iter().map(|passage| Passage {
        language: passage.language.or_else(|| job.language.clone()),
        ..passage
    })
}

/// The number of jobs before a page.
pub(super) fn after(cursor: Option<&str>) -> Result<u32, Problem> {
    match cursor {
        None | Some("") => Ok(0),
        Some(cursor) => cursor.parse().map_err(|_| {
            Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                .detail("cursor is not valid")
        }),
    }
}

/// Searches the caller's transcripts. Changes are found within a few seconds.
#[utoipa::path(get, path = "/search", tag = "search", operation_id = "search", params(QueryParams),
    responses(
        (status = OK, body = SearchPage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
    ))]
pub(super) async fn find(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query<QueryParams>,
) -> Result<Json<SearchPage>, Problem> {
    let user_id = &caller.user_id;
    let page = search(
        &state,
        user_id,
        &query.q,
        query.limit,
        query.cursor.as_deref(),
    );
    Ok(Json(page.await?))
}

/// A page of the transcripts of a user in which words occur; `cursor` is the `next_cursor` of the
/// page before.
///
/// # Errors
/// `malformed_query` if the cursor is not one of ours.
pub async fn search(
    state: &AppState,
    user_id: &str,
    words: &str,
    limit: Option<u32>,
    cursor: Option<&str>,
) -> Result<SearchPage, Problem> {
    let skip = after(cursor)?;
    let limit = limit.unwrap_or(SEARCH_PAGE).clamp(1, MAX_PAGE_SIZE);
    let terms = Terms::new(words);
    let mut connection = state.db.read().await?;
    let backend = state.db.backend();
    let page_size = limit as usize;
    let mut items = Vec::with_capacity(page_size);
    let (mut at, mut looks) = (skip, 0);
    // The index includes hidden jobs: they are replaced by the next results.
    let next = 'looks: loop {
        // One more than requested, to know whether there is another page.
        let page = (at, limit + 1);
        let ids = index::find(&mut connection, backend, user_id, &terms, page).await?;
        let more = ids.len() > page_size;
        let mut left = &ids[..ids.len().min(page_size)];
        while !left.is_empty() {
            let room = page_size - items.len();
            if room == 0 {
                break 'looks Some(at);
            }
            let (some, rest) = left.split_at(left.len().min(AT_ONCE).min(room));
            left = rest;
            // At most a page, so it fits.
            at = u32::try_from(some.len()).map_or(u32::MAX, |count| at.saturating_add(count));
            items.extend(jobs_with_hits(&mut connection, user_id, some, &terms).await?);
        }
        looks += 1;
        if !more {
            break None;
        }
        if items.len() == page_size || looks == MAX_LOOKS {
            break Some(at);
        }
    };
    let next_cursor = next.map(|at: u32| at.to_string());
    Ok(SearchPage { items, next_cursor })
}

/// The jobs with the matching passages; without jobs that have been deleted meanwhile, are hidden
/// or cannot be read.
async fn jobs_with_hits(
    connection: &mut Connection,
    user_id: &str,
    ids: &[Uuid],
    terms: &Terms,
) -> Result<Vec<FoundJob>, Problem> {
    let jobs = jobs::find_some(&mut *connection, user_id, ids).await?;
    let seen: Vec<Uuid> = jobs.iter().map(|job| job.id).collect();
    let mut passages = index::passages(connection, &seen, terms).await?;
    let mut finder = Finder::new(terms);
    let hits_of = |job: Job| {
        let passages = passages.remove(&job.id).unwrap_or_default();
        let passages = with_languages(passages, &job).collect();
        let found = finder.hits(passages, 0, SHOWN);
        FoundJob {
            name_ranges: pairs(finder.ranges(job.name())),
            hits: found.hits.into_iter().map(SearchHit::from).collect(),
            hit_count: found.count,
            job: job.into(),
        }
    };
    Ok(jobs.into_iter().map(hits_of).collect())
}
