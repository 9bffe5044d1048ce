//! Texts that were changed remotely: they are detected, restored and reported.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use slovo_db::Connection;
use slovo_db::nocodb::{self, Cursor, Kind, Link};

use super::incoming::ValidatedRow;
use super::outputs::RemoteTexts;
use super::pull::{condition, find};
use super::remote::{Record, RowQuery};
use super::run::{RunError, Sync};
use super::schema::PARTS;
use super::texts::TEXTS;
use super::{digest, mirror, outputs, schema};

/// Rows read in one batch.
const PAGE: usize = 100;
/// How often pieces are checked by themselves, in milliseconds: pieces changed together with their
/// row are found without it.
const PIECES_EVERY_MS: i64 = 10 * 60 * 1000;

impl Sync<'_> {
    /// The rows that differ from what was sent, with the differing fields.
    pub(super) async fn edited_texts(
        &mut self,
        kind: Kind,
        page: &[Record],
    ) -> Result<BTreeMap<i64, Vec<String>>, RunError> {
        let mut edited = BTreeMap::new();
        let (Some(first), Some(last)) = (page.first(), page.last()) else {
            return Ok(edited);
        };
        if kind != Kind::Outputs {
            return Ok(edited);
        }
        let links = {
            let mut connection = self.parts.db.read().await?;
            nocodb::of_remotes(&mut connection, kind, first.id, last.id).await?
        };
        for record in page {
            let link = links.iter().find(|link| link.remote_id == Some(record.id));
            if let Some(link) = link
                && !link.agreed.is_empty()
                && (link.remote_updated_at.is_none() || link.remote_updated_at != record.updated_at)
            {
                let remote_row = outputs::read_row(self.remote, record.id, &link.local_id).await?;
                let fields = match remote_row {
                    Some(row) => changed(link, row),
                    // Deleted meanwhile: there is nothing to restore.
                    None => Vec::new(),
                };
                if !fields.is_empty() {
                    edited.insert(record.id, fields);
                }
            }
        }
        Ok(edited)
    }

    /// Marks texts to be sent again if only one of their pieces was changed remotely, since their
    /// rows do not show it.
    pub(super) async fn check_pieces(&mut self) -> Result<(), RunError> {
        let now = self.parts.clock.now_ms();
        let last = {
            let mut connection = self.parts.db.read().await?;
            nocodb::pieces_read_until(&mut connection).await?
        };
        if last.is_some_and(|last| (0..PIECES_EVERY_MS).contains(&(now - last))) {
            return Ok(());
        }
        let changed = match last {
            Some(_) => self.changed_pieces(last).await?,
            None => BTreeMap::new(),
        };
        let kind = Kind::Outputs;
        let mut transaction = self.parts.db.write().await?;
        for (local_id, fields) in changed {
            let link = nocodb::of_local(&mut transaction, kind, &local_id).await?;
            // The pieces of a text that is sent anyway are compared then.
            let Some(mut link) = link.filter(|link| !link.carried.is_empty()) else {
                continue;
            };
            let Some(id) = link.remote_id else { continue };
            let record = Record {
                id,
                fields: Map::new(),
                updated_at: None,
            };
            let fields = fields.into_iter().map(str::to_owned).collect();
            self.resend_overwritten(&mut transaction, kind, &mut link, &record, fields)
                .await?;
            nocodb::put_link(&mut transaction, kind, &link).await?;
        }
        nocodb::set_pieces_read_until(&mut transaction, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Pieces changed since then, with the texts they belong to, by job. We create and delete
    /// pieces, but never update them: one with a time of change was changed remotely.
    async fn changed_pieces(
        &self,
        since: Option<i64>,
    ) -> Result<BTreeMap<String, BTreeSet<&'static str>>, RunError> {
        let mut changed: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
        let mut cursor = Cursor {
            read_until: since,
            ..Cursor::default()
        };
        loop {
            let condition = condition(cursor);
            let query = RowQuery {
                condition: &condition,
                fields: &["my_job_id", "field"],
                limit: PAGE,
            };
            let page = self.remote.list(&PARTS, query).await?;
            for record in &page {
                let text = |name: &str| record.fields.get(name).and_then(Value::as_str);
                if let (Some(_), Some(job)) = (text("UpdatedAt"), text("my_job_id")) {
                    let field = TEXTS.into_iter().find(|name| text("field") == Some(*name));
                    let fields = changed.entry(job.to_owned()).or_default();
                    fields.insert(field.unwrap_or("text_parts"));
                }
            }
            match page.last() {
                Some(last) if page.len() == PAGE && last.id > cursor.position => {
                    cursor.position = last.id;
                }
                _ => return Ok(changed),
            }
        }
    }

    pub(super) async fn take_output(
        &mut self,
        connection: &mut Connection,
        record: &Record,
        link: Option<Link>,
        edited: Vec<String>,
    ) -> Result<(), RunError> {
        let kind = Kind::Outputs;
        let Some(mut link) = link else {
            let found = find(&mut *connection, kind, record, &ValidatedRow::Mirror).await?;
            let linked = match &found {
                Some(id) => nocodb::of_local(&mut *connection, kind, id).await?,
                None => None,
            };
            let code = match (&found, linked) {
                (None, _) => Some("unknown_row"),
                (_, Some(link)) if link.remote_id.is_some() && !link.is_gone => Some("duplicate"),
                _ => None,
            };
            if let Some(code) = code {
                let rows = (found.as_deref(), Some(record.id));
                self.report.problem(kind, rows, code, "");
                return Ok(());
            }
            let link = Link {
                local_id: found.unwrap_or_default(),
                remote_id: Some(record.id),
                ..Link::default()
            };
            nocodb::put_link(connection, kind, &link).await?;
            return Ok(());
        };
        link.remote_updated_at = self.last_final_change(record);
        if !edited.is_empty() {
            self.resend_overwritten(&mut *connection, kind, &mut link, record, edited)
                .await?;
        }
        nocodb::put_link(connection, kind, &link).await?;
        Ok(())
    }
}

/// The fields of a remote row that differ from what was sent.
fn changed(link: &Link, row: RemoteTexts) -> Vec<String> {
    let table = schema::table(Kind::Outputs);
    let Some(texts) = row.texts else {
        return vec!["text_parts".to_owned()];
    };
    let is_another = digest::of_fields(&texts) != link.agreed;
    let mut fields = row.fields;
    fields.extend(texts);
    let mut edited = mirror::edited(table, link, None, &fields);
    if edited.is_empty() && is_another {
        // For a row sent before digests per field were stored, only this is known.
        edited.push("full_text".to_owned());
    }
    edited
}
