//! Searching the index.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use sqlx::any::AnyRow;
use sqlx::{Connection as _, Row};
use uuid::Uuid;

use super::document::{DAY_MS, EntryKind, IndexField, day, lexeme, owner, sqlite_prefix};
use super::terms::{MatchMode, Term, Terms};
use crate::core::connect::Backend;
use crate::core::statement::statements;
use crate::{Connection, Error, Result};

/// PostgreSQL first searches about this many of a user's newest jobs: its index is not ordered, and
/// common words are found there without reading all matches.
const NEWEST: i64 = 500;
/// Maximum number of days those jobs may span.
const NEWEST_DAYS: i64 = 31;

/// Several words that are frequent in a transcript are searched among this many of the newest
/// documents in SQLite's index: few documents match, and finding them all would read the complete
/// list of each word.
const RECENT_DOCUMENTS: i64 = 4_000;

/// The user's jobs with all of the words in their name, tags, transcript or speakers' names, best
/// first: matches in the name or a tag, then exact words, then inflected forms, then words with
/// this beginning, then frequent words, then the newest jobs. The first `skip` of them are left
/// out.
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
    if terms.all().is_empty() {
        return Ok(Vec::new());
    }
    let (skip, needed) = (skip as usize, skip as usize + limit as usize);
    let found = match backend {
        Backend::Sqlite => sqlite(connection, user_id, terms, needed).await?,
        Backend::Postgres => {
            let mut transaction = connection.begin().await?;
            let found = postgres(&mut transaction, user_id, terms, needed).await?;
            transaction.commit().await?;
            found
        }
    };
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

/// The results so far, best first.
struct SearchResults {
    ids: Vec<String>,
    seen: HashSet<String>,
    limit: usize,
}

impl SearchResults {
    fn new(needed: usize) -> Self {
        Self {
            ids: Vec::new(),
            seen: HashSet::new(),
            limit: needed,
        }
    }

    /// The limit of the next query, which returns the known results again.
    fn next_limit(&self) -> i64 {
        i64::try_from(self.limit + self.ids.len()).unwrap_or(i64::MAX)
    }

    fn add(&mut self, ids: Vec<String>) {
        for id in ids {
            if self.seen.insert(id.clone()) {
                self.ids.push(id);
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.ids.len() >= self.limit
    }
}

/// The places and ways to search, in order. Among several words that are frequent in a transcript
/// the last one must be whole: matching it as a beginning took most of the time and found little.
fn tiers(terms: &Terms) -> Vec<(IndexField, MatchMode)> {
    let several = terms.all().len() > 1;
    let in_name = terms
        .match_modes()
        .iter()
        .map(|way| (IndexField::Name, *way));
    let in_text = terms
        .match_modes()
        .iter()
        .flat_map(|way| [(IndexField::Frequent, *way), (IndexField::Any, *way)]);
    in_name
        .chain(in_text)
        .filter(|tier| !(several && matches!(tier, (IndexField::Frequent, MatchMode::Prefix))))
        .collect()
}

statements! {
    const SEARCH_SQLITE: SQLITE =
        "SELECT e.my_job_id FROM (SELECT rowid AS id FROM search_index \
         WHERE search_index MATCH $1 AND rowid > \
         (SELECT COALESCE(MAX(id), 0) FROM search_entries) - $3 ORDER BY rowid DESC LIMIT $2) n \
         CROSS JOIN search_entries e WHERE e.id = n.id ORDER BY n.id DESC";
}

async fn sqlite(
    connection: &mut Connection,
    user_id: &str,
    terms: &Terms,
    needed: usize,
) -> Result<Vec<String>> {
    let mut found = SearchResults::new(needed);
    for (place, way) in tiers(terms) {
        let rows = sqlx::query(SEARCH_SQLITE)
            .bind(match_text(user_id, terms, place, way))
            .bind(found.next_limit())
            .bind(match place {
                IndexField::Frequent if terms.all().len() > 1 => RECENT_DOCUMENTS,
                _ => i64::MAX,
            })
            .fetch_all(&mut *connection)
            .await?;
        found.add(ids(&rows)?);
        if found.is_complete() {
            break;
        }
    }
    Ok(found.ids)
}

statements! {
    const AVOID_SEQUENTIAL_SCANS: POSTGRES = "SET LOCAL enable_seqscan = off";
    const SEARCH_POSTGRES: POSTGRES =
        "SELECT my_job_id FROM search_index WHERE words @@ CAST($1 AS tsquery) \
         ORDER BY created_at DESC, my_job_id DESC LIMIT $2";
}

/// The same for PostgreSQL, in a transaction.
async fn postgres(
    transaction: &mut Connection,
    user_id: &str,
    terms: &Terms,
    needed: usize,
) -> Result<Vec<String>> {
    let owner = owner(user_id);
    // The planner underestimates a sequential scan, which would fetch every document from TOAST
    // storage.
    sqlx::raw_sql(AVOID_SEQUENTIAL_SCANS)
        .execute(&mut *transaction)
        .await?;
    let mut scopes = vec![lexeme("", &owner)];
    if let Some(days) = newest_days(&mut *transaction, &owner).await? {
        let days = days.map(|day_number| lexeme("", &day(&owner, day_number * DAY_MS)));
        let days: Vec<String> = days.collect();
        scopes.insert(0, format!("({})", days.join(" | ")));
    }
    let is_named = terms.all().len() == 1 || may_be_named(&mut *transaction, &owner, terms).await?;
    let mut found = SearchResults::new(needed);
    for (place, way) in tiers(terms) {
        if place == IndexField::Name && way != MatchMode::Prefix && !is_named {
            continue;
        }
        let words = query_text(terms, place, way);
        let most = found.next_limit();
        let mut tier = Vec::new();
        // Several words that are frequent in a transcript are searched among the newest jobs only:
        // few jobs match, and finding them all would read the complete list of each word.
        let is_limited = place == IndexField::Frequent && terms.all().len() > 1;
        let scopes = if is_limited {
            &scopes[..1]
        } else {
            &scopes[..]
        };
        for scope in scopes {
            let rows = sqlx::query(SEARCH_POSTGRES)
                .bind(format!("{scope} & {words}"))
                .bind(most)
                .fetch_all(&mut *transaction)
                .await?;
            tier = ids(&rows)?;
            if i64::try_from(tier.len()).is_ok_and(|found| found >= most) {
                break;
            }
        }
        found.add(tier);
        if found.is_complete() {
            break;
        }
    }
    Ok(found.ids)
}

/// Whether a name or tag may have all of the words, also in other forms. A name with a word has its
/// keys, too, so that without a hit for the keys the words need not be searched in names.
async fn may_be_named(transaction: &mut Connection, owner: &str, terms: &Terms) -> Result<bool> {
    if !terms.match_modes().contains(&MatchMode::Forms) {
        return Ok(true);
    }
    let words = query_text(terms, IndexField::Name, MatchMode::Forms);
    let rows = sqlx::query(SEARCH_POSTGRES)
        .bind(format!("{} & {words}", lexeme("", owner)))
        .bind(1_i64)
        .fetch_all(transaction)
        .await?;
    Ok(!rows.is_empty())
}

statements! {
    const SELECT_NEWEST_DAYS: POSTGRES =
        "(SELECT created_at FROM search_index WHERE owner = $1 ORDER BY created_at DESC LIMIT 1) \
         UNION ALL (SELECT created_at FROM search_index WHERE owner = $1 \
         ORDER BY created_at DESC OFFSET $2 LIMIT 1)";
}

/// The days, as numbers since 1970, of a user's newest jobs; `None` if the user has few jobs, or
/// these span too many days.
async fn newest_days(
    connection: &mut Connection,
    owner: &str,
) -> Result<Option<RangeInclusive<i64>>> {
    let rows = sqlx::query(SELECT_NEWEST_DAYS)
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

/// The query in the syntax of FTS5.
fn match_text(user_id: &str, terms: &Terms, place: IndexField, way: MatchMode) -> String {
    let owner = owner(user_id);
    format_terms(terms, way, [" AND ", " OR "], |kind, word, begins| {
        let quoted = word.replace('"', "\"\"");
        let prefix = sqlite_prefix(&owner, place, kind);
        format!("\"{prefix}{quoted}\"{}", if begins { " *" } else { "" })
    })
}

/// The query in the syntax of PostgreSQL's `tsquery`.
fn query_text(terms: &Terms, place: IndexField, way: MatchMode) -> String {
    format_terms(terms, way, [" & ", " | "], |kind, word, begins| {
        let word = lexeme(place.postgres_prefix(kind), word);
        format!("{word}{}", if begins { ":*" } else { "" })
    })
}

/// All words, each by itself or by any of its keys, formatted by `condition`, whose last argument
/// says whether the word is a beginning.
fn format_terms(
    terms: &Terms,
    way: MatchMode,
    [and, or]: [&str; 2],
    condition: impl Fn(EntryKind, &str, bool) -> String,
) -> String {
    let term = |(index, term): (usize, &Term)| {
        let begins = way == MatchMode::Prefix && terms.is_prefix(index);
        if way == MatchMode::Whole || begins || term.is_exact() {
            return condition(EntryKind::Word, term.word(), begins);
        }
        let keys = term
            .keys()
            .iter()
            .map(|key| condition(EntryKind::Key, key, false));
        format!("({})", keys.collect::<Vec<_>>().join(or))
    };
    let words: Vec<String> = terms.all().iter().enumerate().map(term).collect();
    words.join(and)
}
