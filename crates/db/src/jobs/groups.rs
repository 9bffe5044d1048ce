//! Tags and folders: tables `job_groups` and `grouped_jobs`. They belong to an account; another
//! account's are not found.

use slovo_rules::Valid;
use slovo_rules::group::{GroupForm, GroupKind};
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::Fields;
use crate::core::statement::{row_columns, statements};
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

row_columns! {
    fn read() -> Group from "job_groups" by "id" {
        id: uuid,
        kind: word,
        name: text,
        color: index,
    }
}

/// The columns of [`Group`].
macro_rules! group_columns {
    () => {
        "id, kind, name, color"
    };
}

statements! {
    const SELECT_GROUPS: BOTH -> Group = concat!(
        "SELECT ",
        group_columns!(),
        " FROM job_groups WHERE user_id = $1 AND kind = $2 ORDER BY name_folded, id"
    );
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
    sqlx::query(SELECT_GROUPS)
        .bind(user_id)
        .bind(kind.as_str())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const SELECT_GROUP: BOTH -> Group = concat!(
        "SELECT ",
        group_columns!(),
        " FROM job_groups WHERE id = $1 AND user_id = $2"
    );
}

/// A tag or folder of the account.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Group>> {
    sqlx::query(SELECT_GROUP)
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const COUNT_GROUPS: BOTH =
        "SELECT COUNT(*) AS n FROM job_groups WHERE user_id = $1 AND kind = $2";
}

/// How many groups of this kind an account has.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, user_id: &str, kind: GroupKind) -> Result<i64> {
    let row = sqlx::query(COUNT_GROUPS)
        .bind(user_id)
        .bind(kind.as_str())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("n")?)
}

statements! {
    const INSERT_GROUP: BOTH =
        "INSERT INTO job_groups (id, user_id, kind, name, name_folded, color, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)";
}

/// Creates a group.
///
/// # Errors
/// The constraint [`NAME_KEY`] if the account has a group of this kind with this name.
pub async fn insert(connection: &mut Connection, group: &NewGroup<'_>) -> Result<()> {
    sqlx::query(INSERT_GROUP)
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
pub enum UpdateOutcome {
    /// The account has no group with this id.
    NotFound,
    /// The name changed: the caller marks the group's jobs as stale for the search
    /// (`search::mark_tagged_jobs_stale`) in the same transaction.
    Renamed,
    /// The name is the same; the colour may have changed.
    SameName,
}

statements! {
    const UPDATE_GROUP: BOTH =
        "UPDATE job_groups SET name = $3, name_folded = $4, color = $5 \
         WHERE id = $1 AND user_id = $2";
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
) -> Result<UpdateOutcome> {
    let before = find(&mut *connection, user_id, id).await?;
    let done = sqlx::query(UPDATE_GROUP)
        .bind(id.to_string())
        .bind(user_id)
        .bind(&form.name)
        .bind(form.name.to_lowercase())
        .bind(i64::from(form.color))
        .execute(connection)
        .await?;
    // The update waited for concurrent additions of jobs, so those jobs are marked too.
    Ok(match before {
        _ if done.rows_affected() == 0 => UpdateOutcome::NotFound,
        Some(before) if before.name == form.name => UpdateOutcome::SameName,
        _ => UpdateOutcome::Renamed,
    })
}

statements! {
    const BLOCK_ADDITIONS: BOTH =
        "UPDATE job_groups SET name_folded = id WHERE id = $1 AND user_id = $2";
}

/// Blocks additions of jobs until the transaction ends; called before a deletion.
///
/// # Errors
/// When the database fails.
pub async fn block_additions(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<()> {
    // In PostgreSQL a changed key waits for concurrent additions of jobs and blocks later ones.
    sqlx::query(BLOCK_ADDITIONS)
        .bind(id.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_GROUP: BOTH = "DELETE FROM job_groups WHERE id = $1 AND user_id = $2";
}

/// Deletes a group; its jobs stay. `false` if the account has no group with this id. The caller
/// first calls [`block_additions`] and marks its jobs as stale for the search
/// (`search::mark_tagged_jobs_stale`) in the same transaction.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_GROUP)
        .bind(id.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const SELECT_TAG_NAMES: BOTH =
        "SELECT g.name FROM grouped_jobs o JOIN job_groups g ON g.id = o.group_id \
         WHERE o.my_job_id = $1 AND o.kind = 'tag' ORDER BY g.name_folded, g.id";
}

/// The names of a job's tags.
///
/// # Errors
/// When the database fails.
pub async fn tag_names(connection: &mut Connection, job: Uuid) -> Result<Vec<String>> {
    let rows = sqlx::query(SELECT_TAG_NAMES)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| Ok(row.try_get("name")?)).collect()
}

statements! {
    const LOCK_JOB: BOTH =
        "UPDATE synced_jobs SET lease_until = lease_until \
         WHERE my_job_id = $1 AND auth_user_id = $2";
}

/// Locks the user's job until the transaction ends, in PostgreSQL too.
async fn lock(connection: &mut Connection, user_id: &str, job: Uuid) -> Result<()> {
    sqlx::query(LOCK_JOB)
        .bind(job.to_string())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_TAGS_OF_JOB: BOTH =
        "SELECT group_id FROM grouped_jobs WHERE my_job_id = $1 AND kind = 'tag'";
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
    let rows = sqlx::query(SELECT_TAGS_OF_JOB)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Fields::new(row, "grouped_jobs", "group_id")?.uuid("group_id"))
        .collect()
}

statements! {
    const UPDATE_FOLDER_OF_JOB: BOTH =
        "UPDATE grouped_jobs SET group_id = $3 WHERE my_job_id = $2 AND kind = 'folder' \
         AND EXISTS (SELECT 1 FROM job_groups g WHERE g.id = $3 AND g.user_id = $1 \
         AND g.kind = 'folder') AND EXISTS (SELECT 1 FROM synced_jobs j \
         WHERE j.my_job_id = $2 AND j.auth_user_id = $1)";
    const INSERT_GROUPED_JOB: BOTH =
        "INSERT INTO grouped_jobs (my_job_id, group_id, kind, job_created_at, job_name_key, \
         job_length) SELECT j.my_job_id, g.id, g.kind, j.created_at, j.name_key, \
         COALESCE(j.duration, -1) FROM synced_jobs j \
         JOIN job_groups g ON g.user_id = j.auth_user_id \
         WHERE j.auth_user_id = $1 AND j.my_job_id = $2 AND g.id = $3 ON CONFLICT DO NOTHING";
}

/// Puts a job into a group of the same account: adds a tag, or replaces the folder. Does nothing if
/// it already is in the group, or if either belongs to another account. Returns whether a tag was
/// added: then the caller marks the job as stale for the search (`search::mark_stale`) in the same
/// transaction.
///
/// # Errors
/// When the database fails.
pub async fn add_job(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
    group: Uuid,
) -> Result<bool> {
    // The job's name and length must not change while they are copied.
    lock(&mut *connection, user_id, job).await?;
    // A row of another folder is updated in place.
    sqlx::query(UPDATE_FOLDER_OF_JOB)
        .bind(user_id)
        .bind(job.to_string())
        .bind(group.to_string())
        .execute(&mut *connection)
        .await?;
    let done = sqlx::query(INSERT_GROUPED_JOB)
        .bind(user_id)
        .bind(job.to_string())
        .bind(group.to_string())
        .execute(&mut *connection)
        .await?;
    let put = find(connection, user_id, group).await?;
    Ok(done.rows_affected() > 0 && put.is_some_and(|put| put.kind == GroupKind::Tag))
}

statements! {
    const DELETE_TAG_OF_JOB: BOTH =
        "DELETE FROM grouped_jobs WHERE my_job_id = $2 AND group_id = $3 AND group_id IN \
         (SELECT g.id FROM job_groups g WHERE g.user_id = $1)";
}

/// Removes a tag from a job; returns whether the job had it. The caller then marks the job as stale
/// for the search (`search::mark_stale`) in the same transaction.
///
/// # Errors
/// When the database fails.
pub async fn remove_tag(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
    group: Uuid,
) -> Result<bool> {
    let done = sqlx::query(DELETE_TAG_OF_JOB)
        .bind(user_id)
        .bind(job.to_string())
        .bind(group.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const DELETE_FOLDER_OF_JOB: BOTH =
        "DELETE FROM grouped_jobs WHERE my_job_id = $2 AND kind = 'folder' AND group_id IN \
         (SELECT g.id FROM job_groups g WHERE g.user_id = $1)";
}

/// Removes a job from its folder.
///
/// # Errors
/// When the database fails.
pub async fn remove_from_folder(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
) -> Result<()> {
    sqlx::query(DELETE_FOLDER_OF_JOB)
        .bind(user_id)
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
