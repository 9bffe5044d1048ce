//! The jobs of all users, for administrators.

use slovo_rules::job::JobStatus;

use super::names::{self, SearchField};
use super::statements::COLUMNS;
use super::{Job, lists, read};
use crate::core::connect::Backend;
use crate::core::fields::{containing, word};
use crate::core::statement::{built_statements, row_columns, statements};
use crate::{Connection, Result};

/// A job with its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct JobWithOwner {
    /// The job.
    pub job: Job,
    /// Its owner; `None` if the account does not exist.
    pub owner: Option<Owner>,
}

/// The owner of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The account's id.
    pub id: String,
    /// Normalised.
    pub email: String,
    /// From the profile.
    pub fullname: Option<String>,
}

row_columns! {
    fn read_owner() -> Owner from "accounts" by "id" {
        id: text,
        email: text,
        fullname: text_or_none,
    }
}

/// The owner's columns in a row of a list of jobs; without an account there are none.
struct ListedOwner {
    email: Option<String>,
    fullname: Option<String>,
}

row_columns! {
    fn read_listed_owner() -> ListedOwner from "accounts" by "my_job_id" {
        email: text_or_none in "owner_email",
        fullname: text_or_none in "owner_name",
    }
}

/// A filter of the jobs of all users.
#[derive(Debug, Clone, Default)]
pub struct AllJobsFilter {
    /// Only those with this text in the title, name or id, case-insensitive; empty means all.
    pub text: String,
    /// Only those whose owner has this text in the address or name, case-insensitive; empty means
    /// all.
    pub owner: String,
    /// Only those in one of these states; empty means all.
    pub statuses: Vec<JobStatus>,
    /// Only those created at or after this, in Unix milliseconds.
    pub from: Option<i64>,
    /// Only those created before this, in Unix milliseconds.
    pub until: Option<i64>,
    /// Maximum number of jobs.
    pub limit: u32,
}

/// The number of numeric parameters: limit, from, until.
const NUMBERS: usize = 3;
/// Order and limit of the list.
const NEWEST: &str = "ORDER BY j.created_at DESC, j.my_job_id DESC LIMIT $1";

/// The condition for matching jobs; appends its text parameters to `texts`.
fn condition(backend: Backend, filter: &AllJobsFilter, texts: &mut Vec<String>) -> String {
    let mut bind = |text: String| {
        texts.push(text);
        texts.len() + NUMBERS
    };
    let mut condition = String::from("WHERE j.created_at >= $2 AND j.created_at < $3");
    if !filter.text.trim().is_empty() {
        let number = bind(filter.text.trim().to_lowercase());
        let name = names::has_name(backend, "j", number);
        let id = backend.contains("j.my_job_id", number);
        condition += &format!(" AND ({name} OR {id})");
    }
    if !filter.owner.is_empty() {
        let number = bind(containing(&filter.owner));
        condition += &format!(
            " AND j.auth_user_id IN (SELECT o.id FROM accounts o \
             WHERE o.searched LIKE ${number} ESCAPE '!')"
        );
    }
    if !filter.statuses.is_empty() {
        let numbers = filter.statuses.iter().map(|status| bind(word(status)));
        let numbers: Vec<String> = numbers.map(|number| format!("${number}")).collect();
        condition += &format!(" AND j.status IN ({})", numbers.join(", "));
    }
    condition
}

built_statements! {
    list_statement: BOTH -> Job, ListedOwner = tests::texts;
}

/// The index queries of a list that is found by its names or ids; none if the newest jobs of all
/// users are scanned instead.
async fn index_queries(
    connection: &mut Connection,
    backend: Backend,
    filter: &AllJobsFilter,
) -> Result<Vec<String>> {
    let text = filter.text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut places = vec![SearchField::Name];
    if names::may_be_in_id(text) {
        places.push(SearchField::Id);
    }
    let is_newest =
        filter.until.is_none() && filter.statuses.is_empty() && filter.owner.trim().is_empty();
    let mut queries = Vec::new();
    for place in places {
        let query = names::rare_query(&mut *connection, backend, text, place, is_newest).await?;
        let Some(query) = query else {
            return Ok(Vec::new());
        };
        queries.push(query);
    }
    Ok(queries)
}

/// The SQL of a list; appends its text parameters to `texts`.
fn list_statement(
    backend: Backend,
    filter: &AllJobsFilter,
    queries: Vec<String>,
    texts: &mut Vec<String>,
) -> String {
    let condition = condition(backend, filter, texts);
    let places = if queries.is_empty() {
        format!("SELECT j.created_at, j.my_job_id FROM synced_jobs j {condition} {NEWEST}")
    } else {
        let mut found = Vec::new();
        for query in queries {
            texts.push(query);
            let table = names::candidates(backend, texts.len() + NUMBERS, names::FREQUENT);
            found.push(format!("SELECT my_job_id FROM {table} found"));
        }
        // The inner limit keeps both databases from scanning all jobs instead.
        format!(
            "SELECT j.created_at, j.my_job_id FROM (SELECT j.created_at, j.my_job_id FROM ({}) found \
             CROSS JOIN {} {condition} AND j.my_job_id = found.my_job_id LIMIT {}) j {NEWEST}",
            found.join(" UNION "),
            names::join_job(backend),
            2 * names::FREQUENT
        )
    };
    format!(
        "SELECT {COLUMNS}, a.email AS owner_email, p.fullname AS owner_name FROM ({places}) place \
         CROSS JOIN synced_jobs j LEFT JOIN accounts a ON a.id = j.auth_user_id \
         LEFT JOIN profiles p ON p.user_id = j.auth_user_id \
         WHERE j.my_job_id = place.my_job_id ORDER BY j.created_at DESC, j.my_job_id DESC"
    )
}

/// The newest matching jobs of all users, including hidden ones. Unreadable rows are left out.
///
/// # Errors
/// When the database fails.
pub async fn list_all(
    connection: &mut Connection,
    filter: &AllJobsFilter,
) -> Result<Vec<JobWithOwner>> {
    let backend = Backend::of(connection);
    let queries = index_queries(&mut *connection, backend, filter).await?;
    let mut texts = Vec::new();
    let statement = list_statement(backend, filter, queries, &mut texts);
    // Only parameter numbers are formatted into the SQL.
    let mut select = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(i64::from(filter.limit))
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX));
    for text in texts {
        select = select.bind(text);
    }
    let rows = select.fetch_all(connection).await?;
    let mut found = Vec::new();
    for row in &rows {
        let Some(job) = lists::readable(read(row))? else {
            continue;
        };
        let ListedOwner { email, fullname } = read_listed_owner(row)?;
        let owner = email.map(|email| Owner {
            id: job.user_id.clone(),
            email,
            fullname,
        });
        found.push(JobWithOwner { job, owner });
    }
    Ok(found)
}

statements! {
    const SELECT_OWNER: BOTH -> Owner =
        "SELECT a.id, a.email, p.fullname FROM accounts a \
         LEFT JOIN profiles p ON p.user_id = a.id WHERE a.id = $1";
}

/// The owner of the job, if the account exists.
///
/// # Errors
/// A row that cannot be read.
pub async fn owner(connection: &mut Connection, job: &Job) -> Result<Option<Owner>> {
    let row = sqlx::query(SELECT_OWNER)
        .bind(&job.user_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_owner).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::profiles;
    use crate::jobs::tests::{account, enqueue};
    use crate::testing::{Backend, apply, each_database, execute, with_database};

    /// The SQL of lists with and without each condition and index query.
    pub(super) fn texts(backend: Backend) -> Vec<String> {
        let narrow = AllJobsFilter {
            text: "a".to_owned(),
            owner: "b".to_owned(),
            statuses: vec![JobStatus::Error, JobStatus::Failed],
            ..AllJobsFilter::default()
        };
        let mut texts = Vec::new();
        for filter in [AllJobsFilter::default(), narrow] {
            for queries in 0..=2 {
                let index_queries = vec![String::new(); queries];
                texts.push(list_statement(
                    backend,
                    &filter,
                    index_queries,
                    &mut Vec::new(),
                ));
            }
        }
        texts
    }

    #[apply(each_database!)]
    fn jobs_of_all_users_are_found_by_part_of_a_name_or_id(backend: Backend) {
        with_database(backend, async |db| {
            for user in ["a", "b"] {
                account(&db, user).await;
            }
            for (user, number, now) in [("a", 0xabc1, 10), ("b", 0xabc2, 20), ("a", 3, 20)] {
                enqueue(&db, user, number, 0, now).await;
            }
            let mut transaction = db.write().await.unwrap();
            profiles::set_fullname(&mut transaction, "b", "Ольга", 1)
                .await
                .unwrap();
            for damage in [
                "UPDATE synced_jobs SET filename_folded = '100%_їжак.wav' WHERE created_at = 10",
                "UPDATE synced_jobs SET media_id = 'x' WHERE my_job_id LIKE '%03'",
            ] {
                execute(&mut transaction, damage).await;
            }
            execute(
                &mut transaction,
                "UPDATE synced_jobs SET status = 'failed' WHERE my_job_id LIKE '%2'",
            )
            .await;
            let mut find_all = async |filter: AllJobsFilter| {
                let filter = AllJobsFilter { limit: 9, ..filter };
                let found = list_all(&mut transaction, &filter).await.unwrap();
                found
                    .into_iter()
                    .map(|row| (row.job.id.as_u128(), row.owner.unwrap()))
                    .collect::<Vec<_>>()
            };
            let all = find_all(AllJobsFilter::default()).await;
            let ids = |found: &[(u128, Owner)]| found.iter().map(|row| row.0).collect::<Vec<_>>();
            assert_eq!(ids(&all), [0xabc2, 0xabc1]);
            let (_, owner) = &all[0];
            assert_eq!(owner.email, "b@example.com");
            assert_eq!(owner.fullname.as_deref(), Some("Ольга"));
            assert_eq!(all[1].1.fullname, None);
            let text = |text: &str| AllJobsFilter {
                text: text.to_owned(),
                ..AllJobsFilter::default()
            };
            let of_owner = |owner: &str, text: &str| AllJobsFilter {
                text: text.to_owned(),
                owner: owner.to_owned(),
                ..AllJobsFilter::default()
            };
            let created = |from, until| AllJobsFilter {
                from,
                until,
                ..AllJobsFilter::default()
            };
            let failed = |name: &str| AllJobsFilter {
                statuses: vec![JobStatus::Error, JobStatus::Failed],
                ..text(name)
            };
            for (filter, expected) in [
                (text(" ABC "), vec![0xabc2, 0xabc1]),
                (text("bc1"), vec![0xabc1]),
                (text("ЇЖАК"), vec![0xabc1]),
                (text("%_"), vec![0xabc1]),
                (text("%__"), vec![]),
                (of_owner("B@EXAMPLE", ""), vec![0xabc2]),
                (of_owner("ольг", "abc"), vec![0xabc2]),
                (of_owner("ольг", "bc1"), vec![]),
                (of_owner("%", ""), vec![]),
                (failed(""), vec![0xabc2]),
                (failed("bc1"), vec![]),
                (created(Some(11), None), vec![0xabc2]),
                (created(None, Some(20)), vec![0xabc1]),
                (created(Some(11), Some(20)), vec![]),
            ] {
                assert_eq!(ids(&find_all(filter.clone()).await), expected, "{filter:?}");
            }
        });
    }
}
