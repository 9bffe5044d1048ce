//! Caches of recently looked-up sessions and API keys, which save a database query per request.
//!
//! Entries are valid until anything is written in this process, so that signing out, blocking and
//! role changes take effect at once; and for at most one second, because other processes (another
//! web server, `slovo admin`) write as well.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use slovo_db::Database;
use slovo_db::accounts::api_keys::{self, UsableKey};
use slovo_db::accounts::{Account, sessions};
use slovo_db::plans::ledger;
use slovo_rules::plan::PlanFeature;

/// How long an entry is valid, in milliseconds.
const CACHE_TTL_MS: i64 = 1000;

/// Most entries of a cache: about 4 MB.
const MAX_ENTRIES: usize = 10_000;

/// The sessions and API keys of one server.
#[derive(Default)]
pub struct CredentialCache {
    sessions: Recent<Account>,
    keys: Recent<KnownKey>,
}

/// An API key, and whether its account's plan includes the API.
#[derive(Clone, Debug)]
pub struct KnownKey {
    /// The key with its account.
    pub key: UsableKey,
    /// Whether the plan includes [`PlanFeature::Api`].
    pub in_plan: bool,
}

impl CredentialCache {
    /// The account of a session that is valid at `now`, in Unix milliseconds.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn account(
        &self,
        database: &Database,
        session_id: &str,
        now: i64,
    ) -> slovo_db::Result<Option<Account>> {
        let read = async || {
            let mut connection = database.read().await?;
            sessions::account(&mut connection, session_id, now).await
        };
        self.sessions
            .get_or_read(database, session_id, now, read)
            .await
    }

    /// The key with this stored form, if it is valid at `now`, in Unix milliseconds.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn key(
        &self,
        database: &Database,
        hash: &str,
        now: i64,
    ) -> slovo_db::Result<Option<KnownKey>> {
        let read = async || {
            let mut connection = database.read().await?;
            let Some(key) = api_keys::usable_by_hash(&mut connection, hash, now).await? else {
                return Ok(None);
            };
            let balance = ledger::read_balance(&mut connection, &key.account.id, now).await?;
            let in_plan = balance.has(PlanFeature::Api);
            Ok(Some(KnownKey { key, in_plan }))
        };
        self.keys.get_or_read(database, hash, now, read).await
    }
}

/// Recently read values by their keys.
struct Recent<V>(Mutex<HashMap<String, Entry<V>>>);

struct Entry<V> {
    value: V,
    /// Value of [`Database::changes`] before the read.
    changes: u64,
    /// Unix milliseconds.
    read_at: i64,
}

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<V: Clone> Recent<V> {
    /// The cached value, or the one that is read. That there is none is not cached.
    async fn get_or_read(
        &self,
        database: &Database,
        key: &str,
        now: i64,
        read: impl AsyncFnOnce() -> slovo_db::Result<Option<V>>,
    ) -> slovo_db::Result<Option<V>> {
        let changes = database.changes();
        if let Some(value) = self.get(key, changes, now) {
            return Ok(Some(value));
        }
        let value = read().await?;
        if let Some(value) = value.clone() {
            let entry = Entry {
                value,
                changes,
                read_at: now,
            };
            self.insert(key, entry);
        }
        Ok(value)
    }

    fn get(&self, key: &str, changes: u64, now: i64) -> Option<V> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.get(key)?;
        let age = now - entry.read_at;
        let fresh = entry.changes == changes && (0..CACHE_TTL_MS).contains(&age);
        fresh.then(|| entry.value.clone())
    }

    fn insert(&self, key: &str, entry: Entry<V>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_ENTRIES {
            let (changes, now) = (entry.changes, entry.read_at);
            known.retain(|_, old| old.changes == changes && now - old.read_at < CACHE_TTL_MS);
            if known.len() >= MAX_ENTRIES {
                known.clear();
            }
        }
        known.insert(key.to_owned(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_bounded() {
        let known = Recent::default();
        for i in 0..MAX_ENTRIES * 2 {
            let entry = Entry {
                value: i,
                changes: 0,
                read_at: 0,
            };
            known.insert(&i.to_string(), entry);
        }
        assert!(known.0.lock().unwrap().len() <= MAX_ENTRIES);
    }
}
