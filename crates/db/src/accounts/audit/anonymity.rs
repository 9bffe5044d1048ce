//! Removal of deleted accounts from the log.

use serde_json::Value;

use crate::core::fields::{containing, json};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// The states before and after a change.
struct States {
    id: String,
    before: Option<Value>,
    after: Option<Value>,
}

row_columns! {
    fn read_states() -> States from "audit_log" by "id" {
        id: text,
        before: json_or_none,
        after: json_or_none,
    }
}

statements! {
    const CLEAR_NAMES: BOTH =
        "UPDATE audit_log SET before = NULL, after = NULL \
         WHERE target_id = $1 AND action IN ('user.create', 'user.rename')";
    const ANONYMISE_TARGET: BOTH =
        "UPDATE audit_log SET target_id = '', target_name = '', searched = SUBSTR(searched, 1, \
         LENGTH(actor_email) + 1) WHERE target_id = $1 OR target_name = $2 \
         OR (target_kind = 'job' AND target_id IN (SELECT my_job_id FROM synced_jobs \
         WHERE auth_user_id = $1))";
    const ANONYMISE_ACTOR: BOTH =
        "UPDATE audit_log SET actor_id = NULL, actor_email = '', api_key = NULL, \
         searched = SUBSTR(searched, LENGTH(actor_email) + 1) WHERE actor_id = $1";
    const MENTIONS: BOTH -> States =
        "SELECT id, before, after FROM audit_log WHERE before LIKE $1 ESCAPE '!' \
         OR after LIKE $1 ESCAPE '!' OR before LIKE $2 ESCAPE '!' OR after LIKE $2 ESCAPE '!'";
    const REPLACE_VALUES: BOTH = "UPDATE audit_log SET before = $2, after = $3 WHERE id = $1";
}

/// Anonymises a removed account and its jobs in the log: the entries stay, without actor and
/// target.
///
/// # Errors
/// A row that cannot be read.
pub async fn anonymise_account(connection: &mut Connection, id: &str, email: &str) -> Result<()> {
    // `searched` is the lower-cased address, a line break and the lower-cased name. An address has
    // no capital letters, so both have the same length. This statement removes stored names as
    // well.
    sqlx::query(CLEAR_NAMES)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    sqlx::query(ANONYMISE_TARGET)
        .bind(id)
        .bind(email)
        .execute(&mut *connection)
        .await?;
    sqlx::query(ANONYMISE_ACTOR)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    let rows = sqlx::query(MENTIONS)
        .bind(containing(id))
        .bind(containing(email))
        .fetch_all(&mut *connection)
        .await?;
    for row in &rows {
        let mut states = read_states(row)?;
        for value in [&mut states.before, &mut states.after]
            .into_iter()
            .flatten()
        {
            remove_words(value, &[id, email]);
        }
        sqlx::query(REPLACE_VALUES)
            .bind(states.id)
            .bind(states.before.as_ref().map(json))
            .bind(states.after.as_ref().map(json))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Removes these words from every string in a value.
fn remove_words(value: &mut Value, words: &[&str]) {
    match value {
        Value::String(text) => words
            .iter()
            .for_each(|word| *text = remove_word(text, word)),
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| remove_words(value, words)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| remove_words(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The text without a word. A word inside a longer one stays: another address may end with this
/// one.
fn remove_word(text: &str, word: &str) -> String {
    let joins = |c: char| c.is_alphanumeric() || ".+-_@".contains(c);
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        result.push_str(before);
        if result.ends_with(joins) || after.starts_with(|c: char| joins(c) && c != '.') {
            result.push_str(word);
        }
        rest = after;
    }
    result + rest
}
