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
use slovo_app::state::AppState;
use slovo_db::jobs::workers::{self, Worker};
use slovo_db::site::overview::{self, Backlog, CreatedJobs, DAY_MS, Figures, Span};
use slovo_platform::clock::from_ms;
use slovo_platform::storage::Space;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job::JobStatus;
use slovo_work::processes::SILENT_MS;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::page::Days;

/// Largest offset from UTC, in minutes.
const FURTHEST: i64 = 14 * 60;
const MINUTE_MS: i64 = 60 * 1000;

/// How long figures of people, jobs and days are cached, in milliseconds.
const FRESH_MS: i64 = 5 * 1000;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(overview))
}

/// Whose days.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TimeZoneQuery {
    /// Minutes by which the reader's clock is before UTC, -840 to 840; 0 unless given. Days begin
    /// at the reader's midnight as it is today, also where a day of the past began an hour off.
    offset: Option<i64>,
}

/// The server at work.
#[derive(Serialize, ToSchema)]
struct Overview {
    totals: Totals,
    /// Every day of the asked ones, the oldest first.
    days: Vec<Day>,
    queue: Queue,
    /// Why jobs made in these days ended without a text, the most frequent first.
    failures: Vec<Failures>,
    /// The processes that run jobs, the one that was seen last first.
    workers: Vec<WorkerBody>,
    storage: Storage,
    /// The program's version.
    version: &'static str,
    /// Seconds since this process started.
    uptime: i64,
}

/// How many there are.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewTotals)]
struct Totals {
    /// Accounts.
    users: i64,
    users_active: i64,
    users_blocked: i64,
    /// Jobs of all times.
    jobs: i64,
    /// Jobs made since the reader's midnight.
    jobs_today: i64,
    /// Jobs made in the last seven days.
    jobs_week: i64,
}

/// A day.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = OverviewDay)]
struct Day {
    /// The reader's, `2026-11-22`.
    #[schema(format = Date)]
    day: String,
    /// Jobs made on it that have their text by now.
    completed: i64,
    /// Those that ended without one.
    failed: i64,
    /// Those that were cancelled.
    cancelled: i64,
    /// Those that wait or are in work.
    under_way: i64,
    /// Minutes of recordings that were recognised on it.
    minutes: f64,
    /// Words of them.
    words: i64,
    /// Seconds that half of the jobs made on it waited at most; null where no job was begun.
    #[schema(required)]
    waited_median: Option<f64>,
    /// Seconds that 95 of 100 waited at most.
    #[schema(required)]
    waited_p95: Option<f64>,
    /// The most jobs that waited for their first worker at once.
    queue_peak: i64,
}

/// The queue now.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewQueue)]
struct Queue {
    /// Jobs that no worker has.
    waiting: i64,
    /// Jobs in recognition.
    running: i64,
    /// Jobs whose recording is fetched or is to be.
    downloads: i64,
    /// Since when the oldest one has been waiting; null while none does.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    oldest: Option<Timestamp>,
}

/// Jobs that ended without a text, by their cause.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewFailures)]
struct Failures {
    /// Stable code; empty where the cause cannot be read.
    code: String,
    /// How many.
    jobs: i64,
}

/// A process that runs jobs.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewWorker)]
struct WorkerBody {
    /// The name under which it claims jobs.
    id: String,
    /// The machine.
    host: String,
    /// The process's number there.
    pid: i64,
    /// The program's version.
    version: String,
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it last said that it lives.
    #[schema(value_type = String, format = DateTime)]
    seen_at: Timestamp,
    /// Whether it has not said so for too long: it died, or cannot reach the database.
    silent: bool,
    /// Jobs that it runs.
    running: i64,
}

/// The disk: its bytes as they were some minutes ago at most, the rest as it is now.
#[derive(Serialize, ToSchema)]
#[schema(as = OverviewStorage)]
struct Storage {
    /// Recordings.
    media: u64,
    /// Pictures of people.
    avatars: u64,
    /// The database.
    database: u64,
    /// What may still be filled; null if the disk does not say.
    #[schema(required)]
    free: Option<u64>,
    /// Whether that is enough: recordings are refused where it is low, everything where it is full.
    space: Space,
    /// Whether the data folder is there, and is this server's.
    has_folder: bool,
    /// Whether the database stores what it is given.
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
                .detail("offset is no distance from UTC in minutes"),
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
    let depth = overview::depth(&mut connection).await?;
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
