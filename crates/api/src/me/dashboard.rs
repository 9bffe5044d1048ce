//! `GET /api/v1/me/dashboard`: the texts the caller is working on, and their newest recordings.

use axum::extract::State;
use axum::http::HeaderMap;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::cookies::readers_locale;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Filter, Job};
use slovo_db::texts::openings::{self, Opening};
use slovo_db::texts::projection;
use slovo_platform::clock::from_ms;
use slovo_rules::edit::Speaker;
use slovo_rules::job::JobStatus;
use slovo_rules::limits;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::jobs::JobBody;

/// How many texts are offered to continue with.
const CONTINUED: u32 = 3;
/// Maximum length of an excerpt, in characters.
const EXCERPT: usize = 240;

/// Recordings on the dashboard.
#[derive(Serialize, ToSchema)]
pub(super) struct Dashboard {
    /// The texts that the caller opened or edited most recently, the latest first.
    continued: Vec<ContinuedJob>,
    /// The newest jobs, the newest first.
    recent: Vec<RecentJob>,
}

/// A text to continue with.
#[derive(Serialize, ToSchema)]
struct ContinuedJob {
    /// Its job.
    job: JobBody,
    /// Number of uncertain words that have not been changed or confirmed; null if they could not be
    /// counted.
    #[schema(required)]
    unsure: Option<u64>,
    /// When it was last opened or edited.
    #[schema(value_type = String, format = DateTime)]
    worked_at: Timestamp,
}

/// A recording with an excerpt of its text.
#[derive(Serialize, ToSchema)]
struct RecentJob {
    /// Its job.
    job: JobBody,
    /// The beginning of its text, at most 240 characters; empty if there is none yet.
    excerpt: String,
    /// The speakers, in order of first appearance; empty if they are not distinguished yet.
    speakers: Vec<Speaker>,
}

/// Returns the texts the caller is working on, and their newest recordings with the beginning of
/// each text.
#[utoipa::path(get, path = "/me/dashboard", tag = "me", operation_id = "get_dashboard",
    responses(
        (status = OK, body = Dashboard),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn dashboard(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json<Dashboard>, Problem> {
    slovo_app::samples::create_if_due(state.samples(), &caller.user_id, readers_locale(&headers))
        .await;
    let mut connection = state.db.read().await?;
    let transcripts =
        jobs::list_recent_transcripts(&mut connection, &caller.user_id, CONTINUED).await?;
    let filter = Filter {
        limit: limits::RECENT_JOBS,
        ..Filter::default()
    };
    let newest = jobs::list(&mut connection, &caller.user_id, &filter).await?;
    let mut recent = Vec::with_capacity(newest.len());
    for job in newest {
        let opening = match openings::read(&mut connection, job.id, EXCERPT).await {
            Err(error @ slovo_db::Error::Row { .. }) => {
                tracing::error!(%error, "the excerpt of a text could not be read and is left out");
                Opening::default()
            }
            read => read?,
        };
        recent.push(recent_job(&state, job, opening));
    }
    // Counting may write, and must not wait for the connection held here.
    drop(connection);
    let mut continued = Vec::with_capacity(transcripts.len());
    for text in transcripts {
        let unsure = match text.unsure {
            Some(unsure) => Some(unsure),
            None => counted(&state, text.job.id, text.version).await,
        };
        continued.push(ContinuedJob {
            unsure,
            worked_at: from_ms(text.at),
            job: JobBody::of(text.job, &state.condition),
        });
    }
    Ok(Json(Dashboard { continued, recent }))
}

fn recent_job(state: &AppState, job: Job, opening: Opening) -> RecentJob {
    // The segments of an unfinished text hold the original words.
    let excerpt = match job.status {
        JobStatus::Completed => opening.text,
        _ => job.plan.finish_excerpt(opening.text),
    };
    RecentJob {
        job: JobBody::of(job, &state.condition),
        excerpt,
        speakers: opening.speakers,
    }
}

/// The number of uncertain words of a text from before they were counted: counted and stored now.
/// If it cannot be stored, the page is shown anyway.
async fn counted(state: &AppState, job: Uuid, version: i64) -> Option<u64> {
    let count = async {
        let mut transaction = state.db.write().await?;
        let count = projection::count_unsure(&mut transaction, job, version).await?;
        transaction.commit().await?;
        Ok::<_, slovo_db::Error>(count)
    };
    count.await.unwrap_or_else(|error| {
        tracing::warn!(%job, %error, "uncertain words could not be counted");
        None
    })
}
