//! Running the server: from the open state to the last saved byte.

use std::future::IntoFuture;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::ServiceExt;
use axum::extract::Request;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::auth::session;
use crate::config::Config;
use crate::http;
use crate::state::AppState;

/// How long requests may go on after the server is told to stop, in seconds.
const DRAIN_SECONDS: u64 = 10;

/// How long jobs may take to save what they have, in seconds. What is not saved by then is done
/// again after the next start: no more than one chunk.
const SAVE_SECONDS: u64 = 10;

/// Opens everything, listens, and serves until told to stop (SIGTERM, Ctrl-C).
///
/// # Errors
/// Says what cannot be opened, or that the port is taken.
pub async fn run(config: Config) -> Result<()> {
    let config = config.prepare()?;
    let address = config.address();
    // Before anything slow, so that a taken port is said at once.
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}; choose another with --port"))?;
    let state = AppState::open(config).await?;
    stop_on_signals(&state)?;
    state.tasks.spawn(session::housekeeping(state.clone()));
    serve(listener, state).await
}

/// Serves until the state's `shutdown` is cancelled; then drains and closes.
///
/// # Errors
/// If the listener fails.
pub async fn serve(listener: TcpListener, state: AppState) -> Result<()> {
    let address = listener.local_addr()?;
    if state.config.web_folder().is_none() {
        tracing::warn!("the web app is not built; only the API is served");
    }
    tracing::info!(%address, data = %state.config.data().display(), database = ?state.db.backend(), "serving");
    println!("Slovo is at http://{address}");

    let router = http::router(state.clone());
    let service =
        ServiceExt::<Request>::into_make_service_with_connect_info::<SocketAddr>(router);
    let stop = state.shutdown.clone();
    let server = axum::serve(listener, service)
        .with_graceful_shutdown(async move { stop.cancelled().await })
        .into_future();
    let stop = state.shutdown.clone();
    let too_long = async move {
        stop.cancelled().await;
        tokio::time::sleep(Duration::from_secs(DRAIN_SECONDS)).await;
    };
    tokio::select! {
        served = server => served.context("the server failed")?,
        () = too_long => tracing::warn!("some requests did not end and are cut off"),
    }

    state.shutdown.cancel();
    state.tasks.close();
    let saving = tokio::time::timeout(Duration::from_secs(SAVE_SECONDS), state.tasks.wait());
    if saving.await.is_err() {
        tracing::warn!("some jobs did not stop in time; they go on after the next start");
    }
    state.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// The first signal asks to stop; the second one ends the program at once.
fn stop_on_signals(state: &AppState) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = state.shutdown.clone();
    tokio::spawn(async move {
        for hurry in [false, true] {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if hurry {
                std::process::exit(130);
            }
            tracing::info!("stopping; once more to stop at once");
            stop.cancel();
        }
    });
    Ok(())
}
