//! The external database (NocoDB): the connection test, and the two-way synchronisation.
//!
//! A run proceeds table by table: it reads remote changes, then sends local ones. `nocodb_links`
//! stores which rows correspond and how both were when they last agreed; `nocodb_cursors` stores
//! how far reading has come. Each page is one transaction, so a killed run resumes where it was,
//! and a run that finds nothing new changes nothing.
//!
//! Where changes are made:
//!
//! - plans and presets: on both sides. New remote ones are created here; a new preset belongs to
//!   the system. A plan that is deleted there is no longer offered here; a preset is kept.
//! - users: names, plan and whether they are blocked, on both sides. Addresses, passwords and roles
//!   are not synchronised. A new remote user is kept until a user signs up with the address.
//! - jobs: created here; their name and visibility to their owner may be changed there.
//! - minutes and texts: only sent there.
//!
//! The direction of each field is declared in `schema` only. Remote changes to a field that only
//! we may change are reverted and reported: minutes record what was transcribed, a job's status
//! follows the pipeline, and the timing of a changed text would be wrong.
//!
//! Local deletions are repeated there; nothing but the above is ever deleted here. When both
//! sides have changed a row, the newer change wins and the other one is reported.

mod check;
mod client;
mod digest;
mod failure;
mod incoming;
mod mirror;
mod outputs;
mod pull;
mod pull_texts;
mod push;
mod reconcile;
mod remote;
mod report;
mod run;
mod schema;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod texts;

use std::sync::Arc;
use std::time::Duration;

use slovo_db::Database;
use slovo_db::nocodb::{self, Cause, Config, Status};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::redacted::Redacted;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use client::{Client, ClientLimits};
use failure::Failure;
use remote::Remote;

pub use check::{ConnectionTest, Details, TestedBase};
pub use check::{prepare, test};
pub use report::{Problem, Stats};

/// The dependencies of the synchronisation. Clones share all of them.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for new ids and pauses.
    pub random: Arc<dyn Random>,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// Runs are spawned here, so that the server waits for them.
    pub tasks: TaskTracker,
    /// The API token of the external database; without it nothing is synchronised.
    pub token: Option<Redacted>,
    /// Minutes between runs; 0 to run only on request.
    pub sync_minutes: u32,
    /// Most requests a second, at least 1.
    pub requests_per_second: u32,
}

impl Parts {
    /// An id for a new row, which sorts by time.
    fn new_id(&self) -> Uuid {
        let id = self.random.uuid_at(self.clock.now_ms());
        id.parse().unwrap_or_default()
    }
}

/// How often the clock is checked.
const CLOCK_CHECK_INTERVAL: Duration = Duration::from_secs(30);

/// Shortest time between two runs started by dashboards, in milliseconds.
const LOAD_PAUSE_MS: i64 = 5 * 60 * 1000;

/// Why no run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// No external database is configured.
    NotConfigured,
    /// The server has no token for it.
    TokenMissing,
    /// A run is in progress.
    Running,
}

/// The result of a dashboard's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadOutcome {
    /// There is nothing to synchronise with.
    Off,
    /// A run started.
    Started,
    /// A run is in progress.
    Running,
    /// The last run is recent enough.
    Fresh,
}

/// Starts a run in the background.
///
/// # Errors
/// When the database fails.
pub async fn start(parts: &Parts, cause: Cause) -> slovo_db::Result<Result<Uuid, StartError>> {
    let config = {
        let mut connection = parts.db.read().await?;
        nocodb::config(&mut connection).await?
    };
    let Some(config) = config else {
        return Ok(Err(StartError::NotConfigured));
    };
    if parts.token.is_none() {
        return Ok(Err(StartError::TokenMissing));
    }
    let Some(run) = run::Run::begin(parts, cause).await? else {
        return Ok(Err(StartError::Running));
    };
    let id = run.id();
    parts.tasks.spawn(run.execute(config));
    Ok(Ok(id))
}

/// Starts a run because a user opened their dashboard, unless there was one recently.
///
/// # Errors
/// When the database fails.
pub async fn loaded(parts: &Parts) -> slovo_db::Result<(LoadOutcome, bool)> {
    if parts.token.is_none() {
        return Ok((LoadOutcome::Off, false));
    }
    let now = parts.clock.now_ms();
    let last = {
        let mut connection = parts.db.read().await?;
        if !nocodb::configured(&mut connection).await? {
            return Ok((LoadOutcome::Off, false));
        }
        nocodb::latest(&mut connection).await?
    };
    let failed = last
        .as_ref()
        .is_some_and(|run| run.status == Status::Failed);
    if let Some(run) = last
        // A run with a start in the future was started before the clock was set back.
        && (0..LOAD_PAUSE_MS).contains(&(now - run.started_at))
    {
        let state = match run.status {
            Status::Running => LoadOutcome::Running,
            _ => LoadOutcome::Fresh,
        };
        return Ok((state, failed));
    }
    let started = match start(parts, Cause::Load).await? {
        Ok(_) => LoadOutcome::Started,
        Err(StartError::Running) => LoadOutcome::Running,
        Err(_) => LoadOutcome::Off,
    };
    Ok((started, failed))
}

/// Starts the synchronisation at the configured interval, and resumes runs of killed processes,
/// until the server stops.
pub async fn sync_periodically(parts: Parts) {
    loop {
        if let Err(error) = start_if_due(&parts).await {
            tracing::warn!(%error, "the synchronisation with NocoDB could not begin");
        }
        tokio::select! {
            () = parts.shutdown.cancelled() => return,
            () = tokio::time::sleep(CLOCK_CHECK_INTERVAL) => {}
        }
    }
}

/// Starts the synchronisation if the configured interval is over, and resumes runs of killed
/// processes.
///
/// # Errors
/// When the database fails.
pub async fn start_if_due(parts: &Parts) -> slovo_db::Result<()> {
    if parts.token.is_none() {
        return Ok(());
    }
    let now = parts.clock.now_ms();
    let every = i64::from(parts.sync_minutes) * 60_000;
    let is_due = {
        let mut connection = parts.db.read().await?;
        let last = nocodb::latest(&mut connection).await?;
        // A run with a start in the future was started before the clock was set back.
        let is_old = last.is_none_or(|run| !(0..every).contains(&(now - run.started_at)));
        (every > 0 && is_old) || nocodb::unfinished(&mut connection, now).await?
    };
    if is_due {
        // Another process may have started one, or nothing is configured: both are fine.
        let _ = start(parts, Cause::Interval).await?;
    }
    Ok(())
}

/// Limits of the client.
#[must_use]
pub fn client_limits(parts: &Parts) -> ClientLimits {
    ClientLimits::of_rate(parts.requests_per_second)
}

/// Opens the base.
///
/// # Errors
/// When there is no token, or the base cannot be reached or understood.
pub async fn open(parts: &Parts, config: &Config, limits: ClientLimits) -> Result<Remote, Failure> {
    let token = parts.token.clone();
    let client = Client::new(client::Parts {
        api_url: config.api_url.clone(),
        token: token.ok_or(Failure::TokenMissing)?,
        limits,
        clock: Arc::clone(&parts.clock),
        random: Arc::clone(&parts.random),
        stop: parts.shutdown.clone(),
    })?;
    Remote::open(client, &config.project_id).await
}
