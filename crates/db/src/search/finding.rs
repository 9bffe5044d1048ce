//! Finding in the index.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use slovo_rules::search;
use sqlx::any::AnyRow;
use sqlx::{Connection as _, Row};
use uuid::Uuid;

use super::document::{ANY, DAY_MS, NAME, OFTEN_SAID, day, lexeme, mark, owner};
use crate::connect::Backend;
use crate::{Connection, Error, Result};

/// The most words that are looked for; what follows is left out.
const MOST_WORDS: usize = 12;
/// A last word shorter than this, in characters, is not taken as the beginning of others: it would
/// be that of a thirtieth of all words.
const SHORTEST_BEGINNING: usize = 2;
/// Of so many of a user's newest jobs those that have the words are looked for first in PostgreSQL,
/// whose index knows no order: common words are found there without reading all that have them.
const NEWEST: i64 = 500;
/// On so many days at most.
const NEWEST_DAYS: i64 = 31;

/// Several words that a text has often are looked for among so many of the newest documents of
/// SQLite's index: few have them all, and to find those would be to read the lists of each word.
const OFTEN_AMONG: i64 = 4_000;

/// Words that are all looked for. Whatever signs a query has, it is words: it cannot say anything
/// else to the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    words: Vec<String>,
}

impl Terms {
    /// The words of a query, the last of which may be the beginning of one. A query longer than
    /// [`search::MAX_QUERY`] has none.
    #[must_use]
    pub fn new(query: &str) -> Self {
        if query.chars().nth(search::MAX_QUERY).is_some() {
            return Self::default();
        }
        let mut words: Vec<String> = Vec::new();
        for word in search::words(query) {
            // Said again at the end it is still the last one.
            words.retain(|known| *known != word);
            words.push(word);
        }
        words.truncate(MOST_WORDS);
        Self { words }
    }

    /// The words, folded; none finds nothing.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the word at this place also stands for those that begin with it.
    #[must_use]
    pub fn is_beginning(&self, index: usize) -> bool {
        let word = self.words.get(index);
        index + 1 == self.words.len()
            && word.is_some_and(|word| word.chars().nth(SHORTEST_BEGINNING - 1).is_some())
    }

    /// Each word written by `write`, between `between`.
    fn joined(&self, between: &str, write: impl Fn(&str, bool) -> String) -> String {
        let words = self.words.iter().enumerate();
        let written: Vec<String> = words
            .map(|(index, word)| write(word, self.is_beginning(index)))
            .collect();
        written.join(between)
    }
}

/// Where the words of a query are looked for, the best first.
#[derive(Clone, Copy)]
enum Place {
    /// All of them in the name.
    Name,
    /// All of them often in the text.
    Often,
    /// Each in the name or the text.
    Any,
}

impl Place {
    /// The columns of SQLite's index.
    fn columns(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Often => "often",
            Self::Any => "{name body}",
        }
    }

    /// What a word begins with in PostgreSQL's index.
    fn prefix(self) -> &'static str {
        match self {
            Self::Name => NAME,
            Self::Often => OFTEN_SAID,
            Self::Any => ANY,
        }
    }
}

/// The user's jobs that have all of the words in their name or text, the best first: in the name
/// counts more, often counts more, and of equals the newest. `skip` of them are left out.
///
/// # Errors
/// When the database fails.
pub async fn find(
    connection: &mut Connection,
    backend: Backend,
    user_id: &str,
    terms: &Terms,
    (skip, limit): (u32, u32),
) -> Result<Vec<Uuid>> {
    if terms.words.is_empty() {
        return Ok(Vec::new());
    }
    let (skip, wanted) = (skip as usize, skip as usize + limit as usize);
    let mut found: Vec<String> = Vec::new();
    for place in [Place::Name, Place::Often, Place::Any] {
        // Those that were found before are found again.
        let most = i64::try_from(wanted + found.len()).unwrap_or(i64::MAX);
        let ids = match backend {
            Backend::Sqlite => sqlite(&mut *connection, user_id, terms, place, most).await?,
            Backend::Postgres => postgres(&mut *connection, user_id, terms, place, most).await?,
        };
        let known: HashSet<String> = found.iter().cloned().collect();
        found.extend(ids.into_iter().filter(|id| !known.contains(id)));
        if found.len() >= wanted {
            break;
        }
    }
    found
        .into_iter()
        .skip(skip)
        .take(limit as usize)
        .map(|id| {
            id.parse()
                .map_err(|_| Error::row("search_index", id.clone(), "my_job_id is no UUID"))
        })
        .collect()
}

async fn sqlite(
    connection: &mut Connection,
    user_id: &str,
    terms: &Terms,
    place: Place,
    most: i64,
) -> Result<Vec<String>> {
    let rows = sqlx::query(
        "SELECT e.my_job_id FROM (SELECT rowid AS id FROM search_index \
         WHERE search_index MATCH $1 AND rowid > \
         (SELECT COALESCE(MAX(id), 0) FROM search_entries) - $3 ORDER BY rowid DESC LIMIT $2) n \
         CROSS JOIN search_entries e WHERE e.id = n.id ORDER BY n.id DESC",
    )
    .bind(match_text(user_id, terms, place))
    .bind(most)
    .bind(match place {
        Place::Often if terms.words.len() > 1 => OFTEN_AMONG,
        _ => i64::MAX,
    })
    .fetch_all(connection)
    .await?;
    ids(&rows)
}

async fn postgres(
    connection: &mut Connection,
    user_id: &str,
    terms: &Terms,
    place: Place,
    most: i64,
) -> Result<Vec<String>> {
    let owner = owner(user_id);
    let words = query_text(terms, place);
    let mut transaction = connection.begin().await?;
    // To read through all documents looks cheaper to the planner than it is: each would be fetched
    // from where long values are kept.
    sqlx::raw_sql("SET LOCAL enable_seqscan = off")
        .execute(&mut *transaction)
        .await?;
    let mut queries = vec![format!("{} & {words}", lexeme("", &owner))];
    if let Some(days) = newest_days(&mut transaction, &owner).await? {
        let days = days.map(|day_number| lexeme("", &day(&owner, day_number * DAY_MS)));
        let days: Vec<String> = days.collect();
        queries.insert(0, format!("({}) & {words}", days.join(" | ")));
    }
    let mut found = Vec::new();
    for query in queries {
        let rows = sqlx::query(
            "SELECT my_job_id FROM search_index WHERE words @@ CAST($1 AS tsquery) \
             ORDER BY created_at DESC, my_job_id DESC LIMIT $2",
        )
        .bind(query)
        .bind(most)
        .fetch_all(&mut *transaction)
        .await?;
        found = ids(&rows)?;
        if i64::try_from(found.len()).is_ok_and(|found| found >= most) {
            break;
        }
    }
    transaction.commit().await?;
    Ok(found)
}

/// The days, as numbers since 1970, of a user's newest jobs; `None` if all are few, or lie too far
/// apart to be named by their days.
async fn newest_days(
    connection: &mut Connection,
    owner: &str,
) -> Result<Option<RangeInclusive<i64>>> {
    let rows = sqlx::query(
        "(SELECT created_at FROM search_index WHERE owner = $1 ORDER BY created_at DESC LIMIT 1) \
         UNION ALL (SELECT created_at FROM search_index WHERE owner = $1 \
         ORDER BY created_at DESC OFFSET $2 LIMIT 1)",
    )
    .bind(owner)
    .bind(NEWEST)
    .fetch_all(connection)
    .await?;
    let days: Vec<i64> = rows
        .iter()
        .map(|row| Ok(row.try_get::<i64, _>("created_at")?.div_euclid(DAY_MS)))
        .collect::<Result<_>>()?;
    Ok(match days.as_slice() {
        [newest, oldest] if newest - oldest < NEWEST_DAYS => Some(*oldest..=*newest),
        _ => None,
    })
}

fn ids(rows: &[AnyRow]) -> Result<Vec<String>> {
    rows.iter()
        .map(|row| Ok(row.try_get("my_job_id")?))
        .collect()
}

/// The words as FTS5 reads them.
fn match_text(user_id: &str, terms: &Terms, place: Place) -> String {
    let mark = mark(&owner(user_id));
    let words = terms.joined(" AND ", |word, beginning| {
        let quoted = word.replace('"', "\"\"");
        format!("\"{mark}{quoted}\"{}", if beginning { " *" } else { "" })
    });
    format!("{} : ({words})", place.columns())
}

/// The words as PostgreSQL's `tsquery` reads them.
fn query_text(terms: &Terms, place: Place) -> String {
    terms.joined(" & ", |word, beginning| {
        let word = lexeme(place.prefix(), word);
        format!("{word}{}", if beginning { ":*" } else { "" })
    })
}
