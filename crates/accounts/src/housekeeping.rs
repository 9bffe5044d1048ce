//! Removes what has expired: sessions, sign-ups, links, subscriptions and idle rate limits.

use std::sync::Arc;
use std::time::Duration;

use slovo_db::Database;
use slovo_db::accounts::{
    api_keys, email_changes, identities, registrations, resets, sessions, sign_ins,
};
use slovo_db::jobs::idempotency;
use slovo_platform::clock::Clock;
use slovo_rules::account::REGISTRATION_HOURS;
use slovo_rules::api_key::EXPIRED_KEPT_DAYS;
use slovo_rules::job::REPEATABLE_HOURS;
use slovo_rules::sign_in::KEPT_DAYS;
use tokio_util::sync::CancellationToken;

use crate::auth::Limits;
use crate::site_messages;

/// How often expired rows are removed.
const INTERVAL: Duration = Duration::from_secs(10 * 60);

const HOUR_MS: i64 = 60 * 60 * 1000;

/// The dependencies of housekeeping. Clones share all of them.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The rate limits.
    pub limits: Arc<Limits>,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
}

/// Periodically removes expired rows and idle rate limits, until the server stops.
pub async fn clean_periodically(parts: Parts) {
    loop {
        match remove_expired(&parts.db, parts.clock.now_ms()).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(
                removed,
                "expired sessions, sign-ups, links and subscriptions removed"
            ),
            Err(error) => tracing::warn!(%error, "expired data could not be removed"),
        }
        parts.limits.forget_idle();
        tokio::select! {
            () = parts.shutdown.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Removes expired rows once, and returns how many.
///
/// # Errors
/// When the database fails.
pub async fn remove_expired(db: &Database, now: i64) -> slovo_db::Result<u64> {
    let mut transaction = db.write().await?;
    let removed = sessions::remove_expired(&mut transaction, now).await?
        + registrations::remove_old(&mut transaction, now - REGISTRATION_HOURS * HOUR_MS).await?
        + api_keys::remove_expired(&mut transaction, now - EXPIRED_KEPT_DAYS * 24 * HOUR_MS)
            .await?
        + resets::remove_expired(&mut transaction, now).await?
        + email_changes::remove_expired(&mut transaction, now).await?
        + identities::remove_expired(&mut transaction, now).await?
        + sign_ins::remove_old(&mut transaction, now - KEPT_DAYS * 24 * HOUR_MS).await?
        + idempotency::remove_before(&mut transaction, now - REPEATABLE_HOURS * HOUR_MS).await?
        + site_messages::remove_old(&mut transaction, now).await?;
    transaction.commit().await?;
    Ok(removed)
}
