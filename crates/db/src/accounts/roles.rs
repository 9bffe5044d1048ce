//! Administrators.

use sqlx::Row;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// The result of revoking the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevokeOutcome {
    /// Revoked.
    Done,
    /// The account did not have it.
    WasNotAdmin,
    /// Refused: it is the last administrator, and a server without one could not be administered.
    LastAdmin,
}

statements! {
    const CLAIM_FOUNDING: BOTH =
        "INSERT INTO founding_account (slot, user_id, created_at) VALUES (1, $1, $2) \
         ON CONFLICT (slot) DO NOTHING";
}

/// Makes this account the server's founder if there is none; returns whether it did. Call it in the
/// transaction that creates the account: of two concurrent sign-ups one gets `true`.
pub async fn claim_founding(connection: &mut Connection, user_id: &str, now: i64) -> Result<bool> {
    let done = sqlx::query(CLAIM_FOUNDING)
        .bind(user_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

statements! {
    const GRANT_ADMIN: BOTH =
        "INSERT INTO user_roles (user_id, role, granted_at) VALUES ($1, 'admin', $2) \
         ON CONFLICT (user_id, role) DO NOTHING";
}

/// Makes this account an administrator; returns `false` if it already was one.
///
/// # Errors
/// The constraint `user_roles_user_id_fkey` (`foreign_key` in SQLite) for an unknown account.
pub async fn grant_admin(connection: &mut Connection, user_id: &str, now: i64) -> Result<bool> {
    let done = sqlx::query(GRANT_ADMIN)
        .bind(user_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether this account is the last administrator who can sign in. Locks changes of administrators
/// until the transaction ends; call it before revoking the role, blocking or removing.
pub async fn is_last_admin(connection: &mut Connection, user_id: &str) -> Result<bool> {
    Ok(role_of(connection, user_id).await? == (true, true))
}

statements! {
    const REVOKE_ADMIN: BOTH = "DELETE FROM user_roles WHERE user_id = $1 AND role = 'admin'";
}

/// Revokes the role, unless this is the last administrator who can sign in.
pub async fn revoke_admin(connection: &mut Connection, user_id: &str) -> Result<RevokeOutcome> {
    match role_of(&mut *connection, user_id).await? {
        (false, _) => return Ok(RevokeOutcome::WasNotAdmin),
        (true, true) => return Ok(RevokeOutcome::LastAdmin),
        (true, false) => {}
    }
    sqlx::query(REVOKE_ADMIN)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(RevokeOutcome::Done)
}

/// How often the account has the role, and how many others with it can sign in.
struct AdminCounts {
    own: i64,
    others: i64,
}

row_columns! {
    fn read_counts() -> AdminCounts {
        own: integer,
        others: integer,
    }
}

statements! {
    const LOCK_FOUNDING: BOTH = "UPDATE founding_account SET slot = 1 WHERE slot = 1";
    const ROLE_OF: BOTH -> AdminCounts =
        "SELECT (SELECT COUNT(*) FROM user_roles WHERE role = 'admin' AND user_id = $1) AS own, \
         (SELECT COUNT(*) FROM user_roles r LEFT JOIN synced_users u ON u.auth_user_id = r.user_id \
           WHERE r.role = 'admin' AND r.user_id <> $1 \
             AND COALESCE(u.status, 'active') = 'active') AS others";
}

/// Whether the account is an administrator, and whether no other one can sign in.
async fn role_of(connection: &mut Connection, user_id: &str) -> Result<(bool, bool)> {
    // Serialises these changes in PostgreSQL too; see the migration.
    sqlx::query(LOCK_FOUNDING).execute(&mut *connection).await?;
    let row = sqlx::query(ROLE_OF)
        .bind(user_id)
        .fetch_one(connection)
        .await?;
    let counts = read_counts(&row)?;
    Ok((counts.own > 0, counts.others == 0))
}

statements! {
    const ADMINISTRATORS: BOTH =
        "SELECT a.email FROM user_roles r JOIN accounts a ON a.id = r.user_id \
         WHERE r.role = 'admin' ORDER BY a.email";
}

/// The addresses of all administrators, in alphabetical order.
pub async fn administrators(connection: &mut Connection) -> Result<Vec<String>> {
    let rows = sqlx::query(ADMINISTRATORS).fetch_all(connection).await?;
    rows.iter().map(|row| Ok(row.try_get("email")?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;
    use crate::accounts::{self, NewAccount, Status};
    use crate::testing::{Backend, apply, each_database, with_database};

    async fn account(connection: &mut Connection, id: &str) {
        let email = format!("{id}@example.com");
        let new = NewAccount {
            id,
            synced_user_id: id,
            email: &email,
            password_hash: Some("$"),
            created_at: 1,
        };
        accounts::insert(connection, &new).await.unwrap();
    }

    #[apply(each_database!)]
    fn only_one_of_several_concurrent_accounts_becomes_the_founder(backend: Backend) {
        with_database(backend, async |database| {
            let claim = |database: Database, id: String| async move {
                let mut transaction = database.write().await.unwrap();
                account(&mut transaction, &id).await;
                let first = claim_founding(&mut transaction, &id, 1).await.unwrap();
                transaction.commit().await.unwrap();
                first
            };
            let tasks: Vec<_> = (0..8)
                .map(|i| tokio::spawn(claim(database.clone(), format!("u{i}"))))
                .collect();
            let mut founders = 0;
            for task in tasks {
                founders += usize::from(task.await.unwrap());
            }
            assert_eq!(founders, 1);
        });
    }

    #[apply(each_database!)]
    fn a_founder_that_is_rolled_back_leaves_the_place_free(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            assert!(claim_founding(&mut transaction, "u1", 1).await.unwrap());
            transaction.rollback().await.unwrap();
            let mut transaction = database.write().await.unwrap();
            assert!(claim_founding(&mut transaction, "u2", 1).await.unwrap());
        });
    }

    #[apply(each_database!)]
    fn the_last_active_administrator_cannot_be_revoked(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            account(&mut transaction, "u2").await;
            assert!(grant_admin(&mut transaction, "u1", 1).await.unwrap());
            assert!(!grant_admin(&mut transaction, "u1", 1).await.unwrap());
            assert_eq!(
                revoke_admin(&mut transaction, "u1").await.unwrap(),
                RevokeOutcome::LastAdmin
            );
            assert_eq!(
                revoke_admin(&mut transaction, "u2").await.unwrap(),
                RevokeOutcome::WasNotAdmin
            );
            assert!(grant_admin(&mut transaction, "u2", 1).await.unwrap());
            let all = administrators(&mut transaction).await.unwrap();
            assert_eq!(all, ["u1@example.com", "u2@example.com"]);
            accounts::set_status(&mut transaction, "u2", Status::Blocked)
                .await
                .unwrap();
            assert_eq!(
                revoke_admin(&mut transaction, "u1").await.unwrap(),
                RevokeOutcome::LastAdmin
            );
            accounts::set_status(&mut transaction, "u2", Status::Active)
                .await
                .unwrap();
            assert_eq!(
                revoke_admin(&mut transaction, "u1").await.unwrap(),
                RevokeOutcome::Done
            );
        });
    }

    #[apply(each_database!)]
    fn two_concurrent_revocations_leave_one_administrator(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for id in ["u1", "u2"] {
                account(&mut transaction, id).await;
                grant_admin(&mut transaction, id, 1).await.unwrap();
            }
            claim_founding(&mut transaction, "u1", 1).await.unwrap();
            transaction.commit().await.unwrap();
            let revoke = |database: Database, id: &'static str| async move {
                let mut transaction = database.write().await.unwrap();
                let outcome = revoke_admin(&mut transaction, id).await.unwrap();
                transaction.commit().await.unwrap();
                outcome
            };
            let first = tokio::spawn(revoke(database.clone(), "u1"));
            let second = tokio::spawn(revoke(database.clone(), "u2"));
            let outcomes = [first.await.unwrap(), second.await.unwrap()];
            assert!(
                outcomes.contains(&RevokeOutcome::Done)
                    && outcomes.contains(&RevokeOutcome::LastAdmin)
            );
            let mut connection = database.read().await.unwrap();
            assert_eq!(administrators(&mut connection).await.unwrap().len(), 1);
        });
    }

    #[apply(each_database!)]
    fn an_administrator_needs_an_account(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            let error = grant_admin(&mut transaction, "u9", 1).await.unwrap_err();
            assert!(error.constraint().is_some(), "{error}");
        });
    }
}
