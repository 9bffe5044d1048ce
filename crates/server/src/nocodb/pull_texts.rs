//! Texts that were changed there: they are told from those that were carried, and reported.

use std::collections::BTreeSet;

use slovo_db::Connection;
use slovo_db::nocodb::{self, Conflict, Kind, Link};

use super::incoming::Incoming;
use super::pull::find;
use super::remote::Record;
use super::run::{Ended, Sync};
use super::{digest, outputs};

impl Sync<'_> {
    /// Which of these texts are others than were carried there.
    pub(super) async fn edited_texts(
        &mut self,
        kind: Kind,
        page: &[Record],
    ) -> Result<BTreeSet<i64>, Ended> {
        let mut edited = BTreeSet::new();
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
                let there = outputs::read_whole(self.remote, record.id, &link.local_id).await?;
                if there.is_none_or(|texts| digest::of_fields(&texts) != link.agreed) {
                    edited.insert(record.id);
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
        is_edited: bool,
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
        let before = link.remote_updated_at;
        link.remote_updated_at = self.settled(record);
        if is_edited && before.is_some() {
            self.report.stats.conflicts += 1;
            let conflict = Conflict {
                id: self.new_id(),
                kind,
                local_id: link.local_id.clone(),
                remote_id: record.id,
                fields: vec!["full_text".to_owned()],
                ours_stands: true,
                local_updated_at: None,
                remote_updated_at: record.updated_at,
                lost: None,
                created_at: self.state.clock.now_ms(),
            };
            nocodb::add_conflict(&mut *connection, self.run, &conflict).await?;
        }
        nocodb::put_link(connection, kind, &link).await?;
        Ok(())
    }
}
