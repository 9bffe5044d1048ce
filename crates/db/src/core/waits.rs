//! Stored times until which something waits, when the machine's clock was set back: what was to
//! wait for seconds would wait for as long as the clock has gone back.

use sqlx::AssertSqlSafe;

use crate::{Connection, Result};

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// A column with the time until which its rows wait.
struct Wait {
    table: &'static str,
    column: &'static str,
    /// Which rows wait at all.
    waits: &'static str,
    /// The longest that any of them is made to wait, in milliseconds.
    longest: i64,
}

/// A wait of a table's column.
const fn wait(
    table: &'static str,
    column: &'static str,
    waits: &'static str,
    longest: i64,
) -> Wait {
    Wait {
        table,
        column,
        waits,
        longest,
    }
}

/// All of them. Leases are half a minute long, and a little more by the clocks of other machines.
const WAITS: [Wait; 11] = [
    wait(
        "synced_jobs",
        "run_after",
        "status = 'pending'",
        15 * MINUTE_MS,
    ),
    wait(
        "synced_jobs",
        "lease_until",
        "status = 'processing'",
        2 * MINUTE_MS,
    ),
    wait("queue_turns", "taken_at", "1 = 1", 0),
    wait("analyses", "run_after", "status = 'waiting'", HOUR_MS),
    wait(
        "analyses",
        "lease_until",
        "status = 'running'",
        2 * MINUTE_MS,
    ),
    wait("completion_mails", "run_after", "1 = 1", HOUR_MS),
    wait("admin_notices", "run_after", "1 = 1", HOUR_MS),
    wait(
        "contact_messages",
        "mail_after",
        "mail_after IS NOT NULL",
        HOUR_MS,
    ),
    wait(
        "newsletter_subscribers",
        "mail_after",
        "mail_after IS NOT NULL",
        HOUR_MS,
    ),
    wait(
        "nocodb_runs",
        "lease_until",
        "status = 'running'",
        2 * MINUTE_MS,
    ),
    // The schedule of the specification of webhooks ends with a pause of a day.
    wait(
        "webhook_deliveries",
        "run_after",
        "status = 'pending'",
        24 * HOUR_MS,
    ),
];

/// Brings back what waits until a time that no wait of ours reaches: after a start, because nobody
/// knows what the clock did in between. Gives how many rows that were.
///
/// # Errors
/// When the database fails.
pub async fn bound(connection: &mut Connection, now: i64) -> Result<u64> {
    let mut rows = 0;
    // A job that was put into the queue in what is the future now has waited for nothing else.
    let queued = "UPDATE synced_jobs SET run_after = $1, queued_at = $1 \
                  WHERE status = 'pending' AND queued_at > $1";
    rows += sqlx::query(queued)
        .bind(now)
        .execute(&mut *connection)
        .await?
        .rows_affected();
    for Wait {
        table,
        column,
        waits,
        longest,
    } in WAITS
    {
        let bounded = format!("UPDATE {table} SET {column} = $1 WHERE {waits} AND {column} > $2");
        let bounded = sqlx::query(AssertSqlSafe(bounded))
            .bind(now)
            .bind(now + longest);
        rows += bounded.execute(&mut *connection).await?.rows_affected();
    }
    Ok(rows)
}

/// Brings back what waits by as many milliseconds as the clock has gone back, and bounds it. Gives
/// how many rows that were.
///
/// # Errors
/// When the database fails.
pub async fn shift(connection: &mut Connection, now: i64, by: i64) -> Result<u64> {
    let mut rows = 0;
    for Wait {
        table,
        column,
        waits,
        ..
    } in WAITS
    {
        let shifted =
            format!("UPDATE {table} SET {column} = {column} - $2 WHERE {waits} AND {column} > $1");
        let shifted = sqlx::query(AssertSqlSafe(shifted)).bind(now).bind(by);
        rows += shifted.execute(&mut *connection).await?.rows_affected();
    }
    Ok(rows + bound(connection, now).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, execute, with_database};

    #[apply(each_database!)]
    fn only_what_waits_longer_than_anything_may_is_brought_back(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for (id, after) in [("now", 1_000), ("soon", 61_000), ("late", 9_000_000)] {
                let row = format!(
                    "INSERT INTO contact_messages (id, first_name, last_name, email, message, \
                     locale, created_at, mail_tries, mail_after) \
                     VALUES ('{id}', 'f', 'l', 'e', 'm', 'uk', 1, 0, {after})"
                );
                execute(&mut transaction, &row).await;
            }
            let times = async |connection: &mut Connection| {
                let all = "SELECT mail_after FROM contact_messages ORDER BY id";
                let all = sqlx::query_scalar::<_, i64>(all);
                all.fetch_all(connection).await.unwrap()
            };
            assert_eq!(bound(&mut transaction, 1_000).await.unwrap(), 1);
            assert_eq!(times(&mut transaction).await, [1_000, 1_000, 61_000]);
            // The clock went back from 50,000 to 20,000: what had 11 seconds to wait still has.
            assert_eq!(shift(&mut transaction, 20_000, 30_000).await.unwrap(), 1);
            assert_eq!(times(&mut transaction).await, [1_000, 1_000, 31_000]);
        });
    }
}
