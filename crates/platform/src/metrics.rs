//! What monitoring counts and measures: every metric by name, in one place.
//!
//! Names and units follow Prometheus (<https://prometheus.io/docs/practices/naming/>). Labels have a
//! bounded number of values: routes as they are declared, kinds of mail, names of installed models.
//! Without a recorder, which `slovo serve --metrics` installs, nothing is kept.

use std::time::Duration;

use metrics::{Unit, counter, gauge, histogram};

/// Answered requests.
pub const REQUESTS: &str = "slovo_http_requests_total";
/// Time until the head of an answer.
pub const REQUEST_SECONDS: &str = "slovo_http_request_duration_seconds";
/// Runs of a stage of a job.
pub const STAGE_SECONDS: &str = "slovo_job_stage_duration_seconds";
/// How jobs were left by the process that had claimed them.
pub const JOB_RUNS: &str = "slovo_job_runs_total";
/// Processing time divided by the length of the recording.
pub const REALTIME_FACTOR: &str = "slovo_recognition_realtime_factor";
/// Length of recognised recordings.
pub const RECOGNISED_SECONDS: &str = "slovo_recognised_audio_seconds_total";
/// Mails, sent or not.
pub const MAILS: &str = "slovo_mails_total";
/// Calls of webhook services.
pub const WEBHOOKS: &str = "slovo_webhook_calls_total";
/// Jobs in the queue.
pub const QUEUE_JOBS: &str = "slovo_queue_jobs";
/// Age of the oldest job without a worker.
pub const QUEUE_OLDEST: &str = "slovo_queue_oldest_seconds";
/// Processes that work on jobs.
pub const WORKERS: &str = "slovo_workers";
/// Connections to the database.
pub const CONNECTIONS: &str = "slovo_database_connections";
/// Free bytes of the data folder's disk.
pub const FREE_BYTES: &str = "slovo_storage_free_bytes";
/// Whether requests can be served.
pub const READY: &str = "slovo_ready";
/// When the last backup was finished.
pub const BACKUP_TIME: &str = "slovo_backup_last_success_timestamp_seconds";
/// Bytes of everything in the last backup.
pub const BACKUP_BYTES: &str = "slovo_backup_last_size_bytes";
/// The program's version.
pub const BUILD: &str = "slovo_build_info";

/// Borders of histograms of seconds.
pub const SECONDS: [f64; 14] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0, 3600.0,
];

/// Borders of the histogram of real-time factors.
pub const FACTORS: [f64; 10] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 2.0, 5.0];

/// Describes all metrics to the recorder.
pub fn describe() {
    let counters = [
        (REQUESTS, "Answered requests"),
        (JOB_RUNS, "Runs of jobs, by how they ended"),
        (MAILS, "Mails, by kind and outcome"),
        (WEBHOOKS, "Calls of webhook services, by outcome"),
    ];
    for (name, text) in counters {
        metrics::describe_counter!(name, text);
    }
    metrics::describe_counter!(
        RECOGNISED_SECONDS,
        Unit::Seconds,
        "Length of recognised recordings, by model"
    );
    let histograms = [
        (
            REQUEST_SECONDS,
            "Time until the head of an answer, by route",
        ),
        (STAGE_SECONDS, "Time of a stage of a job"),
    ];
    for (name, text) in histograms {
        metrics::describe_histogram!(name, Unit::Seconds, text);
    }
    metrics::describe_histogram!(
        REALTIME_FACTOR,
        "Processing time divided by the length of the recording, by model"
    );
    let gauges = [
        (QUEUE_JOBS, "Jobs in the queue, by state"),
        (
            QUEUE_OLDEST,
            "Age of the oldest job without a worker, in seconds",
        ),
        (WORKERS, "Processes that work on jobs"),
        (CONNECTIONS, "Connections to the database, by state"),
        (FREE_BYTES, "Free bytes of the data folder's disk"),
        (READY, "1 if requests can be served, otherwise 0"),
        (
            BACKUP_TIME,
            "When the last backup was finished, Unix seconds",
        ),
        (BACKUP_BYTES, "Bytes of everything in the last backup"),
        (BUILD, "1; the label has the program's version"),
    ];
    for (name, text) in gauges {
        metrics::describe_gauge!(name, text);
    }
}

/// A request was answered. `route` is the declared one; `None` for any other path.
pub fn request(method: &str, route: Option<&str>, status: u16, took: Duration) {
    let method = match method {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" => method.to_owned(),
        _ => "other".to_owned(),
    };
    let route = route.unwrap_or("other").to_owned();
    let labels = [("method", method), ("route", route)];
    histogram!(REQUEST_SECONDS, &labels).record(took.as_secs_f64());
    let [method, route] = labels;
    let labels = [method, route, ("status", status.to_string())];
    counter!(REQUESTS, &labels).increment(1);
}

/// A stage of a job ended.
pub fn stage(stage: &'static str, is_done: bool, took: Duration) {
    let outcome = if is_done { "done" } else { "failed" };
    histogram!(STAGE_SECONDS, "stage" => stage, "outcome" => outcome).record(took.as_secs_f64());
}

/// A job was left: `completed`, `downloaded`, `lost`, `requeued` or `failed`.
pub fn job_run(outcome: &'static str) {
    counter!(JOB_RUNS, "outcome" => outcome).increment(1);
}

/// A recording was recognised; `factor` is the processing time divided by its length, if it was
/// measured.
pub fn recognised(model: &str, seconds: f64, factor: Option<f64>) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole seconds of a recording"
    )]
    counter!(RECOGNISED_SECONDS, "model" => model.to_owned()).increment(seconds.max(0.0) as u64);
    if let Some(factor) = factor {
        histogram!(REALTIME_FACTOR, "model" => model.to_owned()).record(factor);
    }
}

/// A mail of this kind was sent, or could not be.
pub fn mail(kind: &'static str, is_sent: bool) {
    let outcome = if is_sent { "sent" } else { "failed" };
    counter!(MAILS, "kind" => kind, "outcome" => outcome).increment(1);
}

/// A webhook service was called: `delivered`, `retry` or `failed`.
pub fn webhook(outcome: &'static str) {
    counter!(WEBHOOKS, "outcome" => outcome).increment(1);
}

/// Sets a value that is read when it is asked for.
#[expect(clippy::cast_precision_loss, reason = "counts and bytes")]
pub fn set(name: &'static str, value: i64) {
    gauge!(name).set(value as f64);
}

/// [`set`] for one value of the label `state`.
#[expect(clippy::cast_precision_loss, reason = "counts")]
pub fn set_state(name: &'static str, state: &'static str, value: i64) {
    gauge!(name, "state" => state).set(value as f64);
}

/// Sets the program's version.
pub fn set_version(version: &'static str) {
    gauge!(BUILD, "version" => version).set(1.0);
}
