//! Lists of a user's jobs. An unreadable row does not hide the others.

use slovo_rules::job::JobStatus;
use sqlx::{Connection as _, Row, any::AnyRow};
use uuid::Uuid;

use super::figures::{self, Kind};
use super::filter::Filter;
use super::names;
use super::orders::{SortKey, SortValue};
use super::statements::COLUMNS;
use super::{Job, read};
use crate::core::connect::Backend;
use crate::core::fields::{containing, word};
use crate::core::statement::built_statements;
use crate::{Connection, Error, Result};

/// The user's jobs in the given order. Unreadable rows are skipped and later rows fill the page: a
/// result shorter than the limit is the end of the list.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut Connection, user_id: &str, filter: &Filter) -> Result<Vec<Job>> {
    let backend = Backend::of(connection);
    // Counts and lists must come from the same snapshot.
    let mut snapshot = match connection.is_in_transaction() {
        true => connection.begin().await?,
        false => connection.begin_with(snapshot(backend)).await?,
    };
    let mut found = Vec::new();
    for part in filter.parts() {
        if found.len() < filter.limit as usize {
            read_part(&mut snapshot, backend, user_id, &part, &mut found).await?;
        }
    }
    snapshot.rollback().await?;
    Ok(found)
}

/// Appends one part of the list, up to the limit.
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

/// The statement that begins a read-only snapshot.
fn snapshot(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "BEGIN",
        Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    }
}

/// Maximum number of kinds whose lists are merged; with more, nearly every job matches.
const MOST_KINDS: usize = 40;

/// How a list is read, chosen to read as few rows as possible.
struct Search<'f> {
    filter: &'f Filter,
    backend: Backend,
    from: RowSource,
    /// The `LIKE` pattern for the name, if any.
    name: Option<String>,
}

/// The source of the rows.
enum RowSource {
    /// All jobs of the user, in order.
    All,
    /// The user's jobs of these kinds, each kind in order.
    Kinds(Vec<Kind>),
    /// The user's jobs in a tag or folder, in order.
    Grouped { kinds: Vec<Kind> },
    /// A few jobs found by an index: of names, with this query, or else of creation times.
    Few {
        named: Option<String>,
        kinds: Vec<Kind>,
    },
}

impl<'f> Search<'f> {
    /// `None` if nothing can match.
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
            RowSource::Few { named: None, kinds }
        } else if !filter.groups.is_empty() {
            // Reading the few jobs of these kinds is faster than reading the whole group.
            match of_few_kinds(&kinds) {
                true => RowSource::Kinds(kinds),
                false => RowSource::Grouped { kinds },
            }
        } else {
            let mut rare = None;
            if let Some(name) = name {
                let index_query = names::index_query(name, names::SearchField::NameOf(user_id));
                let frequent = names::is_frequent(connection, backend, &index_query).await?;
                rare = Some(index_query).filter(|_| !frequent);
            }
            match rare {
                named @ Some(_) => RowSource::Few { named, kinds },
                None if kinds.is_empty() => RowSource::All,
                None => RowSource::Kinds(kinds),
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

    /// At most `limit` rows after this position.
    async fn rows(
        &self,
        connection: &mut Connection,
        user_id: &str,
        after: &(SortValue, String),
        limit: usize,
    ) -> Result<Vec<AnyRow>> {
        let mut texts = vec![user_id.to_owned(), after.1.clone()];
        let statement = self.statement(&mut |text: &str| {
            texts.push(text.to_owned());
            texts.len() + NUMBERS
        });
        // Only parameter numbers are formatted into the SQL.
        let select = sqlx::query(sqlx::AssertSqlSafe(statement));
        let mut select = match &after.0 {
            SortValue::Date(at) | SortValue::State(_, at) => select.bind(*at),
            SortValue::Name(key) => select.bind(key.clone()),
            SortValue::Length(length) => select.bind(*length),
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

    /// The SQL; `bind` returns the number of a new text parameter. The parameters before these are
    /// numbers, except the first, which is the position.
    fn statement(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter.order;
        let (value, (_, way)) = (order.value(), order.way());
        let sorted = format!("ORDER BY {value} {way}, j.my_job_id {way} LIMIT $4");
        let merged = format!("ORDER BY sorted_by {way}, my_job_id {way} LIMIT $4");
        let plain = self.plain(&mut *bind);
        let job = names::job(self.backend);
        let places = match &self.from {
            // Read in order from `synced_jobs` itself, without a second lookup by id.
            RowSource::All => {
                return format!("SELECT {COLUMNS}, j.name_key FROM synced_jobs j {plain} {sorted}");
            }
            RowSource::Kinds(kinds) if kinds.len() <= MOST_KINDS => {
                let list_of = |kind: &Kind| {
                    format!(
                        "SELECT one.sorted_by, one.my_job_id FROM (SELECT {value} AS sorted_by, \
                         j.my_job_id \
                         FROM synced_jobs j {plain} \
                         AND j.status = ${} AND j.transcription_type = ${} \
                         AND COALESCE(j.language, '') = ${} {sorted}) one",
                        bind(&kind.status),
                        bind(&kind.mode),
                        bind(&kind.language)
                    )
                };
                let lists: Vec<String> = kinds.iter().map(list_of).collect();
                format!("{} {merged}", lists.join(" UNION ALL "))
            }
            RowSource::Kinds(kinds) => {
                let kinds = of_kinds(kinds, bind);
                format!(
                    "SELECT {value} AS sorted_by, j.my_job_id FROM synced_jobs j {plain} {kinds} \
                     {sorted}"
                )
            }
            RowSource::Grouped { kinds } => {
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
            RowSource::Few { named, kinds } => {
                let found = match named {
                    Some(index_query) => {
                        names::table(self.backend, bind(index_query), names::FREQUENT)
                    }
                    None => format!("({OF_TIME} LIMIT {})", names::FREQUENT),
                };
                let kinds = of_kinds(kinds, bind);
                // The inner limit keeps both databases from scanning all jobs instead.
                format!(
                    "SELECT few.sorted_by, few.my_job_id FROM (SELECT {value} AS sorted_by, \
                     j.my_job_id FROM {found} found \
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

    /// The conditions of the list, independent of the source.
    fn plain(&self, bind: &mut impl FnMut(&str) -> usize) -> String {
        let order = self.filter.order;
        let (value, (sign, _)) = (order.value(), order.way());
        let mut plain = format!(
            "WHERE j.auth_user_id = $5 AND j.is_visible_to_user = 1 \
             AND ({value}, j.my_job_id) {sign} ($1, $6)"
        );
        // For an indexed expression SQLite needs this explicit bound to start inside the index; for
        // an indexed column it does not.
        if order.by == SortKey::Length {
            plain += &format!(" AND {value} {sign}= $1");
        }
        // Without a time filter this condition would make PostgreSQL expect few jobs and sort them.
        if has_time(self.filter) || order.by == SortKey::Date {
            plain += " AND j.created_at >= $2 AND j.created_at < $3";
        }
        if let Some(name) = &self.name {
            let number = bind(name);
            plain += &format!(
                " AND (j.filename_folded LIKE ${number} ESCAPE '!' \
                 OR j.title_folded LIKE ${number} ESCAPE '!')"
            );
        }
        // The source already restricts the list to its first group.
        let known = usize::from(matches!(self.from, RowSource::Grouped { .. }));
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

/// Number of parameters before the texts: position, from, until, limit.
const NUMBERS: usize = 4;

/// The user's jobs in the filtered time.
const OF_TIME: &str = "SELECT t.my_job_id FROM synced_jobs t \
     WHERE t.auth_user_id = $5 AND t.created_at >= $2 AND t.created_at < $3";

fn has_time(filter: &Filter) -> bool {
    filter.from.is_some() || filter.until.is_some()
}

built_statements! {
    statement: BOTH -> Job = tests::texts;
    count_of_time: BOTH = |_| vec![count_of_time()];
}

/// The SQL that counts the jobs of user `$1` in a time, up to [`names::FREQUENT`].
fn count_of_time() -> String {
    format!(
        "SELECT COUNT(*) AS jobs FROM (SELECT t.my_job_id FROM synced_jobs t \
         WHERE t.auth_user_id = $1 AND t.created_at >= $2 AND t.created_at < $3 LIMIT {}) found",
        names::FREQUENT
    )
}

/// Whether the order is not by time and so few jobs lie in the filtered time that all are read.
async fn is_of_short_time(
    connection: &mut Connection,
    user_id: &str,
    filter: &Filter,
) -> Result<bool> {
    if filter.order.by == SortKey::Date || !has_time(filter) {
        return Ok(false);
    }
    // Only a number is formatted into the SQL.
    let row = sqlx::query(sqlx::AssertSqlSafe(count_of_time()))
        .bind(user_id)
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("jobs")? < names::FREQUENT)
}

/// Whether kinds are filtered and have so few jobs that all can be read.
fn of_few_kinds(kinds: &[Kind]) -> bool {
    let jobs: i64 = kinds.iter().map(|kind| kind.jobs).sum();
    (1..=MOST_KINDS).contains(&kinds.len()) && jobs < names::FREQUENT
}

/// Whether the filter matches jobs of a kind.
fn fits(kind: &Kind, filter: &Filter) -> bool {
    let status = |status: &JobStatus| word(status) == kind.status;
    (filter.statuses.is_empty() || filter.statuses.iter().any(status))
        && filter.mode.is_none_or(|mode| word(&mode) == kind.mode)
        && (filter.language.is_empty() || filter.language == kind.language)
}

/// SQL condition for jobs of these kinds; empty without kinds.
fn of_kinds(kinds: &[Kind], bind: &mut impl FnMut(&str) -> usize) -> String {
    let values_of = |kind: &Kind| {
        format!(
            "(${}, ${}, ${})",
            bind(&kind.status),
            bind(&kind.mode),
            bind(&kind.language)
        )
    };
    let kinds: Vec<String> = kinds.iter().map(values_of).collect();
    match kinds.is_empty() {
        true => String::new(),
        false => format!(
            "AND (j.status, j.transcription_type, COALESCE(j.language, '')) IN (VALUES {})",
            kinds.join(", ")
        ),
    }
}

/// The job, or `None` for an unreadable row, which is logged.
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
mod tests;
