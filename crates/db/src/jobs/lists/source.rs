//! Where the jobs of a list are read from, chosen so that few rows are read.

use slovo_rules::job::JobStatus;
use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::connect::Backend;
use crate::core::fields::word;
use crate::core::statement::{built_statements, statements};
use crate::jobs::figures::{self, Kind};
use crate::jobs::filter::Filter;
use crate::jobs::names;
use crate::jobs::orders::{SortKey, SortValue};
use crate::{Connection, Result};

/// Maximum number of kinds whose lists are merged; with more, nearly every job matches.
pub(super) const MAX_KINDS: usize = 40;
/// With this many jobs, reading a tag or folder takes longer than comparing all names in an index.
const LARGE_GROUP: i64 = 4 * names::FREQUENT;
/// The same for kinds with more than one of this many jobs of the user.
const LARGE_PART: i64 = 8;

/// What a list is about.
pub(super) struct Scope<'f> {
    pub backend: Backend,
    pub user_id: &'f str,
    pub filter: &'f Filter,
    /// The kinds to which the filter restricts the list; none if it matches every kind.
    pub kinds: Vec<Kind>,
    /// Number of the user's jobs of all kinds; only counted if the filter restricts the kinds.
    pub jobs: i64,
}

impl<'f> Scope<'f> {
    /// `None` if nothing can match.
    pub(super) async fn of(
        connection: &mut Connection,
        backend: Backend,
        user_id: &'f str,
        filter: &'f Filter,
    ) -> Result<Option<Self>> {
        let any_kind =
            filter.statuses.is_empty() && filter.mode.is_none() && filter.language.is_empty();
        let (mut kinds, mut jobs) = (Vec::new(), 0);
        if !any_kind {
            kinds = figures::kinds(connection, user_id).await?;
            jobs = number_of(&kinds);
            kinds.retain(|kind| matches_kind(kind, filter));
            if kinds.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(Self {
            backend,
            user_id,
            filter,
            kinds,
            jobs,
        }))
    }

    /// Whether so many of the user's jobs are of these kinds that comparing all names in an index
    /// is faster than reading the jobs.
    fn is_large_part(&self) -> bool {
        self.kinds.is_empty() || self.number() * LARGE_PART > self.jobs
    }

    /// Whether kinds are filtered and have so few jobs that all can be read.
    fn has_few_jobs(&self) -> bool {
        (1..=MAX_KINDS).contains(&self.kinds.len()) && self.number() < names::FREQUENT
    }

    /// Number of the user's jobs of these kinds.
    fn number(&self) -> i64 {
        number_of(&self.kinds)
    }
}

/// How a list is read.
pub(super) struct Search<'f> {
    pub scope: &'f Scope<'f>,
    pub from: From,
}

/// The source of the rows.
#[derive(Debug, Clone)]
pub(super) enum From {
    /// All jobs of the user, in order.
    All,
    /// The user's jobs of these kinds, each kind in order.
    Kinds,
    /// The user's jobs in a tag or folder, in order.
    Grouped,
    /// The user's names in their order, compared in an index that contains them.
    Named,
    /// A few jobs found by an index: of names, with this query, or else of creation times.
    Candidates { named: Option<String> },
}

impl<'f> Search<'f> {
    /// Chooses the source.
    pub(super) async fn of(connection: &mut Connection, scope: &'f Scope<'f>) -> Result<Self> {
        let from = source(connection, scope).await?;
        Ok(Self { scope, from })
    }

    /// What the list contains.
    pub(super) fn filter(&self) -> &'f Filter {
        self.scope.filter
    }

    /// At most `limit` rows after this position.
    pub(super) async fn rows(
        &self,
        connection: &mut Connection,
        after: &(SortValue, String),
        limit: usize,
    ) -> Result<Vec<AnyRow>> {
        let filter = self.filter();
        let mut texts = vec![self.scope.user_id.to_owned(), after.1.clone()];
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
            .bind(filter.from.unwrap_or(i64::MIN))
            .bind(filter.until.unwrap_or(i64::MAX))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX));
        for text in texts {
            select = select.bind(text);
        }
        Ok(select.fetch_all(connection).await?)
    }
}

/// Number of parameters before the texts: position, from, until, limit.
pub(super) const NUMBERS: usize = 4;

/// The source with the fewest rows to be read.
async fn source(connection: &mut Connection, scope: &Scope<'_>) -> Result<From> {
    let filter = scope.filter;
    if has_few_jobs_in_period(&mut *connection, scope).await? {
        return Ok(From::Candidates { named: None });
    }
    let group = filter.groups.first().copied();
    if let Some(group) = group
        && scope.has_few_jobs()
        && has_at_least(&mut *connection, group, scope.number()).await?
    {
        return Ok(From::Kinds);
    }
    let is_named = !filter.name.is_empty();
    if is_named {
        let (name, place) = (&filter.name, names::SearchField::NameOf(scope.user_id));
        let is_newest = filter.order.by == SortKey::Date
            && !filter.order.ascending
            && filter.until.is_none()
            && scope.kinds.is_empty();
        let named =
            names::rare_query(&mut *connection, scope.backend, name, place, is_newest).await?;
        if named.is_some() {
            return Ok(From::Candidates { named });
        }
    }
    let compares_names = is_named && filter.order.by == SortKey::Name && scope.is_large_part();
    let Some(group) = group else {
        return Ok(match scope.kinds.is_empty() {
            _ if compares_names => From::Named,
            true => From::All,
            false => From::Kinds,
        });
    };
    if compares_names && has_at_least(connection, group, LARGE_GROUP).await? {
        return Ok(From::Named);
    }
    Ok(From::Grouped)
}

pub(super) fn has_period(filter: &Filter) -> bool {
    filter.from.is_some() || filter.until.is_some()
}

built_statements! {
    count_in_period: BOTH = |_| vec![count_in_period()];
}

/// The SQL that counts the jobs of user `$1` in a time, up to [`names::FREQUENT`].
fn count_in_period() -> String {
    format!(
        "SELECT COUNT(*) AS jobs FROM (SELECT t.my_job_id FROM synced_jobs t \
         WHERE t.auth_user_id = $1 AND t.created_at >= $2 AND t.created_at < $3 LIMIT {}) found",
        names::FREQUENT
    )
}

/// Whether the order is not by time and so few jobs lie in the filtered time that all are read.
async fn has_few_jobs_in_period(connection: &mut Connection, scope: &Scope<'_>) -> Result<bool> {
    let filter = scope.filter;
    if filter.order.by == SortKey::Date || !has_period(filter) {
        return Ok(false);
    }
    // Only a number is formatted into the SQL.
    let row = sqlx::query(sqlx::AssertSqlSafe(count_in_period()))
        .bind(scope.user_id)
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("jobs")? < names::FREQUENT)
}

statements! {
    const COUNT_OF_GROUP: BOTH =
        "SELECT COUNT(*) AS jobs FROM (SELECT g.my_job_id FROM grouped_jobs g \
         WHERE g.group_id = $1 LIMIT $2) found";
}

/// Whether a tag or folder has at least this many jobs.
async fn has_at_least(connection: &mut Connection, group: Uuid, jobs: i64) -> Result<bool> {
    let row = sqlx::query(COUNT_OF_GROUP)
        .bind(group.to_string())
        .bind(jobs)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("jobs")? >= jobs)
}

/// Number of jobs of these kinds.
fn number_of(kinds: &[Kind]) -> i64 {
    kinds.iter().map(|kind| kind.jobs).sum()
}

/// Whether the filter matches jobs of a kind.
fn matches_kind(kind: &Kind, filter: &Filter) -> bool {
    let status = |status: &JobStatus| word(status) == kind.status;
    (filter.statuses.is_empty() || filter.statuses.iter().any(status))
        && filter.mode.is_none_or(|mode| word(&mode) == kind.mode)
        && (filter.language.is_empty() || filter.language == kind.language)
}
