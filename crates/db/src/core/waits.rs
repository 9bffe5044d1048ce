//! Corrects stored times that something waits for after the machine's clock was set back: a wait of
//! seconds would otherwise last as long as the clock went back.

use sqlx::AssertSqlSafe;

use crate::core::statement::{built_statements, statements};
use crate::{Connection, Result};

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// A column with the time its rows wait for.
struct Wait {
    table: &'static str,
    column: &'static str,
    /// Condition for rows that wait.
    waits: &'static str,
    /// The longest wait of a row, in milliseconds.
    longest: i64,
}

impl Wait {
    /// Makes rows due that wait until later than $2.
    fn limit_statement(&self) -> String {
        let Self {
            table,
            column,
            waits,
            ..
        } = self;
        format!("UPDATE {table} SET {column} = $1 WHERE {waits} AND {column} > $2")
    }

    /// Moves the times of rows that wait at $1 back by $2.
    fn shift_statement(&self) -> String {
        let Self {
            table,
            column,
            waits,
            ..
        } = self;
        format!("UPDATE {table} SET {column} = {column} - $2 WHERE {waits} AND {column} > $1")
    }
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

/// All waits. Leases last half a minute, plus the clock difference between machines.
const WAITS: [Wait; 19] = [
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
    wait("stretches", "run_after", "status = 'waiting'", HOUR_MS),
    wait(
        "stretches",
        "lease_until",
        "status = 'running'",
        2 * MINUTE_MS,
    ),
    wait("voice_samples", "run_after", "finished_at IS NULL", HOUR_MS),
    wait(
        "voice_comparisons",
        "run_after",
        "finished_at IS NULL",
        HOUR_MS,
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
    // The last pause of the webhook specification's retry schedule is a day.
    wait(
        "webhook_deliveries",
        "run_after",
        "status = 'pending'",
        24 * HOUR_MS,
    ),
    wait("sources", "next_check_at", "is_active = 1", 6 * HOUR_MS),
    wait("targets", "next_run_at", "is_active = 1", 6 * HOUR_MS),
    wait("target_files", "retry_at", "state = 'waiting'", 6 * HOUR_MS),
    wait(
        "source_recordings",
        "retry_at",
        "state = 'waiting'",
        6 * HOUR_MS,
    ),
];

statements! {
    const RESET_FUTURE_JOBS: BOTH =
        "UPDATE synced_jobs SET run_after = $1, queued_at = $1 \
         WHERE status = 'pending' AND queued_at > $1";
}

built_statements! {
    limit_statement: BOTH = |_| WAITS.iter().map(Wait::limit_statement).collect();
    shift_statement: BOTH = |_| WAITS.iter().map(Wait::shift_statement).collect();
}

/// Makes rows due that wait longer than any wait can be. Runs after a start, when it is unknown how
/// the clock has changed. Returns the number of rows.
///
/// # Errors
/// When the database fails.
pub async fn limit_waits(connection: &mut Connection, now: i64) -> Result<u64> {
    let mut rows = 0;
    // A pending job queued in what is now the future has no other reason to wait.
    rows += sqlx::query(RESET_FUTURE_JOBS)
        .bind(now)
        .execute(&mut *connection)
        .await?
        .rows_affected();
    for wait in WAITS {
        let bounded = sqlx::query(AssertSqlSafe(wait.limit_statement()))
            .bind(now)
            .bind(now + wait.longest);
        rows += bounded.execute(&mut *connection).await?.rows_affected();
    }
    Ok(rows)
}

/// Moves waiting times back by as many milliseconds as the clock went back, then bounds them.
/// Returns the number of rows.
///
/// # Errors
/// When the database fails.
pub async fn shift(connection: &mut Connection, now: i64, by: i64) -> Result<u64> {
    let mut rows = 0;
    for wait in WAITS {
        let shifted = sqlx::query(AssertSqlSafe(wait.shift_statement()))
            .bind(now)
            .bind(by);
        rows += shifted.execute(&mut *connection).await?.rows_affected();
    }
    Ok(rows + limit_waits(connection, now).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::{account, claim, enqueue};
    use crate::testing::{Backend, apply, each_database, execute, with_database};

    #[apply(each_database!)]
    fn waits_are_limited_and_follow_a_clock_that_was_set_back(backend: Backend) {
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
            assert_eq!(limit_waits(&mut transaction, 1_000).await.unwrap(), 1);
            assert_eq!(times(&mut transaction).await, [1_000, 1_000, 61_000]);
            // The clock went back from 50,000 to 20,000: the remaining 11 seconds stay 11 seconds.
            assert_eq!(shift(&mut transaction, 20_000, 30_000).await.unwrap(), 1);
            assert_eq!(times(&mut transaction).await, [1_000, 1_000, 31_000]);
        });
    }

    #[apply(each_database!)]
    fn a_job_that_waits_is_due_again_after_the_clock_was_set_back(backend: Backend) {
        with_database(backend, async |database| {
            account(&database, "u").await;
            let at = 10 * HOUR_MS;
            enqueue(&database, "u", 1, 0, at).await;
            enqueue(&database, "u", 2, 0, at).await;
            let mut transaction = database.write().await.unwrap();
            let later = format!("UPDATE synced_jobs SET run_after = {at} + 30000");
            execute(&mut transaction, &later).await;
            transaction.commit().await.unwrap();
            assert!(claim(&database, "w", at).await.is_none());
            let mut transaction = database.write().await.unwrap();
            shift(&mut transaction, at - HOUR_MS, HOUR_MS)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            let due = at - HOUR_MS + 30_000;
            assert!(claim(&database, "w", due).await.is_some());
            assert!(claim(&database, "w", due).await.is_some());
        });
    }
}
