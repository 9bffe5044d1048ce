//! One look at a source.

use std::time::Duration;

use slovo_app::auth::session::Role;
use slovo_app::auth::{Caller, Credential};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, Status};
use slovo_db::sources::recordings::{self, NewRecording};
use slovo_db::sources::{Problem, Source};
use slovo_rules::codes::ProblemCode;
use slovo_rules::source::{SourceKind, SourceRecordingState};
use slovo_sources::{Found, Place, SourceError};
use tokio::time::timeout;

use super::problem::{internal, problem, unread};
use super::{password, start};

/// Recordings that are stored in one transaction.
const BATCH: usize = 200;

/// How long a source may take to list its recordings.
const LIST_TIME: Duration = Duration::from_secs(5 * 60);

/// Finds what is new, and creates its jobs.
///
/// # Errors
/// The source cannot be read.
pub(super) async fn look(state: &AppState, source: &Source) -> Result<(), Problem> {
    let caller = owner(state, source).await?;
    let settings = state.settings.current().await.map_err(internal)?;
    if source.kind.has_address() && !settings.switches.url_fetch {
        return Err(problem(ProblemCode::UrlFetchOff.as_str(), None));
    }
    let password = password::open(state, source)?;
    let place = Place {
        kind: source.kind,
        location: &source.location,
        region: &source.region,
        user: &source.user,
        password: password.as_deref(),
    };
    let roots = &state.config.sources.watched_folders;
    let now = state.clock.now();
    let listed = timeout(
        LIST_TIME,
        slovo_sources::list(&state.fetch, &place, roots, now),
    );
    let found = listed.await.unwrap_or(Err(SourceError::TimedOut));
    let found = found.map_err(|error| unread(&error))?;
    if !start::is_wanted(state, source).await.map_err(internal)? {
        return Ok(());
    }
    store(state, source, &found).await.map_err(internal)?;
    start::start_all(state, &caller, source, &place)
        .await
        .map_err(internal)
}

/// The owner, on whose behalf the jobs are created.
async fn owner(state: &AppState, source: &Source) -> Result<Caller, Problem> {
    let mut connection = state.db.read().await.map_err(internal)?;
    let account = accounts::get(&mut connection, &source.account_id).await;
    let account = account.map_err(internal)?;
    let account = account.filter(|account| account.status == Status::Active);
    let account = account.ok_or_else(|| problem("source_owner_blocked", None))?;
    if source.kind == SourceKind::Folder && !account.is_admin {
        return Err(problem("source_folder_not_allowed", None));
    }
    Ok(Caller {
        user_id: account.id.clone(),
        credential: Credential::Source {
            id: source.id.to_string(),
        },
        role: if account.is_admin {
            Role::Admin
        } else {
            Role::User
        },
        account,
    })
}

/// Stores what was found.
async fn store(state: &AppState, source: &Source, found: &[Found]) -> anyhow::Result<()> {
    let state_of_new = if source.has_looked || source.take_existing {
        SourceRecordingState::Waiting
    } else {
        SourceRecordingState::Skipped
    };
    for batch in found.chunks(BATCH) {
        let now = state.clock.now_ms();
        let mut transaction = state.db.write().await?;
        for found in batch {
            let new = NewRecording {
                id: state.new_id().parse()?,
                key: found.key.clone(),
                name: found.name.clone(),
                url: found.url.clone(),
                size: found.size.and_then(|size| i64::try_from(size).ok()),
                version: found.version.clone(),
                is_settled: !source.kind.grows() || state_of_new == SourceRecordingState::Skipped,
                state: state_of_new,
            };
            recordings::store(&mut transaction, source.id, &new, now).await?;
        }
        transaction.commit().await?;
    }
    Ok(())
}
