//! The lists of a user's jobs. One row that cannot be read hides no other.

use slovo_rules::job::JobStatus;
use slovo_rules::settings::TranscriptionType;
use sqlx::{Connection as _, Row, any::AnyRow};
use uuid::Uuid;

use super::figures::{self, Kind};
use super::names;
use super::orders::{self, At, By, Order, Place};
use super::{COLUMNS, Job, read};
use crate::core::connect::Backend;
use crate::core::fields::{containing, word};
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
    /// In which order.
    pub order: Order,
    /// Only those after this place in the order.
    pub after: Option<Place>,
    /// The most that are given.
    pub limit: u32,
}

/// The user's jobs in an order. One whose row cannot be read is left out, and the next one
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
    let mut found = Vec::new();
    for part in orders::parts(filter) {
        if found.len() < filter.limit as usize {
            read_part(&mut snapshot, backend, user_id, &part, &mut found).await?;
        }
    }
    snapshot.rollback().await?;
    Ok(found)
}

/// Adds what a list has to others that come before it, up to the limit.
async fn read_part(
    connection: &mut Connection,
    backend: Backend,
    user_id: &str,
    filter: &Filter,
    found: &mut Vec<Job>,
) -> Result<()> {
    let Some(search) = Search::of(&mut *connection, backend, user_id, filter).await? else {
        return Ok(());
    };
    let mut after = match filter.after.clone() {
        Some(place) => (place.at, place.id.to_string()),
        None => (filter.order.start(), String::new()),
    };
    let limit = filter.limit as usize;
    loop {
        let missing = limit - found.len();
        let rows = search
            .rows(&mut *connection, user_id, &after, missing)
            .await?;
        for row in &rows {
            found.extend(readable(read(row))?);
        }
        match rows.last() {
            Some(last) if rows.len() == missing && found.len() < limit => {
                after = (filter.order.at(last)?, last.try_get("my_job_id")?);
            }
            _ => return Ok(()),
        }
    }
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
    backend: Backend,
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
    /// The few jobs that an index finds: by this question to the one of names, or else by their time.
    Few {
        named: Option<String>,
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
        let name = Some(&filter.name).filter(|name| !name.is_empty());
        let from = if is_of_short_time(&mut *connection, user_id, filter).await? {
            From::Few { named: None, kinds }
        } else if !filter.groups.is_empty() {
            // Few jobs of a kind are read sooner than all of a group.
            match of_few_kinds(&kinds) {
                true => From::Kinds(kinds),
                false => From::Grouped { kinds },
            }
        } else {
            let mut rare = None;
            if let Some(name) = name {
                let asked = names::asked(name, names::Place::NameOf(user_id));
                let frequent = names::is_frequent(connection, backend, &asked).await?;
                rare = Some(asked).filter(|_| !frequent);
            }
            match rare {
                named @ Some(_) => From::Few { named, kinds },
                None if kinds.is_empty() => From::All,
                None => From::Kinds(kinds),
            }
        };
        let name = name.map(|name| containing(name));
        Ok(Some(Self {
            filter,
            backend,
            from,
            name,
        }))
    }

    /// At most `limit` rows that come after this place.
    async fn rows(
        &self,
        connection: &mut Connection,
        user_id: &str,
        after: &(At, String),
        limit: usize,
    ) -> Result<Vec<AnyRow>> {
        let mut texts = vec![user_id.to_owned(), after.1.clone()];
        let statement = self.statement(&mut |text: &str| {
            texts.push(text.to_owned());
            texts.len() + NUMBERS
        });
        // Only numbers of parameters are put into the text.
        let select = sqlx::query(sqlx::AssertSqlSafe(statement));
        let mut select = match &after.0 {
            At::Date(at) | At::State(_, at) => select.bind(*at),
            At::Name(key) => select.bind(key.clone()),
            At::Length(length) => select.bind(*length),
        };
        select = select
            .bind(self.filter.from.unwrap_or(i64::MIN))
            .bind(self.filter.until.unwrap_or(i64::MAX))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX));
        for text in texts {
            select = select.bind(text);
        }
        Ok(select.fetch_all(connection).await?)
    }

    /// The statement; `bind` gives the number of a parameter that is a text. Those before it are
    /// numbers, but for the first, which is the place.
    fn statement(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter.order;
        let (value, (_, way)) = (order.value(), order.way());
        let sorted = format!("ORDER BY {value} {way}, j.my_job_id {way} LIMIT $4");
        let merged = format!("ORDER BY sorted_by {way}, my_job_id {way} LIMIT $4");
        let plain = self.plain(&mut *bind);
        let job = names::job(self.backend);
        let places = match &self.from {
            // In their order as they are: no place has to be looked up.
            From::All => {
                return format!("SELECT {COLUMNS}, j.name_key FROM synced_jobs j {plain} {sorted}");
            }
            From::Kinds(kinds) if kinds.len() <= MOST_KINDS => {
                let one = |kind: &Kind| {
                    format!(
                        "SELECT * FROM (SELECT {value} AS sorted_by, j.my_job_id \
                         FROM synced_jobs j {plain} \
                         AND j.status = ${} AND j.transcription_type = ${} \
                         AND COALESCE(j.language, '') = ${} {sorted}) one",
                        bind(&kind.status),
                        bind(&kind.mode),
                        bind(&kind.language)
                    )
                };
                let lists: Vec<String> = kinds.iter().map(one).collect();
                format!("{} {merged}", lists.join(" UNION ALL "))
            }
            From::Kinds(kinds) => {
                let kinds = of_kinds(kinds, bind);
                format!(
                    "SELECT {value} AS sorted_by, j.my_job_id FROM synced_jobs j {plain} {kinds} \
                     {sorted}"
                )
            }
            From::Grouped { kinds } => {
                let kinds = of_kinds(kinds, &mut *bind);
                let first = self.filter.groups.first().map(Uuid::to_string);
                let first = bind(&first.unwrap_or_default());
                let (grouped, (sign, _)) = (order.grouped(), order.way());
                format!(
                    "SELECT {value} AS sorted_by, j.my_job_id FROM grouped_jobs found \
                     CROSS JOIN {job} {plain} AND found.group_id = ${first} \
                     AND j.my_job_id = found.my_job_id \
                     AND ({grouped}, found.my_job_id) {sign} ($1, $6) {kinds} \
                     ORDER BY {grouped} {way}, found.my_job_id {way} LIMIT $4"
                )
            }
            From::Few { named, kinds } => {
                let found = match named {
                    Some(asked) => names::table(self.backend, bind(asked), names::FREQUENT),
                    None => format!("({OF_TIME} LIMIT {})", names::FREQUENT),
                };
                let kinds = of_kinds(kinds, bind);
                // The limit within keeps either database from going through all jobs instead.
                format!(
                    "SELECT * FROM (SELECT {value} AS sorted_by, j.my_job_id FROM {found} found \
                     CROSS JOIN {job} {plain} AND j.my_job_id = found.my_job_id {kinds} \
                     LIMIT {}) few {merged}",
                    names::FREQUENT
                )
            }
        };
        format!(
            "SELECT {COLUMNS}, j.name_key FROM ({places}) place CROSS JOIN synced_jobs j \
             WHERE j.my_job_id = place.my_job_id ORDER BY {value} {way}, j.my_job_id {way}"
        )
    }

    /// Which jobs a list is of, whatever its order reads them from.
    fn plain(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter.order;
        let (value, (sign, _)) = (order.value(), order.way());
        let mut plain = format!(
            "WHERE j.auth_user_id = $5 AND j.is_visible_to_user = 1 \
             AND ({value}, j.my_job_id) {sign} ($1, $6)"
        );
        // SQLite begins there in an index of a column by itself, in one of an expression only so.
        if order.by == By::Length {
            plain += &format!(" AND {value} {sign}= $1");
        }
        // Where nothing is asked, PostgreSQL would expect few jobs in the time, and sort them.
        if has_time(self.filter) || order.by == By::Date {
            plain += " AND j.created_at >= $2 AND j.created_at < $3";
        }
        if let Some(name) = &self.name {
            let number = bind(name);
            plain += &format!(
                " AND (j.filename_folded LIKE ${number} ESCAPE '!' \
                 OR j.title_folded LIKE ${number} ESCAPE '!')"
            );
        }
        // A list of a group has no others.
        let known = usize::from(matches!(self.from, From::Grouped { .. }));
        for group in self.filter.groups.iter().skip(known) {
            plain += &format!(
                " AND EXISTS (SELECT 1 FROM grouped_jobs o \
                 WHERE o.my_job_id = j.my_job_id AND o.group_id = ${})",
                bind(&group.to_string())
            );
        }
        plain
    }
}

/// Parameters that come before the texts: the place, from, until, how many.
const NUMBERS: usize = 4;

/// The user's jobs of the asked time.
const OF_TIME: &str = "SELECT t.my_job_id FROM synced_jobs t \
     WHERE t.auth_user_id = $5 AND t.created_at >= $2 AND t.created_at < $3";

fn has_time(filter: &Filter) -> bool {
    filter.from.is_some() || filter.until.is_some()
}

/// Whether an order other than by time is asked of so few jobs of some time that they are read all.
async fn is_of_short_time(
    connection: &mut Connection,
    user_id: &str,
    filter: &Filter,
) -> Result<bool> {
    if filter.order.by == By::Date || !has_time(filter) {
        return Ok(false);
    }
    let statement = format!(
        "SELECT COUNT(*) AS jobs FROM (SELECT t.my_job_id FROM synced_jobs t \
         WHERE t.auth_user_id = $1 AND t.created_at >= $2 AND t.created_at < $3 LIMIT {}) found",
        names::FREQUENT
    );
    // Only a number is put into the text.
    let row = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(user_id)
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("jobs")? < names::FREQUENT)
}

/// Whether kinds are asked for, and so few jobs are of them that all could be read.
fn of_few_kinds(kinds: &[Kind]) -> bool {
    let jobs: i64 = kinds.iter().map(|kind| kind.jobs).sum();
    (1..=MOST_KINDS).contains(&kinds.len()) && jobs < names::FREQUENT
}

/// Whether a list shows jobs of a kind.
fn fits(kind: &Kind, filter: &Filter) -> bool {
    let status = |status: &JobStatus| word(status) == kind.status;
    (filter.statuses.is_empty() || filter.statuses.iter().any(status))
        && filter.mode.is_none_or(|mode| word(&mode) == kind.mode)
        && (filter.language.is_empty() || filter.language == kind.language)
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

#[cfg(test)]
mod tests {
    use crate::jobs::tests::{account, enqueue, unindexed};
    use crate::jobs::{Filter, Summary, list, summary};
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
