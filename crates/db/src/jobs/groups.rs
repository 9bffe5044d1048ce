//! Tags and folders: tables `job_groups` and `grouped_jobs`. They belong to an account; another
//! account's are not found.

use slovo_rules::Valid;
use slovo_rules::group::{GroupForm, GroupKind};
use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::Fields;
use crate::{Connection, Result};

/// A tag or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Public id.
    pub id: Uuid,
    /// Whether it is a tag or a folder.
    pub kind: GroupKind,
    /// Its name.
    pub name: String,
    /// Index of its colour, from 0.
    pub color: u8,
}

/// A new tag or folder.
#[derive(Debug)]
pub struct NewGroup<'a> {
    /// Public id.
    pub id: Uuid,
    /// The owner's account id.
    pub user_id: &'a str,
    /// Whether it is a tag or a folder.
    pub kind: GroupKind,
    /// Name and colour.
    pub form: &'a Valid<GroupForm>,
    /// Unix milliseconds.
    pub now: i64,
}

/// Violated if an account has two groups of one kind with the same name.
pub const NAME_KEY: &str = "job_groups_user_id_kind_name_folded_key";

fn read(row: &AnyRow) -> Result<Group> {
    let fields = Fields::new(row, "job_groups", "id")?;
    Ok(Group {
        id: fields.uuid("id")?,
        kind: fields.word("kind")?,
        name: fields.text("name")?,
        color: u8::try_from(fields.integer("color")?)
            .map_err(|error| fields.error("color", error))?,
    })
}

/// The account's tags or folders, by name.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    user_id: &str,
    kind: GroupKind,
) -> Result<Vec<Group>> {
    sqlx::query(
        "SELECT id, kind, name, color FROM job_groups WHERE user_id = $1 AND kind = $2 \
         ORDER BY name_folded, id",
    )
    .bind(user_id)
    .bind(kind.as_str())
    .fetch_all(connection)
    .await?
    .iter()
    .map(read)
    .collect()
}

/// A tag or folder of the account.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Group>> {
    sqlx::query("SELECT id, kind, name, color FROM job_groups WHERE id = $1 AND user_id = $2")
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// How many groups of this kind an account has.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, user_id: &str, kind: GroupKind) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) AS n FROM job_groups WHERE user_id = $1 AND kind = $2")
        .bind(user_id)
        .bind(kind.as_str())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("n")?)
}

/// Creates a group.
///
/// # Errors
/// The constraint [`NAME_KEY`] if the account has a group of this kind with this name.
pub async fn insert(connection: &mut Connection, group: &NewGroup<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO job_groups (id, user_id, kind, name, name_folded, color, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(group.id.to_string())
    .bind(group.user_id)
    .bind(group.kind.as_str())
    .bind(&group.form.name)
    .bind(group.form.name.to_lowercase())
    .bind(i64::from(group.form.color))
    .bind(group.now)
    .execute(connection)
    .await?;
    Ok(())
}

/// The result of changing a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Updated {
    /// The account has no group with this id.
    NotFound,
    /// The name changed: the caller marks the group's jobs as stale for the search
    /// (`search::mark_tagged`) in the same transaction.
    Renamed,
    /// The name is the same; the colour may have changed.
    SameName,
}

/// Changes name and colour.
///
/// # Errors
/// The constraint [`NAME_KEY`] if the account has another group of this kind with this name.
pub async fn update(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    form: &Valid<GroupForm>,
) -> Result<Updated> {
    let before = find(&mut *connection, user_id, id).await?;
    let done = sqlx::query(
        "UPDATE job_groups SET name = $3, name_folded = $4, color = $5 \
         WHERE id = $1 AND user_id = $2",
    )
    .bind(id.to_string())
    .bind(user_id)
    .bind(&form.name)
    .bind(form.name.to_lowercase())
    .bind(i64::from(form.color))
    .execute(connection)
    .await?;
    // The update waited for concurrent additions of jobs, so those jobs are marked too.
    Ok(match before {
        _ if done.rows_affected() == 0 => Updated::NotFound,
        Some(before) if before.name == form.name => Updated::SameName,
        _ => Updated::Renamed,
    })
}

/// Prevents additions of jobs until the transaction ends; called before a deletion.
///
/// # Errors
/// When the database fails.
pub async fn close(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<()> {
    // In PostgreSQL a changed key waits for concurrent additions of jobs and blocks later ones.
    sqlx::query("UPDATE job_groups SET name_folded = id WHERE id = $1 AND user_id = $2")
        .bind(id.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a group; its jobs stay. `false` if the account has no group with this id. The caller
/// first [`close`]s it and marks its jobs as stale for the search (`search::mark_tagged`) in the
/// same transaction.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let done = sqlx::query("DELETE FROM job_groups WHERE id = $1 AND user_id = $2")
        .bind(id.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The names of a job's tags.
///
/// # Errors
/// When the database fails.
pub async fn tag_names(connection: &mut Connection, job: Uuid) -> Result<Vec<String>> {
    let rows = sqlx::query(
        "SELECT g.name FROM grouped_jobs o JOIN job_groups g ON g.id = o.group_id \
         WHERE o.my_job_id = $1 AND o.kind = 'tag' ORDER BY g.name_folded, g.id",
    )
    .bind(job.to_string())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok(row.try_get("name")?)).collect()
}

/// Locks the user's job until the transaction ends, in PostgreSQL too.
async fn lock(connection: &mut Connection, user_id: &str, job: Uuid) -> Result<()> {
    sqlx::query(
        "UPDATE synced_jobs SET lease_until = lease_until \
         WHERE my_job_id = $1 AND auth_user_id = $2",
    )
    .bind(job.to_string())
    .bind(user_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// The tags of the user's job, locked until the transaction ends.
///
/// # Errors
/// A row that cannot be read.
pub async fn tags_to_change(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
) -> Result<Vec<Uuid>> {
    lock(&mut *connection, user_id, job).await?;
    let rows =
        sqlx::query("SELECT group_id FROM grouped_jobs WHERE my_job_id = $1 AND kind = 'tag'")
            .bind(job.to_string())
            .fetch_all(connection)
            .await?;
    rows.iter()
        .map(|row| Fields::new(row, "grouped_jobs", "group_id")?.uuid("group_id"))
        .collect()
}

/// Puts a job into a group of the same account: adds a tag, or replaces the folder. Does nothing if
/// it already is in the group, or if either belongs to another account. Returns whether a tag was
/// added: then the caller marks the job as stale for the search (`search::mark_stale`) in the same
/// transaction.
///
/// # Errors
/// When the database fails.
pub async fn put(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
    group: Uuid,
) -> Result<bool> {
    // The job's name and length must not change while they are copied.
    lock(&mut *connection, user_id, job).await?;
    // A row of another folder is updated in place.
    sqlx::query(
        "UPDATE grouped_jobs SET group_id = $3 WHERE my_job_id = $2 AND kind = 'folder' \
         AND EXISTS (SELECT 1 FROM job_groups g WHERE g.id = $3 AND g.user_id = $1 \
         AND g.kind = 'folder') AND EXISTS (SELECT 1 FROM synced_jobs j \
         WHERE j.my_job_id = $2 AND j.auth_user_id = $1)",
    )
    .bind(user_id)
    .bind(job.to_string())
    .bind(group.to_string())
    .execute(&mut *connection)
    .await?;
    let done = sqlx::query(
        "INSERT INTO grouped_jobs (my_job_id, group_id, kind, job_created_at, job_name_key, \
         job_length) SELECT j.my_job_id, g.id, g.kind, j.created_at, j.name_key, \
         COALESCE(j.duration, -1) FROM synced_jobs j \
         JOIN job_groups g ON g.user_id = j.auth_user_id \
         WHERE j.auth_user_id = $1 AND j.my_job_id = $2 AND g.id = $3 ON CONFLICT DO NOTHING",
    )
    .bind(user_id)
    .bind(job.to_string())
    .bind(group.to_string())
    .execute(&mut *connection)
    .await?;
    let put = find(connection, user_id, group).await?;
    Ok(done.rows_affected() > 0 && put.is_some_and(|put| put.kind == GroupKind::Tag))
}

/// Removes a tag from a job; returns whether the job had it. The caller then marks the job as stale
/// for the search (`search::mark_stale`) in the same transaction.
///
/// # Errors
/// When the database fails.
pub async fn take(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
    group: Uuid,
) -> Result<bool> {
    let done = sqlx::query(
        "DELETE FROM grouped_jobs WHERE my_job_id = $2 AND group_id = $3 AND group_id IN \
         (SELECT g.id FROM job_groups g WHERE g.user_id = $1)",
    )
    .bind(user_id)
    .bind(job.to_string())
    .bind(group.to_string())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes a job from its folder.
///
/// # Errors
/// When the database fails.
pub async fn take_out(connection: &mut Connection, user_id: &str, job: Uuid) -> Result<()> {
    sqlx::query(
        "DELETE FROM grouped_jobs WHERE my_job_id = $2 AND kind = 'folder' AND group_id IN \
         (SELECT g.id FROM job_groups g WHERE g.user_id = $1)",
    )
    .bind(user_id)
    .bind(job.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use slovo_rules::group::validate;

    use super::*;
    use crate::jobs::tests::{account, enqueue};
    use crate::jobs::{self, Filter};
    use crate::testing::{Backend, apply, each_database, with_database};

    async fn make(connection: &mut Connection, user: &str, kind: GroupKind, name: &str) -> Uuid {
        let id = Uuid::new_v4();
        let group = NewGroup {
            id,
            user_id: user,
            kind,
            form: &validate(name, 3).unwrap(),
            now: 1,
        };
        insert(connection, &group).await.unwrap();
        id
    }

    /// The numbers of user `a`'s jobs in all of these groups.
    async fn found(connection: &mut Connection, groups: &[Uuid], name: &str) -> Vec<u128> {
        let mut filter = Filter {
            groups: groups.to_vec(),
            name: name.to_owned(),
            limit: 2,
            ..Filter::default()
        };
        let mut all = Vec::new();
        loop {
            let page = jobs::list(connection, "a", &filter).await.unwrap();
            let Some(last) = page.last() else { return all };
            filter.after = Some(filter.order.place(last));
            all.extend(page.iter().map(|job| job.id.as_u128()));
        }
    }

    #[apply(each_database!)]
    fn lists_are_of_a_tag_and_of_a_folder(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            account(&db, "b").await;
            let mut ids = Vec::new();
            for number in 1..=5 {
                let now = i64::try_from(number).unwrap();
                ids.push(enqueue(&db, "a", number, 0, now).await);
            }
            let foreign = enqueue(&db, "b", 9, 0, 9).await;
            let mut transaction = db.write().await.unwrap();
            let connection = &mut *transaction;
            let tag = make(connection, "a", GroupKind::Tag, "робота").await;
            let other = make(connection, "a", GroupKind::Tag, "дім").await;
            let folder = make(connection, "a", GroupKind::Folder, "Робота").await;
            let next = make(connection, "a", GroupKind::Folder, "Дім").await;
            let theirs = make(connection, "b", GroupKind::Tag, "робота").await;
            let mut given = Vec::new();
            for (number, group) in [
                (0, tag),
                (2, tag),
                (2, tag),
                (3, tag),
                (2, other),
                (2, folder),
                (3, folder),
                (3, next),
                (4, theirs),
            ] {
                let is_new = !given.contains(&(number, group)) && [tag, other].contains(&group);
                given.push((number, group));
                let put = put(connection, "a", ids[number], group).await;
                assert_eq!(put.unwrap(), is_new);
            }
            assert!(!put(connection, "a", foreign, tag).await.unwrap());
            put(connection, "b", ids[4], theirs).await.unwrap();
            for (groups, numbers) in [
                (vec![tag], vec![4, 3, 1]),
                (vec![other], vec![3]),
                (vec![tag, folder], vec![3]),
                (vec![folder], vec![3]),
                (vec![next], vec![4]),
                (vec![other, next], vec![]),
                (vec![theirs], vec![]),
            ] {
                assert_eq!(found(connection, &groups, "").await, numbers, "{groups:?}");
            }
            assert_eq!(found(connection, &[tag], "A.W").await, [4, 3, 1]);
            assert_eq!(found(connection, &[tag], "b").await, [] as [u128; 0]);
            let job = jobs::find(connection, "a", ids[2]).await.unwrap().unwrap();
            let mut tags = vec![tag, other];
            tags.sort();
            assert_eq!((job.tags, job.folder), (tags, Some(folder)));
            assert!(!take(connection, "b", ids[2], tag).await.unwrap());
            assert!(take(connection, "a", ids[2], other).await.unwrap());
            take_out(connection, "a", ids[2]).await.unwrap();
            let job = jobs::find(connection, "a", ids[2]).await.unwrap().unwrap();
            assert_eq!((job.tags, job.folder), (vec![tag], None));
            assert!(!delete(connection, "b", tag).await.unwrap());
            assert!(delete(connection, "a", tag).await.unwrap());
            assert_eq!(found(connection, &[tag], "").await, [] as [u128; 0]);
        });
    }

    #[apply(each_database!)]
    fn a_name_is_there_once_for_each_kind_and_account(backend: Backend) {
        with_database(backend, async |db| {
            account(&db, "a").await;
            account(&db, "b").await;
            let mut transaction = db.write().await.unwrap();
            let connection = &mut *transaction;
            let tag = make(connection, "a", GroupKind::Tag, "Їжаки").await;
            make(connection, "b", GroupKind::Tag, "Їжаки").await;
            make(connection, "a", GroupKind::Folder, "Їжаки").await;
            let form = validate("їжаки ", 5).unwrap();
            for (user, expected) in [
                ("a", Updated::Renamed),
                ("a", Updated::SameName),
                ("b", Updated::NotFound),
            ] {
                let updated = update(connection, user, tag, &form).await.unwrap();
                assert_eq!(updated, expected, "{user}");
            }
            let all = list(connection, "a", GroupKind::Tag).await.unwrap();
            let expected = Group {
                id: tag,
                kind: GroupKind::Tag,
                name: "їжаки".to_owned(),
                color: 5,
            };
            assert_eq!(all, [expected]);
            assert_eq!(count(connection, "a", GroupKind::Tag).await.unwrap(), 1);
            assert_eq!(find(connection, "b", tag).await.unwrap(), None);
            let again = NewGroup {
                id: Uuid::new_v4(),
                user_id: "a",
                kind: GroupKind::Tag,
                form: &validate("ЇЖАКИ", 0).unwrap(),
                now: 2,
            };
            let refused = insert(connection, &again).await.unwrap_err();
            assert_eq!(refused.constraint(), Some(NAME_KEY));
        });
    }
}
