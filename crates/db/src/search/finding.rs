//! Finding in the index.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use slovo_rules::search;
use sqlx::any::AnyRow;
use sqlx::{Connection as _, Row};
use uuid::Uuid;

use super::document::{DAY_MS, Place, day, lexeme, mark, owner};
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

    /// How the last word is looked for, the best first: as it is, and as the beginning of others.
    fn ways(&self) -> &'static [Ending] {
        match self.is_beginning(self.words.len().saturating_sub(1)) {
            true => &[Ending::Whole, Ending::Beginning],
            false => &[Ending::Whole],
        }
    }

    /// Each word written by `write`, between `between`.
    fn joined(
        &self,
        ending: Ending,
        between: &str,
        write: impl Fn(&str, bool) -> String,
    ) -> String {
        let begins = |index| ending == Ending::Beginning && self.is_beginning(index);
        let words = self.words.iter().enumerate();
        let written: Vec<String> = words
            .map(|(index, word)| write(word, begins(index)))
            .collect();
        written.join(between)
    }
}

/// What the last word of a query stands for. Words that begin with it are dear to look for: either
/// database first puts together the lists of all of them, to their ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Itself.
    Whole,
    /// Also the words that begin with it.
    Beginning,
}

/// The user's jobs that have all of the words in their name or text, the best first: in the name
/// counts more, often counts more, the word itself counts more than its being the beginning of
/// another, and of equals the newest. `skip` of them are left out.
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
    let found = match backend {
        Backend::Sqlite => sqlite(connection, user_id, terms, wanted).await?,
        Backend::Postgres => {
            let mut transaction = connection.begin().await?;
            let found = postgres(&mut transaction, user_id, terms, wanted).await?;
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

/// What was found up to now, the best first.
struct Found {
    ids: Vec<String>,
    known: HashSet<String>,
    wanted: usize,
}

impl Found {
    fn new(wanted: usize) -> Self {
        Self {
            ids: Vec::new(),
            known: HashSet::new(),
            wanted,
        }
    }

    /// How many to ask for: those that were found before are found again.
    fn most(&self) -> i64 {
        i64::try_from(self.wanted + self.ids.len()).unwrap_or(i64::MAX)
    }

    fn add(&mut self, ids: Vec<String>) {
        for id in ids {
            if self.known.insert(id.clone()) {
                self.ids.push(id);
            }
        }
    }

    fn is_enough(&self) -> bool {
        self.ids.len() >= self.wanted
    }
}

/// The places and endings of words in which they are looked for, one after the other. Of several
/// words that a text has often the last one is whole: to put together the beginnings of one that
/// many texts have often, for the few that have all of them often, took most of the time.
fn tiers(terms: &Terms) -> impl Iterator<Item = (Place, Ending)> {
    let several = terms.words.len() > 1;
    let places = [Place::Name, Place::Often, Place::Any].into_iter();
    places
        .flat_map(|place| terms.ways().iter().map(move |ending| (place, *ending)))
        .filter(move |tier| !(several && matches!(tier, (Place::Often, Ending::Beginning))))
}

async fn sqlite(
    connection: &mut Connection,
    user_id: &str,
    terms: &Terms,
    wanted: usize,
) -> Result<Vec<String>> {
    let mut found = Found::new(wanted);
    for (place, ending) in tiers(terms) {
        let rows = sqlx::query(
            "SELECT e.my_job_id FROM (SELECT rowid AS id FROM search_index \
             WHERE search_index MATCH $1 AND rowid > \
             (SELECT COALESCE(MAX(id), 0) FROM search_entries) - $3 ORDER BY rowid DESC LIMIT $2) n \
             CROSS JOIN search_entries e WHERE e.id = n.id ORDER BY n.id DESC",
        )
        .bind(match_text(user_id, terms, place, ending))
        .bind(found.most())
        .bind(match place {
            Place::Often if terms.words.len() > 1 => OFTEN_AMONG,
            _ => i64::MAX,
        })
        .fetch_all(&mut *connection)
        .await?;
        found.add(ids(&rows)?);
        if found.is_enough() {
            break;
        }
    }
    Ok(found.ids)
}

/// The same in a transaction of PostgreSQL.
async fn postgres(
    transaction: &mut Connection,
    user_id: &str,
    terms: &Terms,
    wanted: usize,
) -> Result<Vec<String>> {
    let owner = owner(user_id);
    // To read through all documents looks cheaper to the planner than it is: each would be fetched
    // from where long values are kept.
    sqlx::raw_sql("SET LOCAL enable_seqscan = off")
        .execute(&mut *transaction)
        .await?;
    let mut scopes = vec![lexeme("", &owner)];
    if let Some(days) = newest_days(&mut *transaction, &owner).await? {
        let days = days.map(|day_number| lexeme("", &day(&owner, day_number * DAY_MS)));
        let days: Vec<String> = days.collect();
        scopes.insert(0, format!("({})", days.join(" | ")));
    }
    let mut found = Found::new(wanted);
    for (place, ending) in tiers(terms) {
        let words = query_text(terms, place, ending);
        let most = found.most();
        let mut tier = Vec::new();
        for scope in &scopes {
            let rows = sqlx::query(
                "SELECT my_job_id FROM search_index WHERE words @@ CAST($1 AS tsquery) \
                 ORDER BY created_at DESC, my_job_id DESC LIMIT $2",
            )
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
        if found.is_enough() {
            break;
        }
    }
    Ok(found.ids)
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
fn match_text(user_id: &str, terms: &Terms, place: Place, ending: Ending) -> String {
    let mark = mark(&owner(user_id), place);
    terms.joined(ending, " AND ", |word, beginning| {
        let quoted = word.replace('"', "\"\"");
        format!("\"{mark}{quoted}\"{}", if beginning { " *" } else { "" })
    })
}

/// The words as PostgreSQL's `tsquery` reads them.
fn query_text(terms: &Terms, place: Place, ending: Ending) -> String {
    terms.joined(ending, " & ", |word, beginning| {
        let word = lexeme(place.sign(), word);
        format!("{word}{}", if beginning { ":*" } else { "" })
    })
}
