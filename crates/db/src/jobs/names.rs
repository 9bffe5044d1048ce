//! Finds jobs by a part of their title, file name or id, with an index of n-grams of one to three
//! characters. Triggers maintain it in the transaction that changes a name.
//!
//! An n-gram is stored as the hexadecimal UTF-8 bytes of its characters, so that neither database
//! splits or case-folds it. N-grams of an id have the prefix `i`. Those of the name (title and file
//! name) are stored twice: without a prefix, and with the prefix `u`, the end of the owner's id and
//! `g`: neither database intersects a short list with the long list of a user's jobs as fast as it
//! reads the short list.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sqlx::Row;

use crate::core::connect::Backend;
use crate::core::schema::Part;
use crate::core::statement::built_statements;
use crate::{Connection, Result};

/// Maximum number of n-grams in a query; more do not narrow it much.
const MAX_GRAMS: usize = 12;
/// How many of the last characters of a user's id represent the user.
const OWNER_SUFFIX_LENGTH: usize = 8;
/// Length of the longest n-grams, in characters.
const MAX_GRAM_LENGTH: usize = 3;

/// From this number of candidate jobs on, scanning the newest jobs is faster than the index.
pub(super) const FREQUENT: i64 = 1_000;
/// How many of the newest or of the oldest jobs show whether a name is frequent.
const JOBS_AT_END: i64 = 400;
/// A name is frequent if this many of these jobs have it.
const MIN_MATCHES_AT_END: i64 = 20;

/// The indexed name, for the row of a trigger or a table. It joins title and file name, so the
/// index also has n-grams across both; the name itself is compared afterwards.
macro_rules! called {
    ($row:literal) => {
        concat!("(", $row, "title_folded || ", $row, "filename_folded)")
    };
}

/// The n-grams of a job in SQLite, separated by commas, for the row of a trigger or a table.
macro_rules! sqlite_grams {
    ($row:literal) => {
        concat!(
            "(SELECT COALESCE(group_concat(DISTINCT gram), '') FROM (WITH RECURSIVE \
             place(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM place WHERE at < MAX(length(",
            called!($row),
            "), length(",
            $row,
            "my_job_id))), size(long) AS (VALUES (1), (2), (3)), \
             name(gram) AS (SELECT hex(substr(",
            called!($row),
            ", at, long)) FROM place, size WHERE at + long - 1 <= length(",
            called!($row),
            ")) SELECT gram FROM name UNION ALL SELECT 'u' || hex(substr(",
            $row,
            "auth_user_id, -8)) || 'g' || gram FROM name UNION ALL SELECT 'i' || hex(substr(",
            $row,
            "my_job_id, at, long)) FROM place, size WHERE at + long - 1 <= length(",
            $row,
            "my_job_id)))"
        )
    };
}

/// Table `job_names`, its index and its triggers.
pub(crate) const NAMES: Part = Part {
    slot: 3,
    shape: 2,
    tables: &["job_name"],
    sqlite: &[
        "DROP TRIGGER IF EXISTS job_names_new",
        "DROP TRIGGER IF EXISTS job_names_other",
        "DROP TABLE IF EXISTS job_names",
        "DROP TABLE IF EXISTS job_name_index",
        // Gives each job its number in the index, and removes the entry with the job.
        "CREATE TABLE job_names (id INTEGER NOT NULL PRIMARY KEY, my_job_id TEXT NOT NULL UNIQUE \
         REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE)",
        "CREATE VIRTUAL TABLE job_name_index USING fts5(grams, content='', \
         contentless_delete=1, tokenize='ascii', detail=none)",
        "INSERT INTO job_names (my_job_id) SELECT my_job_id FROM synced_jobs \
         ORDER BY created_at, my_job_id",
        concat!(
            "INSERT INTO job_name_index (rowid, grams) SELECT n.id, ",
            sqlite_grams!("j."),
            " FROM job_names n JOIN synced_jobs j ON j.my_job_id = n.my_job_id ORDER BY n.id"
        ),
        concat!(
            "CREATE TRIGGER job_names_new AFTER INSERT ON synced_jobs BEGIN \
             INSERT INTO job_names (my_job_id) VALUES (NEW.my_job_id); \
             INSERT INTO job_name_index (rowid, grams) SELECT id, ",
            sqlite_grams!("NEW."),
            " FROM job_names WHERE my_job_id = NEW.my_job_id; END"
        ),
        concat!(
            "CREATE TRIGGER job_names_other AFTER UPDATE OF title_folded, filename_folded \
             ON synced_jobs WHEN OLD.filename_folded IS NOT NEW.filename_folded \
             OR OLD.title_folded IS NOT NEW.title_folded BEGIN \
             INSERT OR REPLACE INTO job_name_index (rowid, grams) SELECT id, ",
            sqlite_grams!("NEW."),
            " FROM job_names WHERE my_job_id = NEW.my_job_id; END"
        ),
        "CREATE TRIGGER job_names_gone AFTER DELETE ON job_names BEGIN \
         DELETE FROM job_name_index WHERE rowid = OLD.id; END",
    ],
    postgres: &[
        "DROP TRIGGER IF EXISTS job_names_new ON synced_jobs",
        "DROP TRIGGER IF EXISTS job_names_other ON synced_jobs",
        "DROP TABLE IF EXISTS job_names",
        "CREATE TABLE job_names (my_job_id TEXT NOT NULL CONSTRAINT job_names_pkey PRIMARY KEY \
         CONSTRAINT job_names_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE, \
         grams TEXT[] NOT NULL)",
        "CREATE OR REPLACE FUNCTION slovo_grams(kind TEXT, said TEXT) RETURNS SETOF TEXT \
         LANGUAGE sql IMMUTABLE AS $$ SELECT DISTINCT \
         kind || encode(convert_to(substr(said, at, long), 'UTF8'), 'hex') \
         FROM generate_series(1, 3) long, generate_series(1, length(said) - long + 1) at $$",
        "CREATE OR REPLACE FUNCTION slovo_name_grams(owner TEXT, name TEXT, id TEXT) \
         RETURNS TEXT[] LANGUAGE sql IMMUTABLE AS $$ SELECT ARRAY( \
         SELECT slovo_grams('', name) UNION ALL SELECT slovo_grams( \
         'u' || encode(convert_to(right(owner, 8), 'UTF8'), 'hex') || 'g', name) \
         UNION ALL SELECT slovo_grams('i', id)) $$",
        "CREATE OR REPLACE FUNCTION slovo_name_job() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN INSERT INTO job_names VALUES (NEW.my_job_id, \
         slovo_name_grams(NEW.auth_user_id, NEW.title_folded || NEW.filename_folded, NEW.my_job_id)) \
         ON CONFLICT (my_job_id) DO UPDATE SET grams = EXCLUDED.grams; RETURN NULL; END $$",
        "CREATE TRIGGER job_names_new AFTER INSERT ON synced_jobs \
         FOR EACH ROW EXECUTE FUNCTION slovo_name_job()",
        "CREATE TRIGGER job_names_other AFTER UPDATE OF title_folded, filename_folded ON synced_jobs \
         FOR EACH ROW WHEN (OLD.filename_folded <> NEW.filename_folded \
         OR OLD.title_folded <> NEW.title_folded) \
         EXECUTE FUNCTION slovo_name_job()",
        "INSERT INTO job_names SELECT my_job_id, \
         slovo_name_grams(auth_user_id, title_folded || filename_folded, my_job_id) \
         FROM synced_jobs",
        // Without a list of pending entries, which every search would have to scan.
        "CREATE INDEX job_names_grams ON job_names USING gin (grams) WITH (fastupdate = off)",
    ],
};

/// SQL for the candidate jobs as a table of one column; the parameter takes the result of
/// [`index_query`].
pub(super) fn candidates(backend: Backend, parameter: usize, limit: i64) -> String {
    let entries = entries(backend, parameter, limit);
    match backend {
        Backend::Sqlite => format!(
            "(SELECT n.my_job_id FROM {entries} i CROSS JOIN job_names n WHERE n.id = i.id)"
        ),
        Backend::Postgres => entries,
    }
}

/// SQL condition for rows of `synced_jobs` with the lower-cased text of this parameter in their title
/// or file name.
pub(super) fn has_name(backend: Backend, table: &str, parameter: usize) -> String {
    let title = backend.contains(&format!("{table}.title_folded"), parameter);
    let file = backend.contains(&format!("{table}.filename_folded"), parameter);
    format!("({title} OR {file})")
}

/// SQL that joins the job `j` of each `found` row, with the columns by which lists are filtered and
/// sorted. PostgreSQL, which expects a user to have one job, would otherwise scan all jobs of the
/// user and compare their names.
pub(super) fn join_job(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "synced_jobs j",
        Backend::Postgres => {
            "LATERAL (SELECT one.my_job_id, one.auth_user_id, one.is_visible_to_user, \
             one.filename_folded, one.title_folded, one.name_key, one.duration, one.status, \
             one.transcription_type, one.language, one.created_at FROM synced_jobs one \
             WHERE one.my_job_id = found.my_job_id OFFSET 0) j"
        }
    }
}

/// SQL for the candidate entries of the index; in SQLite they are row numbers.
fn entries(backend: Backend, parameter: usize, limit: i64) -> String {
    match backend {
        Backend::Sqlite => format!(
            "(SELECT rowid AS id FROM job_name_index \
             WHERE job_name_index MATCH ${parameter} LIMIT {limit})"
        ),
        Backend::Postgres => format!(
            "(SELECT my_job_id FROM job_names \
             WHERE grams @> string_to_array(CAST(${parameter} AS TEXT), ' ') LIMIT {limit})"
        ),
    }
}

/// The index query for jobs that contain a text.
pub(super) fn index_query(text: &str, place: SearchField<'_>) -> String {
    let kind = match place {
        SearchField::Id => "i".to_owned(),
        SearchField::Name => String::new(),
        SearchField::NameOf(user_id) => {
            let start = user_id.char_indices().rev().nth(OWNER_SUFFIX_LENGTH - 1);
            let tail = &user_id[start.map_or(0, |(at, _)| at)..];
            hexadecimal("u", tail) + "g"
        }
    };
    let folded: Vec<char> = text.to_lowercase().chars().collect();
    let long = folded.len().clamp(1, MAX_GRAM_LENGTH);
    // Adjacent n-grams and the last one suffice, because the name itself is compared afterwards.
    let grams = folded.chunks_exact(long).take(MAX_GRAMS);
    let last = folded.len().checked_sub(long).map(|at| &folded[at..]);
    let grams = grams.chain(last).map(|gram| gram.iter().collect());
    let grams: BTreeSet<String> = grams
        .map(|gram: String| hexadecimal(&kind, &gram))
        .collect();
    grams.into_iter().collect::<Vec<_>>().join(" ")
}

/// Whether an id can contain this text: only hexadecimal digits and hyphens.
pub(super) fn may_be_in_id(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Where to search.
#[derive(Clone, Copy)]
pub(super) enum SearchField<'u> {
    /// In the names of all users' jobs.
    Name,
    /// In the names of a user's jobs, and of users whose ids have the same end.
    NameOf(&'u str),
    /// In the ids of all users' jobs.
    Id,
}

fn hexadecimal(kind: &str, text: &str) -> String {
    text.bytes().fold(kind.to_owned(), |mut all, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(all, "{byte:02x}");
        all
    })
}

built_statements! {
    count_candidates: BOTH = |backend| vec![count_candidates(backend)];
    count_at_end: POSTGRES = |_| vec![
        count_at_end(End::Newest, true),
        count_at_end(End::Oldest, true),
        count_at_end(End::Newest, false),
        count_at_end(End::Oldest, false),
    ];
}

/// The SQL that counts the candidate entries, up to [`FREQUENT`].
fn count_candidates(backend: Backend) -> String {
    format!(
        "SELECT COUNT(*) AS jobs FROM {} found",
        entries(backend, 1, FREQUENT)
    )
}

/// An end of the jobs in the order of their creation.
#[derive(Clone, Copy)]
enum End {
    Newest,
    Oldest,
}

/// The SQL that counts the names with the lower-cased text `$1` among the jobs at this end, of user
/// `$2` if `of_user`.
fn count_at_end(end: End, of_user: bool) -> String {
    let way = match end {
        End::Newest => "DESC",
        End::Oldest => "ASC",
    };
    let of_user = match of_user {
        true => "WHERE j.auth_user_id = $2",
        false => "",
    };
    let has_name = has_name(Backend::Postgres, "j", 1);
    format!(
        "SELECT COUNT(*) AS jobs FROM (SELECT j.title_folded, j.filename_folded \
         FROM synced_jobs j {of_user} ORDER BY j.created_at {way}, j.my_job_id {way} \
         LIMIT {JOBS_AT_END}) j WHERE {has_name}"
    )
}

/// The [`index_query`] of a text; `None` if there are so many candidates that scanning jobs in
/// their order is faster. `is_newest`: the order is that of creation, the newest jobs first,
/// without other conditions, so that the newest jobs alone tell. For another order the oldest jobs
/// must have the name as often: then it is unlikely to be rare between them.
pub(super) async fn rare_query(
    connection: &mut Connection,
    backend: Backend,
    text: &str,
    place: SearchField<'_>,
    is_newest: bool,
) -> Result<Option<String>> {
    // PostgreSQL's index counts candidates by reading all of them.
    if backend == Backend::Postgres
        && is_frequent_at(End::Newest, &mut *connection, text, place).await?
        && (is_newest || is_frequent_at(End::Oldest, &mut *connection, text, place).await?)
    {
        return Ok(None);
    }
    let query = index_query(text, place);
    // Only a number is formatted into the SQL.
    let row = sqlx::query(sqlx::AssertSqlSafe(count_candidates(backend)))
        .bind(&query)
        .fetch_one(connection)
        .await?;
    let is_frequent = row.try_get::<i64, _>("jobs")? >= FREQUENT;
    Ok((!is_frequent).then_some(query))
}

/// Whether many of the newest or oldest jobs have the text in their names.
async fn is_frequent_at(
    end: End,
    connection: &mut Connection,
    text: &str,
    place: SearchField<'_>,
) -> Result<bool> {
    let user = match place {
        SearchField::Id => return Ok(false),
        SearchField::Name => None,
        SearchField::NameOf(user_id) => Some(user_id),
    };
    // Only numbers are formatted into the SQL.
    let count = sqlx::AssertSqlSafe(count_at_end(end, user.is_some()));
    let mut select = sqlx::query(count).bind(text.to_lowercase());
    if let Some(user_id) = user {
        select = select.bind(user_id.to_owned());
    }
    let row = select.fetch_one(connection).await?;
    Ok(row.try_get::<i64, _>("jobs")? >= MIN_MATCHES_AT_END)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::{account, enqueue};
    use crate::testing::{apply, each_database, execute, with_database};

    #[apply(each_database!)]
    fn current_names_and_ids_are_found(backend: Backend) {
        with_database(backend, async |database| {
            for user in ["a", "b"] {
                account(&database, user).await;
                enqueue(&database, user, u128::from(user == "b") + 1, 0, 10).await;
            }
            let find = async |text: &str, place| {
                let mut connection = database.read().await.unwrap();
                let statement = format!(
                    "SELECT my_job_id FROM {} one ORDER BY 1",
                    candidates(database.backend(), 1, 9)
                );
                let rows = sqlx::query(sqlx::AssertSqlSafe(statement))
                    .bind(index_query(text, place))
                    .fetch_all(&mut *connection)
                    .await
                    .unwrap();
                let last = |row: &sqlx::any::AnyRow| row.get::<String, _>(0).pop().unwrap();
                rows.iter().map(last).collect::<String>()
            };
            assert_eq!(find("A.W", SearchField::Name).await, "12");
            assert_eq!(find("a.w", SearchField::NameOf("a")).await, "1");
            assert_eq!(find("wav", SearchField::NameOf("b")).await, "2");
            assert_eq!(find("0002", SearchField::Id).await, "2");
            assert_eq!(find("02", SearchField::Name).await, "");
            let mut transaction = database.write().await.unwrap();
            execute(
                &mut transaction,
                "UPDATE synced_jobs SET filename_folded = 'їжак \"*'' ,u1_%.wav' \
                 WHERE my_job_id LIKE '%1'",
            )
            .await;
            transaction.commit().await.unwrap();
            for text in ["ї", "жа", "ЇЖАК", "\"", "*'", "' ,", "_%", "%.wav", "u1"] {
                assert_eq!(find(text, SearchField::Name).await, "1", "{text}");
            }
            assert_eq!(find("a.wav", SearchField::Name).await, "2");
            assert_eq!(find("wav", SearchField::Name).await, "12");
            let mut transaction = database.write().await.unwrap();
            execute(&mut transaction, "DELETE FROM synced_jobs").await;
            transaction.commit().await.unwrap();
            assert_eq!(find("w", SearchField::Name).await, "");
        });
    }
}
