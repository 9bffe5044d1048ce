//! The log of administrators' changes: table `audit_log`.

mod anonymity;

use serde_json::Value;
use uuid::Uuid;

pub use anonymity::anonymise_account;

use crate::core::advisory_locks::AdvisoryLock;
use crate::core::fields::{containing, json};
use crate::core::statement::{row_columns, statements};
use crate::{Backend, Connection, Result};

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id, which sorts by time.
    pub id: Uuid,
    /// The account that made the change; `None` for the command line and the server itself.
    pub actor_id: Option<String>,
    /// The address of that account at the time; empty without one.
    pub actor_email: String,
    /// What was done, as `noun.verb`, for example `plan.update`.
    pub action: String,
    /// Kind of the target, for example `plan`.
    pub target_kind: String,
    /// The target's id.
    pub target_id: String,
    /// The target's name for people: an address or a title.
    pub target_name: String,
    /// The state before, without secrets.
    pub before: Option<Value>,
    /// The state after, without secrets.
    pub after: Option<Value>,
    /// Name of the API key that made the change; `None` in the web app.
    pub api_key: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A filter of changes.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// A part of the actor's address or of the target's name; case-insensitive.
    pub search: String,
    /// An action, or the noun before its dot; empty means all.
    pub action: String,
    /// Unix milliseconds, inclusive.
    pub from: Option<i64>,
    /// Unix milliseconds, exclusive.
    pub until: Option<i64>,
}

row_columns! {
    fn read() -> Entry from "audit_log" by "id" {
        id: uuid,
        actor_id: text_or_none,
        actor_email: text,
        action: text,
        target_kind: text,
        target_id: text,
        target_name: text,
        before: json_or_none,
        after: json_or_none,
        api_key: text_or_none,
        created_at: integer,
    }
}

statements! {
    const RECORD: BOTH =
        "INSERT INTO audit_log (id, actor_id, actor_email, action, target_kind, target_id, \
         target_name, searched, before, after, created_at, api_key) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
}

/// Stores a change. Call it in the transaction that makes the change.
///
/// # Errors
/// When the database fails.
pub async fn record(connection: &mut Connection, entry: &Entry) -> Result<()> {
    // Lower case is made here: `lower()` of neither database covers all scripts.
    let searched = format!("{}\n{}", entry.actor_email, entry.target_name).to_lowercase();
    sqlx::query(RECORD)
        .bind(entry.id.to_string())
        .bind(&entry.actor_id)
        .bind(&entry.actor_email)
        .bind(&entry.action)
        .bind(&entry.target_kind)
        .bind(&entry.target_id)
        .bind(&entry.target_name)
        .bind(searched)
        .bind(entry.before.as_ref().map(json))
        .bind(entry.after.as_ref().map(json))
        .bind(entry.created_at)
        .bind(&entry.api_key)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores a change, unless the same actor has done the same to the same target at `since` or later;
/// returns whether it was stored. Must run in a write transaction.
///
/// # Errors
/// When the database fails.
pub async fn record_once(
    connection: &mut Connection,
    backend: Backend,
    entry: &Entry,
    since: i64,
) -> Result<bool> {
    if backend == Backend::Postgres {
        // Without the lock two concurrent requests would both check before either stores.
        AdvisoryLock::AuditOnce.take(&mut *connection).await?;
    }
    if is_recorded(&mut *connection, entry, since).await? {
        return Ok(false);
    }
    record(connection, entry).await?;
    Ok(true)
}

statements! {
    const IS_RECORDED: BOTH =
        "SELECT 1 AS found FROM audit_log WHERE created_at >= $1 AND actor_id = $2 \
         AND action = $3 AND target_id = $4 LIMIT 1";
}

/// Whether the same actor has done the same to the same target at `since` or later.
///
/// # Errors
/// When the database fails.
pub async fn is_recorded(connection: &mut Connection, entry: &Entry, since: i64) -> Result<bool> {
    let row = sqlx::query(IS_RECORDED)
        .bind(since)
        .bind(&entry.actor_id)
        .bind(&entry.action)
        .bind(&entry.target_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

statements! {
    const LIST: BOTH -> Entry =
        "SELECT id, actor_id, actor_email, action, target_kind, target_id, target_name, before, \
         after, created_at, api_key FROM audit_log WHERE (created_at < $1 OR (created_at = $1 AND id < \
         $2)) AND searched LIKE $3 ESCAPE '!' AND ($4 = '' OR action = $4 OR SUBSTR(action, 1, \
         LENGTH($4) + 1) = $5) AND created_at >= $6 AND created_at < $7 ORDER BY created_at DESC, \
         id DESC LIMIT $8";
}

/// At most `limit` changes after the given one, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    filter: &Filter,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<Entry>> {
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at, id.to_string()));
    let rows = sqlx::query(LIST)
        .bind(at)
        .bind(id)
        .bind(containing(filter.search.trim()))
        .bind(&filter.action)
        .bind(format!("{}.", filter.action))
        .bind(filter.from.unwrap_or(i64::MIN))
        .bind(filter.until.unwrap_or(i64::MAX))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    fn entry(id: u128, email: &str, action: &str, name: &str) -> Entry {
        Entry {
            id: Uuid::from_u128(id),
            actor_id: Some("u1".to_owned()),
            actor_email: email.to_owned(),
            action: action.to_owned(),
            target_kind: "plan".to_owned(),
            target_id: "p1".to_owned(),
            target_name: name.to_owned(),
            before: None,
            after: Some(json!({"name": name})),
            api_key: Some("nightly".to_owned()),
            created_at: i64::try_from(id / 2).unwrap(),
        }
    }

    #[apply(each_database!)]
    fn a_repeated_action_is_recorded_once_within_a_period(backend: Backend) {
        with_database(backend, async |db| {
            let opened = |id, at| Entry {
                created_at: at,
                ..entry(id, "a@example.com", "job.open", "")
            };
            let store_once = async |entry: Entry, since| {
                let mut transaction = db.write().await.unwrap();
                let done = record_once(&mut transaction, db.backend(), &entry, since).await;
                transaction.commit().await.unwrap();
                done.unwrap()
            };
            let all = [1, 2, 3, 4].map(|id| store_once(opened(id, 100), 0));
            let [a, b, c, d] = all;
            let (a, b, c, d) = tokio::join!(a, b, c, d);
            assert_eq!([a, b, c, d].into_iter().filter(|done| *done).count(), 1);
            assert!(!store_once(opened(5, 200), 100).await);
            assert!(store_once(opened(6, 201), 101).await);
            let other = Entry {
                actor_id: Some("u2".to_owned()),
                ..opened(7, 202)
            };
            assert!(store_once(other, 0).await);
        });
    }

    #[apply(each_database!)]
    fn deleting_an_account_removes_its_name_and_keeps_its_actions(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            let email = "gone@example.com";
            let mut by = entry(1, email, "plan.update", "Стартовий");
            by.actor_id = Some("gone".to_owned());
            let mut to = entry(2, "a@example.com", "user.set_plan", email);
            to.target_id = "gone".to_owned();
            to.after = Some(
                json!({"who": [email, {"id": "gone"}], "other": "bygone, begone@example.com, gone@example.com."}),
            );
            let mut request = entry(3, "a@example.com", "plan_request.approve", email);
            request.before = Some(json!({"plan": null}));
            let mut own = entry(4, email, "user.set_role", email);
            own.actor_id = Some("gone".to_owned());
            own.target_id = "gone".to_owned();
            let other = entry(5, "a@example.com", "plan.update", "begone@example.com");
            for entry in [&by, &to, &request, &own, &other] {
                record(&mut transaction, entry).await.unwrap();
            }
            anonymise_account(&mut transaction, "gone", email)
                .await
                .unwrap();
            let all = list(&mut transaction, &Filter::default(), None, 9).await;
            let [after_other, after_own, after_request, after_to, after_by] =
                <[Entry; 5]>::try_from(all.unwrap()).unwrap();
            assert_eq!(after_other, other);
            let anonymised = |entry: &Entry| {
                (
                    entry.actor_id.is_none() && entry.actor_email.is_empty(),
                    entry.target_name.is_empty() && entry.target_id.is_empty(),
                )
            };
            assert_eq!(anonymised(&after_own), (true, true));
            assert_eq!(anonymised(&after_request), (false, true));
            assert_eq!(after_request.before, request.before);
            assert_eq!(anonymised(&after_to), (false, true));
            assert_eq!(
                after_to.after,
                Some(json!({"who": ["", {"id": ""}], "other": "bygone, begone@example.com, ."}))
            );
            assert_eq!(anonymised(&after_by), (true, false));
            assert_eq!(after_by.after, by.after);
            let mut found = async |text: &str| {
                let filter = Filter {
                    search: text.to_owned(),
                    ..Filter::default()
                };
                let found = list(&mut transaction, &filter, None, 9).await.unwrap();
                found.iter().map(|e| e.id.as_u128()).collect::<Vec<_>>()
            };
            assert_eq!(found("gone@").await, [5]);
            assert_eq!(found("стартовий").await, [1]);
            assert_eq!(found("a@example").await, [5, 3, 2]);
        });
    }

    #[apply(each_database!)]
    fn entries_are_found_by_person_action_and_time(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            let all = [
                entry(1, "a@example.com", "plan.create", "Стартовий 100%"),
                entry(2, "b@example.com", "plan.update", "Стартовий_"),
                entry(3, "b@example.com", "planet.update", "Марс"),
            ];
            for entry in &all {
                record(&mut transaction, entry).await.unwrap();
            }
            let mut find = async |filter: Filter, after, limit| {
                let found = list(&mut transaction, &filter, after, limit).await;
                found.unwrap()
            };
            let ids = |found: &[Entry]| found.iter().map(|e| e.id.as_u128()).collect::<Vec<_>>();
            assert_eq!(
                find(Filter::default(), None, 9).await,
                [all[2].clone(), all[1].clone(), all[0].clone()]
            );
            assert_eq!(
                ids(&find(Filter::default(), Some((1, Uuid::from_u128(3))), 1).await),
                [2]
            );
            let search = |text: &str| Filter {
                search: text.to_owned(),
                ..Filter::default()
            };
            assert_eq!(ids(&find(search(" СТАРТОВИЙ "), None, 9).await), [2, 1]);
            assert_eq!(ids(&find(search("100%"), None, 9).await), [1]);
            assert_eq!(ids(&find(search("%"), None, 9).await), [1]);
            assert_eq!(ids(&find(search("_"), None, 9).await), [2]);
            assert_eq!(ids(&find(search("B@EXAMPLE"), None, 9).await), [3, 2]);
            let action = |text: &str| Filter {
                action: text.to_owned(),
                ..Filter::default()
            };
            assert_eq!(ids(&find(action("plan"), None, 9).await), [2, 1]);
            assert_eq!(ids(&find(action("plan.update"), None, 9).await), [2]);
            let times = Filter {
                from: Some(1),
                until: Some(2),
                ..Filter::default()
            };
            assert_eq!(ids(&find(times, None, 9).await), [3, 2]);
        });
    }
}
