//! A cache of recently looked-up sessions, which saves a database query per request.
//!
//! Entries are valid until anything is written in this process, so that signing out, blocking and
//! role changes take effect at once; and for at most one second, because other processes (another
//! web server, `slovo admin`) write as well.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use slovo_db::Database;
use slovo_db::accounts::{Account, sessions};

/// How long an entry is valid, in milliseconds.
const CACHE_TTL_MS: i64 = 1000;

/// Most cached sessions: about 4 MB.
const MAX_ENTRIES: usize = 10_000;

/// The sessions of one server.
#[derive(Default)]
pub struct SessionCache(Mutex<HashMap<String, CachedSession>>);

struct CachedSession {
    account: Account,
    /// Value of [`Database::changes`] before the read.
    changes: u64,
    /// Unix milliseconds.
    read_at: i64,
}

impl SessionCache {
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
        let changes = database.changes();
        if let Some(account) = self.get(session_id, changes, now) {
            return Ok(Some(account));
        }
        let mut connection = database.read().await?;
        let account = sessions::account(&mut connection, session_id, now).await?;
        if let Some(account) = &account {
            let known = CachedSession {
                account: account.clone(),
                changes,
                read_at: now,
            };
            self.insert(session_id, known);
        }
        Ok(account)
    }

    fn get(&self, session_id: &str, changes: u64, now: i64) -> Option<Account> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.get(session_id)?;
        let age = now - entry.read_at;
        let fresh = entry.changes == changes && (0..CACHE_TTL_MS).contains(&age);
        fresh.then(|| entry.account.clone())
    }

    fn insert(&self, session_id: &str, entry: CachedSession) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_ENTRIES {
            let (changes, now) = (entry.changes, entry.read_at);
            known.retain(|_, old| old.changes == changes && now - old.read_at < CACHE_TTL_MS);
            if known.len() >= MAX_ENTRIES {
                known.clear();
            }
        }
        known.insert(session_id.to_owned(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_cache_is_bounded() {
        let known = SessionCache::default();
        for i in 0..MAX_ENTRIES * 2 {
            let account = Account {
                id: String::new(),
                email: String::new(),
                fullname: None,
                usage: None,
                avatar: None,
                has_password: true,
                terms_accepted: true,
                locale: None,
                theme: None,
                status: slovo_db::accounts::Status::Active,
                plan_number: None,
                is_admin: false,
                created_at: 0,
            };
            let entry = CachedSession {
                account,
                changes: 0,
                read_at: 0,
            };
            known.insert(&i.to_string(), entry);
        }
        assert!(known.0.lock().unwrap().len() <= MAX_ENTRIES);
    }
}
