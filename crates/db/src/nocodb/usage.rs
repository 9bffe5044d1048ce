//! Local side of `synced_user_usage`: minutes are counted locally and only sent. A row is
//! identified by the id of `synced_users`, not by the account's.

use serde_json::{Value, json};
use slovo_rules::minutes::from_hundredths;
use sqlx::any::AnyRow;

use super::{Row, time};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A user's minutes as they are sent.
struct SentUsage {
    id: String,
    user_id: String,
    subscription_id: Option<i64>,
    used: f64,
    bonus: f64,
    reset_date: i64,
}

row_columns! {
    fn read_sent() -> SentUsage from "synced_user_usage" by "id" {
        id: text,
        user_id: text,
        subscription_id: integer_or_none,
        used: integer in "minutes_used_current_month" => from_hundredths,
        bonus: integer in "minutes_bonus" => from_hundredths,
        reset_date: integer,
    }
}

fn read(row: &AnyRow) -> Result<Row> {
    let usage = read_sent(row)?;
    let Value::Object(carried) = json!({
        "slovo_id": usage.id,
        "user_id": usage.user_id,
        "subscription_id": usage.subscription_id,
        "minutes_used_current_month": usage.used,
        "minutes_bonus": usage.bonus,
        "reset_date": time(Some(usage.reset_date)),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: usage.id,
        fields: carried,
        updated_at: None,
    })
}

statements! {
    const PAGE: BOTH -> SentUsage =
        "SELECT x.user_id, x.minutes_used_current_month, x.minutes_bonus, x.reset_date, u.id, \
         u.subscription_id FROM synced_user_usage x JOIN synced_users u \
         ON u.auth_user_id = x.user_id WHERE u.id > $1 ORDER BY u.id LIMIT $2";
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
    const GET: BOTH -> SentUsage =
        "SELECT x.user_id, x.minutes_used_current_month, x.minutes_bonus, x.reset_date, u.id, \
         u.subscription_id FROM synced_user_usage x JOIN synced_users u \
         ON u.auth_user_id = x.user_id WHERE u.id = $1";
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
