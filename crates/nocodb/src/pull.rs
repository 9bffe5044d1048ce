//! Reading what has changed there, page by page in the order of the rows' numbers.

use std::collections::BTreeMap;

use serde_json::Value;
use slovo_db::Connection;
use slovo_db::nocodb::{self, Cursor, Kind, Link};

use super::incoming::{self, Incoming};
use super::remote::{Record, Wanted};
use super::run::{Ended, Sync};
use super::{digest, mirror, schema};
use slovo_platform::clock::from_ms;

/// Rows that are read at once.
const PAGE: usize = 100;
/// Rows whose numbers are read at once.
const ID_PAGE: usize = 1000;
/// What was changed so shortly before the last reading is read again, in milliseconds: clocks differ,
/// and a row is seen only when its transaction is done.
const OVERLAP_MS: i64 = 10 * 60 * 1000;
/// Their times are whole seconds: a row that was changed so shortly ago may change once more without
/// a word, so it is looked at again next time.
const SETTLED_MS: i64 = 5_000;

impl Sync<'_> {
    /// Reads what has changed in a table since it was read last, or goes on with a reading that was
    /// cut off.
    pub(super) async fn pull(&mut self, kind: Kind) -> Result<(), Ended> {
        let mut cursor = {
            let mut connection = self.parts.db.read().await?;
            nocodb::cursor(&mut connection, kind).await?
        };
        let began_at = *cursor.began_at.get_or_insert(self.parts.clock.now_ms());
        loop {
            let condition = condition(cursor);
            let wanted = Wanted {
                condition: &condition,
                fields: match kind {
                    // Texts are read one by one, where they have changed.
                    Kind::Outputs => &["my_job_id"],
                    _ => &[],
                },
                limit: PAGE,
            };
            let page = self.remote.list(schema::table(kind), wanted).await?;
            let is_last = page.len() < PAGE;
            let edited = self.edited_texts(kind, &page).await?;
            if let Some(last) = page.last() {
                // A server that gives the same rows again would never come to an end.
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
            self.note(kind).await?;
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
    ) -> Result<(), Ended> {
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
                self.take(&mut *connection, kind, record, link).await?;
            }
        }
        Ok(())
    }

    /// One row of theirs.
    async fn take(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        record: &Record,
        link: Option<Link>,
    ) -> Result<(), Ended> {
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
            return self.make(connection, kind, record, &incoming).await;
        };
        let link = match nocodb::of_local(&mut *connection, kind, &local_id).await? {
            // Its row there was never answered for, or was removed: this one is it.
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
        // What is gone here is removed there later.
        let Some(ours) = nocodb::row(&mut *connection, kind, &local_id).await? else {
            return Ok(());
        };
        self.settle(connection, kind, (record, &incoming), &ours, link)
            .await
    }

    /// One row of theirs that is known to be one of ours: what only we change is put back there,
    /// whatever else is taken of it.
    async fn take_linked(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        record: &Record,
        mut link: Link,
    ) -> Result<(), Ended> {
        // What is gone here is removed there later.
        let Some(ours) = nocodb::row(&mut *connection, kind, &link.local_id).await? else {
            return Ok(());
        };
        let table = schema::table(kind);
        let edited = mirror::edited(table, &link, Some(&ours.fields), &record.fields);
        let is_edited = !edited.is_empty();
        if is_edited {
            self.put_back(&mut *connection, kind, &mut link, record, edited)
                .await?;
        }
        let record = mirror::with_ours(table, record, &ours.fields);
        match incoming::read(kind, &record) {
            Ok(incoming) => {
                self.settle(connection, kind, (&record, &incoming), &ours, link)
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

    /// Notes rows that have been removed there; a plan is taken off the list.
    async fn note_removed(&mut self, kind: Kind) -> Result<(), Ended> {
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
            let wanted = Wanted {
                condition: &condition,
                fields: &[table.key()],
                limit: ID_PAGE,
            };
            let page = self.remote.list(table, wanted).await?;
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
            self.gone(&mut transaction, kind, local_id, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// A row there has been removed.
    pub(super) async fn gone(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        local_id: &str,
        now: i64,
    ) -> Result<(), Ended> {
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
        // It is not made again until ours changes.
        if let Some(row) = nocodb::row(&mut *connection, kind, local_id).await? {
            link.carried = digest::of_fields(&row.fields);
        }
        nocodb::put_link(connection, kind, &link).await?;
        Ok(())
    }

    /// When a row was last changed there, if it cannot change once more within that second.
    pub(super) fn settled(&self, record: &Record) -> Option<i64> {
        let now = self.parts.clock.now_ms();
        record.updated_at.filter(|at| *at < now - SETTLED_MS)
    }
}

/// The rows that are still to be read in this pass.
pub(super) fn condition(cursor: Cursor) -> String {
    let position = format!("(Id,gt,{})", cursor.position);
    let Some(read_until) = cursor.read_until else {
        return position;
    };
    let since = from_ms(read_until - OVERLAP_MS);
    let since = since.strftime("%Y-%m-%d %H:%M:%S+00:00");
    format!("{position}~and((UpdatedAt,gte,exactDate,{since})~or(CreatedAt,gte,exactDate,{since}))")
}

/// Our row that a row of theirs without a link is, by what both know it by.
pub(super) async fn find(
    connection: &mut Connection,
    kind: Kind,
    record: &Record,
    incoming: &Incoming,
) -> Result<Option<String>, Ended> {
    let key = record.fields.get(schema::table(kind).key());
    if let Some(key) = key.and_then(Value::as_str)
        && nocodb::row(&mut *connection, kind, key).await?.is_some()
    {
        return Ok(Some(key.to_owned()));
    }
    Ok(match incoming {
        Incoming::Plan(Some(number), _) => nocodb::find_plan(connection, *number).await?,
        Incoming::User(user) => nocodb::find_user(connection, &user.email).await?,
        Incoming::Preset(preset_id, owner, _) if !preset_id.is_empty() => {
            nocodb::find_preset(connection, preset_id, owner.as_deref()).await?
        }
        _ => None,
    })
}
