//! `GET /api/v1/admin/overview`: statistics of the server.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs::workers::{self, Worker};
use slovo_db::site::overview::{self, Backlog, CreatedJobs, DAY_MS, Figures, Span};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job::JobStatus;
use slovo_storage::Space;
use slovo_work::processes::SILENT_MS;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::page::Days;

/// Largest offset from UTC, in minutes.
const FURTHEST: i64 = 14 * 60;
const MINUTE_MS: i64 = 60 * 1000;

/// How long figures of users, jobs and days are cached, in milliseconds.
const FRESH_MS: i64 = 5 * 1000;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(overview))
}

/// The reader's time zone.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TimeZoneQuery {
    /// Minutes by which the reader's clock is ahead of UTC, -840 to 840; 0 if absent. Days begin at
    /// midnight at this offset, even if another offset applied on a past day.
    offset: Option<i64>,
}

/// The state of the server.
#[derive(Serialize, ToSchema)]
struct Overview {
    totals: Totals,
    /// The requested days, the oldest first.
    days: Vec<Day>,
    queue: Queue,
    /// Why jobs created in these days ended without a text, the most frequent first.
    failures: Vec<Failures>,
    /// The processes that run jobs, the most recently seen first.
    workers: Vec<WorkerBody>,
    storage: Storage,
    /// The program's version.
    version: &'static str,
    /// Seconds since this process started.
    uptime: i64,
}

/// Total numbers.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewTotals)]
struct Totals {
    /// Accounts.
    users: i64,
    users_active: i64,
    users_blocked: i64,
    /// All jobs.
    jobs: i64,
    /// Jobs created since the reader's midnight.
    jobs_today: i64,
    /// Jobs created in the last seven days.
    jobs_week: i64,
}

/// A day.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = OverviewDay)]
struct Day {
    /// The date in the reader's time zone, for example `2026-11-22`.
    #[schema(format = Date)]
    day: String,
    /// Jobs created on this day that are completed.
    completed: i64,
    /// Jobs created on this day that ended without a text.
    failed: i64,
    /// Jobs created on this day that were cancelled.
    cancelled: i64,
    /// Jobs created on this day that are queued or running.
    under_way: i64,
    /// Minutes of recordings recognised on this day.
    minutes: f64,
    /// Words in them.
    words: i64,
    /// Median waiting time of the jobs created on this day, in seconds; null if none was started.
    #[schema(required)]
    waited_median: Option<f64>,
    /// 95th percentile of that waiting time, in seconds.
    #[schema(required)]
    waited_p95: Option<f64>,
    /// Maximum number of jobs that waited for their first worker at the same time.
    queue_peak: i64,
}

/// The queue now.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewQueue)]
struct Queue {
    /// Jobs that no worker has claimed.
    waiting: i64,
    /// Jobs in recognition.
    running: i64,
    /// Jobs whose recording is being downloaded or is to be downloaded.
    downloads: i64,
    /// Since when the oldest job has been waiting; null if none is waiting.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    oldest: Option<Timestamp>,
}

/// Jobs that ended without a text, by their cause.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewFailures)]
struct Failures {
    /// Stable code; empty if the cause cannot be read.
    code: String,
    /// Number of jobs.
    jobs: i64,
}

/// A process that runs jobs.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewWorker)]
struct WorkerBody {
    /// The name under which it claims jobs.
    id: String,
    /// The name of the machine.
    host: String,
    /// The process id.
    pid: i64,
    /// The program's version.
    version: String,
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it last reported.
    #[schema(value_type = String, format = DateTime)]
    seen_at: Timestamp,
    /// Whether it has not reported for too long: it has died, or cannot reach the database.
    silent: bool,
    /// Number of jobs that it runs.
    running: i64,
}

/// The disk. Sizes are at most some minutes old; the rest is current.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewStorage)]
struct Storage {
    /// Recordings; null if the object store does not answer.
    #[schema(required)]
    media: Option<u64>,
    /// Users' photos; null if the object store does not answer.
    #[schema(required)]
    avatars: Option<u64>,
    /// The database.
    database: u64,
    /// Free disk space; null if it is unknown.
    #[schema(required)]
    free: Option<u64>,
    /// Whether that is enough: recordings are refused when it is low, everything when the disk is
    /// full.
    space: Space,
    /// Whether the data folder exists and belongs to this server, or the object store answers.
    has_folder: bool,
    /// Whether recordings are in an object store.
    is_shared: bool,
    /// Whether the database can be written to.
    stores: bool,
}

/// Returns the state of the server: totals, daily figures, the queue, workers and storage. Totals
/// and daily figures are at most five seconds old.
#[utoipa::path(get, path = "/admin/overview", tag = "admin", operation_id = "get_overview",
    params(Days, TimeZoneQuery),
    responses(
        (status = OK, body = Overview),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
async fn overview(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(days): Query<Days>,
    Query(zone): Query<TimeZoneQuery>,
) -> Result<Json<Overview>, Problem> {
    let offset = zone.offset.unwrap_or_default();
    if !(-FURTHEST..=FURTHEST).contains(&offset) {
        return Err(
            Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                .detail("offset is not a valid offset from UTC in minutes"),
        );
    }
    let now = state.clock.now_ms();
    let mut span = Span {
        from: 0,
        offset: offset * MINUTE_MS,
    };
    let today = span.day(now);
    let first = today - (days.get() - 1);
    let begins = |day: i64| day * DAY_MS - span.offset;
    let (midnight, from) = (begins(today), begins(first));
    span.from = from;

    let condition = state.condition.report().await;
    let storage = state.disk_usage.bytes().await?;
    let found = async || {
        let mut connection = state.db.read().await?;
        let week = now - 7 * DAY_MS;
        let figures = overview::figures(&mut connection, span, midnight, week).await?;
        Ok::<_, slovo_db::Error>((now, Arc::new(figures)))
    };
    let question = (from, midnight);
    let is_fresh = |(at, _): &(i64, _)| (*at..*at + FRESH_MS).contains(&now);
    let (_, figures) = state.overview.get(question, is_fresh, found).await?;
    let totals = figures.totals;
    let mut connection = state.db.read().await?;
    let depth = overview::queue_depth(&mut connection).await?;
    let workers = workers::list(&mut connection).await?;
    drop(connection);
    Ok(Json(Overview {
        totals: Totals {
            users: totals.users,
            users_active: totals.users - totals.blocked,
            users_blocked: totals.blocked,
            jobs: totals.jobs,
            jobs_today: totals.jobs_today,
            jobs_week: totals.jobs_week,
        },
        days: DayTotals::of(first, today, &figures)
            .0
            .into_values()
            .collect(),
        queue: Queue {
            waiting: depth.waiting,
            running: depth.running,
            downloads: depth.downloads,
            oldest: depth.oldest.map(from_ms),
        },
        failures: most_frequent(figures.failures.clone()),
        workers: workers
            .into_iter()
            .map(|worker| WorkerBody::of(worker, now))
            .collect(),
        storage: Storage {
            media: storage.media,
            avatars: storage.avatars,
            database: storage.database,
            free: storage.free,
            space: condition.space,
            has_folder: condition.has_folder,
            is_shared: state.storage.is_shared(),
            stores: condition.database.is_none(),
        },
        version: env!("CARGO_PKG_VERSION"),
        uptime: (now - state.started_at) / 1000,
    }))
}

/// The requested days by their numbers (days since 1970-01-01).
struct DayTotals(BTreeMap<i64, Day>);

impl DayTotals {
    /// Days without any events.
    fn new(first: i64, last: i64) -> Self {
        let empty_day = |number: i64| Day {
            day: from_ms(number * DAY_MS).strftime("%F").to_string(),
            ..Day::default()
        };
        Self((first..=last).map(|day| (day, empty_day(day))).collect())
    }

    /// Those days with their figures.
    fn of(first: i64, last: i64, figures: &Figures) -> Self {
        let mut by_day = Self::new(first, last);
        for created in &figures.created {
            by_day.add_jobs(*created);
        }
        for done in &figures.recognised {
            if let Some(day) = by_day.at(done.day) {
                day.minutes = (done.seconds / 60.0 * 100.0).round() / 100.0;
                day.words = done.words;
            }
        }
        for waited in &figures.wait_times {
            if let Some(day) = by_day.at(waited.day) {
                day.waited_median = Some(seconds(waited.median));
                day.waited_p95 = Some(seconds(waited.p95));
            }
        }
        by_day.add_backlog(&figures.backlog);
        by_day
    }

    /// The day with this number, if it was requested: after a clock was set back, rows may be in
    /// the future.
    fn at(&mut self, day: i64) -> Option<&mut Day> {
        self.0.get_mut(&day)
    }

    /// Adds the queue's length to each day; without changes it is that of the day before.
    fn add_backlog(&mut self, changes: &[Backlog]) {
        let mut changes = changes.iter().peekable();
        let mut queued = 0;
        for (number, day) in &mut self.0 {
            day.queue_peak = queued;
            while let Some(change) = changes.next_if(|change| change.day <= *number) {
                queued += change.grown;
                day.queue_peak = if change.day == *number {
                    change.peak
                } else {
                    queued
                };
            }
        }
    }

    fn add_jobs(&mut self, created: CreatedJobs) {
        let Some(day) = self.at(created.day) else {
            return;
        };
        *match created.status {
            JobStatus::Completed => &mut day.completed,
            JobStatus::Failed | JobStatus::Error => &mut day.failed,
            JobStatus::Cancelled => &mut day.cancelled,
            JobStatus::Pending | JobStatus::Processing | JobStatus::Uploaded => &mut day.under_way,
        } += created.jobs;
    }
}

/// Milliseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "no wait is that long")]
fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

fn most_frequent(failures: BTreeMap<String, i64>) -> Vec<Failures> {
    let mut all: Vec<_> = failures
        .into_iter()
        .map(|(code, jobs)| Failures { code, jobs })
        .collect();
    all.sort_by_key(|failure| std::cmp::Reverse(failure.jobs));
    all
}

impl WorkerBody {
    fn of(worker: Worker, now: i64) -> Self {
        Self {
            silent: now - worker.seen_at > SILENT_MS,
            id: worker.id,
            host: worker.host,
            pid: worker.pid,
            version: worker.version,
            started_at: from_ms(worker.started_at),
            seen_at: from_ms(worker.seen_at),
            running: worker.running,
        }
    }
}
