//! Local side of `synced_user_usage`: minutes are counted locally and only sent. A row is
//! identified by the id of `synced_users`, not by the account's.

use serde_json::{Value, json};
use slovo_rules::minutes::from_hundredths;
use sqlx::any::AnyRow;

use super::{Row, time};
use crate::core::fields::Fields;
use crate::core::statement::statements;
use crate::{Connection, Result};

fn read(row: &AnyRow) -> Result<Row> {
    let fields = Fields::new(row, "synced_user_usage", "id")?;
    let Value::Object(carried) = json!({
        "slovo_id": fields.text("id")?,
        "user_id": fields.text("user_id")?,
        "subscription_id": fields.integer_or_none("subscription_id")?,
        "minutes_used_current_month":
            from_hundredths(fields.integer("minutes_used_current_month")?),
        "minutes_bonus": from_hundredths(fields.integer("minutes_bonus")?),
        "reset_date": time(Some(fields.integer("reset_date")?)),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: fields.text("id")?,
        fields: carried,
        updated_at: None,
    })
}

statements! {
    const PAGE: BOTH =
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
    const GET: BOTH =
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
