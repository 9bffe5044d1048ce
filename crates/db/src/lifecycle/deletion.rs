//! Deletion of accounts.

use sqlx::Row;
use uuid::Uuid;

use crate::accounts::{audit, registrations, roles, sign_ins};
use crate::core::fields::Fields;
use crate::core::file_removals::{self, Removal};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result, jobs};

/// The result of deleting an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeletionOutcome {
    /// Deleted, once the transaction is committed; this remains in the data folder.
    Done(LeftoverFiles),
    /// Refused: it is the last administrator, and a server without one could not be administered.
    LastAdmin,
    /// There is no such account.
    NoAccount,
}

/// Data of a deleted account outside the database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftoverFiles {
    /// Its jobs, some of which may be running.
    pub jobs: Vec<Uuid>,
    /// Files of its recordings, with and without a job.
    pub media: Vec<Uuid>,
}

/// A deleted job and its file.
struct DeletedJob {
    my_job_id: Uuid,
    media_id: Uuid,
}

row_columns! {
    fn read_job() -> DeletedJob from "synced_jobs" by "my_job_id" {
        my_job_id: uuid,
        media_id: uuid,
    }
}

/// The rows of the external database's tables that belong to the account `$1`.
macro_rules! of_account {
    () => {
        "local_id IN (SELECT my_job_id FROM synced_jobs WHERE auth_user_id = $1) OR \
         local_id IN (SELECT id FROM synced_presets WHERE user_id = $1) OR \
         local_id IN (SELECT id FROM synced_users WHERE auth_user_id = $1)"
    };
}

statements! {
    const DELETE_CONFLICTS: BOTH = concat!("DELETE FROM nocodb_conflicts WHERE ", of_account!());
    const CLEAR_MIRRORED_FIELDS: BOTH =
        concat!("UPDATE nocodb_links SET mirrored = '' WHERE ", of_account!());
    const CLEAR_FOUNDER: BOTH = "UPDATE founding_account SET user_id = '' WHERE user_id = $1";
    const DELETE_ACCOUNT: BOTH = "DELETE FROM accounts WHERE id = $1";
    const SELECT_EMAIL: BOTH = "SELECT email FROM accounts WHERE id = $1";
    const DELETE_JOBS: BOTH -> DeletedJob =
        "DELETE FROM synced_jobs WHERE auth_user_id = $1 RETURNING my_job_id, media_id";
    const DELETE_UPLOADS: BOTH = "DELETE FROM uploads WHERE user_id = $1 RETURNING id";
}

/// Deletes an account with all its data, and the sign-ups of its address.
///
/// After the commit the caller deletes the files, which are scheduled in
/// [`crate::core::file_removals`]. The founder's place stays taken, without naming the account: the
/// next sign-up does not become administrator.
///
/// What the account did as an administrator, and what was done to it, stays in the audit log
/// without the names.
///
/// A newsletter subscription of the address stays: its owner consented to it separately, often
/// before signing up, and can cancel it by the link in every mail.
pub async fn delete_account(connection: &mut Connection, user_id: &str) -> Result<DeletionOutcome> {
    if roles::is_last_admin(&mut *connection, user_id).await? {
        return Ok(DeletionOutcome::LastAdmin);
    }
    let found = sqlx::query(SELECT_EMAIL)
        .bind(user_id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = found else {
        return Ok(DeletionOutcome::NoAccount);
    };
    let email: String = row.try_get("email")?;
    registrations::remove_of(&mut *connection, &email).await?;
    sign_ins::remove_of_account(&mut *connection, user_id, &email).await?;
    // Before its jobs are deleted, by which their entries are found.
    audit::anonymise_account(&mut *connection, user_id, &email).await?;
    // Before its rows are deleted, too. The links to rows of the external database stay until the
    // next synchronisation has deleted those rows, but without the copied fields.
    for statement in [DELETE_CONFLICTS, CLEAR_MIRRORED_FIELDS] {
        sqlx::query(statement)
            .bind(user_id)
            .execute(&mut *connection)
            .await?;
    }
    // Jobs and uploads are deleted here because their files must be known; the rest is deleted with
    // the account by cascades.
    let mut left = LeftoverFiles::default();
    let removed = sqlx::query(DELETE_JOBS)
        .bind(user_id)
        .fetch_all(&mut *connection)
        .await?;
    for row in &removed {
        let job = read_job(row)?;
        left.jobs.push(job.my_job_id);
        left.media.push(job.media_id);
    }
    let uploads = sqlx::query(DELETE_UPLOADS)
        .bind(user_id)
        .fetch_all(&mut *connection)
        .await?;
    for row in &uploads {
        left.media
            .push(Fields::new(row, "uploads", "id")?.uuid("id")?);
    }
    for id in &left.media {
        file_removals::add(&mut *connection, &Removal::Media(*id)).await?;
    }
    let avatars = Removal::Avatars {
        user_id: user_id.to_owned(),
    };
    file_removals::add(&mut *connection, &avatars).await?;
    for statement in [CLEAR_FOUNDER, DELETE_ACCOUNT] {
        sqlx::query(statement)
            .bind(user_id)
            .execute(&mut *connection)
            .await?;
    }
    // After the deletions, whose triggers update the counts.
    jobs::delete_counts(connection, user_id).await?;
    Ok(DeletionOutcome::Done(left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    /// Tables and columns of the whole schema.
    async fn columns(connection: &mut Connection, backend: Backend) -> Vec<(String, String)> {
        let statement = match backend {
            Backend::Sqlite => {
                "SELECT m.name AS in_table, c.name AS in_column FROM sqlite_master m \
                 JOIN pragma_table_info(m.name) c WHERE m.type = 'table' \
                 AND m.name NOT LIKE 'sqlite_%' AND m.name <> '_sqlx_migrations' \
                 AND m.name NOT LIKE 'search_index%'"
            }
            Backend::Postgres => {
                "SELECT table_name::text AS in_table, column_name::text AS in_column \
                 FROM information_schema.columns WHERE table_schema = 'public' \
                 AND table_name <> '_sqlx_migrations' \
                 AND table_name <> 'search_index'"
            }
        };
        let rows = sqlx::query(statement).fetch_all(connection).await.unwrap();
        rows.iter()
            .map(|row| (row.get("in_table"), row.get("in_column")))
            .collect()
    }

    /// Number of rows per table with this text in any column.
    async fn rows_with(database: &Database, text: &str) -> Vec<(String, i64)> {
        let mut connection = database.read().await.unwrap();
        let mut all = Vec::new();
        for (table, column) in columns(&mut connection, database.backend()).await {
            let statement =
                format!("SELECT COUNT(*) AS n FROM {table} WHERE CAST({column} AS TEXT) LIKE $1");
            let row = sqlx::query(sqlx::AssertSqlSafe(statement))
                .bind(format!("%{text}%"))
                .fetch_one(&mut *connection)
                .await
                .unwrap();
            match row.get("n") {
                0 => {}
                rows => all.push((format!("{table}.{column}"), rows)),
            }
        }
        all
    }

    /// Tables without personal data: the server's id, settings and processes, built-in data, speeds
    /// of machines, progress of the synchronisation, and visits, which are only counted. The index
    /// of the search has its own tests. Contact messages and newsletter subscriptions belong to no
    /// account. Links name rows of the external database until those are deleted there. A
    /// superseded sign-up leaves only the hash of a random token, for a day.
    const WITHOUT_PERSONAL_DATA: [&str; 18] = [
        "backup_runs",
        "installation",
        "built_in_presets",
        "search_schema",
        "search_entries",
        "contact_messages",
        "superseded_registrations",
        "newsletter_subscribers",
        "site_visits",
        "server_settings",
        "plan_numbers",
        "workers",
        "nocodb_config",
        "nocodb_cursors",
        "nocodb_links",
        "health",
        "file_removals",
        "recognition_paces",
    ];

    /// A row for every table that can hold data of a user; see [`fill`].
    const ROWS: &[&str] = &[
        "INSERT INTO user_roles VALUES ('{u}', 'admin', 1)",
        "INSERT INTO founding_account VALUES (1, '{u}', 1) ON CONFLICT (slot) DO NOTHING",
        "INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ('mark-{u}', '{u}', 1, 9)",
        "INSERT INTO refresh_tokens VALUES ('mark-{u}', 'mark-{u}', 1, 9, NULL)",
        "INSERT INTO registrations VALUES ('mark-{u}', 'mark-{u}', '{u}@example.com', '', 'uk', '', '', 1, 1, 0, 1, 1, NULL)",
        "INSERT INTO password_resets VALUES ('mark-{u}', '{u}', 1, 9)",
        "INSERT INTO email_changes VALUES ('{u}', 'mark-{u}', 'mark-{u}', '', '', 0, 1, 9)",
        "INSERT INTO identities VALUES ('https://id.example.com', 'mark-{u}', '{u}', 1)",
        "INSERT INTO handoffs VALUES ('mark-{u}', '', '{u}', 1, 9)",
        "INSERT INTO preferences VALUES ('{u}', 'uk', 'dark', 1, '{}', 1)",
        "INSERT INTO docx_templates VALUES ('{u}', 'mark-{u}', 1, '00', 1)",
        "INSERT INTO queue_turns VALUES ('{u}', 1)",
        "INSERT INTO uploads (id, user_id, filename, content_type, size, stored, created_at, \
         expires_at) VALUES ('{upload}', '{u}', 'mark-{u}', '', 1, 0, 1, 9)",
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
         filename_folded, content_type, file_size, has_video, input_settings, \
         transcription_type, status, stage, queued_at, run_after, created_at) VALUES \
         ('{job}', '{u}', '{media}', 'mark-{u}', '', '', 1, 0, '{}', 'full', 'completed', \
         'finishing', 1, 1, 1)",
        "INSERT INTO job_workflows VALUES ('{job}', 1)",
        "INSERT INTO job_stages VALUES ('{job}', 1, 'probe', 'mark-{u}', NULL, 1, NULL)",
        "INSERT INTO job_chunks VALUES ('{job}', 1, 0, 'mark-{u}')",
        "INSERT INTO synced_segments VALUES ('{job}', 1, 0, NULL, 'mark-{u}', 0, 1, '[]', 'uk')",
        "INSERT INTO synced_output VALUES ('{job}', 1, 'mark-{u}', 'uk', 'full', '', 1, '[]', 1, '{}', 'mark-{u}', 1, 0)",
        "INSERT INTO edited_segments VALUES ('{job}', 1, '0', 0, 0, 1, 0, 0, 1, NULL, 'mark-{u}', '[]', 'mark-{u}', 'uk')",
        "INSERT INTO transcript_heads VALUES ('{job}', 1, 1, 0)",
        "INSERT INTO worked_texts VALUES ('{u}', '{job}', 1)",
        "INSERT INTO playback_positions VALUES ('{u}', '{job}', 1, 1)",
        "INSERT INTO job_groups VALUES ('tag-{u}', '{u}', 'tag', 'mark-{u}', 'mark-{u}', 0, 1)",
        "INSERT INTO grouped_jobs VALUES ('{job}', 'tag-{u}', 'tag', 1, '', -1)",
        "INSERT INTO transcript_speakers VALUES ('{job}', 1, 'SPEAKER_0', 0, 'mark-{u}', NULL)",
        "INSERT INTO transcript_edits VALUES ('{job}', 1, 1, 'e', 'c', '{u}', 1, 'set_text', NULL, 0, '[]', 'mark-{u}', '[]', '[]', 'mark-{u}', 'mark-{u}', 1)",
        "INSERT INTO transcript_marks VALUES ('{media}', '{job}', 1, 1, 'mark-{u}', '{u}', 1)",
        "INSERT INTO text_marks VALUES ('{job}', 'mark-{u}', 'highlight', 'blue', 1, '0', 0, 'mark-{u}', 0, 1, 'mark-{u}', 1, 1)",
        "INSERT INTO search_documents VALUES ('{job}', 1, 0)",
        "INSERT INTO search_passages VALUES ('{job}', '0', 0, NULL, 'mark-{u}', '', 'uk')",
        "INSERT INTO completion_mails VALUES ('{job}', 0, 1)",
        "INSERT INTO job_files VALUES ('{job}', 'txt', 1, 1, 'mark-{u}')",
        "INSERT INTO shares VALUES ('mark-{u}', '{job}', 1, 1, NULL, 0, NULL, 'mark-{u}', 1, 0, 'comment')",
        "INSERT INTO share_openings VALUES ('mark-{u}', 'mark-{u}', 'mark-{u}', 1, 'firefox', 'phone')",
        "INSERT INTO share_comments VALUES ('mark-{u}', '{job}', 'mark-{u}', 1, '0', 0, 'mark-{u}', 'mark-{u}', 'mark-{u}', 1, 'mark-{u}', 1)",
        "INSERT INTO stretches VALUES ('mark-{u}', '{job}', 1, '{u}', 'mark-{u}', 0, 1, 'full', 'uk', '[]', 'done', 100, 'uk', 1, NULL, 1, 1, NULL, NULL, NULL, 1, 1)",
        "INSERT INTO voices VALUES ('voice-{u}', '{u}', 'mark-{u}', 1, 1)",
        "INSERT INTO voice_samples VALUES ('mark-{u}', 'voice-{u}', '{job}', 1, 'SPEAKER_0', 1, 1, 1, NULL, 'mark-{u}', '[1]', 9, 1)",
        "INSERT INTO voice_comparisons VALUES ('{job}', 1, 1, 1, 'mark-{u}', 1, 1)",
        "INSERT INTO voice_proposals VALUES ('{job}', 1, 'mark-{u}', 'voice-{u}', 0.9, 0)",
        "INSERT INTO analyses VALUES ('mark-{u}', '{job}', 1, 'summary', '', '{}', 'done', 100, NULL, 1, 'mark-{u}', NULL, 1, 1, NULL, NULL, NULL, 1, 1, 1, NULL, '{u}', 'mark-{u}')",
        "INSERT INTO assistant_messages VALUES ('mark-{u}', '{job}', 1, 'user', 'mark-{u}', '[]', NULL, 0, 1)",
        "INSERT INTO audit_log VALUES ('{audit}', '{u}', '{u}@example.com', 'plan.update', 'plan', 'p', 'P', '{u}@example.com\np', NULL, NULL, 1, 'mark-{u}')",
        "INSERT INTO audit_log VALUES ('{audit}', NULL, '', 'user.set_plan', 'user', '{u}', '{u}@example.com', '\n{u}@example.com', '{\"id\":\"{u}\"}', NULL, 1, NULL)",
        "INSERT INTO audit_log VALUES ('{audit}', NULL, '', 'job.open', 'job', '{job}', 'mark', '\nmark', NULL, '{\"owner\":\"{u}@example.com\"}', 1, NULL)",
        "INSERT INTO waveforms VALUES ('{job}', 1, '00')",
        "INSERT INTO webhook_services VALUES ('hook', 'Hook', 'https://example.com', '', 'processing', 1, '[]', 1, NULL, NULL, 1, 1, NULL, '[]', '[]') ON CONFLICT (id) DO NOTHING",
        "INSERT INTO webhook_services VALUES ('hook-{u}', 'mark-{u}', 'https://example.com', '', 'utility', 1, '[]', 1, NULL, NULL, 1, 1, '{u}', '[]', '[]')",
        "INSERT INTO sources VALUES ('mark-{u}', '{u}', 'mark-{u}', 'podcast', 'mark-{u}', '', 'mark-{u}', NULL, NULL, 1, 0, 1, 0, NULL, NULL, 1, NULL, 1, 1)",
        "INSERT INTO source_recordings VALUES ('mark-{u}', 'mark-{u}', 'hash', 'mark-{u}', 'mark-{u}', 'mark-{u}', 1, '', 1, 'started', '{job}', NULL, 1, 1, 0, 0)",
        "INSERT INTO targets VALUES ('mark-{u}', '{u}', 'mark-{u}', 'webdav', 'mark-{u}', 'mark-{u}', NULL, 'md', NULL, 1, 0, NULL, NULL, 1, NULL, 1, 1)",
        "INSERT INTO target_files VALUES ('mark-{u}', '{job}', 'written', 1, 'mark-{u}', NULL, NULL, NULL, 0, 0, 1)",
        "INSERT INTO webhook_deliveries VALUES ('mark-{u}', 'hook', 'msg', 'job.completed', '{job}', 'mark-{u}', 'pending', 0, 0, 1, NULL, NULL, NULL, NULL, 1, NULL)",
        "INSERT INTO synced_presets (id, preset_id, name, category, is_public, is_default, \
         transcription_type, language_code, settings, user_id, created_at, updated_at) VALUES \
         ('{media}', 'mark', 'mark-{u}', 'media', 1, 0, 'full', 'uk', '{}', '{u}', 1, 1)",
        "INSERT INTO synced_subscriptions VALUES ('plan', 1, NULL, 'Pro', '', 1, 'UAH', NULL, NULL, 1, '[]', 'fast', 1, 1) ON CONFLICT (id) DO NOTHING",
        "INSERT INTO synced_user_usage VALUES ('{u}', 1, 0, 9, 1, 1)",
        "INSERT INTO synced_usage_history VALUES ('{u}', 1, 'reserve', -1, 'mark-{u}', '{job}', 1, 1)",
        "INSERT INTO job_minutes VALUES ('{job}', 1, '{u}', 1, 1)",
        "INSERT INTO job_counts VALUES ('{u}', 1, 'mark-{u}', 'lite', '', 0, 1, 1)",
        "INSERT INTO job_count_changes VALUES ('{u}', 1, 'mark-{u}', 'lite', '', 0, 1, 1)",
        "INSERT INTO samples VALUES ('{u}', 1, 1)",
        "INSERT INTO nocodb_runs VALUES ('run', 'admin', 'partial', NULL, NULL, '{}', '[]', 1, 2, 3) ON CONFLICT (id) DO NOTHING",
        "INSERT INTO nocodb_conflicts VALUES ('job-{u}', 'run', 'jobs', '{job}', 1, '[]', 'here', 1, 1, 'mark-{u}', 1)",
        "INSERT INTO nocodb_conflicts VALUES ('preset-{u}', 'run', 'presets', '{media}', 1, '[]', 'here', 1, 1, 'mark-{u}', 1)",
        "INSERT INTO api_keys VALUES ('mark-{u}', '{u}', 'mark-{u}', 'mark-{u}', '', '[]', 1, NULL, 1, '')",
        "INSERT INTO idempotency_keys VALUES ('{u}', 'mark-{u}', '{job}', '', 1)",
        "INSERT INTO sign_ins VALUES ('mark-{u}', '{u}', '{u}@example.com', '', '', 'password', 'signed_in', 1, NULL, 1, 1)",
        "INSERT INTO admin_notices VALUES ('mark-{u}', 'plan_request', 'mark-{u}', '{u}', 0, 1)",
        "INSERT INTO plan_requests VALUES ('mark-{u}', '{u}', 'plan', 'mark-{u}', 'open', '', 1, NULL)",
        "INSERT INTO plan_trials VALUES ('{u}', 9)",
        "INSERT INTO plan_mails VALUES ('mark-{u}', '{u}', 'declined', 'Pro', 'mark-{u}', NULL, 9, 0, NULL, 1)",
    ];

    /// Inserts a row into every table that can hold data of the user, each containing the user's id
    /// or the word `mark-{user}`.
    async fn fill(connection: &mut Connection, user: &str) {
        account(connection, user).await;
        let job = Uuid::new_v4().to_string();
        let media = Uuid::new_v4().to_string();
        let upload = Uuid::new_v4().to_string();
        for statement in ROWS {
            let statement = statement
                .replace("{audit}", &Uuid::new_v4().to_string())
                .replace("{u}", user)
                .replace("{job}", &job)
                .replace("{media}", &media)
                .replace("{upload}", &upload);
            sqlx::query(sqlx::AssertSqlSafe(statement.clone()))
                .execute(&mut *connection)
                .await
                .unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    }

    #[apply(each_database!)]
    fn deleting_an_account_removes_all_its_data_and_no_other(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for user in ["leaver", "stayer"] {
                fill(&mut transaction, user).await;
            }
            transaction.commit().await.unwrap();
            let others = rows_with(&database, "stayer").await;
            // A new table must be filled above, or listed here as one without personal data.
            let mut connection = database.read().await.unwrap();
            let mut tables: Vec<String> = columns(&mut connection, database.backend())
                .await
                .into_iter()
                .map(|(table, _)| table)
                .filter(|table| !WITHOUT_PERSONAL_DATA.contains(&table.as_str()))
                .collect();
            tables.dedup();
            for table in tables {
                let statement = format!("SELECT COUNT(*) AS n FROM {table}");
                let row = sqlx::query(sqlx::AssertSqlSafe(statement))
                    .fetch_one(&mut *connection)
                    .await
                    .unwrap();
                assert!(row.get::<i64, _>("n") > 0, "{table} is not filled");
            }
            drop(connection);

            let mut transaction = database.write().await.unwrap();
            let deleted = delete_account(&mut transaction, "leaver").await.unwrap();
            let DeletionOutcome::Done(deleted_data) = deleted else {
                panic!("{deleted:?}");
            };
            assert_eq!((deleted_data.jobs.len(), deleted_data.media.len()), (1, 2));
            transaction.commit().await.unwrap();

            // Pending file removals are deleted with the files.
            let mut transaction = database.write().await.unwrap();
            let removals = file_removals::list(&mut transaction, None, 9)
                .await
                .unwrap();
            assert_eq!(removals.len(), deleted_data.media.len() + 1, "{removals:?}");
            for removal in &removals {
                file_removals::finish(&mut transaction, removal)
                    .await
                    .unwrap();
            }
            transaction.commit().await.unwrap();

            let mut remaining = rows_with(&database, "leaver").await;
            remaining.extend(rows_with(&database, &deleted_data.jobs[0].to_string()).await);
            for media in &deleted_data.media {
                remaining.extend(rows_with(&database, &media.to_string()).await);
            }
            assert_eq!(remaining, [], "left behind");
            assert_eq!(rows_with(&database, "stayer").await, others);
            let mut transaction = database.write().await.unwrap();
            assert!(
                !roles::claim_founding(&mut transaction, "next", 1)
                    .await
                    .unwrap()
            );
            let again = delete_account(&mut transaction, "leaver").await.unwrap();
            assert_eq!(again, DeletionOutcome::NoAccount);
        });
    }

    #[apply(each_database!)]
    fn only_one_of_the_last_two_administrators_can_be_deleted(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for user in ["u1", "u2"] {
                account(&mut transaction, user).await;
                roles::grant_admin(&mut transaction, user, 1).await.unwrap();
            }
            roles::claim_founding(&mut transaction, "u1", 1)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            let delete = |database: Database, user: &'static str| async move {
                let mut transaction = database.write().await.unwrap();
                let deleted = delete_account(&mut transaction, user).await.unwrap();
                transaction.commit().await.unwrap();
                deleted
            };
            let first = tokio::spawn(delete(database.clone(), "u1"));
            let second = tokio::spawn(delete(database.clone(), "u2"));
            let outcomes = [first.await.unwrap(), second.await.unwrap()];
            assert!(
                outcomes.contains(&DeletionOutcome::LastAdmin),
                "{outcomes:?}"
            );
            assert!(outcomes.contains(&DeletionOutcome::Done(LeftoverFiles::default())));
        });
    }
}
