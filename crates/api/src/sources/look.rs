//! One look at a source.

use std::time::Duration;

use slovo_app::state::AppState;
use slovo_db::core::lease;
use slovo_db::sources::found::{self, NewRecording};
use slovo_db::sources::{self, Problem, Source};
use slovo_rules::codes::ProblemCode;
use slovo_rules::source::SourceRecordingState;
use slovo_sources::{Found, Place, SourceError};
use tokio::time::timeout;

use super::owner::owner;
use super::start::{self, Ended};
use crate::places::password;
use crate::places::problem::{internal, problem, unread};

/// Changes that are stored in one transaction.
const BATCH: usize = 200;

/// How long a source may take to list its recordings.
const LIST_TIME: Duration = Duration::from_secs(5 * 60);

/// Finds what is new, and creates its jobs.
///
/// # Errors
/// The source cannot be read.
pub(super) async fn look(state: &AppState, source: &Source) -> Result<Ended, Problem> {
    let caller = owner(state, source).await?;
    let settings = state.settings.current().await.map_err(internal)?;
    if source.kind.has_address() && !settings.switches.url_fetch {
        return Err(problem(ProblemCode::UrlFetchOff.as_str(), None));
    }
    let password = password::open(state, &source.location, source.password.as_ref())?;
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
    if !store(state, source, found).await.map_err(internal)? {
        return Ok(Ended::Done);
    }
    start::start_all(state, &caller, source, &place)
        .await
        .map_err(internal)
}

/// Stores what was found. `false` if the source is another one now, or was leased to another process.
async fn store(state: &AppState, source: &Source, found: Vec<Found>) -> anyhow::Result<bool> {
    let state_of_new = if source.has_looked || source.take_existing {
        SourceRecordingState::Waiting
    } else {
        SourceRecordingState::Skipped
    };
    let now = state.clock.now_ms();
    let mut new = Vec::with_capacity(found.len());
    for (moment, found) in (now..).zip(found) {
        new.push(NewRecording {
            // Sorts after those that were found before it.
            id: state.random.uuid_at(moment).parse()?,
            key: found.key,
            name: found.name,
            url: found.url,
            size: found.size.and_then(|size| i64::try_from(size).ok()),
            version: found.version,
            is_settled: !source.kind.grows() || state_of_new == SourceRecordingState::Skipped,
            state: state_of_new,
        });
    }
    let known = found::known(&mut *state.db.read().await?, source.id).await?;
    let changes = found::changes(known, new, now);
    for batch in changes.chunks(BATCH) {
        let mut transaction = state.db.write().await?;
        let until = lease::expires_at(state.clock.now_ms());
        if !sources::hold(&mut transaction, source, until).await? {
            return Ok(false);
        }
        for change in batch {
            found::apply(&mut transaction, source.id, change, now).await?;
        }
        transaction.commit().await?;
    }
    Ok(true)
}
