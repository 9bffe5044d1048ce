//! Questions about a transcript and their answers: table `assistant_messages`.

use serde::{Deserialize, Serialize};
use slovo_rules::analysis::{EngineName, Moment};
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// Messages kept per job; the oldest are deleted.
pub const MAX_MESSAGES: i64 = 400;

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user who asks.
    User,
    /// The assistant, which answers.
    Assistant,
}

/// A question or an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its id.
    pub id: Uuid,
    /// Its author.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// The places in the transcript that an answer refers to.
    pub moments: Vec<Moment>,
    /// The engine of an answer.
    pub engine: Option<EngineName>,
    /// Whether the answer was interrupted.
    pub incomplete: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

row_columns! {
    fn read() -> Message from "assistant_messages" by "id" {
        id: uuid,
        role: word,
        text: text,
        moments: json,
        engine: json_or_none,
        incomplete: flag,
        created_at: integer,
    }
}

statements! {
    const LOCK_JOB: BOTH = "UPDATE synced_jobs SET version = version WHERE my_job_id = $1";
    const INSERT_MESSAGE: BOTH =
        "INSERT INTO assistant_messages (id, my_job_id, place, role, text, moments, engine, \
         incomplete, created_at) SELECT $1, $2, COALESCE(MAX(place), 0) + 1, $3, $4, $5, $6, $7, \
         $8 FROM assistant_messages WHERE my_job_id = $2";
    const DELETE_OLDEST_MESSAGES: BOTH =
        "DELETE FROM assistant_messages WHERE my_job_id = $1 AND place <= \
         (SELECT MAX(m.place) FROM assistant_messages m WHERE m.my_job_id = $1) - $2";
}

/// Appends a message to the job; `false` if the job was deleted.
///
/// # Errors
/// When the database fails.
pub async fn add(connection: &mut Connection, job: Uuid, message: &Message) -> Result<bool> {
    // Locks the job's row, so that its messages are numbered one after the other.
    let locked = sqlx::query(LOCK_JOB)
        .bind(job.to_string())
        .execute(&mut *connection)
        .await?;
    if locked.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(INSERT_MESSAGE)
        .bind(message.id.to_string())
        .bind(job.to_string())
        .bind(word(&message.role))
        .bind(&message.text)
        .bind(json(&message.moments))
        .bind(message.engine.as_ref().map(json))
        .bind(i64::from(message.incomplete))
        .bind(message.created_at)
        .execute(&mut *connection)
        .await?;
    sqlx::query(DELETE_OLDEST_MESSAGES)
        .bind(job.to_string())
        .bind(MAX_MESSAGES)
        .execute(connection)
        .await?;
    Ok(true)
}

statements! {
    const SELECT_MESSAGES: BOTH -> Message = concat!(
        "SELECT ",
        columns!("": id, role, text, moments, engine, incomplete, created_at),
        " FROM assistant_messages WHERE my_job_id = $1 ORDER BY place"
    );
}

/// The job's messages, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, job: Uuid) -> Result<Vec<Message>> {
    sqlx::query(SELECT_MESSAGES)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const DELETE_MESSAGES: BOTH = "DELETE FROM assistant_messages WHERE my_job_id = $1";
}

/// Deletes all messages of the job.
///
/// # Errors
/// When the database fails.
pub async fn clear(connection: &mut Connection, job: Uuid) -> Result<()> {
    sqlx::query(DELETE_MESSAGES)
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::{account, enqueue};
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn messages_keep_their_order_and_are_deleted_with_their_job(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "u1").await;
            let job = enqueue(&db, "u1", 1, 0, 1).await;
            let mut transaction = db.write().await.unwrap();
            let message = |number: u128, role| Message {
                id: Uuid::from_u128(number),
                role,
                text: format!("Нотатка {number}"),
                moments: vec![Moment {
                    segment: "3".into(),
                    start: 1.5,
                    end: 2.0,
                }],
                engine: None,
                incomplete: role == Role::Assistant,
                created_at: 7,
            };
            // Ids do not define the order.
            let messages = [message(9, Role::User), message(2, Role::Assistant)];
            for entry in &messages {
                assert!(add(&mut transaction, job, entry).await.unwrap());
            }
            assert_eq!(list(&mut transaction, job).await.unwrap(), messages);
            let unknown_job = Uuid::from_u128(77);
            assert!(
                !add(&mut transaction, unknown_job, &message(3, Role::User))
                    .await
                    .unwrap()
            );
            for number in 0..u128::try_from(MAX_MESSAGES).unwrap() {
                let more = message(100 + number, Role::User);
                assert!(add(&mut transaction, job, &more).await.unwrap());
            }
            let stored = list(&mut transaction, job).await.unwrap();
            assert_eq!(stored.len(), usize::try_from(MAX_MESSAGES).unwrap());
            assert_eq!(stored[0].id, Uuid::from_u128(100), "the oldest go");
            clear(&mut transaction, job).await.unwrap();
            assert_eq!(list(&mut transaction, job).await.unwrap(), []);
            add(&mut transaction, job, &messages[0]).await.unwrap();
            crate::jobs::delete(&mut transaction, "u1", job)
                .await
                .unwrap();
            assert_eq!(list(&mut transaction, job).await.unwrap(), []);
        });
    }
}
