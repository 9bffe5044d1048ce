//! `/metrics`, `/livez` and `/readyz` at an address of their own, which need not be reachable from
//! outside: `slovo serve --metrics 127.0.0.1:9464`.

use std::sync::OnceLock;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use slovo_app::state::AppState;
use slovo_db::site::overview;
use slovo_db::{backup_runs, jobs::workers};
use slovo_platform::{disk, metrics};
use slovo_storage::Space;
use slovo_work::processes::is_living;
use tokio::net::TcpListener;

/// The format of Prometheus, version 0.0.4.
const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// There is one recorder for each process; tests open several servers in one.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

#[derive(Clone)]
struct Monitoring {
    state: AppState,
    recorder: PrometheusHandle,
    process: Collector,
}

/// Listens at the configured address, if there is one.
///
/// # Errors
/// When the address is in use.
pub async fn start(state: &AppState) -> Result<()> {
    let Some(address) = state.config.http.metrics else {
        return Ok(());
    };
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}; choose another with --metrics"))?;
    println!("Metrics are at http://{}/metrics", listener.local_addr()?);
    let monitoring = Monitoring {
        state: state.clone(),
        recorder: recorder()?,
        process: Collector::default(),
    };
    monitoring.process.describe();
    let router = Router::new()
        .route("/metrics", get(show))
        .route("/livez", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(monitoring);
    let stop = state.shutdown.clone();
    state.tasks.spawn(async move {
        let serving = axum::serve(listener, router);
        let serving = serving.with_graceful_shutdown(async move { stop.cancelled().await });
        if let Err(error) = serving.await {
            tracing::error!(%error, "metrics are not served any more");
        }
    });
    Ok(())
}

fn recorder() -> Result<PrometheusHandle> {
    if let Some(recorder) = RECORDER.get() {
        return Ok(recorder.clone());
    }
    let recorder = PrometheusBuilder::new()
        .set_buckets(&metrics::SECONDS)?
        .set_buckets_for_metric(
            Matcher::Full(metrics::REALTIME_FACTOR.to_owned()),
            &metrics::FACTORS,
        )?
        .install_recorder()?;
    metrics::describe();
    metrics::set_version(env!("CARGO_PKG_VERSION"));
    Ok(RECORDER.get_or_init(|| recorder).clone())
}

async fn show(State(monitoring): State<Monitoring>) -> impl IntoResponse {
    monitoring.process.collect();
    collect(&monitoring.state).await;
    monitoring.recorder.run_upkeep();
    let text = monitoring.recorder.render();
    ([(header::CONTENT_TYPE, FORMAT)], text)
}

/// Sets the values that are read when they are asked for.
async fn collect(state: &AppState) {
    let report = state.condition.report().await;
    let is_ready = !state.shutdown.is_cancelled() && report.can_store();
    metrics::set(metrics::READY, i64::from(is_ready));
    if let Some(free) = disk::free_bytes(state.config.data()) {
        metrics::set(metrics::FREE_BYTES, i64::try_from(free).unwrap_or(i64::MAX));
    }
    let (used, idle) = state.db.connections();
    metrics::set_state(metrics::CONNECTIONS, "used", used);
    metrics::set_state(metrics::CONNECTIONS, "idle", idle);
    if let Err(error) = collect_rows(state).await {
        tracing::warn!(%error, "some metrics cannot be read");
    }
}

async fn collect_rows(state: &AppState) -> slovo_db::Result<()> {
    let now = state.clock.now_ms();
    let mut connection = state.db.read().await?;
    let depth = overview::queue_depth(&mut connection).await?;
    metrics::set_state(metrics::QUEUE_JOBS, "waiting", depth.waiting);
    metrics::set_state(metrics::QUEUE_JOBS, "running", depth.running);
    metrics::set_state(metrics::QUEUE_JOBS, "downloads", depth.downloads);
    let oldest = depth
        .oldest
        .map_or(0, |oldest| (now - oldest).max(0) / 1000);
    metrics::set(metrics::QUEUE_OLDEST, oldest);
    let workers = workers::list(&mut connection).await?;
    let living = workers.iter().filter(|worker| is_living(worker, now));
    metrics::set(metrics::WORKERS, i64::try_from(living.count()).unwrap_or(0));
    let runs = backup_runs::list(&mut connection, 50).await?;
    let last = runs.iter().find(|run| run.snapshot.is_some());
    if let Some((run, finished)) = last.and_then(|run| Some((run, run.finished_at?))) {
        metrics::set(metrics::BACKUP_TIME, finished / 1000);
        metrics::set(metrics::BACKUP_BYTES, run.total_bytes);
    }
    Ok(())
}

/// What is not ready, one line each.
async fn ready(State(monitoring): State<Monitoring>) -> (StatusCode, String) {
    let state = &monitoring.state;
    let report = state.condition.report().await;
    let mut missing = Vec::new();
    if state.shutdown.is_cancelled() {
        missing.push("server: it is stopping".to_owned());
    }
    if !report.has_folder {
        missing.push(format!("storage: {} is not there", state.storage.name()));
    }
    if report.space == Space::Full {
        missing.push("disk: it is full".to_owned());
    }
    missing.extend(report.database.map(|cause| format!("database: {cause}")));
    if missing.is_empty() {
        return (StatusCode::OK, "ok\n".to_owned());
    }
    (StatusCode::SERVICE_UNAVAILABLE, missing.join("\n") + "\n")
}
