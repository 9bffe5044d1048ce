//! The ledger of minutes: tables `synced_user_usage`, `synced_usage_history` and `job_minutes`.
//!
//! Minutes are reserved when a job is queued, settled to the real duration when it ends with a
//! transcript, and refunded when it ends without one. Code that changes a balance first locks the
//! user's row ([`lock_balance`]), so that concurrent changes see each other, and writes the change
//! into the history in the same transaction: for every user `bonus - used` equals the sum of the
//! history's changes. All stored amounts are hundredths of a minute.
//!
//! A transaction that also changes jobs changes them first: a fixed lock order prevents deadlocks.

mod history;
mod month;
mod runs;
#[cfg(test)]
mod tests;

use slovo_rules::balance::BalanceMonth;
use slovo_rules::minutes::{UsageChange, from_hundredths, month_limit};
use slovo_rules::plan::{DemoPlan, PlanFeature, QueueSpeed};
use sqlx::Row;
use uuid::Uuid;

pub use history::{Day, Entry, by_day, by_run, count_changes, list};
pub use runs::{RequiredMinutes, check_start, close, close_ended, reserve, resize};

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::plans::{self, Plan, mails, trials};
use crate::site::server_settings;
use crate::{Connection, Result};

/// Key in the server's settings: the limits without a plan, as set by administrators.
pub const DEMO: &str = "demo";
/// Key in the server's settings: the default limits without a plan.
pub const DEMO_OF_EDITION: &str = "demo_of_edition";

/// The limits without a plan.
///
/// # Errors
/// Unreadable settings.
pub async fn demo(connection: &mut Connection) -> Result<DemoPlan> {
    if let Some(demo) = server_settings::get(&mut *connection, DEMO).await? {
        return Ok(demo);
    }
    let demo = server_settings::get(connection, DEMO_OF_EDITION).await?;
    Ok(demo.unwrap_or_default())
}

/// A user's limits, and the minutes used in the current month.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// Their plan; `None` without one.
    pub plan: Option<Plan>,
    /// Monthly minutes, of the plan or without one; `None` means unlimited.
    pub monthly_limit: Option<f64>,
    /// Maximum length of a recording in minutes; `None` means unlimited.
    pub longest: Option<f64>,
    /// The available features.
    pub features: Vec<PlanFeature>,
    /// Minutes used, including reserved ones.
    pub used: f64,
    /// Minutes reserved by pending and running jobs.
    pub reserved: f64,
    /// Minutes that administrators have added to this month; negative if deducted.
    pub bonus: f64,
    /// When the next month begins, Unix milliseconds.
    pub reset_date: i64,
}

impl Balance {
    /// Minutes available this month, including corrections; `None` means unlimited.
    #[must_use]
    pub fn limit(&self) -> Option<f64> {
        month_limit(self.monthly_limit, self.bonus)
    }

    /// The month's figures, for checking a correction.
    #[must_use]
    pub fn month(&self) -> BalanceMonth {
        BalanceMonth {
            plan_limit: self.monthly_limit,
            bonus: self.bonus,
            used: self.used,
        }
    }

    /// Whether the feature is available.
    #[must_use]
    pub fn has(&self, feature: PlanFeature) -> bool {
        self.features.contains(&feature)
    }

    /// The priority of new jobs.
    #[must_use]
    pub fn priority(&self) -> i64 {
        let speed = self.plan.as_ref().map(|plan| plan.form.queue_speed);
        speed.unwrap_or(QueueSpeed::Standard).priority()
    }
}

/// The amounts in a row of `synced_user_usage`, in hundredths of a minute.
struct UsageAmounts {
    used: i64,
    bonus: i64,
    reset_date: i64,
}

/// The columns of [`UsageAmounts`].
macro_rules! usage_columns {
    () => {
        columns!(
            "": user_id, minutes_used_current_month, minutes_bonus, reset_date
        )
    };
}

row_columns! {
    fn read() -> UsageAmounts from "synced_user_usage" by "user_id" {
        used: integer in "minutes_used_current_month",
        bonus: integer in "minutes_bonus",
        reset_date: integer,
    }
}

statements! {
    const SELECT_USAGE: BOTH -> UsageAmounts = concat!(
        "SELECT ",
        usage_columns!(),
        " FROM synced_user_usage WHERE user_id = $1"
    );
}

/// The balance of a user at `now`, without changing anything.
///
/// # Errors
/// A row that cannot be read.
pub async fn read_balance(connection: &mut Connection, user_id: &str, now: i64) -> Result<Balance> {
    let row = sqlx::query(SELECT_USAGE)
        .bind(user_id)
        .fetch_optional(&mut *connection)
        .await?;
    let reserved = reserved(connection, user_id).await?;
    let amounts = match row.as_ref().map(read).transpose()? {
        Some(amounts) if amounts.reset_date > now => amounts,
        // The month has not been started in the row: only running jobs count in it.
        amounts => UsageAmounts {
            used: reserved,
            bonus: 0,
            reset_date: month::next(amounts.map(|amounts| amounts.reset_date), now),
        },
    };
    balance(connection, user_id, &amounts, reserved).await
}

statements! {
    const INSERT_USAGE: BOTH =
        "INSERT INTO synced_user_usage (user_id, minutes_used_current_month, minutes_bonus, \
         reset_date, entries, updated_at) VALUES ($1, 0, 0, $2, 0, $3) \
         ON CONFLICT (user_id) DO NOTHING";
    const LOCK_BALANCE: BOTH -> UsageAmounts = concat!(
        "UPDATE synced_user_usage SET updated_at = $2 WHERE user_id = $1 RETURNING ",
        usage_columns!()
    );
}

/// The balance of a user, in the current month. Creates the row if missing and locks it until the
/// transaction ends.
///
/// # Errors
/// A row that cannot be read.
pub async fn lock_balance(connection: &mut Connection, user_id: &str, now: i64) -> Result<Balance> {
    sqlx::query(INSERT_USAGE)
        .bind(user_id)
        .bind(month::next(None, now))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    let row = sqlx::query(LOCK_BALANCE)
        .bind(user_id)
        .bind(now)
        .fetch_one(&mut *connection)
        .await?;
    let mut amounts = read(&row)?;
    let reserved = reserved(connection, user_id).await?;
    if amounts.reset_date <= now {
        amounts = start_month(connection, user_id, &amounts, reserved, now).await?;
    }
    balance(connection, user_id, &amounts, reserved).await
}

statements! {
    const SET_RESET_DATE: BOTH = "UPDATE synced_user_usage SET reset_date = $2 WHERE user_id = $1";
}

/// Starts a new month: only reserved minutes are carried over.
async fn start_month(
    connection: &mut Connection,
    user_id: &str,
    ended: &UsageAmounts,
    reserved: i64,
    now: i64,
) -> Result<UsageAmounts> {
    let reset_date = month::next(Some(ended.reset_date), now);
    sqlx::query(SET_RESET_DATE)
        .bind(user_id)
        .bind(reset_date)
        .execute(&mut *connection)
        .await?;
    let change = Change {
        kind: UsageChange::Reset,
        used: reserved - ended.used,
        bonus: -ended.bonus,
        description: "",
        run: None,
        now,
    };
    add_entry(connection, user_id, &change).await?;
    Ok(UsageAmounts {
        used: reserved,
        bonus: 0,
        reset_date,
    })
}

statements! {
    const RESERVED: BOTH =
        "SELECT CAST(COALESCE(SUM(minutes), 0) AS BIGINT) AS minutes FROM job_minutes \
         WHERE is_open = 1 AND user_id = $1";
}

/// Minutes reserved by the user's pending and running jobs, in hundredths.
async fn reserved(connection: &mut Connection, user_id: &str) -> Result<i64> {
    let row = sqlx::query(RESERVED)
        .bind(user_id)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("minutes")?)
}

async fn balance(
    connection: &mut Connection,
    user_id: &str,
    amounts: &UsageAmounts,
    reserved: i64,
) -> Result<Balance> {
    let plan = plans::of_user(connection, user_id).await?;
    let (monthly_limit, longest, features) = match &plan {
        Some(Plan { form, .. }) => (
            form.monthly_minutes_limit,
            form.max_file_duration_minutes,
            form.features.clone(),
        ),
        None => {
            let demo = demo(connection).await?;
            (
                demo.monthly_minutes_limit,
                demo.max_file_duration_minutes,
                demo.features,
            )
        }
    };
    Ok(Balance {
        plan,
        monthly_limit,
        longest,
        features,
        used: from_hundredths(amounts.used),
        reserved: from_hundredths(reserved),
        bonus: from_hundredths(amounts.bonus),
        reset_date: amounts.reset_date,
    })
}

/// A change of a balance, in hundredths of a minute.
struct Change<'a> {
    kind: UsageChange,
    used: i64,
    bonus: i64,
    description: &'a str,
    /// The run that caused it.
    run: Option<Run>,
    now: i64,
}

/// A run of a job.
#[derive(Clone, Copy)]
struct Run {
    job_id: Uuid,
    version: i64,
}

statements! {
    const UPDATE_BALANCE: BOTH =
        "UPDATE synced_user_usage SET minutes_used_current_month = minutes_used_current_month + \
         $2, minutes_bonus = minutes_bonus + $3, entries = entries + 1, updated_at = $4 \
         WHERE user_id = $1 RETURNING entries";
    const INSERT_USAGE_HISTORY: BOTH =
        "INSERT INTO synced_usage_history (user_id, entry, change_type, change_amount_minutes, \
         description, my_job_id, run, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
}

/// Changes a balance, whose row is locked, and records it in the history.
async fn add_entry(connection: &mut Connection, user_id: &str, change: &Change<'_>) -> Result<()> {
    let row = sqlx::query(UPDATE_BALANCE)
        .bind(user_id)
        .bind(change.used)
        .bind(change.bonus)
        .bind(change.now)
        .fetch_one(&mut *connection)
        .await?;
    let entry: i64 = row.try_get("entries")?;
    sqlx::query(INSERT_USAGE_HISTORY)
        .bind(user_id)
        .bind(entry)
        .bind(word(&change.kind))
        .bind(change.bonus - change.used)
        .bind(change.description)
        .bind(change.run.map(|run| run.job_id.to_string()))
        .bind(change.run.map_or(1, |run| run.version))
        .bind(change.now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Adds minutes (in hundredths, positive) to a user's month, or deducts them.
///
/// # Errors
/// When the database fails.
pub async fn adjust(
    connection: &mut Connection,
    user_id: &str,
    hundredths: i64,
    reason: &str,
    now: i64,
) -> Result<()> {
    lock_balance(connection, user_id, now).await?;
    let change = Change {
        kind: UsageChange::Adjust,
        used: 0,
        bonus: hundredths,
        description: reason,
        run: None,
        now,
    };
    add_entry(connection, user_id, &change).await
}

/// Gives a user a plan on trial until `ends_at`. `false` if there is no such user.
///
/// # Errors
/// When the database fails.
pub async fn begin_trial(
    connection: &mut Connection,
    user_id: &str,
    plan: &Plan,
    ends_at: i64,
    now: i64,
) -> Result<bool> {
    if !change_plan(connection, user_id, Some(plan), now).await? {
        return Ok(false);
    }
    trials::insert(connection, user_id, ends_at).await?;
    Ok(true)
}

/// Gives a user another plan, or none, and records it in the history. The minutes used stay. Ends a
/// trial and cancels the mail about its end. `false` if there is no such user.
///
/// # Errors
/// When the database fails.
pub async fn change_plan(
    connection: &mut Connection,
    user_id: &str,
    plan: Option<&Plan>,
    now: i64,
) -> Result<bool> {
    let assigned = plans::assign(&mut *connection, user_id, plan).await?;
    trials::remove(&mut *connection, user_id).await?;
    mails::cancel_trial_notice(&mut *connection, user_id).await?;
    if !assigned {
        return Ok(false);
    }
    lock_balance(connection, user_id, now).await?;
    let change = Change {
        kind: UsageChange::Plan,
        used: 0,
        bonus: 0,
        description: plan.map_or("", |plan| &plan.form.name),
        run: None,
        now,
    };
    add_entry(connection, user_id, &change).await?;
    Ok(true)
}
