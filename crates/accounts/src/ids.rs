//! Ids of new rows.

use slovo_platform::random::Random;
use uuid::Uuid;

/// The id for a new row of this table: a UUID that sorts by time. `now` is in Unix milliseconds.
///
/// # Errors
/// Never: new ids are UUIDs.
pub fn row_id(random: &dyn Random, now: i64, table: &'static str) -> slovo_db::Result<Uuid> {
    let id = random.uuid_at(now);
    let parsed = id.parse();
    parsed.map_err(|_| slovo_db::Error::row(table, id, "its id is not a UUID"))
}
