//! The models in use: the administrator's choice takes precedence over the configuration and the
//! models folder's file.
//!
//! A choice takes effect at once, and within seconds in other processes; running jobs keep their
//! model. A process that lacks the chosen file keeps its previous model.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use slovo_db::site::server_settings;
use slovo_db::{Connection, Database};
use slovo_model_catalogue::{self as catalogue, Choice, State};

const KEY: &str = "models";

/// The models in use by one process. Cheap to clone; clones share their state.
#[derive(Clone, Debug)]
pub struct Serving(Arc<RwLock<Models>>);

#[derive(Debug)]
struct Models {
    /// The choice from the configuration and the folder.
    configured: Choice,
    /// The administrator's choice, as far as it is in effect here.
    chosen: Choice,
}

impl Serving {
    /// The models in use until an administrator chooses.
    #[must_use]
    pub fn new(configured: Choice) -> Self {
        Self(Arc::new(RwLock::new(Models {
            configured,
            chosen: Choice::default(),
        })))
    }

    /// The administrator's choice.
    #[must_use]
    pub fn chosen(&self) -> Choice {
        self.read().chosen.clone()
    }

    /// The models in use.
    #[must_use]
    pub fn now(&self) -> Choice {
        let models = self.read();
        models
            .configured
            .clone()
            .overridden_by(models.chosen.clone())
    }

    /// Applies the stored choice in this process. Returns the models in use from now on; `None` if
    /// that changes nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn apply(&self, db: &Database, dir: &Path) -> slovo_db::Result<Option<Choice>> {
        let stored = stored(&mut *db.read().await?).await?;
        let before = self.chosen();
        if stored == before {
            return Ok(None);
        }
        let dir = dir.to_owned();
        let outcome =
            tokio::task::spawn_blocking(move || usable_choice(&dir, &stored, &before)).await;
        let Ok(chosen) = outcome else {
            return Ok(None);
        };
        if chosen == self.chosen() {
            return Ok(None);
        }
        self.choose(chosen);
        Ok(Some(self.now()))
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Models> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn choose(&self, chosen: Choice) {
        let mut models = self.0.write().unwrap_or_else(PoisonError::into_inner);
        models.chosen = chosen;
    }
}

/// The stored choice.
///
/// # Errors
/// When the database fails.
pub async fn stored(connection: &mut Connection) -> slovo_db::Result<Choice> {
    let choice = server_settings::get(connection, KEY).await?;
    Ok(choice.unwrap_or_default())
}

/// Stores a choice. Call [`Serving::apply`] after the commit.
///
/// # Errors
/// When the database fails.
pub async fn store(connection: &mut Connection, choice: &Choice, now: i64) -> slovo_db::Result<()> {
    server_settings::set(connection, KEY, choice, now).await
}

/// The part of a choice whose files this process has; for a missing one, the previous model.
fn usable_choice(dir: &Path, chosen: &Choice, before: &Choice) -> Choice {
    let pick = |chosen: &Option<String>, before: &Option<String>| {
        let id = chosen.as_ref()?;
        let model = catalogue::find(id)?;
        if catalogue::state(dir, model) == State::Missing {
            tracing::warn!(
                model = id,
                "the chosen model is not in this server's folder"
            );
            return before.clone();
        }
        Some(id.clone())
    };
    Choice {
        full: pick(&chosen.full, &before.full),
        lite: pick(&chosen.lite, &before.lite),
    }
}
