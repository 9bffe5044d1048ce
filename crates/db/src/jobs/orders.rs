//! The orders of job lists, and the sort keys of names.
//!
//! Code that renames a job also updates `synced_jobs.name_key`, in the same transaction. A trigger
//! copies the key and the length to the rows of the job's tags and folder, so that their lists can
//! be read in the same orders.

use slovo_rules::collation::sort_key;
use slovo_rules::job::JobStatus;
use sqlx::any::AnyRow;
use uuid::Uuid;

use super::Job;
use crate::core::fields::placeholders;
use crate::core::schema::Part;
use crate::core::statement::{built_statements, row_columns, statements};
use crate::{Connection, Result};

/// Number of keys written per statement.
const BATCH_SIZE: i64 = 500;
/// Length that stands for an unknown length.
const NO_LENGTH: f64 = -1.0;
/// The states in their order, from waiting to cancelled; states with the same label share a rank.
pub(super) const STATES: [&[JobStatus]; 6] = [
    &[JobStatus::Uploaded],
    &[JobStatus::Pending],
    &[JobStatus::Processing],
    &[JobStatus::Completed],
    &[JobStatus::Error, JobStatus::Failed],
    &[JobStatus::Cancelled],
];

/// Triggers that maintain the copies; [`fill_keys`] makes the keys.
pub(crate) const ORDERS: Part = Part {
    slot: 4,
    shape: 1,
    tables: &[],
    sqlite: &[
        "DROP TRIGGER IF EXISTS grouped_jobs_order",
        "CREATE TRIGGER grouped_jobs_order AFTER UPDATE OF name_key, duration ON synced_jobs \
         WHEN OLD.name_key IS NOT NEW.name_key OR OLD.duration IS NOT NEW.duration BEGIN \
         UPDATE grouped_jobs SET job_name_key = NEW.name_key, \
         job_length = COALESCE(NEW.duration, -1) WHERE my_job_id = NEW.my_job_id; END",
        COPIED,
    ],
    postgres: &[
        "CREATE OR REPLACE FUNCTION slovo_order_grouped() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN UPDATE grouped_jobs SET job_name_key = NEW.name_key, \
         job_length = COALESCE(NEW.duration, -1) WHERE my_job_id = NEW.my_job_id; \
         RETURN NULL; END $$",
        "DROP TRIGGER IF EXISTS grouped_jobs_order ON synced_jobs",
        "CREATE TRIGGER grouped_jobs_order AFTER UPDATE OF name_key, duration ON synced_jobs \
         FOR EACH ROW WHEN (OLD.name_key <> NEW.name_key \
         OR OLD.duration IS DISTINCT FROM NEW.duration) EXECUTE FUNCTION slovo_order_grouped()",
        COPIED,
    ],
};

/// Copies all lengths; the keys are copied when they are made.
const COPIED: &str = "UPDATE grouped_jobs SET job_length = COALESCE((SELECT j.duration \
     FROM synced_jobs j WHERE j.my_job_id = grouped_jobs.my_job_id), -1)";

/// What the key of a job is made from.
struct JobNames {
    my_job_id: String,
    title: Option<String>,
    original_filename: String,
}

row_columns! {
    fn read_names() -> JobNames {
        my_job_id: text,
        title: text_or_none,
        original_filename: text,
    }
}

impl JobNames {
    fn key(&self) -> String {
        sort_key(self.title.as_deref().unwrap_or(&self.original_filename))
    }
}

statements! {
    const SELECT_NAMES_AFTER: BOTH -> JobNames =
        "SELECT my_job_id, title, original_filename FROM synced_jobs \
         WHERE my_job_id > $1 ORDER BY my_job_id LIMIT $2";
}

/// Recomputes the keys of all jobs, which SQL cannot do.
///
/// # Errors
/// When the database fails.
pub(crate) async fn fill_keys(connection: &mut Connection) -> Result<()> {
    let mut after = String::new();
    loop {
        let rows = sqlx::query(SELECT_NAMES_AFTER)
            .bind(after)
            .bind(BATCH_SIZE)
            .fetch_all(&mut *connection)
            .await?;
        let jobs = rows.iter().map(read_names).collect::<Result<Vec<_>>>()?;
        let Some(last) = jobs.last() else {
            return Ok(());
        };
        after = last.my_job_id.clone();
        // Only parameter numbers are formatted into the SQL.
        let statement = sqlx::AssertSqlSafe(update_name_keys(jobs.len()));
        let mut update = sqlx::query(statement).persistent(false);
        for job in jobs {
            let key = job.key();
            update = update.bind(job.my_job_id).bind(key);
        }
        update.execute(&mut *connection).await?;
    }
}

statements! {
    const SELECT_NAMES_OF_JOB: BOTH -> JobNames =
        "SELECT my_job_id, title, original_filename FROM synced_jobs WHERE my_job_id = $1";
    const UPDATE_NAME_KEY: BOTH = "UPDATE synced_jobs SET name_key = $2 WHERE my_job_id = $1";
}

built_statements! {
    update_name_keys: BOTH = |_| vec![update_name_keys(1), update_name_keys(3)];
}

/// The SQL that sets the keys of `count` jobs, each with its id and its key.
fn update_name_keys(count: usize) -> String {
    let values: Vec<String> = (0..count).map(|row| placeholders(2 * row, 2)).collect();
    format!(
        "UPDATE synced_jobs SET name_key = k.column2 FROM (VALUES {}) k \
         WHERE synced_jobs.my_job_id = k.column1",
        values.join(", ")
    )
}

/// Recomputes a job's key. Call it in the transaction that changes its title or file name.
///
/// # Errors
/// When the database fails.
pub(crate) async fn store_name_key(connection: &mut Connection, id: &str) -> Result<()> {
    let row = sqlx::query(SELECT_NAMES_OF_JOB)
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(()) };
    sqlx::query(UPDATE_NAME_KEY)
        .bind(id)
        .bind(read_names(&row)?.key())
        .execute(connection)
        .await?;
    Ok(())
}

/// The sort key of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortKey {
    /// Creation time.
    #[default]
    Date,
    /// The name, alphabetically.
    Name,
    /// The length of the recording; an unknown length counts as the shortest.
    Length,
    /// The state, from waiting to cancelled; within a state always the newest first.
    State,
}

/// The order of a list; newest first by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Order {
    /// The sort key.
    pub by: SortKey,
    /// Whether the order is ascending.
    pub ascending: bool,
}

/// The value of a sort key.
#[derive(Debug, Clone, PartialEq)]
pub enum SortValue {
    /// Unix milliseconds.
    Date(i64),
    /// Collation key of a name.
    Name(String),
    /// Seconds; negative if unknown.
    Length(f64),
    /// Rank of the state, and the creation time in Unix milliseconds.
    State(u8, i64),
}

/// A position in a list; it stays valid when the job changes or is deleted.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPosition {
    /// The job's sort value.
    pub at: SortValue,
    /// The job's id, which orders jobs with equal values.
    pub id: Uuid,
}

/// The position of a row in a list by creation time.
pub(super) struct ByDate {
    my_job_id: String,
    created_at: i64,
}

row_columns! {
    fn read_by_date() -> ByDate {
        my_job_id: text,
        created_at: integer,
    }
}

/// The position of a row in a list by name.
pub(super) struct ByName {
    my_job_id: String,
    name_key: String,
}

row_columns! {
    fn read_by_name() -> ByName {
        my_job_id: text,
        name_key: text,
    }
}

/// The position of a row in a list by length.
pub(super) struct ByLength {
    my_job_id: String,
    duration: f64,
}

row_columns! {
    fn read_by_length() -> ByLength {
        my_job_id: text,
        duration: number_or_none => |length: Option<f64>| length.unwrap_or(NO_LENGTH),
    }
}

impl Order {
    /// The position of a job in a list with this order.
    #[must_use]
    pub fn position(self, job: &Job) -> ListPosition {
        let at = match self.by {
            SortKey::Date => SortValue::Date(job.created_at),
            SortKey::Name => SortValue::Name(sort_key(job.name())),
            SortKey::Length => SortValue::Length(job.duration.unwrap_or(NO_LENGTH)),
            SortKey::State => SortValue::State(rank(job.status), job.created_at),
        };
        ListPosition { at, id: job.id }
    }

    /// A value before all others.
    pub(super) fn start(self) -> SortValue {
        match (self.by, self.ascending) {
            (SortKey::Name, true) => SortValue::Name(String::new()),
            // Keys are hexadecimal, so `g` sorts after all of them.
            (SortKey::Name, false) => SortValue::Name("g".to_owned()),
            (SortKey::Length, true) => SortValue::Length(NO_LENGTH - 1.0),
            (SortKey::Length, false) => SortValue::Length(f64::MAX),
            (SortKey::Date | SortKey::State, true) => SortValue::Date(i64::MIN),
            (SortKey::Date | SortKey::State, false) => SortValue::Date(i64::MAX),
        }
    }

    /// The sort value of a row, matching [`Self::value`], and the job's id.
    pub(super) fn at(self, row: &AnyRow) -> Result<(SortValue, String)> {
        Ok(match self.by {
            SortKey::Name => {
                let place = read_by_name(row)?;
                (SortValue::Name(place.name_key), place.my_job_id)
            }
            SortKey::Length => {
                let place = read_by_length(row)?;
                (SortValue::Length(place.duration), place.my_job_id)
            }
            SortKey::Date | SortKey::State => {
                let place = read_by_date(row)?;
                (SortValue::Date(place.created_at), place.my_job_id)
            }
        })
    }

    /// The SQL expression for the sort value of a row `j`, as indexed.
    pub(super) fn value(self) -> &'static str {
        match self.by {
            SortKey::Name => "j.name_key",
            SortKey::Length => "COALESCE(j.duration, -1)",
            SortKey::Date | SortKey::State => "j.created_at",
        }
    }

    /// The same for a row `found` of a group.
    pub(super) fn grouped(self) -> &'static str {
        match self.by {
            SortKey::Name => "found.job_name_key",
            SortKey::Length => "found.job_length",
            SortKey::Date | SortKey::State => "found.job_created_at",
        }
    }

    /// The index of `synced_jobs` that has the jobs of each kind in this order.
    pub(super) fn index_of_kinds(self) -> &'static str {
        match self.by {
            SortKey::Name => "synced_jobs_by_kind_and_name",
            SortKey::Length => "synced_jobs_by_kind_and_length",
            SortKey::Date | SortKey::State => "synced_jobs_by_kind",
        }
    }

    /// The comparison operator for later rows, and the direction.
    pub(super) fn direction(self) -> (&'static str, &'static str) {
        match self.ascending {
            true => (">", "ASC"),
            false => ("<", "DESC"),
        }
    }
}

fn rank(status: JobStatus) -> u8 {
    let rank = STATES.iter().position(|states| states.contains(&status));
    rank.and_then(|rank| u8::try_from(rank).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
