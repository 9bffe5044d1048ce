//! The lists of a user's jobs. One row that cannot be read hides no other.

use slovo_rules::job::JobStatus;
use slovo_rules::settings::TranscriptionType;
use sqlx::{Connection as _, Row, any::AnyRow};
use uuid::Uuid;

use super::figures::{self, Kind};
use super::names::{self, Place};
use super::{COLUMNS, Job, read};
use crate::connect::Backend;
use crate::fields::{containing, word};
use crate::{Connection, Error, Result};

/// Which jobs of a user a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only those in one of these states; all if empty.
    pub statuses: Vec<JobStatus>,
    /// Only those whose title or file's name holds this text, in any case; all if empty.
    pub name: String,
    /// Only those of this mode of recognition.
    pub mode: Option<TranscriptionType>,
    /// Only those in this language, given or found; all if empty.
    pub language: String,
    /// Only those that have all of these tags, or are in these folders; all if empty.
    pub groups: Vec<Uuid>,
    /// Only those made at or after this, in Unix milliseconds.
    pub from: Option<i64>,
    /// Only those made before this, in Unix milliseconds.
    pub until: Option<i64>,
    /// Only those after this one (created at, id), going back in time.
    pub after: Option<(i64, Uuid)>,
    /// The most that are given.
    pub limit: u32,
}

/// The user's jobs, the newest first. One whose row cannot be read is left out, and the next one
/// takes its place: fewer than the limit means that there are no more.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut Connection, user_id: &str, filter: &Filter) -> Result<Vec<Job>> {
    let backend = Backend::of(connection);
    // What is counted and what is listed are of one moment.
    let mut snapshot = match connection.is_in_transaction() {
        true => connection.begin().await?,
        false => connection.begin_with(snapshot(backend)).await?,
    };
    let search = Search::of(&mut snapshot, backend, user_id, filter).await?;
    let after = filter.after.map(|(at, id)| (at, id.to_string()));
    let mut after = after.unwrap_or((i64::MAX, String::new()));
    let limit = filter.limit as usize;
    let mut found = Vec::new();
    while let Some(search) = &search {
        let missing = limit - found.len();
        let rows = search.rows(&mut snapshot, user_id, &after, missing).await?;
        for row in &rows {
            found.extend(readable(read(row))?);
        }
        match rows.last() {
            Some(last) if rows.len() == missing && found.len() < limit => after = position(last)?,
            _ => break,
        }
    }
    snapshot.rollback().await?;
    Ok(found)
}

/// Begins to read a database as it is at one moment.
fn snapshot(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "BEGIN",
        Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    }
}

/// The most kinds of jobs whose lists are merged; of more of them nearly every job is one.
const MOST_KINDS: usize = 40;

/// How a list is made, so that as few rows are read as may be.
struct Search<'f> {
    filter: &'f Filter,
    from: From,
    /// What the name is compared with, if it is.
    name: Option<String>,
}

/// Where its jobs come from.
enum From {
    /// All jobs of the user, in their order.
    All,
    /// The user's jobs of these kinds, each in their order.
    Kinds(Vec<Kind>),
    /// The user's jobs of a tag or a folder, in their order.
    Grouped { kinds: Vec<Kind> },
    /// The few jobs of an index of names.
    Named {
        backend: Backend,
        asked: String,
        kinds: Vec<Kind>,
    },
}

impl<'f> Search<'f> {
    /// `None` if there is nothing to be found.
    async fn of(
        connection: &mut Connection,
        backend: Backend,
        user_id: &str,
        filter: &'f Filter,
    ) -> Result<Option<Self>> {
        let search = |from, name| Some(Self { filter, from, name });
        let any_kind =
            filter.statuses.is_empty() && filter.mode.is_none() && filter.language.is_empty();
        let mut kinds = Vec::new();
        if !any_kind {
            kinds = figures::kinds(&mut *connection, user_id).await?;
            kinds.retain(|kind| fits(kind, filter));
            if kinds.is_empty() {
                return Ok(None);
            }
        }
        let mut name = None;
        if !filter.groups.is_empty() {
            if !filter.name.is_empty() {
                name = Some(containing(&filter.name));
            }
            return Ok(search(From::Grouped { kinds }, name));
        }
        if !filter.name.is_empty() {
            let asked = names::asked(&filter.name, Place::NameOf(user_id));
            name = Some(containing(&filter.name));
            if !names::is_frequent(&mut *connection, backend, &asked).await? {
                let from = From::Named {
                    backend,
                    asked,
                    kinds,
                };
                return Ok(search(from, name));
            }
        }
        let from = match kinds.len() {
            0 => From::All,
            _ => From::Kinds(kinds),
        };
        Ok(search(from, name))
    }

    /// At most `limit` rows that come after this place.
    async fn rows(
        &self,
        connection: &mut Connection,
        user_id: &str,
        after: &(i64, String),
        limit: usize,
    ) -> Result<Vec<AnyRow>> {
        let mut texts = vec![user_id.to_owned(), after.1.clone()];
        // The numbers of a parameter that is a text; those before it are numbers.
        let mut bind = |text: &str| {
            texts.push(text.to_owned());
            texts.len() + NUMBERS
        };
        let mut plain = String::from(PLAIN);
        if let Some(name) = &self.name {
            let number = bind(name);
            plain += &format!(
                " AND (j.filename_folded LIKE ${number} ESCAPE '!' \
                 OR j.title_folded LIKE ${number} ESCAPE '!')"
            );
        }
        let places = match &self.from {
            // In their order as they are: no place has to be looked up.
            From::All => {
                let statement = format!("SELECT {COLUMNS} FROM synced_jobs j {plain} {NEWEST}");
                return self.ask(connection, statement, after.0, limit, texts).await;
            }
            From::Kinds(kinds) if kinds.len() <= MOST_KINDS => {
                let one = |kind: &Kind| {
                    format!(
                        "SELECT * FROM (SELECT j.created_at, j.my_job_id FROM synced_jobs j {plain} \
                         AND j.status = ${} AND j.transcription_type = ${} \
                         AND COALESCE(j.language, '') = ${} {NEWEST}) one",
                        bind(&kind.status),
                        bind(&kind.mode),
                        bind(&kind.language)
                    )
                };
                let lists: Vec<String> = kinds.iter().map(one).collect();
                format!(
                    "{} ORDER BY created_at DESC, my_job_id DESC LIMIT $4",
                    lists.join(" UNION ALL ")
                )
            }
            From::Kinds(kinds) => {
                let kinds = of_kinds(kinds, &mut bind);
                format!(
                    "SELECT j.created_at, j.my_job_id FROM synced_jobs j {plain} {kinds} {NEWEST}"
                )
            }
            From::Grouped { kinds } => {
                let kinds = of_kinds(kinds, &mut bind);
                in_groups(&self.filter.groups, &plain, &kinds, &mut bind)
            }
            From::Named {
                backend,
                asked,
                kinds,
            } => {
                let found = names::table(*backend, bind(asked), names::FREQUENT);
                let kinds = of_kinds(kinds, &mut bind);
                // The limit within keeps either database from going through all jobs instead.
                format!(
                    "SELECT * FROM (SELECT j.created_at, j.my_job_id FROM {found} found \
                     CROSS JOIN {} {plain} AND j.my_job_id = found.my_job_id {kinds} \
                     LIMIT {}) few ORDER BY created_at DESC, my_job_id DESC LIMIT $4",
                    names::job(*backend),
                    names::FREQUENT
                )
            }
        };
        let statement = format!(
            "SELECT {COLUMNS} FROM ({places}) place CROSS JOIN synced_jobs j \
             WHERE j.my_job_id = place.my_job_id ORDER BY j.created_at DESC, j.my_job_id DESC"
        );
        self.ask(connection, statement, after.0, limit, texts).await
    }

    /// The rows of a statement with its parameters.
    async fn ask(
        &self,
        connection: &mut Connection,
        statement: String,
        before: i64,
        limit: usize,
        texts: Vec<String>,
    ) -> Result<Vec<AnyRow>> {
        // Only numbers of parameters are put into the text.
        let mut select = sqlx::query(sqlx::AssertSqlSafe(statement))
            .bind(before)
            .bind(self.filter.from.unwrap_or(i64::MIN))
            .bind(self.filter.until.unwrap_or(i64::MAX))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX));
        for text in texts {
            select = select.bind(text);
        }
        Ok(select.fetch_all(connection).await?)
    }
}

/// Parameters that are numbers: the place (time), from, until, how many.
const NUMBERS: usize = 4;

/// Which jobs a list is of, whatever else is asked.
const PLAIN: &str = "WHERE j.auth_user_id = $5 AND j.is_visible_to_user = 1 \
     AND (j.created_at, j.my_job_id) < ($1, $6) AND j.created_at >= $2 AND j.created_at < $3";

/// The end of a list.
const NEWEST: &str = "ORDER BY j.created_at DESC, j.my_job_id DESC LIMIT $4";

/// Whether a list shows jobs of a kind.
fn fits(kind: &Kind, filter: &Filter) -> bool {
    let status = |status: &JobStatus| word(status) == kind.status;
    (filter.statuses.is_empty() || filter.statuses.iter().any(status))
        && filter.mode.is_none_or(|mode| word(&mode) == kind.mode)
        && (filter.language.is_empty() || filter.language == kind.language)
}

/// The places of jobs that are in all of these groups, in the order of the first one's list.
fn in_groups(
    groups: &[Uuid],
    plain: &str,
    kinds: &str,
    bind: &mut impl FnMut(&str) -> usize,
) -> String {
    let mut groups = groups.iter();
    let first = groups.next().map(Uuid::to_string).unwrap_or_default();
    let first = bind(&first);
    let others: Vec<String> = groups
        .map(|group| {
            format!(
                " AND EXISTS (SELECT 1 FROM grouped_jobs o \
                 WHERE o.my_job_id = j.my_job_id AND o.group_id = ${})",
                bind(&group.to_string())
            )
        })
        .collect();
    format!(
        "SELECT j.created_at, j.my_job_id FROM grouped_jobs g \
         CROSS JOIN synced_jobs j {plain} AND g.group_id = ${first} \
         AND j.my_job_id = g.my_job_id \
         AND (g.job_created_at, g.my_job_id) < ($1, $6) {kinds}{} \
         ORDER BY g.job_created_at DESC, g.my_job_id DESC LIMIT $4",
        others.concat()
    )
}

/// A condition that a job is of one of these kinds; none if there are no kinds.
fn of_kinds(kinds: &[Kind], bind: &mut impl FnMut(&str) -> usize) -> String {
    let one = |kind: &Kind| {
        format!(
            "(${}, ${}, ${})",
            bind(&kind.status),
            bind(&kind.mode),
            bind(&kind.language)
        )
    };
    let kinds: Vec<String> = kinds.iter().map(one).collect();
    match kinds.is_empty() {
        true => String::new(),
        false => format!(
            "AND (j.status, j.transcription_type, COALESCE(j.language, '')) IN (VALUES {})",
            kinds.join(", ")
        ),
    }
}

/// What was read; a row that cannot be is told to the log.
pub(super) fn readable(job: Result<Job>) -> Result<Option<Job>> {
    match job {
        Ok(job) => Ok(Some(job)),
        Err(error @ Error::Row { .. }) => {
            tracing::error!(%error, "a job is left out of a list");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A row's place in the list.
fn position(row: &AnyRow) -> Result<(i64, String)> {
    Ok((row.try_get("created_at")?, row.try_get("my_job_id")?))
}

#[cfg(test)]
mod tests {
    use crate::jobs::{Filter, Summary, list, summary};
    use crate::queue_tests::{account, enqueue, unindexed};
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn a_row_that_cannot_be_read_hides_no_other(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            for number in 1..=6 {
                let now = i64::try_from(number).unwrap();
                let id = enqueue(&db, "a", number, 0, now).await;
                let column = match number {
                    2 => "media_id",
                    3 => "input_settings",
                    4 => "my_job_id",
                    5 => "status",
                    _ => continue,
                };
                let damage = format!("UPDATE synced_jobs SET {column} = 'x' WHERE my_job_id = $1");
                let mut transaction = db.write().await.unwrap();
                unindexed(&mut transaction, id).await;
                sqlx::query(sqlx::AssertSqlSafe(damage))
                    .bind(id.to_string())
                    .execute(&mut *transaction)
                    .await
                    .unwrap();
                transaction.commit().await.unwrap();
            }
            let mut connection = db.read().await.unwrap();
            for limit in [1, 2, 3, 10] {
                let filter = Filter {
                    limit,
                    ..Filter::default()
                };
                let found = list(&mut connection, "a", &filter).await.unwrap();
                let numbers: Vec<_> = found.iter().map(|job| job.id.as_u128()).collect();
                assert_eq!(numbers, [6, 1][..numbers.len()]);
                assert_eq!(numbers.len(), 2.min(limit as usize));
            }
            let counted = summary(&mut connection, "a").await.unwrap();
            let expected = Summary {
                total: 6,
                pending: 5,
                ..Summary::default()
            };
            assert_eq!(counted, expected);
        });
    }
}
