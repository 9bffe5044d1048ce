//! `GET /api/v1/jobs/{id}/events`: the progress of a job as server-sent events.
//!
//! The events are documented in `slovo_work::jobs::watch`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use serde::Serialize;
use serde_json::json;
use slovo_app::auth::{Caller, Credential, RateLimited, session};
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::ledger;
use slovo_rules::job::JobStatus;
use slovo_rules::language::TranslationTarget;
use slovo_rules::plan::PlanFeature;
use slovo_work::condition::Condition;
use slovo_work::jobs::open_streams::StreamSlot;
use slovo_work::jobs::watch::{JobEvent, Watch};
use tokio::time::Instant;

use super::{JobBody, ProgressBody, ReadAccess};

/// A comment is sent after this time without events, so that proxies keep the connection open.
const SILENCE: Duration = Duration::from_secs(15);
/// How often the session is checked: the stream ends when the reader is blocked or signs out.
const RECHECK: Duration = Duration::from_secs(3);
/// `Retry-After` when the caller has too many streams, in seconds: one may have closed by then.
const RETRY_SECONDS: u64 = 5;

/// Streams the progress of a job: its state first, then every change until it ends.
#[utoipa::path(get, path = "/jobs/{id}/events", tag = "jobs", operation_id = "follow_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, content_type = "text/event-stream", body = String,
            description = "state, progress, language, segments, warning; then completed, failed \
                or cancelled; analysis {id, part, target, status, percent} while something is \
                made of the text, and the stream ends"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: the user has \
            too many streams"),
    ))]
pub(super) async fn events(
    State(state): State<AppState>,
    access: ReadAccess,
) -> Result<Response, Problem> {
    let place = open_stream(&state, &access.caller)?;
    let started = Watch::begin(
        state.db.clone(),
        &state.jobs,
        (!access.as_administrator()).then_some(access.job.user_id.as_str()),
        access.job.id,
        state.shutdown.clone(),
    )
    .await?;
    let (watch, first) = started.ok_or_else(Problem::not_found)?;
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &access.job.user_id, now).await?;
    drop(connection);
    let reader = Reader {
        watch,
        rights: AccessCheck::to_read(&state, &access),
        waiting: first.into(),
        realtime: balance.has(PlanFeature::Realtime),
        number: 0,
        _place: place,
    };
    Ok(respond(event_stream(reader)))
}

/// Reserves a place for another stream of the caller.
pub(super) fn open_stream(state: &AppState, caller: &Caller) -> Result<StreamSlot, RateLimited> {
    let place = state.jobs.open_streams().open(&caller.user_id);
    place.ok_or(RateLimited {
        retry_after: RETRY_SECONDS,
    })
}

/// The response with these events.
pub fn respond<S>(events: S) -> Response
where
    S: Stream<Item = Result<Event, Infallible>> + Send + 'static,
{
    let mut response = Sse::new(events)
        .keep_alive(KeepAlive::new().interval(SILENCE).text("still here"))
        .into_response();
    // Otherwise nginx buffers the events.
    let buffering = HeaderName::from_static("x-accel-buffering");
    response
        .headers_mut()
        .insert(buffering, HeaderValue::from_static("no"));
    response
}

/// Whether the reader still has access: a stream outlives the request that opened it.
pub struct AccessCheck {
    state: AppState,
    /// Id of the session or the API key.
    credential_id: String,
    /// Whether access requires the role of administrator.
    of_administrator: bool,
    /// Time of the next check; kept across events, so that frequent events do not postpone it.
    due: Instant,
}

impl AccessCheck {
    /// The right of this session or key.
    pub fn new(state: &AppState, credential: &Credential) -> Self {
        Self {
            state: state.clone(),
            credential_id: credential.id().to_owned(),
            of_administrator: false,
            due: Instant::now() + RECHECK,
        }
    }

    /// The right to read this job.
    fn to_read(state: &AppState, access: &ReadAccess) -> Self {
        let of_administrator = access.as_administrator();
        Self {
            of_administrator,
            ..Self::new(state, &access.caller.credential)
        }
    }

    /// Waits until the session has ended or the key is revoked, the account is blocked, or a required role of
    /// administrator is lost. Cancel-safe.
    pub async fn end(&mut self) {
        loop {
            tokio::time::sleep_until(self.due).await;
            let now = self.state.clock.now();
            let account = match self.state.db.read().await {
                Ok(mut connection) => {
                    session::active(&mut connection, &self.credential_id, now).await
                }
                Err(error) => Err(error),
            };
            match account {
                Ok(Some(account)) if account.is_admin || !self.of_administrator => {
                    self.due = Instant::now() + RECHECK;
                }
                Ok(_) => return,
                Err(error) => {
                    // The client reconnects and authenticates again.
                    tracing::error!(%error, "an event stream has ended early");
                    return;
                }
            }
        }
    }
}

struct Reader {
    watch: Watch,
    rights: AccessCheck,
    waiting: VecDeque<JobEvent>,
    /// Whether the plan shows the text during recognition.
    realtime: bool,
    number: u64,
    _place: StreamSlot,
}

fn event_stream(reader: Reader) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(reader, |mut reader| async move {
        loop {
            if let Some(next) = reader.waiting.pop_front() {
                let Some(next) = without_live_text(next, reader.realtime) else {
                    continue;
                };
                let event = event(next, reader.number, reader.watch.condition());
                reader.number += 1;
                return Some((Ok(event), reader));
            }
            if reader.watch.is_over() {
                return None;
            }
            let next = tokio::select! {
                next = reader.watch.next() => next,
                () = reader.rights.end() => return None,
            };
            match next {
                Ok(Some(more)) => reader.waiting.extend(more),
                Ok(None) => return None,
                Err(error) => {
                    // The client reconnects and gets the current state.
                    tracing::error!(%error, "an event stream has ended early");
                    return None;
                }
            }
        }
    })
}

/// Removes the text of a running job unless the plan includes it.
fn without_live_text(event: JobEvent, realtime: bool) -> Option<JobEvent> {
    if realtime {
        return Some(event);
    }
    match event {
        JobEvent::State { job, .. } if !job.status.is_terminal() => Some(JobEvent::State {
            job,
            segments: Vec::new(),
        }),
        JobEvent::Segments(_) => None,
        other => Some(other),
    }
}

fn event(event: JobEvent, number: u64, condition: &Condition) -> Event {
    let (name, data) = match event {
        JobEvent::State { job, segments } => (
            "state",
            text(&json!({ "job": JobBody::of(*job, condition), "segments": segments })),
        ),
        JobEvent::Progress(progress) => (
            "progress",
            text(&ProgressBody {
                stage: progress.stage,
                percent: progress.percent,
                seconds_left: progress.seconds_left,
            }),
        ),
        JobEvent::Language { code, probability } => (
            "language",
            text(&json!({ "code": code, "probability": probability })),
        ),
        JobEvent::Segments(segments) => ("segments", text(&json!({ "segments": segments }))),
        JobEvent::Warning(warning) => ("warning", text(&warning)),
        JobEvent::Analysis(one) => (
            "analysis",
            text(&json!({
                "id": one.id, "part": one.part,
                "target": one.target.map_or("", TranslationTarget::as_str),
                "status": one.status, "percent": one.percent,
            })),
        ),
        JobEvent::Ended(job) => {
            let name = match job.status {
                JobStatus::Completed => "completed",
                JobStatus::Cancelled => "cancelled",
                JobStatus::Failed
                | JobStatus::Error
                | JobStatus::Pending
                | JobStatus::Processing
                | JobStatus::Uploaded => "failed",
            };
            (name, text(&json!({ "job": JobBody::of(*job, condition) })))
        }
    };
    Event::default()
        .event(name)
        .id(number.to_string())
        .data(data)
}

/// Serialises a value as one `data:` line: JSON has no raw line breaks.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
