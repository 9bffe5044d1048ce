//! External services that the server calls: table `webhook_services`. Administrators register them
//! for all jobs, users for their own jobs.

use slovo_rules::Valid;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::user_webhook::UserWebhookForm;
use slovo_rules::webhook::{WebhookCategory, WebhookEvent, WebhookForm};
use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::webhooks::deliveries::{Lane, Status};
use crate::{Connection, Result};

/// A service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its id.
    pub id: Uuid,
    /// Values that were filled in; a user's webhook has no description, category and modes.
    pub form: WebhookForm,
    /// Of a user's webhook: whose it is, and what it is notified of.
    pub subscription: Option<Subscription>,
    /// Number of its newest signing key, from 1.
    pub key_number: i64,
    /// When that key was made, unless it is the first. Unix milliseconds.
    pub rotated_at: Option<i64>,
    /// Why the server has deactivated it.
    pub disabled_by: Option<String>,
    /// State of its newest delivery.
    pub last_delivery: Option<Status>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

impl Service {
    /// The lane in which its deliveries are sent.
    #[must_use]
    pub fn lane(&self) -> Lane {
        match self.subscription {
            None => Lane::Administrators,
            Some(_) => Lane::Users,
        }
    }

    /// Whether it is a webhook of this user.
    #[must_use]
    pub fn is_of_user(&self, user_id: &str) -> bool {
        let subscription = self.subscription.as_ref();
        subscription.is_some_and(|subscription| subscription.owner == user_id)
    }
}

/// What a user's webhook is notified of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The account whose jobs it is notified of.
    pub owner: String,
    /// The events.
    pub events: Vec<WebhookEvent>,
    /// Ids of the folders that it is limited to; none for all jobs.
    pub folders: Vec<String>,
}

/// A service as it is stored.
struct ServiceRow {
    id: Uuid,
    name: String,
    url: String,
    description: String,
    category: WebhookCategory,
    is_active: bool,
    modes: Vec<TranscriptionType>,
    key_number: i64,
    rotated_at: Option<i64>,
    disabled_by: Option<String>,
    last_delivery: Option<Status>,
    created_at: i64,
    updated_at: i64,
    owner_id: Option<String>,
    events: Vec<WebhookEvent>,
    folders: Vec<String>,
}

row_columns! {
    fn read_row() -> ServiceRow from "webhook_services" by "id" {
        id: uuid,
        name: text,
        url: text,
        description: text,
        category: word,
        is_active: flag,
        modes: json,
        key_number: integer,
        rotated_at: integer_or_none,
        disabled_by: text_or_none,
        last_delivery: word_or_none,
        created_at: integer,
        updated_at: integer,
        owner_id: text_or_none,
        events: json,
        folders: json,
    }
}

fn read(row: &AnyRow) -> Result<Service> {
    let row = read_row(row)?;
    let (events, folders) = (row.events, row.folders);
    let subscription = |owner| Subscription {
        owner,
        events,
        folders,
    };
    Ok(Service {
        id: row.id,
        subscription: row.owner_id.map(subscription),
        form: WebhookForm {
            name: row.name,
            url: row.url,
            description: row.description,
            category: row.category,
            is_active: row.is_active,
            modes: row.modes,
        },
        key_number: row.key_number,
        rotated_at: row.rotated_at,
        disabled_by: row.disabled_by,
        last_delivery: row.last_delivery,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

/// Selects services that match a condition, with the state of their newest delivery.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!(
                "s.": id, name, url, description, category, is_active, modes, key_number,
                rotated_at, disabled_by, created_at, updated_at, owner_id, events, folders
            ),
            ", (SELECT d.status FROM webhook_deliveries d WHERE d.service_id = s.id \
             ORDER BY d.created_at DESC, d.id DESC LIMIT 1) AS last_delivery \
             FROM webhook_services s ",
            $condition
        )
    };
}

statements! {
    const SELECT_SERVICES: BOTH -> ServiceRow =
        select!("WHERE s.owner_id IS NULL ORDER BY s.created_at, s.id");
    const SELECT_ACTIVE_SERVICES: BOTH -> ServiceRow =
        select!("WHERE s.owner_id IS NULL AND s.is_active = 1 ORDER BY s.created_at, s.id");
    const SELECT_OF_USER: BOTH -> ServiceRow =
        select!("WHERE s.owner_id = $1 ORDER BY s.created_at, s.id");
    const SELECT_SERVICE: BOTH -> ServiceRow = select!("WHERE s.id = $1");
    const SELECT_ACTIVE_OF_CATEGORY: BOTH -> ServiceRow =
        select!("WHERE s.owner_id IS NULL AND s.is_active = 1 AND s.category = $1 \
            ORDER BY s.created_at, s.id");
}

async fn read_all(connection: &mut Connection, statement: &'static str) -> Result<Vec<Service>> {
    let rows = sqlx::query(statement).fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

/// All services of administrators by category, within a category oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection) -> Result<Vec<Service>> {
    let mut all = read_all(connection, SELECT_SERVICES).await?;
    all.sort_by_key(|service| service.form.category);
    Ok(all)
}

/// The active services of administrators, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn active(connection: &mut Connection) -> Result<Vec<Service>> {
    read_all(connection, SELECT_ACTIVE_SERVICES).await
}

/// The webhooks of a user, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_user(connection: &mut Connection, user_id: &str) -> Result<Vec<Service>> {
    let rows = sqlx::query(SELECT_OF_USER)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The service `id`, of administrators or of a user.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, id: Uuid) -> Result<Option<Service>> {
    let row = sqlx::query(SELECT_SERVICE)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The external recognition service for this mode: the oldest active one.
///
/// # Errors
/// A row that cannot be read.
pub async fn recogniser(
    connection: &mut Connection,
    mode: TranscriptionType,
) -> Result<Option<Service>> {
    let rows = sqlx::query(SELECT_ACTIVE_OF_CATEGORY)
        .bind(word(&WebhookCategory::Transcription))
        .fetch_all(connection)
        .await?;
    for row in &rows {
        let service = read(row)?;
        if service.form.modes.contains(&mode) {
            return Ok(Some(service));
        }
    }
    Ok(None)
}

statements! {
    const COUNT_SERVICES: BOTH =
        "SELECT COUNT(*) AS n FROM webhook_services WHERE owner_id IS NULL";
    const COUNT_OF_USER: BOTH =
        "SELECT COUNT(*) AS n FROM webhook_services WHERE owner_id = $1";
}

/// Number of services of administrators.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query(COUNT_SERVICES).fetch_one(connection).await?;
    Ok(row.try_get("n")?)
}

/// Number of webhooks of a user.
///
/// # Errors
/// When the database fails.
pub async fn count_of_user(connection: &mut Connection, user_id: &str) -> Result<i64> {
    let row = sqlx::query(COUNT_OF_USER)
        .bind(user_id)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("n")?)
}

statements! {
    const INSERT_SERVICE: BOTH =
        "INSERT INTO webhook_services (id, name, url, description, category, is_active, modes, \
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";
}

/// Stores a new service of administrators.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<WebhookForm>,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT_SERVICE)
        .bind(id.to_string())
        .bind(&form.name)
        .bind(&form.url)
        .bind(&form.description)
        .bind(word(&form.category))
        .bind(i64::from(form.is_active))
        .bind(json(&form.modes))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const UPDATE_SERVICE: BOTH =
        "UPDATE webhook_services SET name = $2, url = $3, description = $4, category = $5, \
         is_active = $6, modes = $7, updated_at = $8, \
         disabled_by = CASE WHEN CAST($6 AS BIGINT) = 1 THEN NULL ELSE disabled_by END \
         WHERE id = $1";
}

/// Changes a service; activating it clears the reason of its deactivation. `false` if there is
/// none.
///
/// # Errors
/// When the database fails.
pub async fn update(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<WebhookForm>,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(UPDATE_SERVICE)
        .bind(id.to_string())
        .bind(&form.name)
        .bind(&form.url)
        .bind(&form.description)
        .bind(word(&form.category))
        .bind(i64::from(form.is_active))
        .bind(json(&form.modes))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const INSERT_OF_USER: BOTH =
        "INSERT INTO webhook_services (id, owner_id, name, url, is_active, events, folders, \
         description, category, modes, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, '', $8, '[]', $9, $9)";
    const UPDATE_OF_USER: BOTH =
        "UPDATE webhook_services SET name = $3, url = $4, is_active = $5, events = $6, \
         folders = $7, updated_at = $8, \
         disabled_by = CASE WHEN CAST($5 AS BIGINT) = 1 THEN NULL ELSE disabled_by END \
         WHERE id = $1 AND owner_id = $2";
}

/// Stores a new webhook of a user.
///
/// # Errors
/// When the database fails.
pub async fn insert_of_user(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    form: &Valid<UserWebhookForm>,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT_OF_USER)
        .bind(id.to_string())
        .bind(user_id)
        .bind(&form.name)
        .bind(&form.url)
        .bind(i64::from(form.is_active))
        .bind(json(&form.events))
        .bind(json(&form.folders))
        .bind(word(&WebhookCategory::Utility))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Changes a webhook of a user; activating it clears the reason of its deactivation. `false` if the
/// user has no such webhook.
///
/// # Errors
/// When the database fails.
pub async fn update_of_user(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    form: &Valid<UserWebhookForm>,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(UPDATE_OF_USER)
        .bind(id.to_string())
        .bind(user_id)
        .bind(&form.name)
        .bind(&form.url)
        .bind(i64::from(form.is_active))
        .bind(json(&form.events))
        .bind(json(&form.folders))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const ROTATE_KEY: BOTH =
        "UPDATE webhook_services SET key_number = key_number + 1, rotated_at = $2, \
         updated_at = $2 WHERE id = $1";
}

/// Switches a service to its next signing key. `false` if there is none.
///
/// # Errors
/// When the database fails.
pub async fn rotate(connection: &mut Connection, id: Uuid, now: i64) -> Result<bool> {
    let done = sqlx::query(ROTATE_KEY)
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const DISABLE_SERVICE: BOTH =
        "UPDATE webhook_services SET is_active = 0, disabled_by = $2, updated_at = $3 \
         WHERE id = $1 AND is_active = 1";
}

/// Deactivates a service because of its responses.
///
/// # Errors
/// When the database fails.
pub async fn disable(connection: &mut Connection, id: Uuid, by: &str, now: i64) -> Result<()> {
    sqlx::query(DISABLE_SERVICE)
        .bind(id.to_string())
        .bind(by)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_SERVICE: BOTH = "DELETE FROM webhook_services WHERE id = $1";
}

/// Deletes a service with all its deliveries. `false` if there is none.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_SERVICE)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use slovo_rules::webhook::validate;

    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    fn form(name: &str, category: WebhookCategory, modes: &[TranscriptionType]) -> WebhookForm {
        WebhookForm {
            name: name.to_owned(),
            url: "https://example.com/hook".to_owned(),
            category,
            modes: modes.to_vec(),
            ..WebhookForm::default()
        }
    }

    #[apply(each_database!)]
    fn services_are_listed_by_category_and_one_is_the_recogniser(backend: Backend) {
        use TranscriptionType::{Full, Lite};
        use WebhookCategory::{Transcription, Upload, Utility};
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            let all = [
                form("a", Utility, &[]),
                form("b", Transcription, &[Full]),
                form("c", Upload, &[]),
                form("d", Transcription, &[Full, Lite]),
            ];
            for (number, form) in (1..).zip(&all) {
                let id = Uuid::from_u128(number);
                let now = i64::try_from(number).unwrap();
                insert(&mut transaction, id, &validate(form).unwrap(), now)
                    .await
                    .unwrap();
            }
            let listed = list(&mut transaction).await.unwrap();
            let names: Vec<_> = listed
                .iter()
                .map(|service| service.form.name.as_str())
                .collect();
            assert_eq!(names, ["c", "b", "d", "a"]);
            assert_eq!(listed[1].form, all[1]);
            assert_eq!(count(&mut transaction).await.unwrap(), 4);
            let recogniser_of = async |connection: &mut Connection, mode| {
                let found = recogniser(connection, mode).await.unwrap();
                found.map(|service| service.form.name)
            };
            assert_eq!(
                recogniser_of(&mut transaction, Full).await.as_deref(),
                Some("b")
            );
            assert_eq!(
                recogniser_of(&mut transaction, Lite).await.as_deref(),
                Some("d")
            );

            let b = Uuid::from_u128(2);
            disable(&mut transaction, b, "gone", 9).await.unwrap();
            assert_eq!(
                recogniser_of(&mut transaction, Full).await.as_deref(),
                Some("d")
            );
            assert_eq!(active(&mut transaction).await.unwrap().len(), 3);
            let found = find(&mut transaction, b).await.unwrap().unwrap();
            assert_eq!(
                (found.disabled_by.as_deref(), found.updated_at),
                (Some("gone"), 9)
            );
            assert!(rotate(&mut transaction, b, 10).await.unwrap());
            let again = validate(&all[1]).unwrap();
            assert!(update(&mut transaction, b, &again, 11).await.unwrap());
            let found = find(&mut transaction, b).await.unwrap().unwrap();
            assert_eq!(found.disabled_by, None);
            assert_eq!((found.key_number, found.rotated_at), (2, Some(10)));

            assert!(delete(&mut transaction, b).await.unwrap());
            assert!(!delete(&mut transaction, b).await.unwrap());
            assert!(!update(&mut transaction, b, &again, 12).await.unwrap());
            assert!(!rotate(&mut transaction, b, 12).await.unwrap());
            assert_eq!(find(&mut transaction, b).await.unwrap(), None);
        });
    }
}
