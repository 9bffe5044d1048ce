//! Runs the server: from opening everything to saving the last byte.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::fs::Mode;
use slovo_accounts::admin_notices;
use slovo_accounts::avatars;
use slovo_accounts::housekeeping;
use slovo_accounts::plan_mails;
use slovo_accounts::plans::first_plans;
use slovo_accounts::plans::trials;
use slovo_accounts::site_messages;
use slovo_api::{sources, targets};
use slovo_app::backups;
use slovo_app::config::Config;
use slovo_app::connections::{self, Bounds};
use slovo_app::state::AppState;
use slovo_app::state::engine::recognition_device;
use slovo_db::{Database, accounts};
use slovo_transcripts::search;
use slovo_work::jobs::{Driver, counts};
use slovo_work::queues::{Queue, Queues};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::driver::Work;
use crate::monitoring;
use crate::router;
use crate::shared_limits::SharedLimits;

/// How long requests may continue after the server is told to stop, in seconds.
const DRAIN_SECONDS: u64 = 10;

/// How long jobs may take to save their state, in seconds. Anything not saved is repeated after the
/// next start: at most one chunk.
const SAVE_SECONDS: u64 = 10;

/// What a process does.
#[derive(Debug)]
pub enum Role {
    /// Pages, the API and all work.
    Everything,
    /// Pages and the API. The work is left to other processes.
    Web,
    /// Only the work of these queues.
    Work(Queues),
}

/// Opens everything and does what belongs to the role until told to stop (SIGTERM, Ctrl-C).
///
/// # Errors
/// The message says what cannot be opened, or that the port is in use.
pub async fn run(config: Config, role: Role) -> Result<()> {
    // All files created from here on, even by libraries, are accessible for the owner only.
    rustix::process::umask(Mode::RWXU.complement());
    let config = config.prepare()?;
    match role {
        Role::Everything => run_web(config, &Queues::all()).await,
        Role::Web => run_web(config, &Queues::none()).await,
        Role::Work(queues) => {
            let state = AppState::open(config).await?;
            stop_on_signals(&state)?;
            monitoring::start(&state).await?;
            let work = Work::connect(&state).await?;
            start_work(&state, &queues, work).await?;
            println!("Slovo works on {queues}");
            state.shutdown.cancelled().await;
            close(&state).await;
            Ok(())
        }
    }
}

/// Listens, serves, cleans up, and works on these queues.
async fn run_web(mut config: Config, queues: &Queues) -> Result<()> {
    let address = config.address();
    // Before anything slow, so that a port in use is reported at once.
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}; choose another with --port"))?;
    // Links in mails need the actual port if any free one was requested.
    config.http.port = listener.local_addr()?.port();
    let wyoming = listen_for_wyoming(&config).await?;
    let state = AppState::open(config).await?;
    stop_on_signals(&state)?;
    monitoring::start(&state).await?;
    // Before the first account, so that its limits or trial apply from the beginning.
    first_plans::make(&state.plans())
        .await
        .context("the plans of a new server cannot be created")?;
    first_plans::follow_edition(&state.plans()).await?;
    let work = Work::connect(&state).await?;
    start_housekeeping(&state, work.driver());
    start_work(&state, queues, work).await?;
    if let Some((listener, key)) = wyoming {
        println!("Wyoming is at tcp://{}", listener.local_addr()?);
        let serving = slovo_compat_api::wyoming::serve(listener, state.clone(), key);
        state.tasks.spawn(serving);
    }
    serve(listener, state).await
}

/// Starts what keeps the data in order. Several processes may do it.
fn start_housekeeping(state: &AppState, driver: Driver) {
    let tasks = &state.tasks;
    let stop = || state.shutdown.clone();
    tasks.spawn(housekeeping::clean_periodically(state.housekeeping()));
    tasks.spawn(state.uploads.clone().sweep_periodically(stop()));
    tasks.spawn(state.file_removals().process_periodically(stop()));
    tasks.spawn(avatars::sweep_periodically(state.avatar_sweeper()));
    if driver == Driver::Tables {
        tasks.spawn(trials::end_expired_periodically(state.plans()));
    }
    tasks.spawn(search::index_periodically(state.db.clone(), stop()));
    tasks.spawn(backups::make_daily(state.clone()));
    tasks.spawn(fill_search_texts(state.db.clone()));
    tasks.spawn(counts::merge_periodically(state.db.clone(), stop()));
    tasks.spawn(
        state
            .jobs
            .clone()
            .exchange_messages(SharedLimits(Arc::clone(&state.limits))),
    );
}

/// Starts the work of these queues.
async fn start_work(state: &AppState, queues: &Queues, work: Work) -> Result<()> {
    let (tasks, driver, messages) = (&state.tasks, work.driver(), work.messages());
    // Other processes may change what is configured.
    tasks.spawn(state.analyses.clone().reload_periodically());
    tasks.spawn(state.jobs.clone().apply_models_periodically());
    if queues.contains(Queue::Delivery) {
        tasks.spawn(state.completion_mails().send_periodically(messages));
        tasks.spawn(site_messages::send_periodically(state.site_messages()));
        tasks.spawn(plan_mails::send_periodically(state.outbox()));
        tasks.spawn(admin_notices::send_periodically(state.outbox()));
        tasks.spawn(state.webhooks.clone().send_periodically(messages));
        tasks.spawn(state.webhooks.clone().sweep_periodically());
        tasks.spawn(targets::watch(state.clone()));
    }
    if queues.contains(Queue::Delivery) && driver == Driver::Tables {
        tasks.spawn(slovo_nocodb::sync_periodically(state.nocodb()));
    }
    if queues.contains(Queue::Download) && driver == Driver::Tables {
        tasks.spawn(sources::watch(state.clone()));
    }
    if *queues == Queues::none() {
        return Ok(());
    }
    let started = state.jobs.start(state.config.data(), queues, driver).await;
    let worker = started.context("the worker cannot start")?;
    work.drive(state, queues, worker).await
}

/// Listens for the Wyoming protocol, if it is configured. Returns the key for it, too.
async fn listen_for_wyoming(config: &Config) -> Result<Option<(TcpListener, String)>> {
    let Some((address, key)) = config.http.wyoming_listener() else {
        return Ok(None);
    };
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}; choose another with --wyoming"))?;
    Ok(Some((listener, key.to_owned())))
}

/// Prepares accounts of an older version for the administrators' search.
async fn fill_search_texts(db: Database) {
    match accounts::search::fill_search_texts(&db).await {
        Ok(0) => {}
        Ok(accounts) => tracing::info!(accounts, "accounts can be searched now"),
        Err(error) => {
            tracing::warn!(%error, "some accounts cannot be searched before the next start");
        }
    }
}

/// Serves until the state's `shutdown` is cancelled; then drains and closes.
///
/// # Errors
/// If the listener has no address.
pub async fn serve(listener: TcpListener, state: AppState) -> Result<()> {
    let address = listener.local_addr()?;
    if state.config.web_folder().is_none() && !slovo_web_files::are_embedded() {
        tracing::warn!("the web app is not built; only the API is served");
    }
    tracing::info!(%address, data = %state.config.data().display(), database = ?state.db.backend(), "serving");
    if let Some(device) = recognition_device(&state.config.engine) {
        tracing::info!(
            device = device.name,
            model = device.description,
            "recognition runs on"
        );
    }
    println!("Slovo is at http://{address}");
    log_where_mail_goes(&state.config);

    let router = router::router(state.clone());
    let bounds = Bounds::of_this_process(&state.config.http);
    tracing::debug!(?bounds, "limits of connections");
    let server = connections::serve(listener, router, bounds, state.shutdown.clone());
    let stop = state.shutdown.clone();
    let too_long = async move {
        stop.cancelled().await;
        tokio::time::sleep(Duration::from_secs(DRAIN_SECONDS)).await;
    };
    tokio::select! {
        () = server => {}
        () = too_long => tracing::warn!("some requests did not end in time and are aborted"),
    }

    close(&state).await;
    Ok(())
}

/// Waits until everything is saved, and closes the database.
async fn close(state: &AppState) {
    state.shutdown.cancel();
    state.tasks.close();
    let saving = tokio::time::timeout(Duration::from_secs(SAVE_SECONDS), state.tasks.wait());
    if saving.await.is_err() {
        tracing::warn!("some jobs did not stop in time; they resume after the next start");
    }
    state.db.close().await;
    tracing::info!("stopped");
}

/// Logs where mail goes, which an administrator should know before users wait for one.
fn log_where_mail_goes(config: &Config) {
    if config.mail.smtp_url.is_none() {
        tracing::warn!("SLOVO_SMTP_URL is not set: mails are printed and kept in the outbox");
    } else if config.http.public_url.is_none() {
        let public_url = config.public_url();
        tracing::warn!(%public_url, "links in mails use this URL; set it with --public-url");
    }
}

/// The first signal requests a graceful stop; the second ends the program at once.
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
            tracing::info!("stopping; a second signal stops at once");
            stop.cancel();
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::testing::{Backend, apply, each_database, with_server};

    #[apply(each_database!)]
    fn a_stopping_server_finishes_requests_and_waits_for_its_tasks(backend: Backend) {
        with_server(backend, async |server| {
            let state = server.state.clone();
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (saved, mut was_saved) = tokio::sync::oneshot::channel();
            let stop = state.shutdown.clone();
            state.tasks.spawn(async move {
                stop.cancelled().await;
                // Longer than the server needs for everything else.
                tokio::time::sleep(Duration::from_millis(100)).await;
                saved.send(()).unwrap();
            });
            let serving = tokio::spawn(serve(listener, state.clone()));

            // A request whose body is incomplete when the server is told to stop.
            let mut client = TcpStream::connect(address).await.unwrap();
            let head = "POST /api/v1/auth/logout HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                content-type: application/json\r\ncontent-length: 21\r\n\r\n{\"refresh_";
            client.write_all(head.as_bytes()).await.unwrap();
            let mut ready = TcpStream::connect(address).await.unwrap();
            let probe = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
            ready.write_all(probe.as_bytes()).await.unwrap();
            let mut answer = String::new();
            ready.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");

            state.shutdown.cancel();
            client.write_all(b"token\":\"x\"}").await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
            serving.await.unwrap().unwrap();
            assert!(
                was_saved.try_recv().is_ok(),
                "the server ended before its tasks"
            );
            assert!(TcpStream::connect(address).await.is_err());
        });
    }

    #[apply(each_database!)]
    fn a_taken_port_is_reported_before_anything_is_created(backend: Backend) {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port().to_string();
        with_server(backend, async |server| {
            let mut config = server.state.config.clone();
            config.http.port = port.parse().unwrap();
            let error = run(config, Role::Everything).await.unwrap_err();
            assert!(error.to_string().contains("--port"), "{error}");
        });
    }
}
