//! Dependencies of accounts.

use std::sync::Arc;

use anyhow::Result;
use futures_util::future::join_all;
use slovo_accounts::audit::Audit;
use slovo_accounts::auth::openid::OpenId;
use slovo_accounts::auth::{self, Rates};
use slovo_accounts::{avatars, deletion, housekeeping, outbox, plans, site_messages};
use slovo_db::lifecycle::deletion::LeftoverFiles;
use slovo_platform::clock::Clock;

use super::AppState;
use crate::config::{Auth, Config, ProviderLogo};
use crate::samples;

impl AppState {
    /// The parts of sign-up, sign-in and sessions.
    #[must_use]
    pub fn auth(&self) -> auth::Parts<'_> {
        auth::Parts {
            db: &self.db,
            clock: &*self.clock,
            random: &*self.random,
            secret: &self.secret,
            tokens: &self.tokens,
            passwords: &self.passwords,
            limits: &self.limits,
            mail: &self.mail,
            edition: self.config.edition,
            has_samples: self.config.sample,
        }
    }

    /// Writes the audit log.
    #[must_use]
    pub fn audit(&self) -> Audit<'_> {
        Audit {
            db: &self.db,
            clock: &*self.clock,
            random: &*self.random,
        }
    }

    /// The parts of plans and trials.
    #[must_use]
    pub fn plans(&self) -> plans::Parts {
        plans::Parts {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            edition: self.config.edition,
            shutdown: self.shutdown.clone(),
        }
    }

    /// The parts of stored mails.
    #[must_use]
    pub fn outbox(&self) -> outbox::Parts {
        outbox::Parts {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            mail: self.mail.clone(),
            public_url: self.config.public_url(),
            shutdown: self.shutdown.clone(),
        }
    }

    /// The parts of visitors' messages and newsletter subscriptions.
    #[must_use]
    pub fn site_messages(&self) -> site_messages::Parts {
        site_messages::Parts {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            secret: self.secret.clone(),
            settings: self.settings.clone(),
            limits: Arc::clone(&self.limits),
            mail: self.mail.clone(),
            public_url: self.config.public_url(),
            contact_to: self.config.mail.contact_to.clone(),
            shutdown: self.shutdown.clone(),
        }
    }

    /// The parts of deleting accounts.
    #[must_use]
    pub fn deletion(&self) -> deletion::Parts {
        let state = self.clone();
        deletion::Parts {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            tasks: self.tasks.clone(),
            clear: Arc::new(move |leftovers| Box::pin(clear(state.clone(), leftovers))),
        }
    }

    /// The parts of sample recordings.
    pub fn samples(&self) -> samples::Parts<'_> {
        samples::Parts {
            db: &self.db,
            clock: &*self.clock,
            random: &*self.random,
            storage: &self.storage,
            is_on: self.config.sample,
        }
    }

    /// The parts of removing what has expired.
    #[must_use]
    pub fn housekeeping(&self) -> housekeeping::Parts {
        housekeeping::Parts {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            limits: Arc::clone(&self.limits),
            shutdown: self.shutdown.clone(),
        }
    }

    /// The parts of removing old avatars.
    #[must_use]
    pub fn avatar_sweeper(&self) -> avatars::Parts {
        avatars::Parts {
            avatars: self.avatars.clone(),
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            shutdown: self.shutdown.clone(),
        }
    }
}

/// The configured rate limits.
pub(super) const fn rates(auth: &Auth) -> Rates {
    Rates {
        signups_per_hour: auth.signups_per_hour,
        logins_per_minute: auth.logins_per_minute,
        logins_per_account: auth.logins_per_account,
        mails_per_hour: auth.mails_per_hour,
    }
}

/// The provider of sign-in with Google and its logo, if they are configured.
pub(super) fn openid(
    config: &Config,
    clock: &Arc<dyn Clock>,
) -> Result<(Option<OpenId>, Option<ProviderLogo>)> {
    let Some(provider) = config.openid.provider()? else {
        return Ok((None, None));
    };
    let openid = OpenId::new(provider, &config.public_url(), clock)?;
    Ok((Some(openid), config.openid.read_mark()?))
}

/// Stops what still runs for a deleted account, and removes its files.
async fn clear(state: AppState, leftovers: LeftoverFiles) {
    join_all(leftovers.jobs.iter().map(|id| state.jobs.stop(*id))).await;
    for id in &leftovers.jobs {
        state.jobs.removed(*id);
    }
    if let Err(error) = state.file_removals().process_due().await {
        tracing::error!(%error, "files of a deleted account remain; trying again soon");
    }
}
