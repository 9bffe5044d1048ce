//! Titles given by owners.

use uuid::Uuid;

use super::orders::store_name_key;
use crate::core::statement::statements;
use crate::{Connection, Result};

statements! {
    const UPDATE_TITLE: BOTH =
        "UPDATE synced_jobs SET title = $3, title_folded = $4 \
         WHERE my_job_id = $1 AND auth_user_id = $2";
}

/// Sets or clears the title of the user's job; without one its file name is displayed. `false` if
/// the user has no such job. The caller marks the job as stale for the search
/// (`search::mark_stale`) in the same transaction.
///
/// # Errors
/// When the database fails.
pub async fn set_title(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    title: Option<&str>,
) -> Result<bool> {
    let done = sqlx::query(UPDATE_TITLE)
        .bind(id.to_string())
        .bind(user_id)
        .bind(title)
        .bind(title.unwrap_or_default().to_lowercase())
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    store_name_key(connection, &id.to_string()).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::tests::{account, enqueue};
    use crate::jobs::{self, AllJobsFilter, Filter};
    use crate::testing::{Backend, apply, each_database, with_database};

    /// The last digits of the user's jobs found by name.
    async fn found(connection: &mut Connection, text: &str) -> Vec<u128> {
        let filter = Filter {
            name: text.to_owned(),
            limit: 9,
            ..Filter::default()
        };
        let found = jobs::list(connection, "a", &filter).await.unwrap();
        found.iter().map(|job| job.id.as_u128()).collect()
    }

    #[apply(each_database!)]
    fn a_titled_job_is_found_by_its_title_and_its_file_name(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            account(&db, "b").await;
            let job = enqueue(&db, "a", 1, 0, 10).await;
            enqueue(&db, "a", 2, 0, 20).await;
            let mut transaction = db.write().await.unwrap();
            let title = "Нарада про ЇЖАКІВ 100%";
            for (user, done) in [("b", false), ("a", true)] {
                let set = set_title(&mut transaction, user, job, Some(title)).await;
                assert_eq!(set.unwrap(), done, "{user}");
            }
            for (text, numbers) in [
                ("їжак", vec![1]),
                ("100%", vec![1]),
                ("0%", vec![1]),
                ("a.wav", vec![2, 1]),
                ("a", vec![2, 1]),
                // Text across the end of the title and the start of the file name does not match.
                ("%a", vec![]),
                ("нарада%", vec![]),
            ] {
                assert_eq!(found(&mut transaction, text).await, numbers, "{text}");
            }
            let filter = AllJobsFilter {
                text: "НАРАДА".to_owned(),
                limit: 9,
                ..AllJobsFilter::default()
            };
            let all = jobs::list_all(&mut transaction, &filter).await.unwrap();
            assert_eq!(all.len(), 1);
            assert_eq!(all[0].job.name(), title);
            assert!(set_title(&mut transaction, "a", job, None).await.unwrap());
            assert_eq!(found(&mut transaction, "їжак").await, [] as [u128; 0]);
            let job = jobs::find(&mut transaction, "a", job)
                .await
                .unwrap()
                .unwrap();
            assert_eq!((job.title.as_deref(), job.name()), (None, "a.wav"));
        });
    }
}
