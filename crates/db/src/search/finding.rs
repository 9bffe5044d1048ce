//! Finding in the index.

use slovo_rules::search;
use sqlx::{Connection as _, Row};
use uuid::Uuid;

use super::document::{lexeme, owner};
use crate::connect::Backend;
use crate::{Connection, Error, Result};

/// The most words that are looked for; what follows is left out.
const MOST_WORDS: usize = 12;
/// A last word shorter than this, in characters, is not taken as the beginning of others: it would
/// be that of a thirtieth of all words.
const SHORTEST_BEGINNING: usize = 2;
/// So many of the newest jobs that have the words are ranked; who finds more asks more exactly.
/// Ranking reads each of them, which for a common word would be the whole library.
const RANKED: i64 = 400;

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
    let rows = match backend {
        Backend::Sqlite => {
            sqlx::query(
                "WITH newest AS MATERIALIZED (SELECT rowid AS id, \
                 bm25(search_index, 0.0, 10.0, 1.0) AS score FROM search_index \
                 WHERE search_index MATCH $1 ORDER BY rowid DESC LIMIT $2) \
                 SELECT e.my_job_id FROM newest n JOIN search_entries e ON e.id = n.id \
                 ORDER BY n.score, n.id DESC LIMIT $3 OFFSET $4",
            )
            .bind(match_text(user_id, terms))
            .bind(RANKED)
            .bind(i64::from(limit))
            .bind(i64::from(skip))
            .fetch_all(connection)
            .await?
        }
        Backend::Postgres => {
            let mut transaction = connection.begin().await?;
            // To read through all documents looks cheaper to the planner than it is: each would be
            // fetched from where long values are kept.
            sqlx::raw_sql("SET LOCAL enable_seqscan = off")
                .execute(&mut *transaction)
                .await?;
            let rows = sqlx::query(
                "WITH newest AS MATERIALIZED (SELECT my_job_id, created_at, words \
                 FROM search_index WHERE words @@ CAST($1 AS tsquery) \
                 ORDER BY created_at DESC, my_job_id DESC LIMIT $2) \
                 SELECT my_job_id FROM newest \
                 ORDER BY ts_rank('{0.1, 0.1, 0.1, 1.0}', words, CAST($5 AS tsquery)) DESC, \
                 created_at DESC, my_job_id DESC LIMIT $3 OFFSET $4",
            )
            .bind(format!(
                "{} & {}",
                lexeme(&owner(user_id)),
                query_text(terms, " & ")
            ))
            .bind(RANKED)
            .bind(i64::from(limit))
            .bind(i64::from(skip))
            .bind(query_text(terms, " | "))
            .fetch_all(&mut *transaction)
            .await?;
            transaction.commit().await?;
            rows
        }
    };
    rows.iter()
        .map(|row| {
            let id: String = row.try_get("my_job_id")?;
            id.parse()
                .map_err(|_| Error::row("search_index", id.clone(), "my_job_id is no UUID"))
        })
        .collect()
}

/// The words as FTS5 reads them.
fn match_text(user_id: &str, terms: &Terms) -> String {
    let words = terms.joined(" AND ", |word, beginning| {
        let quoted = word.replace('"', "\"\"");
        format!("\"{quoted}\"{}", if beginning { " *" } else { "" })
    });
    let owner = owner(user_id);
    let owner = owner.trim_start_matches('@');
    format!("owner : \"{owner}\" AND {{name body}} : ({words})")
}

/// The words as PostgreSQL's `tsquery` reads them.
fn query_text(terms: &Terms, between: &str) -> String {
    terms.joined(between, |word, beginning| {
        format!("{}{}", lexeme(word), if beginning { ":*" } else { "" })
    })
}
