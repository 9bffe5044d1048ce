//! Everybody's jobs, for administrators.

use super::names::{self, Place};
use super::{COLUMNS, Job, lists, read};
use crate::connect::Backend;
use crate::fields::{Fields, containing};
use crate::{Connection, Result};

/// A job and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Owned {
    /// The job.
    pub job: Job,
    /// Its owner; `None` if there is no such account.
    pub owner: Option<Owner>,
}

/// Whose a job is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The account.
    pub id: String,
    /// Normalised.
    pub email: String,
    /// From the profile.
    pub fullname: Option<String>,
}

/// Whether the text is in the name or the id.
const FITS: &str = "WHERE (j.filename_folded LIKE $2 ESCAPE '!' OR j.my_job_id LIKE $2 ESCAPE '!')";
/// The end of a list.
const NEWEST: &str = "ORDER BY j.created_at DESC, j.my_job_id DESC LIMIT $1";

/// The newest jobs of all users that have the text in their name, in any case, or in their id; all
/// of them for an empty text. One whose row cannot be read is left out.
///
/// # Errors
/// When the database fails.
pub async fn everybodys(connection: &mut Connection, text: &str, limit: u32) -> Result<Vec<Owned>> {
    let backend = Backend::of(connection);
    let text = text.trim();
    let asked = [Place::Name, Place::Id].map(|place| names::asked(text, place));
    let mut all = text.is_empty();
    for asked in &asked {
        all = all || names::is_frequent(&mut *connection, backend, asked).await?;
    }
    let places = if text.is_empty() {
        format!("SELECT j.created_at, j.my_job_id FROM synced_jobs j {NEWEST}")
    } else if all {
        format!("SELECT j.created_at, j.my_job_id FROM synced_jobs j {FITS} {NEWEST}")
    } else {
        // The limit within keeps either database from going through all jobs instead.
        format!(
            "SELECT j.created_at, j.my_job_id FROM (SELECT j.created_at, j.my_job_id FROM \
             (SELECT my_job_id FROM {} name UNION SELECT my_job_id FROM {} id) found \
             CROSS JOIN synced_jobs j {FITS} AND j.my_job_id = found.my_job_id LIMIT {}) j {NEWEST}",
            names::table(backend, 3, names::FREQUENT),
            names::table(backend, 4, names::FREQUENT),
            2 * names::FREQUENT
        )
    };
    let statement = format!(
        "SELECT {COLUMNS}, a.email AS owner_email, p.fullname AS owner_name FROM ({places}) place \
         CROSS JOIN synced_jobs j LEFT JOIN accounts a ON a.id = j.auth_user_id \
         LEFT JOIN profiles p ON p.user_id = j.auth_user_id \
         WHERE j.my_job_id = place.my_job_id ORDER BY j.created_at DESC, j.my_job_id DESC"
    );
    // Only numbers of parameters are put into the text.
    let mut select = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(i64::from(limit));
    if !text.is_empty() {
        select = select.bind(containing(text));
        if !all {
            for asked in asked {
                select = select.bind(asked);
            }
        }
    }
    let rows = select.fetch_all(connection).await?;
    let mut found = Vec::new();
    for row in &rows {
        let Some(job) = lists::readable(read(row))? else {
            continue;
        };
        let fields = Fields::new(row, "accounts", "my_job_id")?;
        let owner = match fields.text_or_none("owner_email")? {
            Some(email) => Some(Owner {
                id: job.user_id.clone(),
                email,
                fullname: fields.text_or_none("owner_name")?,
            }),
            None => None,
        };
        found.push(Owned { job, owner });
    }
    Ok(found)
}

/// Whose the job is, where that is an account.
///
/// # Errors
/// A row that cannot be read.
pub async fn owner(connection: &mut Connection, job: &Job) -> Result<Option<Owner>> {
    let row = sqlx::query(
        "SELECT a.id, a.email, p.fullname FROM accounts a \
         LEFT JOIN profiles p ON p.user_id = a.id WHERE a.id = $1",
    )
    .bind(&job.user_id)
    .fetch_optional(connection)
    .await?;
    let owner = row.map(|row| {
        let fields = Fields::new(&row, "accounts", "id")?;
        Ok(Owner {
            id: fields.text("id")?,
            email: fields.text("email")?,
            fullname: fields.text_or_none("fullname")?,
        })
    });
    owner.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;
    use crate::queue_tests::{account, enqueue};
    use crate::testing::{Backend, apply, each_database, execute, with_database};

    #[apply(each_database!)]
    fn everybodys_jobs_are_found_by_a_part_of_name_or_id(backend: Backend) {
        with_database(backend, async |db| {
            for user in ["a", "b"] {
                account(&db, user).await;
            }
            for (user, number, now) in [("a", 0xabc1, 10), ("b", 0xabc2, 20), ("a", 3, 20)] {
                enqueue(&db, user, number, 0, now).await;
            }
            let mut transaction = db.write().await.unwrap();
            profiles::set_fullname(&mut transaction, "b", "Ольга", 1)
                .await
                .unwrap();
            for damage in [
                "UPDATE synced_jobs SET filename_folded = '100%_їжак.wav' WHERE created_at = 10",
                "UPDATE synced_jobs SET media_id = 'x' WHERE my_job_id LIKE '%03'",
            ] {
                execute(&mut transaction, damage).await;
            }
            let mut find = async |text: &str, limit| {
                let found = everybodys(&mut transaction, text, limit).await.unwrap();
                found
                    .into_iter()
                    .map(|one| (one.job.id.as_u128(), one.owner.unwrap()))
                    .collect::<Vec<_>>()
            };
            let all = find("", 9).await;
            let ids = |found: &[(u128, Owner)]| found.iter().map(|one| one.0).collect::<Vec<_>>();
            assert_eq!(ids(&all), [0xabc2, 0xabc1]);
            let (_, owner) = &all[0];
            assert_eq!(owner.email, "b@example.com");
            assert_eq!(owner.fullname.as_deref(), Some("Ольга"));
            assert_eq!(all[1].1.fullname, None);
            assert_eq!(ids(&find(" ABC ", 9).await), [0xabc2, 0xabc1]);
            assert_eq!(ids(&find("bc1", 9).await), [0xabc1]);
            assert_eq!(ids(&find("ЇЖАК", 9).await), [0xabc1]);
            assert_eq!(ids(&find("%_", 9).await), [0xabc1]);
            assert_eq!(ids(&find("%__", 9).await), []);
        });
    }
}
