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
const BELIEVED_MS: i64 = 1000;

/// Most cached sessions: about 4 MB.
const MOST: usize = 10_000;

/// The sessions of one server.
#[derive(Default)]
pub struct KnownSessions(Mutex<HashMap<String, Known>>);

struct Known {
    account: Account,
    /// Value of [`Database::changes`] before the read.
    changes: u64,
    /// Unix milliseconds.
    read_at: i64,
}

impl KnownSessions {
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
            let known = Known {
                account: account.clone(),
                changes,
                read_at: now,
            };
            self.keep(session_id, known);
        }
        Ok(account)
    }

    fn get(&self, session_id: &str, changes: u64, now: i64) -> Option<Account> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let one = known.get(session_id)?;
        let age = now - one.read_at;
        let fresh = one.changes == changes && (0..BELIEVED_MS).contains(&age);
        fresh.then(|| one.account.clone())
    }

    fn keep(&self, session_id: &str, one: Known) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            let (changes, now) = (one.changes, one.read_at);
            known.retain(|_, old| old.changes == changes && now - old.read_at < BELIEVED_MS);
            if known.len() >= MOST {
                known.clear();
            }
        }
        known.insert(session_id.to_owned(), one);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use slovo_db::Database;

    use super::*;
    use crate::testing::{Backend, apply, each_database, with_server};

    /// Blocks through a second connection; a read that sees the change went to the database.
    async fn block_elsewhere(database: &Database, user_id: &str) {
        // Bypasses `write`, as another process would.
        let mut connection = database.read().await.unwrap();
        let status = slovo_db::accounts::Status::Blocked;
        slovo_db::accounts::set_status(&mut connection, user_id, status)
            .await
            .unwrap();
    }

    #[apply(each_database!)]
    fn a_session_is_believed_for_a_second_and_no_longer(backend: Backend) {
        with_server(backend, async |server| {
            let signed = server.signup("a@example.com").await;
            assert_eq!(server.me(&signed).await.status, StatusCode::OK);
            block_elsewhere(&server.state.db, &signed.user_id).await;
            assert_eq!(server.me(&signed).await.status, StatusCode::OK);
            server.clock.advance_seconds(1);
            let out = server.me(&signed).await;
            out.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        });
    }

    #[apply(each_database!)]
    fn any_write_of_this_process_makes_it_ask_again(backend: Backend) {
        with_server(backend, async |server| {
            let signed = server.signup("a@example.com").await;
            assert_eq!(server.me(&signed).await.status, StatusCode::OK);
            block_elsewhere(&server.state.db, &signed.user_id).await;
            let transaction = server.state.db.write().await.unwrap();
            transaction.commit().await.unwrap();
            let out = server.me(&signed).await;
            out.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        });
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let known = KnownSessions::default();
        for i in 0..MOST * 2 {
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
            let one = Known {
                account,
                changes: 0,
                read_at: 0,
            };
            known.keep(&i.to_string(), one);
        }
        assert!(known.0.lock().unwrap().len() <= MOST);
    }
}
