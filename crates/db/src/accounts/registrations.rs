//! Sign-ups whose address is not yet verified.

use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A sign-up that waits for its code.
#[derive(Clone, PartialEq, Eq)]
pub struct Registration {
    /// UUID.
    pub id: String,
    /// SHA-256 of the token that its browser holds, lower case hexadecimal.
    pub token_hash: String,
    /// Normalised.
    pub email: String,
    /// PHC string.
    pub password_hash: String,
    /// Language of the sign-up.
    pub locale: Locale,
    /// Network address of the client, as text.
    pub address: String,
    /// HMAC of the newest code, lower case hexadecimal.
    pub code_hash: String,
    /// When the newest code was sent, Unix milliseconds.
    pub code_sent_at: i64,
    /// When that code expires, Unix milliseconds.
    pub code_expires_at: i64,
    /// Wrong attempts with the newest code.
    pub tries: i64,
    /// Codes sent so far.
    pub sends: i64,
    /// The plan chosen before the sign-up.
    pub plan_id: Option<Uuid>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A code that replaces the previous one.
pub struct NewCode<'a> {
    /// HMAC of the code, lower case hexadecimal.
    pub hash: &'a str,
    /// Unix milliseconds.
    pub sent_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// The columns of [`Registration`].
macro_rules! registration_columns {
    () => {
        columns!(
            "": id, token_hash, email, password_hash, locale, address, code_hash, code_sent_at,
            code_expires_at, tries, sends, plan_id, created_at
        )
    };
}

row_columns! {
    fn read() -> Registration from "registrations" by "id" {
        id: text,
        token_hash: text,
        email: text,
        password_hash: text,
        locale: word,
        address: text,
        code_hash: text,
        code_sent_at: integer,
        code_expires_at: integer,
        tries: integer,
        sends: integer,
        plan_id: text_or_none => readable_id,
        created_at: integer,
    }
}

/// The chosen plan. An unreadable one only loses the choice; it does not fail the sign-up.
fn readable_id(id: Option<String>) -> Option<Uuid> {
    id.and_then(|id| id.parse().ok())
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO registrations (id, token_hash, email, password_hash, locale, address, \
         code_hash, code_sent_at, code_expires_at, tries, sends, created_at, plan_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
}

/// Stores a new sign-up.
pub async fn insert(connection: &mut Connection, new: &Registration) -> Result<()> {
    sqlx::query(INSERT)
        .bind(&new.id)
        .bind(&new.token_hash)
        .bind(&new.email)
        .bind(&new.password_hash)
        .bind(word(&new.locale))
        .bind(&new.address)
        .bind(&new.code_hash)
        .bind(new.code_sent_at)
        .bind(new.code_expires_at)
        .bind(new.tries)
        .bind(new.sends)
        .bind(new.created_at)
        .bind(new.plan_id.map(|id| id.to_string()))
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const FIND: BOTH -> Registration = concat!(
        "SELECT ",
        registration_columns!(),
        " FROM registrations WHERE token_hash = $1 AND created_at > $2"
    );
}

/// The sign-up of the browser with this token, if it was made after `since`.
pub async fn find(
    connection: &mut Connection,
    token_hash: &str,
    since: i64,
) -> Result<Option<Registration>> {
    sqlx::query(FIND)
        .bind(token_hash)
        .bind(since)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const OF_EMAIL: BOTH -> Registration = concat!(
        "SELECT ",
        registration_columns!(),
        " FROM registrations WHERE email = $1 AND created_at > $2 ORDER BY CASE WHEN address = $3 \
         THEN 0 ELSE 1 END, created_at DESC, id DESC LIMIT 1"
    );
}

/// A sign-up of this (normalised) e-mail address made after `since`: the newest from this network
/// address, else the newest of all. So a stranger's sign-up does not hide the owner's.
pub async fn of_email(
    connection: &mut Connection,
    email: &str,
    address: &str,
    since: i64,
) -> Result<Option<Registration>> {
    sqlx::query(OF_EMAIL)
        .bind(email)
        .bind(since)
        .bind(address)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const COUNT_TRY: BOTH =
        "UPDATE registrations SET tries = tries + 1 WHERE id = $1 AND tries < $2";
}

/// Counts an attempt, unless `max` have been counted already; returns whether it was counted. Call
/// it before comparing, so that concurrent attempts cannot exceed `max`.
pub async fn count_try(connection: &mut Connection, id: &str, max: i64) -> Result<bool> {
    let done = sqlx::query(COUNT_TRY)
        .bind(id)
        .bind(max)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const RENEW_CODE: BOTH =
        "UPDATE registrations SET code_hash = $2, code_sent_at = $3, code_expires_at = $4, \
         tries = 0, sends = sends + 1 \
         WHERE id = $1 AND (code_sent_at <= $5 OR code_sent_at > $7) AND sends < $6";
}

/// Replaces the code, if the current one was sent at or before `sent_until` and fewer than `max`
/// were sent; returns whether it did. Only one of two concurrent calls succeeds. A code that seems to
/// have been sent long after the new one is from before the clock was set back, and is replaced, too.
pub async fn renew_code(
    connection: &mut Connection,
    id: &str,
    code: &NewCode<'_>,
    sent_until: i64,
    max: i64,
) -> Result<bool> {
    let done = sqlx::query(RENEW_CODE)
        .bind(id)
        .bind(code.hash)
        .bind(code.sent_at)
        .bind(code.expires_at)
        .bind(sent_until)
        .bind(max)
        // As far ahead as the other bound is behind: clocks of several machines differ a little.
        .bind(2 * code.sent_at - sent_until)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const CLEAR_SENT_AT: BOTH = "UPDATE registrations SET code_sent_at = 0 WHERE id = $1";
}

/// Clears the time of sending after a failed mail, so that another can follow at once. It still
/// counts: a mail server may have accepted the mail without confirming it.
pub async fn clear_sent_at(connection: &mut Connection, id: &str) -> Result<()> {
    sqlx::query(CLEAR_SENT_AT)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SET_TOKEN: BOTH = "UPDATE registrations SET token_hash = $2 WHERE id = $1";
}

/// Changes the browser's token: a person who enters the password can continue the sign-up in
/// another browser.
pub async fn set_token(
    connection: &mut Connection,
    id: &str,
    token_hash: &str,
    now: i64,
) -> Result<()> {
    record_superseded(&mut *connection, SUPERSEDE_ID, id, now).await?;
    sqlx::query(SET_TOKEN)
        .bind(id)
        .bind(token_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes all sign-ups of an address that now has an account, and marks their tokens as
/// superseded.
pub async fn supersede(connection: &mut Connection, email: &str, now: i64) -> Result<u64> {
    record_superseded(&mut *connection, SUPERSEDE_EMAIL, email, now).await?;
    remove_of(connection, email).await
}

/// The tokens of registrations with this value in `$column` become superseded ones.
macro_rules! supersede_where {
    ($column:literal) => {
        concat!(
            "INSERT INTO superseded_registrations (token_hash, superseded_at) \
             SELECT token_hash, CAST($2 AS BIGINT) FROM registrations WHERE ",
            $column,
            " = $1 ON CONFLICT (token_hash) DO NOTHING"
        )
    };
}

statements! {
    const SUPERSEDE_ID: BOTH = supersede_where!("id");
    const SUPERSEDE_EMAIL: BOTH = supersede_where!("email");
}

/// Records the tokens of these registrations as superseded, by one of the statements above.
async fn record_superseded(
    connection: &mut Connection,
    statement: &'static str,
    value: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(statement)
        .bind(value)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const IS_SUPERSEDED: BOTH =
        "SELECT 1 AS found FROM superseded_registrations \
         WHERE token_hash = $1 AND superseded_at > $2";
}

/// Whether the registration of this token was superseded after `since`.
pub async fn is_superseded(
    connection: &mut Connection,
    token_hash: &str,
    since: i64,
) -> Result<bool> {
    let row = sqlx::query(IS_SUPERSEDED)
        .bind(token_hash)
        .bind(since)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

statements! {
    const REMOVE_OF: BOTH = "DELETE FROM registrations WHERE email = $1";
}

/// Removes all sign-ups of an address; returns how many.
pub async fn remove_of(connection: &mut Connection, email: &str) -> Result<u64> {
    let done = sqlx::query(REMOVE_OF)
        .bind(email)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

statements! {
    const DELETE_SUPERSEDED_REGISTRATIONS: BOTH =
        "DELETE FROM superseded_registrations WHERE superseded_at <= $1";
    const DELETE_REGISTRATIONS: BOTH = "DELETE FROM registrations WHERE created_at <= $1";
}

/// Removes sign-ups and superseded tokens up to `before`; returns how many.
pub async fn remove_old(connection: &mut Connection, before: i64) -> Result<u64> {
    sqlx::query(DELETE_SUPERSEDED_REGISTRATIONS)
        .bind(before)
        .execute(&mut *connection)
        .await?;
    let done = sqlx::query(DELETE_REGISTRATIONS)
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    fn new(id: &str, created_at: i64) -> Registration {
        Registration {
            id: id.into(),
            token_hash: format!("t-{id}"),
            email: "оля@example.com".into(),
            password_hash: "$argon2id$".into(),
            locale: Locale::Uk,
            address: "192.0.2.1".into(),
            code_hash: "c".into(),
            code_sent_at: created_at,
            code_expires_at: created_at + 15,
            tries: 0,
            sends: 1,
            plan_id: None,
            created_at,
        }
    }

    #[apply(each_database!)]
    fn sign_ups_of_one_email_address_are_independent(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for registration in [new("r1", 10), new("r2", 20)] {
                insert(&mut transaction, &registration).await.unwrap();
            }
            let found = find(&mut transaction, "t-r1", 0).await.unwrap();
            assert!(found == Some(new("r1", 10)));
            assert!(find(&mut transaction, "t-r1", 10).await.unwrap().is_none());
            assert!(find(&mut transaction, "t-r9", 0).await.unwrap().is_none());
            let mut elsewhere = new("r3", 30);
            elsewhere.address = "192.0.2.9".into();
            insert(&mut transaction, &elsewhere).await.unwrap();
            let email = "оля@example.com";
            for (address, expected) in [
                ("192.0.2.1", new("r2", 20)),
                ("192.0.2.9", elsewhere.clone()),
                ("192.0.2.5", elsewhere.clone()),
            ] {
                let found = of_email(&mut transaction, email, address, 0).await.unwrap();
                assert!(found == Some(expected), "{address}");
            }
            assert_eq!(remove_old(&mut transaction, 10).await.unwrap(), 1);
            let rest = remove_of(&mut transaction, "оля@example.com").await;
            assert_eq!(rest.unwrap(), 2);
        });
    }

    #[apply(each_database!)]
    fn tries_are_counted_up_to_their_limit(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("r1", 10)).await.unwrap();
            for _ in 0..5 {
                assert!(count_try(&mut transaction, "r1", 5).await.unwrap());
            }
            assert!(!count_try(&mut transaction, "r1", 5).await.unwrap());
            assert!(!count_try(&mut transaction, "r9", 5).await.unwrap());
        });
    }

    #[apply(each_database!)]
    fn a_new_code_can_be_sent_when_due_and_resets_the_tries(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("r1", 10)).await.unwrap();
            count_try(&mut transaction, "r1", 5).await.unwrap();
            let code = NewCode {
                hash: "d",
                sent_at: 70,
                expires_at: 85,
            };
            let early = renew_code(&mut transaction, "r1", &code, 9, 5).await;
            assert!(!early.unwrap());
            let due = renew_code(&mut transaction, "r1", &code, 10, 5).await;
            assert!(due.unwrap());
            let found = find(&mut transaction, "t-r1", 0).await.unwrap().unwrap();
            assert_eq!((found.tries, found.sends), (0, 2));
            assert_eq!((found.code_sent_at, found.code_expires_at), (70, 85));
            let exhausted = renew_code(&mut transaction, "r1", &code, 70, 2).await;
            assert!(!exhausted.unwrap());
        });
    }

    #[apply(each_database!)]
    fn another_browser_can_take_over_a_registration(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("r1", 10)).await.unwrap();
            set_token(&mut transaction, "r1", "t-new", 30)
                .await
                .unwrap();
            assert!(is_superseded(&mut transaction, "t-r1", 29).await.unwrap());
            assert!(!is_superseded(&mut transaction, "t-r1", 30).await.unwrap());
            assert!(!is_superseded(&mut transaction, "t-new", 0).await.unwrap());
            assert!(find(&mut transaction, "t-r1", 0).await.unwrap().is_none());
            assert!(find(&mut transaction, "t-new", 0).await.unwrap().is_some());
        });
    }
}
