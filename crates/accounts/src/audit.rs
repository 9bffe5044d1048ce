//! The audit log of administrators' changes: who, when, what, and the values before and after.

use serde_json::Value;
use slovo_db::accounts::audit::{self, Entry};
use slovo_db::{Connection, Database};

use slovo_platform::clock::Clock;
use slovo_platform::random::Random;

use crate::auth::Caller;
use crate::ids::row_id;

/// One change by an administrator.
#[derive(Debug)]
pub struct Change<'a> {
    /// `noun.verb`, for example `plan.update`, listed in `slovo_rules::codes`; its text is `actions.<noun>.<verb>` of the locale
    /// file `admin-audit`.
    pub action: &'a str,
    /// What kind of thing was changed, for example `plan`.
    pub kind: &'a str,
    /// Its id.
    pub id: &'a str,
    /// Its display name: an address or a name.
    pub name: &'a str,
    /// The value before; null if it did not exist. No secrets. Its field names are in
    /// `slovo_rules::codes`; pages show unknown ones as "another field".
    pub before: Value,
    /// The value after; null if it no longer exists. No secrets.
    pub after: Value,
}

/// Writes the audit log. Borrowed for one change.
#[derive(Clone, Copy)]
pub struct Audit<'a> {
    /// The database.
    pub db: &'a Database,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Randomness, for new ids.
    pub random: &'a dyn Random,
}

impl Audit<'_> {
    /// Records a change, in the transaction that makes it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record(
        &self,
        connection: &mut Connection,
        caller: &Caller,
        change: Change<'_>,
    ) -> slovo_db::Result<()> {
        let entry = self.entry(caller, change)?;
        log(&entry);
        audit::record(connection, &entry).await
    }

    /// Records an action that changes nothing and may be repeated often, such as reading. Skipped
    /// if the same administrator did the same to the same thing at `since` (Unix milliseconds) or
    /// later.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_once(
        &self,
        caller: &Caller,
        change: Change<'_>,
        since: i64,
    ) -> slovo_db::Result<()> {
        let entry = self.entry(caller, change)?;
        // A read needs no write lock, and the entry mostly exists.
        if audit::is_recorded(&mut *self.db.read().await?, &entry, since).await? {
            return Ok(());
        }
        let mut transaction = self.db.write().await?;
        if audit::record_once(&mut transaction, self.db.backend(), &entry, since).await? {
            log(&entry);
        }
        transaction.commit().await
    }

    fn entry(&self, caller: &Caller, change: Change<'_>) -> slovo_db::Result<Entry> {
        let now = self.clock.now_ms();
        Ok(Entry {
            id: row_id(self.random, now, "audit_log")?,
            actor_id: Some(caller.user_id.clone()),
            actor_email: caller.account.email.clone(),
            action: change.action.to_owned(),
            target_kind: change.kind.to_owned(),
            target_id: change.id.to_owned(),
            target_name: change.name.to_owned(),
            before: Some(change.before).filter(|value| !value.is_null()),
            after: Some(change.after).filter(|value| !value.is_null()),
            api_key: caller.credential.key_name().map(str::to_owned),
            created_at: now,
        })
    }
}

fn log(entry: &Entry) {
    let by = entry.actor_id.as_deref();
    tracing::info!(
        by,
        action = entry.action,
        target = entry.target_id,
        "administration"
    );
}
