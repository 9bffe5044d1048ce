//! Outbox of the mails about completed jobs.
//!
//! A sender claims a mail by moving its `run_after` forward, so that only one process sends it. If
//! that process dies, another one can claim the mail after that time.

use slovo_rules::locale::Locale;
use sqlx::Row;
use uuid::Uuid;

use crate::accounts::Status;
use crate::core::statement::{row_columns, statements};
use crate::jobs::files::JobFile;
use crate::jobs::workflows::MessageScope;
use crate::{Connection, Result};

/// A claimed mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedMail {
    /// The finished job.
    pub job_id: Uuid,
    /// Number of the attempt, from 1.
    pub tries: i64,
}

/// The contents of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailContent {
    /// The owner's address.
    pub email: String,
    /// The owner's language.
    pub locale: Locale,
    /// The job's name.
    pub name: String,
    /// The files made from the transcript.
    pub files: Vec<JobFile>,
}

row_columns! {
    fn read_claimed() -> ClaimedMail from "completion_mails" by "job_id" {
        job_id: uuid,
        tries: integer,
    }
}

row_columns! {
    fn read_mail_content() -> MailContent from "synced_jobs" by "my_job_id" {
        email: text,
        locale: word,
        name: text,
        files: json in "made_files",
    }
}

statements! {
    const INSERT_MAIL: BOTH =
        "INSERT INTO completion_mails (job_id, tries, run_after) \
         SELECT j.my_job_id, 0, $2 FROM synced_jobs j \
         JOIN preferences p ON p.user_id = j.auth_user_id \
         WHERE j.my_job_id = $1 AND j.is_sample = 0 AND p.mail_on_completion = 1 \
         ON CONFLICT (job_id) DO UPDATE SET tries = 0, run_after = excluded.run_after";
}

/// Queues a mail to the job's owner if they want one; never for a sample. Call it in the
/// transaction that completes the job.
pub(crate) async fn insert(connection: &mut Connection, job_id: Uuid, now: i64) -> Result<()> {
    sqlx::query(INSERT_MAIL)
        .bind(job_id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const CLAIM_MAILS: BOTH -> ClaimedMail =
        "UPDATE completion_mails SET tries = tries + 1, run_after = $2 WHERE run_after <= $1 \
         AND job_id IN (SELECT job_id FROM completion_mails WHERE run_after <= $1 \
         AND (CAST($4 AS TEXT) IS NULL OR job_id = $4) ORDER BY run_after, job_id LIMIT $3) RETURNING job_id, tries";
}

/// Claims up to `limit` mails of the scope that are due at `now`; they are not due again before `until`.
pub async fn claim(
    connection: &mut Connection,
    scope: MessageScope,
    now: i64,
    until: i64,
    limit: i64,
) -> Result<Vec<ClaimedMail>> {
    // The outer condition is evaluated again for a row that another process has just claimed.
    let rows = sqlx::query(CLAIM_MAILS)
        .bind(now)
        .bind(until)
        .bind(limit)
        .bind(scope.text())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_claimed).collect()
}

statements! {
    const SELECT_MAIL_CONTENT: BOTH -> MailContent =
        "SELECT j.my_job_id, COALESCE(j.title, j.original_filename) AS name, j.made_files, a.email, \
         p.locale FROM synced_jobs j \
         JOIN accounts a ON a.id = j.auth_user_id JOIN preferences p ON p.user_id = a.id \
         LEFT JOIN synced_users u ON u.auth_user_id = a.id \
         WHERE j.my_job_id = $1 AND j.is_visible_to_user = 1 AND p.mail_on_completion = 1 \
         AND COALESCE(u.status, $2) = $2";
}

/// The contents and recipient; `None` if the mail is no longer wanted, the owner is blocked or the
/// job is hidden from them.
pub async fn mail_content(
    connection: &mut Connection,
    job_id: Uuid,
) -> Result<Option<MailContent>> {
    let row = sqlx::query(SELECT_MAIL_CONTENT)
        .bind(job_id.to_string())
        .bind(Status::Active.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_mail_content).transpose()
}

statements! {
    const POSTPONE_MAIL: BOTH = "UPDATE completion_mails SET run_after = $2 WHERE job_id = $1";
}

/// Postpones a failed mail until `run_after`.
pub async fn postpone(connection: &mut Connection, job_id: Uuid, run_after: i64) -> Result<()> {
    sqlx::query(POSTPONE_MAIL)
        .bind(job_id.to_string())
        .bind(run_after)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_MAIL: BOTH = "DELETE FROM completion_mails WHERE job_id = $1";
}

/// Deletes a mail that was sent or never will be.
pub async fn remove(connection: &mut Connection, job_id: Uuid) -> Result<()> {
    sqlx::query(DELETE_MAIL)
        .bind(job_id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const COUNT_MAILS: BOTH = "SELECT COUNT(*) AS waiting FROM completion_mails";
}

/// Number of queued mails.
pub async fn count_queued(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query(COUNT_MAILS).fetch_one(connection).await?;
    Ok(row.try_get("waiting")?)
}

#[cfg(test)]
mod tests {
    use slovo_rules::Valid;
    use slovo_rules::preferences::{Preferences, validate};
    use slovo_rules::settings::TranscriptionType;
    use slovo_rules::transcript::Transcript;

    use super::*;
    use crate::accounts::{self, preferences};
    use crate::core::lease::Claim;
    use crate::jobs::NewJob;
    use crate::jobs::queue::{self, Line};
    use crate::testing::{Backend, account, apply, each_database, with_database};
    use crate::{Database, lifecycle};

    async fn set_mail_preference(db: &Database, mail_on_completion: bool) {
        let chosen = Preferences {
            locale: Locale::En,
            mail_on_completion,
            ..Preferences::default()
        };
        let mut transaction = db.write().await.unwrap();
        preferences::set(&mut transaction, "u1", &validate(&chosen).unwrap(), 1)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
    }

    /// A job of u1 that is completed at 100.
    async fn create_completed_job(db: &Database) -> Uuid {
        let job = NewJob {
            id: Uuid::new_v4(),
            user_id: "u1".to_owned(),
            media_id: Uuid::new_v4(),
            original_filename: "Розмова.mp3".to_owned(),
            content_type: "audio/mpeg".to_owned(),
            file_size: 1,
            has_video: false,
            duration: None,
            plan: Valid::default(),
            audio_track: None,
            priority: 0,
            now: 1,
        };
        let claim = Claim {
            lease_id: job.id.to_string(),
            owner: "w",
            now: 1,
            until: 1_000,
        };
        let text = Transcript {
            language: "uk".to_owned(),
            duration: 1.0,
            mode: TranscriptionType::Full,
            model: "m".to_owned(),
            segments: Vec::new(),
            warnings: Vec::new(),
            removed: Vec::new(),
        };
        let mut transaction = db.write().await.unwrap();
        lifecycle::create_job(&mut transaction, &job).await.unwrap();
        let claimed = queue::claim(&mut transaction, db.backend(), Line::Recognition, &claim).await;
        let (lease, _) = claimed.unwrap().unwrap();
        assert!(
            lifecycle::complete_job(&mut transaction, &lease, 1, &text, false, 100)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        job.id
    }

    async fn claimed(db: &Database, now: i64) -> Vec<ClaimedMail> {
        let mut transaction = db.write().await.unwrap();
        let claimed = claim(&mut transaction, MessageScope::All, now, now + 50, 10).await;
        let claimed = claimed.unwrap();
        transaction.commit().await.unwrap();
        claimed
    }

    #[apply(each_database!)]
    fn only_accounts_that_want_mails_get_one(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            account(&mut transaction, "u1").await;
            transaction.commit().await.unwrap();
            create_completed_job(&db).await;
            set_mail_preference(&db, false).await;
            create_completed_job(&db).await;
            assert_eq!(claimed(&db, 100).await, []);
            set_mail_preference(&db, true).await;
            let job_id = create_completed_job(&db).await;
            assert_eq!(claimed(&db, 99).await, []);
            assert_eq!(claimed(&db, 100).await, [ClaimedMail { job_id, tries: 1 }]);

            let mut transaction = db.write().await.unwrap();
            let expected = MailContent {
                email: "u1@example.com".to_owned(),
                locale: Locale::En,
                name: "Розмова.mp3".to_owned(),
                files: Vec::new(),
            };
            let content = mail_content(&mut transaction, job_id).await.unwrap();
            assert_eq!(content, Some(expected));
            accounts::set_status(&mut transaction, "u1", Status::Blocked)
                .await
                .unwrap();
            assert_eq!(mail_content(&mut transaction, job_id).await.unwrap(), None);
            drop(transaction);
            set_mail_preference(&db, false).await;
            let mut transaction = db.write().await.unwrap();
            assert_eq!(mail_content(&mut transaction, job_id).await.unwrap(), None);
        });
    }

    #[apply(each_database!)]
    fn one_process_sends_a_mail_and_another_takes_over_after_it_dies(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            account(&mut transaction, "u1").await;
            transaction.commit().await.unwrap();
            set_mail_preference(&db, true).await;
            let job_id = create_completed_job(&db).await;
            let tasks: Vec<_> = (0..6)
                .map(|_| {
                    let db = db.clone();
                    tokio::spawn(async move { claimed(&db, 100).await.len() })
                })
                .collect();
            let mut senders = 0;
            for task in tasks {
                senders += task.await.unwrap();
            }
            assert_eq!(senders, 1);
            assert_eq!(claimed(&db, 149).await, []);
            assert_eq!(claimed(&db, 150).await, [ClaimedMail { job_id, tries: 2 }]);
            let mut transaction = db.write().await.unwrap();
            postpone(&mut transaction, job_id, 500).await.unwrap();
            assert_eq!(count_queued(&mut transaction).await.unwrap(), 1);
            transaction.commit().await.unwrap();
            assert_eq!(claimed(&db, 499).await, []);
            assert_eq!(claimed(&db, 500).await.len(), 1);
            let mut transaction = db.write().await.unwrap();
            remove(&mut transaction, job_id).await.unwrap();
            assert_eq!(count_queued(&mut transaction).await.unwrap(), 0);
        });
    }
}
