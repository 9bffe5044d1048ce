//! Successful and failed sign-ins: table `sign_ins`.

use slovo_rules::sign_in::{SignInMethod, SignInOutcome};
use uuid::Uuid;

use crate::core::fields::{containing, word};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Failures are grouped by intervals of this length, in milliseconds.
const BUCKET_MS: i64 = 60 * 1000;
/// Most rows of failures per minute, over all networks. Further failures share one row without an
/// address.
const MAX_IN_BUCKET: i64 = 200;
/// Most rows that are kept; the oldest are removed first.
const MAX_ROWS: i64 = 200_000;

/// A sign-in, or several failures within a minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// Its id.
    pub id: Uuid,
    /// The account, if known.
    pub account_id: Option<String>,
    /// Normalised; empty if unknown or different in each failure.
    pub email: String,
    /// Network address, as text; empty if there were several.
    pub address: String,
    /// The `User-Agent` header; empty if missing or different in each failure.
    pub user_agent: String,
    /// How the person tried to sign in.
    pub method: SignInMethod,
    /// The result.
    pub outcome: SignInOutcome,
    /// Number of attempts.
    pub times: i64,
    /// Time of the first attempt, Unix milliseconds.
    pub created_at: i64,
    /// Time of the last attempt, Unix milliseconds.
    pub last_at: i64,
}

/// A filter of sign-ins.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// A part of the e-mail address or of the network address.
    pub search: String,
    /// Only this outcome; `None` means all.
    pub outcome: Option<SignInOutcome>,
    /// Unix milliseconds, inclusive.
    pub from: Option<i64>,
    /// Unix milliseconds, exclusive.
    pub until: Option<i64>,
}

row_columns! {
    fn read() -> SignIn from "sign_ins" by "id" {
        id: uuid,
        account_id: text_or_none,
        email: text,
        address: text,
        user_agent: text,
        method: word,
        outcome: word,
        times: integer,
        created_at: integer,
        last_at: integer,
    }
}

/// Stores a sign-in. Call it in the transaction that creates the session.
///
/// # Errors
/// When the database fails.
pub async fn record(connection: &mut Connection, new: &SignIn) -> Result<()> {
    insert(connection, new, None).await
}

/// Numbers of rows of failures in a minute.
struct MinuteFailures {
    /// Of all networks.
    rows_of_minute: i64,
    /// Of this network, method and outcome.
    own: i64,
}

row_columns! {
    fn read_minute() -> MinuteFailures {
        rows_of_minute: integer,
        own: integer,
    }
}

statements! {
    const COUNT_FAILURES_OF_MINUTE: BOTH -> MinuteFailures =
        "SELECT COUNT(*) AS rows_of_minute, \
         CAST(COALESCE(SUM(CASE WHEN bucket = $2 THEN 1 ELSE 0 END), 0) AS BIGINT) AS own \
         FROM sign_ins WHERE created_at >= $1 AND bucket IS NOT NULL";
}

/// Counts a failure. Failures with the same network, minute, method and outcome share a row; values
/// that differ between them are cleared.
///
/// # Errors
/// When the database fails.
pub async fn record_failure(
    connection: &mut Connection,
    new: &SignIn,
    network: &str,
) -> Result<()> {
    let minute = new.created_at.div_euclid(BUCKET_MS);
    let bucket = |network: &str| {
        let (method, outcome) = (new.method.as_str(), new.outcome.as_str());
        format!("{minute} {network} {method} {outcome}")
    };
    let found = sqlx::query(COUNT_FAILURES_OF_MINUTE)
        .bind(minute * BUCKET_MS)
        .bind(bucket(network))
        .fetch_one(&mut *connection)
        .await?;
    let found = read_minute(&found)?;
    if found.rows_of_minute >= MAX_IN_BUCKET && found.own == 0 {
        let without_address = SignIn {
            address: String::new(),
            ..new.clone()
        };
        return insert(connection, &without_address, Some(bucket("many"))).await;
    }
    insert(connection, new, Some(bucket(network))).await
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO sign_ins (id, account_id, email, address, user_agent, method, outcome, times, \
         bucket, created_at, last_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $9) \
         ON CONFLICT (bucket) DO UPDATE SET times = sign_ins.times + 1, \
         last_at = excluded.last_at, \
         account_id = CASE WHEN sign_ins.account_id = excluded.account_id \
         THEN sign_ins.account_id ELSE NULL END, \
         email = CASE WHEN sign_ins.email = excluded.email THEN sign_ins.email ELSE '' END, \
         address = CASE WHEN sign_ins.address = excluded.address \
         THEN sign_ins.address ELSE '' END, \
         user_agent = CASE WHEN sign_ins.user_agent = excluded.user_agent \
         THEN sign_ins.user_agent ELSE '' END";
}

async fn insert(connection: &mut Connection, new: &SignIn, bucket: Option<String>) -> Result<()> {
    sqlx::query(INSERT)
        .bind(new.id.to_string())
        .bind(&new.account_id)
        .bind(&new.email)
        .bind(&new.address)
        .bind(&new.user_agent)
        .bind(word(&new.method))
        .bind(word(&new.outcome))
        .bind(bucket)
        .bind(new.created_at)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const LIST: BOTH -> SignIn =
        "SELECT id, account_id, email, address, user_agent, method, outcome, times, created_at, \
         last_at FROM sign_ins WHERE (created_at < $1 OR (created_at = $1 AND id < $2)) \
         AND (email LIKE $3 ESCAPE '!' OR address LIKE $3 ESCAPE '!') AND ($4 = '' \
         OR outcome = $4) AND created_at >= $5 AND created_at < $6 \
         ORDER BY created_at DESC, id DESC LIMIT $7";
}

/// At most `limit` sign-ins after the given one, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    filter: &Filter,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<SignIn>> {
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at, id.to_string()));
    let rows = sqlx::query(LIST)
        .bind(at)
        .bind(id)
        .bind(containing(filter.search.trim()))
        .bind(filter.outcome.map_or("", SignInOutcome::as_str))
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// How often an outcome occurred.
struct OutcomeCount {
    outcome: SignInOutcome,
    times: i64,
}

row_columns! {
    fn read_count() -> OutcomeCount from "sign_ins" by "outcome" {
        outcome: word,
        times: integer,
    }
}

statements! {
    const COUNT: BOTH -> OutcomeCount =
        "SELECT outcome, CAST(SUM(times) AS BIGINT) AS times FROM sign_ins \
         WHERE (email LIKE $1 ESCAPE '!' OR address LIKE $1 ESCAPE '!') \
         AND created_at >= $2 AND created_at < $3 \
         GROUP BY outcome ORDER BY SUM(times) DESC, outcome";
}

/// The number of sign-ins per outcome for a filter, ignoring the filter's own outcome; the most
/// frequent first.
///
/// # Errors
/// A row that cannot be read.
pub async fn count(
    connection: &mut Connection,
    filter: &Filter,
) -> Result<Vec<(SignInOutcome, i64)>> {
    let rows = sqlx::query(COUNT)
        .bind(containing(filter.search.trim()))
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            let count = read_count(row)?;
            Ok((count.outcome, count.times))
        })
        .collect()
}

statements! {
    const REMOVE_BEFORE: BOTH = "DELETE FROM sign_ins WHERE created_at < $1";
    const REMOVE_OVER: BOTH =
        "DELETE FROM sign_ins WHERE created_at < (SELECT created_at FROM sign_ins \
         ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $1)";
}

/// Removes sign-ins before this moment, and the oldest beyond the limit of rows; returns how many.
///
/// # Errors
/// When the database fails.
pub async fn remove_old(connection: &mut Connection, before: i64) -> Result<u64> {
    let old = sqlx::query(REMOVE_BEFORE)
        .bind(before)
        .execute(&mut *connection)
        .await?;
    let over = sqlx::query(REMOVE_OVER)
        .bind(MAX_ROWS)
        .execute(connection)
        .await?;
    Ok(old.rows_affected() + over.rows_affected())
}

statements! {
    const REMOVE_OF_ACCOUNT: BOTH = "DELETE FROM sign_ins WHERE account_id = $1 OR email = $2";
}

/// Deletes the sign-ins of a removed account.
///
/// # Errors
/// When the database fails.
pub async fn remove_of_account(connection: &mut Connection, id: &str, email: &str) -> Result<()> {
    sqlx::query(REMOVE_OF_ACCOUNT)
        .bind(id)
        .bind(email)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    fn sign_in(id: u128, outcome: SignInOutcome, email: &str, at: i64) -> SignIn {
        SignIn {
            id: Uuid::from_u128(id),
            account_id: Some(email.to_owned()),
            email: email.to_owned(),
            address: "192.0.2.1".to_owned(),
            user_agent: "Firefox".to_owned(),
            method: SignInMethod::Password,
            outcome,
            times: 1,
            created_at: at,
            last_at: at,
        }
    }

    #[apply(each_database!)]
    fn failures_within_a_minute_share_a_row_and_sign_ins_do_not(backend: Backend) {
        use SignInOutcome::{SignedIn, WrongPassword};
        with_database(backend, async |database| {
            let mut db = database.write().await.unwrap();
            for (id, at) in [(1, 10), (2, 20)] {
                let entry = sign_in(id, SignedIn, "a@example.com", at);
                record(&mut db, &entry).await.unwrap();
            }
            for (id, email, at) in [
                (3, "a@example.com", 30),
                (4, "a@example.com", 40),
                (5, "b@example.com", 60_000),
                (6, "c@example.com", 60_001),
            ] {
                let entry = sign_in(id, WrongPassword, email, at);
                record_failure(&mut db, &entry, "192.0.2.1").await.unwrap();
            }
            let all = list(&mut db, &Filter::default(), None, 9).await.unwrap();
            let rows: Vec<_> = all
                .iter()
                .map(|entry| {
                    (
                        entry.email.as_str(),
                        entry.times,
                        entry.created_at,
                        entry.last_at,
                    )
                })
                .collect();
            assert_eq!(
                rows,
                [
                    ("", 2, 60_000, 60_001),
                    ("a@example.com", 2, 30, 40),
                    ("a@example.com", 1, 20, 20),
                    ("a@example.com", 1, 10, 10),
                ]
            );
            assert_eq!(all[0].account_id, None);
            let wrong = Filter {
                outcome: Some(WrongPassword),
                search: "A@EXAMPLE".to_owned(),
                ..Filter::default()
            };
            assert_eq!(list(&mut db, &wrong, None, 9).await.unwrap().len(), 1);
            let by_address = Filter {
                search: "192.0.2".to_owned(),
                until: Some(30),
                ..Filter::default()
            };
            assert_eq!(list(&mut db, &by_address, None, 9).await.unwrap().len(), 2);
            let counts = count(&mut db, &Filter::default()).await.unwrap();
            assert_eq!(counts, [(WrongPassword, 4), (SignedIn, 2)]);
            remove_of_account(&mut db, "a@example.com", "a@example.com")
                .await
                .unwrap();
            assert_eq!(remove_old(&mut db, 60_000).await.unwrap(), 0);
            assert_eq!(remove_old(&mut db, 60_001).await.unwrap(), 1);
        });
    }

    #[apply(each_database!)]
    fn an_attack_from_many_addresses_stores_a_bounded_number_of_rows(backend: Backend) {
        with_database(backend, async |database| {
            let mut db = database.write().await.unwrap();
            for i in 0..250_i64 {
                let id = u128::try_from(i).unwrap() + 1;
                let entry = sign_in(id, SignInOutcome::UnknownAddress, "a@example.com", i);
                let network = format!("10.0.0.{i}");
                record_failure(&mut db, &entry, &network).await.unwrap();
            }
            let all = list(&mut db, &Filter::default(), None, 999).await.unwrap();
            assert_eq!(all.len(), 201);
            let collected = all.iter().find(|entry| entry.address.is_empty()).unwrap();
            assert_eq!(collected.times, 50);
            let counts = count(&mut db, &Filter::default()).await.unwrap();
            assert_eq!(counts, [(SignInOutcome::UnknownAddress, 250)]);
        });
    }
}
