//! Plans: table `synced_subscriptions`.

pub mod ledger;
pub mod mails;
pub mod requests;
pub mod trials;

use slovo_rules::Valid;
use slovo_rules::minutes::{from_hundredths, to_hundredths};
use slovo_rules::plan::PlanForm;
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its id.
    pub id: Uuid,
    /// Its number, shown to people.
    pub number: i64,
    /// Its row in the external database, if it has one.
    pub nocodb_id: Option<String>,
    /// Values set by administrators.
    pub form: PlanForm,
    /// Number of accounts with this plan; 0 if not queried.
    pub users: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// The columns of a [`Plan`] except `users`, each after `$table`, for example `s.`.
macro_rules! plan_columns {
    ($table:literal) => {
        columns!(
            $table: id, subscription_id, nocodb_id, name, description, price, currency,
            monthly_minutes_limit, max_file_duration_minutes, is_active, features, queue_speed,
            created_at, updated_at
        )
    };
}

row_columns! {
    fn read_form() -> PlanForm from "synced_subscriptions" by "id" {
        name: text,
        description: text,
        price: number,
        currency: text,
        monthly_minutes_limit: integer_or_none => minutes,
        max_file_duration_minutes: integer_or_none => minutes,
        is_active: flag,
        features: json,
        queue_speed: word,
    }
}

row_columns! {
    fn read() -> Plan from "synced_subscriptions" by "id" {
        id: uuid,
        number: integer in "subscription_id",
        nocodb_id: text_or_none,
        users: integer,
        created_at: integer,
        updated_at: integer;
        form: read_form,
    }
}

/// A stored limit in minutes.
pub(crate) fn minutes(hundredths: Option<i64>) -> Option<f64> {
    hundredths.map(from_hundredths)
}

statements! {
    const LIST: BOTH -> Plan, PlanForm = concat!(
        "SELECT ",
        plan_columns!("s."),
        ", (SELECT COUNT(*) FROM synced_users u \
         WHERE u.subscription_id = s.subscription_id) AS users \
         FROM synced_subscriptions s ORDER BY created_at DESC, subscription_id DESC"
    );
}

/// All plans, the newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection) -> Result<Vec<Plan>> {
    let rows = sqlx::query(LIST).fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

statements! {
    const GET: BOTH -> Plan, PlanForm = concat!(
        "SELECT ",
        plan_columns!("s."),
        ", (SELECT COUNT(*) FROM synced_users u \
         WHERE u.subscription_id = s.subscription_id) AS users \
         FROM synced_subscriptions s WHERE id = $1"
    );
}

/// The plan with this id, with the number of its users.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection, id: Uuid) -> Result<Option<Plan>> {
    let row = sqlx::query(GET)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const OF_USER: BOTH -> Plan, PlanForm = concat!(
        "SELECT ",
        plan_columns!("s."),
        ", CAST(0 AS BIGINT) AS users FROM synced_subscriptions s \
         JOIN synced_users u ON u.subscription_id = s.subscription_id WHERE u.auth_user_id = $1"
    );
}

/// The plan of a user; `None` without one.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_user(connection: &mut Connection, user_id: &str) -> Result<Option<Plan>> {
    let row = sqlx::query(OF_USER)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const NEXT_NUMBER: BOTH =
        "UPDATE plan_numbers SET last_number = 1 + CASE \
         WHEN last_number > (SELECT COALESCE(MAX(subscription_id), 0) FROM synced_subscriptions) \
         THEN last_number \
         ELSE (SELECT COALESCE(MAX(subscription_id), 0) FROM synced_subscriptions) END \
         RETURNING last_number";
}

/// The next plan number, never used before.
pub(crate) async fn next_number(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query(NEXT_NUMBER).fetch_one(connection).await?;
    Ok(row.try_get("last_number")?)
}

statements! {
    const RECORD_NUMBER: BOTH = "UPDATE plan_numbers SET last_number = $1 WHERE last_number < $1";
}

/// Records a number assigned elsewhere, so that it is not assigned again.
pub(crate) async fn record_number(connection: &mut Connection, number: i64) -> Result<()> {
    sqlx::query(RECORD_NUMBER)
        .bind(number)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO synced_subscriptions (id, subscription_id, name, description, price, \
         currency, monthly_minutes_limit, max_file_duration_minutes, is_active, features, \
         queue_speed, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";
}

/// Stores a new plan under the next number, which no other plan has ever had.
///
/// # Errors
/// The constraint `synced_subscriptions_subscription_id_key` if a concurrent insert took the
/// number.
pub async fn insert(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<PlanForm>,
    now: i64,
) -> Result<()> {
    let number = next_number(connection).await?;
    sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(number)
        .bind(&form.name)
        .bind(&form.description)
        .bind(form.price)
        .bind(&form.currency)
        .bind(form.monthly_minutes_limit.map(to_hundredths))
        .bind(form.max_file_duration_minutes.map(to_hundredths))
        .bind(i64::from(form.is_active))
        .bind(json(&form.features))
        .bind(word(&form.queue_speed))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const UPDATE: BOTH =
        "UPDATE synced_subscriptions SET name = $2, description = $3, price = $4, currency = $5, \
         monthly_minutes_limit = $6, max_file_duration_minutes = $7, is_active = $8, \
         features = $9, queue_speed = $10, updated_at = $11 WHERE id = $1";
    const SET_PRIORITY_OF_PLAN: BOTH =
        "UPDATE synced_jobs SET priority = $2 WHERE status = 'pending' \
         AND auth_user_id IN (SELECT u.auth_user_id FROM synced_users u \
         JOIN synced_subscriptions s ON s.subscription_id = u.subscription_id WHERE s.id = $1)";
}

/// Changes a plan; `false` if there is none. Queued jobs of its users get the new priority.
///
/// # Errors
/// When the database fails.
pub async fn update(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<PlanForm>,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(UPDATE)
        .bind(id.to_string())
        .bind(&form.name)
        .bind(&form.description)
        .bind(form.price)
        .bind(&form.currency)
        .bind(form.monthly_minutes_limit.map(to_hundredths))
        .bind(form.max_file_duration_minutes.map(to_hundredths))
        .bind(i64::from(form.is_active))
        .bind(json(&form.features))
        .bind(word(&form.queue_speed))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(SET_PRIORITY_OF_PLAN)
        .bind(id.to_string())
        .bind(form.queue_speed.priority())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const DELETE: BOTH = "DELETE FROM synced_subscriptions WHERE id = $1";
}

/// Deletes a plan without users.
///
/// # Errors
/// The constraint `synced_users_subscription_id_fkey` if a user has it.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const ASSIGN: BOTH = "UPDATE synced_users SET subscription_id = $2 WHERE auth_user_id = $1";
    const SET_PRIORITY_OF_USER: BOTH =
        "UPDATE synced_jobs SET priority = $2 WHERE auth_user_id = $1 AND status = 'pending'";
}

/// Gives a user a plan, or none; `false` if the user or the plan does not exist. Queued jobs get
/// the plan's priority. [`ledger::change_plan`] does the other steps.
///
/// # Errors
/// When the database fails.
pub(crate) async fn assign(
    connection: &mut Connection,
    user_id: &str,
    plan: Option<&Plan>,
) -> Result<bool> {
    let done = sqlx::query(ASSIGN)
        .bind(user_id)
        .bind(plan.map(|plan| plan.number))
        .execute(&mut *connection)
        .await?;
    sqlx::query(SET_PRIORITY_OF_USER)
        .bind(user_id)
        .bind(plan.map_or(0, |plan| plan.form.queue_speed.priority()))
        .execute(&mut *connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use slovo_rules::plan::{Tier, validate};

    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    async fn create_plan(connection: &mut Connection, id: u128) -> i64 {
        let form = validate(&Tier::Starter.plan("Starter")).unwrap();
        let id = Uuid::from_u128(id);
        insert(connection, id, &form, 5).await.unwrap();
        get(connection, id).await.unwrap().unwrap().number
    }

    #[apply(each_database!)]
    fn plan_numbers_are_never_reused(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            assert_eq!(create_plan(&mut transaction, 1).await, 1);
            assert_eq!(create_plan(&mut transaction, 2).await, 2);
            let last = Uuid::from_u128(2);
            assert!(delete(&mut transaction, last).await.unwrap());
            assert_eq!(create_plan(&mut transaction, 3).await, 3);
            for id in [1, 3] {
                delete(&mut transaction, Uuid::from_u128(id)).await.unwrap();
            }
            assert_eq!(create_plan(&mut transaction, 4).await, 4);
            // A plan that came with its number from the external database and was deleted.
            record_number(&mut transaction, 40).await.unwrap();
            record_number(&mut transaction, 7).await.unwrap();
            assert_eq!(create_plan(&mut transaction, 5).await, 41);
            transaction.commit().await.unwrap();
        });
    }
}
