//! Reads remote changes, page by page, ordered by row number.

use std::collections::BTreeMap;

use serde_json::Value;
use slovo_db::Connection;
use slovo_db::nocodb::{self, Cursor, Kind, Link};

use super::incoming::{self, ValidatedRow};
use super::remote::{Record, RowQuery};
use super::run::{RunError, Sync};
use super::{digest, mirror, schema};
use slovo_platform::clock::from_ms;

/// Rows read in one batch.
const PAGE: usize = 100;
/// Row numbers read in one batch.
const ID_PAGE: usize = 1000;
/// Overlap with the last reading, in milliseconds: clocks differ, and a row only becomes visible
/// when its transaction commits.
const OVERLAP_MS: i64 = 10 * 60 * 1000;
/// Remote times have whole seconds: a row may change again within the same second without a new
/// time, so recently changed rows are checked again next time.
const SETTLED_MS: i64 = 5_000;

impl Sync<'_> {
    /// Reads the changes in a table since it was last read, or resumes an interrupted reading.
    pub(super) async fn pull(&mut self, kind: Kind) -> Result<(), RunError> {
        let mut cursor = {
            let mut connection = self.parts.db.read().await?;
            nocodb::cursor(&mut connection, kind).await?
        };
        let began_at = *cursor.began_at.get_or_insert(self.parts.clock.now_ms());
        loop {
            let condition = condition(cursor);
            let query = RowQuery {
                condition: &condition,
                fields: match kind {
                    // Texts are read one by one, if they have changed.
                    Kind::Outputs => &["my_job_id"],
                    _ => &[],
                },
                limit: PAGE,
            };
            let page = self.remote.list(schema::table(kind), query).await?;
            let is_last = page.len() < PAGE;
            let edited = self.edited_texts(kind, &page).await?;
            if let Some(last) = page.last() {
                // A server that returns the same rows again would cause an endless loop.
                if last.id <= cursor.position {
                    return Err(super::failure::Failure::Malformed("the order of rows").into());
                }
                cursor.position = last.id;
            }
            let mut transaction = self.parts.db.write().await?;
            self.take_page(&mut transaction, kind, &page, &edited)
                .await?;
            if is_last {
                cursor = Cursor {
                    position: 0,
                    began_at: None,
                    read_until: Some(began_at),
                };
            }
            nocodb::put_cursor(&mut transaction, kind, cursor).await?;
            transaction.commit().await?;
            self.store_progress(kind).await?;
            if is_last {
                break;
            }
        }
        if matches!(kind, Kind::Plans | Kind::Presets) {
            self.note_removed(kind).await?;
        }
        Ok(())
    }

    async fn take_page(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        page: &[Record],
        edited: &BTreeMap<i64, Vec<String>>,
    ) -> Result<(), RunError> {
        let (Some(first), Some(last)) = (page.first(), page.last()) else {
            return Ok(());
        };
        let links = nocodb::of_remotes(&mut *connection, kind, first.id, last.id).await?;
        let links = links
            .into_iter()
            .map(|link| (link.remote_id.unwrap_or_default(), link));
        let mut links: BTreeMap<i64, Link> = links.collect();
        for record in page {
            let link = links.remove(&record.id);
            let is_known = |link: &Link| {
                link.remote_updated_at.is_some() && link.remote_updated_at == record.updated_at
            };
            if link.as_ref().is_some_and(is_known) {
                continue;
            }
            if kind == Kind::Outputs {
                let edited = edited.get(&record.id).cloned().unwrap_or_default();
                self.take_output(&mut *connection, record, link, edited)
                    .await?;
            } else {
                self.process(&mut *connection, kind, record, link).await?;
            }
        }
        Ok(())
    }

    /// Processes one remote row.
    async fn process(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        record: &Record,
        link: Option<Link>,
    ) -> Result<(), RunError> {
        if let Some(link) = link {
            return self.take_linked(connection, kind, record, link).await;
        }
        let incoming = match incoming::read(kind, record) {
            Ok(incoming) => incoming,
            Err(violations) => {
                self.report.invalid(kind, record.id, &violations);
                return Ok(());
            }
        };
        let Some(local_id) = find(&mut *connection, kind, record, &incoming).await? else {
            return self.create_local(connection, kind, record, &incoming).await;
        };
        let link = match nocodb::of_local(&mut *connection, kind, &local_id).await? {
            // The response for its remote row was lost, or that row was deleted: this one takes its
            // place.
            Some(link) if link.remote_id.is_none() || link.is_gone => Link {
                remote_id: Some(record.id),
                is_gone: false,
                carried: String::new(),
                agreed: String::new(),
                mirrored: String::new(),
                ..link
            },
            Some(_) => {
                let rows = (Some(local_id.as_str()), Some(record.id));
                self.report.problem(kind, rows, "duplicate", "");
                return Ok(());
            }
            None => Link {
                local_id: local_id.clone(),
                remote_id: Some(record.id),
                ..Link::default()
            },
        };
        // The remote row of a deleted local row is deleted later.
        let Some(local) = nocodb::row(&mut *connection, kind, &local_id).await? else {
            return Ok(());
        };
        self.reconcile(connection, kind, (record, &incoming), &local, link)
            .await
    }

    /// Processes a remote row that is linked to a local one: remote changes to fields that only we
    /// may change are reverted, whatever else is accepted.
    async fn take_linked(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        record: &Record,
        mut link: Link,
    ) -> Result<(), RunError> {
        // The remote row of a deleted local row is deleted later.
        let Some(local) = nocodb::row(&mut *connection, kind, &link.local_id).await? else {
            return Ok(());
        };
        let table = schema::table(kind);
        let edited = mirror::edited(table, &link, Some(&local.fields), &record.fields);
        let is_edited = !edited.is_empty();
        if is_edited {
            self.resend_overwritten(&mut *connection, kind, &mut link, record, edited)
                .await?;
        }
        let record = mirror::with_local_values(table, record, &local.fields);
        match incoming::read(kind, &record) {
            Ok(incoming) => {
                self.reconcile(connection, kind, (&record, &incoming), &local, link)
                    .await
            }
            Err(violations) => {
                self.report.invalid(kind, record.id, &violations);
                if is_edited {
                    nocodb::put_link(connection, kind, &link).await?;
                }
                Ok(())
            }
        }
    }

    /// Records remote deletions; a deleted plan is no longer offered here.
    async fn note_removed(&mut self, kind: Kind) -> Result<(), RunError> {
        let mut known: BTreeMap<i64, String> = {
            let mut connection = self.parts.db.read().await?;
            nocodb::remote_ids(&mut connection, kind)
                .await?
                .into_iter()
                .collect()
        };
        let table = schema::table(kind);
        let mut position = 0;
        while !known.is_empty() {
            let condition = format!("(Id,gt,{position})");
            let query = RowQuery {
                condition: &condition,
                fields: &[table.key()],
                limit: ID_PAGE,
            };
            let page = self.remote.list(table, query).await?;
            for record in &page {
                known.remove(&record.id);
            }
            match page.last() {
                Some(last) if last.id > position => position = last.id,
                _ => break,
            }
        }
        if known.is_empty() {
            return Ok(());
        }
        let now = self.parts.clock.now_ms();
        let mut transaction = self.parts.db.write().await?;
        for local_id in known.values() {
            self.remotely_deleted(&mut transaction, kind, local_id, now)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Handles the deletion of a remote row.
    pub(super) async fn remotely_deleted(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        local_id: &str,
        now: i64,
    ) -> Result<(), RunError> {
        let Some(mut link) = nocodb::of_local(&mut *connection, kind, local_id).await? else {
            return Ok(());
        };
        link.is_gone = true;
        link.remote_id = None;
        link.remote_updated_at = None;
        link.agreed = String::new();
        link.mirrored = String::new();
        if kind == Kind::Plans && nocodb::deactivate_plan(&mut *connection, local_id, now).await? {
            self.report.stats.changed_here += 1;
            self.report.stats.carried(kind, 1);
        }
        // It is not created again until the local row changes.
        if let Some(row) = nocodb::row(&mut *connection, kind, local_id).await? {
            link.carried = digest::of_fields(&row.fields);
        }
        nocodb::put_link(connection, kind, &link).await?;
        Ok(())
    }

    /// When a row was last changed there, if it cannot change again within that second.
    pub(super) fn last_final_change(&self, record: &Record) -> Option<i64> {
        let now = self.parts.clock.now_ms();
        record.updated_at.filter(|at| *at < now - SETTLED_MS)
    }
}

/// The rows that remain to be read in this pass.
pub(super) fn condition(cursor: Cursor) -> String {
    let position = format!("(Id,gt,{})", cursor.position);
    let Some(read_until) = cursor.read_until else {
        return position;
    };
    let since = from_ms(read_until - OVERLAP_MS);
    let since = since.strftime("%Y-%m-%d %H:%M:%S+00:00");
    format!("{position}~and((UpdatedAt,gte,exactDate,{since})~or(CreatedAt,gte,exactDate,{since}))")
}

/// The local row of an unlinked remote row, by the key that both sides know.
pub(super) async fn find(
    connection: &mut Connection,
    kind: Kind,
    record: &Record,
    incoming: &ValidatedRow,
) -> Result<Option<String>, RunError> {
    let key = record.fields.get(schema::table(kind).key());
    if let Some(key) = key.and_then(Value::as_str)
        && nocodb::row(&mut *connection, kind, key).await?.is_some()
    {
        return Ok(Some(key.to_owned()));
    }
    Ok(match incoming {
        ValidatedRow::Plan(Some(number), _) => nocodb::find_plan(connection, *number).await?,
        ValidatedRow::User(user) => nocodb::find_user(connection, &user.email).await?,
        ValidatedRow::Preset(preset_id, owner, _) if !preset_id.is_empty() => {
            nocodb::find_preset(connection, preset_id, owner.as_deref()).await?
        }
        _ => None,
    })
}
