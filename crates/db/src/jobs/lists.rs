//! Lists of a user's jobs. An unreadable row does not hide the others.

mod source;
mod sql;

use sqlx::Connection as _;

use super::filter::Filter;
use super::{Job, read};
use crate::core::connect::Backend;
use crate::{Connection, Error, Result};
use source::{Scope, Search};

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
    let Some(scope) = Scope::of(&mut *connection, backend, user_id, filter).await? else {
        return Ok(());
    };
    let search = Search::of(&mut *connection, &scope).await?;
    fill(connection, &search, found).await
}

/// Appends the jobs that a search finds, up to the limit.
async fn fill(
    connection: &mut Connection,
    search: &Search<'_>,
    found: &mut Vec<Job>,
) -> Result<()> {
    let filter = search.filter();
    let mut after = match filter.after.clone() {
        Some(place) => (place.at, place.id.to_string()),
        None => (filter.order.start(), String::new()),
    };
    let limit = filter.limit as usize;
    loop {
        let missing = limit - found.len();
        let rows = search.rows(&mut *connection, &after, missing).await?;
        for row in &rows {
            found.extend(readable(read(row))?);
        }
        match rows.last() {
            Some(last) if rows.len() == missing && found.len() < limit => {
                after = filter.order.at(last)?;
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
