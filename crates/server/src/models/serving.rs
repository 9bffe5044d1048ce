//! Which models serve the modes now: what an administrator has chosen on the page, over the server's
//! configuration and the file of the models folder.
//!
//! The choice is in force at once, and within seconds in other processes; what runs ends with the
//! model it began with. Where a process does not have the chosen file, it keeps to what it had.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use slovo_db::site::server_settings;
use slovo_db::{Connection, Database};
use slovo_engine::models::{self, Choice, State};
use slovo_rules::settings::TranscriptionType;

use super::desk::Desk;

const KEY: &str = "models";

/// How often another process's choice is looked for.
const EVERY: Duration = Duration::from_secs(5);

const MODES: [TranscriptionType; 2] = [TranscriptionType::Full, TranscriptionType::Lite];

/// The models of one process. Cheap to clone; all clones are the same.
#[derive(Clone, Debug)]
pub struct Serving(Arc<RwLock<Models>>);

#[derive(Debug)]
struct Models {
    /// What the configuration and the folder say.
    configured: Choice,
    /// What an administrator has chosen, as far as it is in force here.
    chosen: Choice,
}

impl Serving {
    /// What serves as long as nobody chooses.
    #[must_use]
    pub fn new(configured: Choice) -> Self {
        Self(Arc::new(RwLock::new(Models {
            configured,
            chosen: Choice::default(),
        })))
    }

    /// What an administrator has chosen.
    #[must_use]
    pub fn chosen(&self) -> Choice {
        self.read().chosen.clone()
    }

    /// What serves now.
    #[must_use]
    pub fn now(&self) -> Choice {
        let models = self.read();
        models
            .configured
            .clone()
            .overridden_by(models.chosen.clone())
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Models> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn choose(&self, chosen: Choice) {
        let mut models = self.0.write().unwrap_or_else(PoisonError::into_inner);
        models.chosen = chosen;
    }
}

/// What is stored.
///
/// # Errors
/// When the database fails.
pub async fn stored(connection: &mut Connection) -> slovo_db::Result<Choice> {
    let choice = server_settings::get(connection, KEY).await?;
    Ok(choice.unwrap_or_default())
}

/// Stores a choice. [`apply`] follows the commit.
///
/// # Errors
/// When the database fails.
pub async fn store(connection: &mut Connection, choice: &Choice, now: i64) -> slovo_db::Result<()> {
    server_settings::set(connection, KEY, choice, now).await
}

/// Puts the stored choice in force in this process, if it is not yet. `keep` is then given the
/// ids of the models that serve a mode: the memory of all others can be given up.
///
/// # Errors
/// When the database fails.
pub async fn apply(db: &Database, desk: &Desk, keep: impl FnOnce(&[&str])) -> slovo_db::Result<()> {
    let stored = stored(&mut *db.read().await?).await?;
    let serving = desk.serving();
    let before = serving.chosen();
    if stored == before {
        return Ok(());
    }
    let dir = desk.fetcher().dir.clone();
    let looked = tokio::task::spawn_blocking(move || usable(&dir, &stored, &before)).await;
    let Ok(chosen) = looked else {
        return Ok(());
    };
    if chosen == serving.chosen() {
        return Ok(());
    }
    serving.choose(chosen);
    let now = serving.now();
    let ids = MODES.map(|mode| now.model(mode));
    keep(&ids);
    tracing::info!(full = ids[0], lite = ids[1], "other models serve");
    Ok(())
}

/// Of a choice what this process has the files of; where one is missing, what there was before.
fn usable(dir: &std::path::Path, wanted: &Choice, before: &Choice) -> Choice {
    let pick = |wanted: &Option<String>, before: &Option<String>| {
        let id = wanted.as_ref()?;
        let model = models::find(id)?;
        if models::state(dir, model) == State::Missing {
            tracing::warn!(
                model = id,
                "the chosen model is not in this server's folder"
            );
            return before.clone();
        }
        Some(id.clone())
    };
    Choice {
        full: pick(&wanted.full, &before.full),
        lite: pick(&wanted.lite, &before.lite),
    }
}

/// Follows what administrators choose through other processes, until the server stops. For
/// `keep` see [`apply`].
pub async fn keep_applied(db: Database, desk: Desk, keep: impl Fn(&[&str])) {
    loop {
        tokio::select! {
            () = desk.shutdown().cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        if let Err(error) = apply(&db, &desk, &keep).await {
            tracing::warn!(%error, "the models stay as they were");
        }
    }
}
