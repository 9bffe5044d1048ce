//! Texts that were changed there: they are told from those that were carried, put back and reported.

use std::collections::BTreeMap;

use slovo_db::Connection;
use slovo_db::nocodb::{self, Kind, Link};

use super::incoming::Incoming;
use super::outputs::Standing;
use super::pull::find;
use super::remote::Record;
use super::run::{Ended, Sync};
use super::{digest, mirror, outputs, schema};

impl Sync<'_> {
    /// Which of these rows are others than were carried there, and in which fields.
    pub(super) async fn edited_texts(
        &mut self,
        kind: Kind,
        page: &[Record],
    ) -> Result<BTreeMap<i64, Vec<String>>, Ended> {
        let mut edited = BTreeMap::new();
        let (Some(first), Some(last)) = (page.first(), page.last()) else {
            return Ok(edited);
        };
        if kind != Kind::Outputs {
            return Ok(edited);
        }
        let links = {
            let mut connection = self.state.db.read().await?;
            nocodb::of_remotes(&mut connection, kind, first.id, last.id).await?
        };
        for record in page {
            let link = links.iter().find(|link| link.remote_id == Some(record.id));
            if let Some(link) = link
                && !link.agreed.is_empty()
                && (link.remote_updated_at.is_none() || link.remote_updated_at != record.updated_at)
            {
                let there = outputs::read_row(self.remote, record.id, &link.local_id).await?;
                let fields = match there {
                    Some(row) => changed(link, row),
                    // Removed meanwhile: there is nothing to be put back.
                    None => Vec::new(),
                };
                if !fields.is_empty() {
                    edited.insert(record.id, fields);
                }
            }
        }
        Ok(edited)
    }

    pub(super) async fn take_output(
        &mut self,
        connection: &mut Connection,
        record: &Record,
        link: Option<Link>,
        edited: Vec<String>,
    ) -> Result<(), Ended> {
        let kind = Kind::Outputs;
        let Some(mut link) = link else {
            let found = find(&mut *connection, kind, record, &Incoming::Mirror).await?;
            let taken = match &found {
                Some(id) => nocodb::of_local(&mut *connection, kind, id).await?,
                None => None,
            };
            let code = match (&found, taken) {
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
        link.remote_updated_at = self.settled(record);
        if !edited.is_empty() {
            self.put_back(&mut *connection, kind, &mut link, record, edited)
                .await?;
        }
        nocodb::put_link(connection, kind, &link).await?;
        Ok(())
    }
}

/// The fields of a row of theirs that are not as they were carried.
fn changed(link: &Link, row: Standing) -> Vec<String> {
    let table = schema::table(Kind::Outputs);
    let Some(texts) = row.texts else {
        return vec!["text_parts".to_owned()];
    };
    let is_another = digest::of_fields(&texts) != link.agreed;
    let mut fields = row.fields;
    fields.extend(texts);
    let mut edited = mirror::edited(table, link, None, &fields);
    if edited.is_empty() && is_another {
        // Of a row that was carried before more was kept, only this is known.
        edited.push("full_text".to_owned());
    }
    edited
}
