//! Local side of `synced_subscriptions`. Remote changes are applied by [`crate::plans`].

use serde_json::{Value, json};
use slovo_rules::Valid;
use slovo_rules::minutes::to_hundredths;
use slovo_rules::plan::PlanForm;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use uuid::Uuid;

use super::{Row, time};
use crate::core::fields::{self, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result, plans};

/// A plan as it is sent.
struct SentPlan {
    id: String,
    subscription_id: i64,
    name: String,
    description: String,
    price: f64,
    currency: String,
    monthly_minutes_limit: Option<f64>,
    max_file_duration_minutes: Option<f64>,
    is_active: bool,
    features: String,
    queue_speed: String,
    created_at: i64,
    updated_at: i64,
}

row_columns! {
    fn read_sent() -> SentPlan from "synced_subscriptions" by "id" {
        id: text,
        subscription_id: integer,
        name: text,
        description: text,
        price: number,
        currency: text,
        monthly_minutes_limit: integer_or_none => plans::minutes,
        max_file_duration_minutes: integer_or_none => plans::minutes,
        is_active: flag,
        features: text,
        queue_speed: text,
        created_at: integer,
        updated_at: integer,
    }
}

/// The columns of [`SentPlan`].
macro_rules! plan_columns {
    () => {
        columns!(
            "": id, subscription_id, name, description, price, currency, monthly_minutes_limit,
            max_file_duration_minutes, is_active, features, queue_speed, created_at, updated_at
        )
    };
}

fn read(row: &AnyRow) -> Result<Row> {
    let plan = read_sent(row)?;
    let Value::Object(carried) = json!({
        "slovo_id": plan.id,
        "subscription_id": plan.subscription_id,
        "name": plan.name,
        "description": plan.description,
        "price": plan.price,
        "currency": plan.currency,
        "monthly_minutes_limit": plan.monthly_minutes_limit,
        "max_file_duration_minutes": plan.max_file_duration_minutes,
        "is_active": plan.is_active,
        // JSON as text in the remote column, and read back as such.
        "features": plan.features,
        "queue_speed": plan.queue_speed,
        "created_at": time(Some(plan.created_at)),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: plan.id,
        fields: carried,
        updated_at: Some(plan.updated_at),
    })
}

statements! {
    const PAGE: BOTH -> SentPlan = concat!(
        "SELECT ",
        plan_columns!(),
        " FROM synced_subscriptions WHERE id > $1 ORDER BY id LIMIT $2"
    );
}

pub(super) async fn page(connection: &mut Connection, after: &str, limit: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query(PAGE)
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const GET: BOTH -> SentPlan = concat!(
        "SELECT ",
        plan_columns!(),
        " FROM synced_subscriptions WHERE id = $1"
    );
}

pub(super) async fn get(connection: &mut Connection, id: &str) -> Result<Option<Row>> {
    sqlx::query(GET)
        .bind(id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const FIND: BOTH = "SELECT id FROM synced_subscriptions WHERE subscription_id = $1";
}

/// The id of the plan with this number.
///
/// # Errors
/// When the database fails.
pub async fn find(connection: &mut Connection, number: i64) -> Result<Option<String>> {
    let row = sqlx::query(FIND)
        .bind(number)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("id")).transpose()?)
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO synced_subscriptions (id, subscription_id, name, description, price, \
         currency, monthly_minutes_limit, max_file_duration_minutes, is_active, features, \
         queue_speed, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";
}

/// Stores a plan from the external database, under its number there or else the next free one.
///
/// # Errors
/// The constraint `synced_subscriptions_subscription_id_key` if another plan has the number.
pub async fn insert(
    connection: &mut Connection,
    id: Uuid,
    number: Option<i64>,
    form: &Valid<PlanForm>,
    now: i64,
) -> Result<()> {
    let number = match number {
        Some(number) => number,
        None => plans::next_number(connection).await?,
    };
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
        .bind(fields::json(&form.features))
        .bind(word(&form.queue_speed))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    plans::record_number(connection, number).await
}

statements! {
    const DEACTIVATE: BOTH =
        "UPDATE synced_subscriptions SET is_active = 0, updated_at = $2 \
         WHERE id = $1 AND is_active = 1";
}

/// Deactivates a plan whose remote row was deleted; users who have it keep it. `false` if it was
/// inactive already.
///
/// # Errors
/// When the database fails.
pub async fn deactivate(connection: &mut Connection, id: &str, now: i64) -> Result<bool> {
    let done = sqlx::query(DEACTIVATE)
        .bind(id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
