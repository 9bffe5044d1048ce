//! Sends local changes in batches. A kill between a request and its response does not duplicate
//! rows.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use slovo_db::nocodb::{self, Kind, Link, Row};

use super::failure::Failure;
use super::remote::RowQuery;
use super::run::{RunError, Sync};
use super::{digest, incoming, mirror, schema};

/// Local rows read in one batch.
const PAGE: u32 = 500;
/// How often new rows whose arrival is in doubt are looked up and sent again.
const MAX_DOUBTS: u32 = 3;

/// A row that must be sent.
pub(super) struct OutgoingRow {
    /// The local row.
    pub local_id: String,
    /// The remote row; `None` creates one.
    pub remote_id: Option<i64>,
    /// The values to send.
    pub fields: Map<String, Value>,
    /// Digest under which it counts as sent.
    pub carried: String,
    /// Digest of the agreed state once it has arrived.
    pub agreed: String,
    /// The stored state of the fields that only we change.
    pub mirrored: String,
}

impl Sync<'_> {
    /// Sends the changes of a local table.
    pub(super) async fn push(&mut self, kind: Kind) -> Result<(), RunError> {
        self.resolve_pending(kind).await?;
        let mut after = String::new();
        loop {
            let (rows, links) = self.local_page(kind, &after).await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after.clone_from(&last.id);
            let changed = rows.into_iter().filter_map(|row| {
                let sent_digest = digest::of_fields(&row.fields);
                let link = links.get(&row.id);
                let is_there = link.is_some_and(|link| link.carried == sent_digest);
                (!is_there).then(|| (row, link.and_then(|link| link.remote_id), sent_digest))
            });
            if kind == Kind::Outputs {
                let changed = changed
                    .map(|(row, id, sent_digest)| (row.id, id, sent_digest))
                    .collect();
                self.push_outputs(changed).await?;
                continue;
            }
            let changed = changed.map(|(row, remote_id, sent_digest)| OutgoingRow {
                agreed: digest::of_fields(&incoming::shared_of(kind, &row)),
                mirrored: mirror::of_row(schema::table(kind), &row.fields),
                local_id: row.id,
                remote_id,
                fields: row.fields,
                carried: sent_digest,
            });
            let (old, new): (Vec<_>, Vec<_>) =
                changed.partition(|parcel| parcel.remote_id.is_some());
            for batch in chunks(new, self.remote.api().batch()) {
                self.create(kind, batch).await?;
                self.store_progress(kind).await?;
            }
            for batch in chunks(old, self.remote.api().batch()) {
                self.update(kind, batch).await?;
                self.store_progress(kind).await?;
            }
        }
    }

    async fn local_page(
        &self,
        kind: Kind,
        after: &str,
    ) -> Result<(Vec<Row>, BTreeMap<String, Link>), RunError> {
        let mut connection = self.parts.db.read().await?;
        let rows = nocodb::page(&mut connection, kind, after, PAGE).await?;
        let links = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) => {
                nocodb::of_locals(&mut connection, kind, &first.id, &last.id).await?
            }
            _ => Vec::new(),
        };
        let links = links.into_iter().map(|link| (link.local_id.clone(), link));
        Ok((rows, links.collect()))
    }

    /// Creates remote rows. The intent is stored before the request: a process that is killed in
    /// between checks later whether they have arrived.
    pub(super) async fn create(
        &mut self,
        kind: Kind,
        batch: Vec<OutgoingRow>,
    ) -> Result<(), RunError> {
        let mut waiting = vec![batch];
        let mut doubts = 0;
        while let Some(mut batch) = waiting.pop() {
            if batch.is_empty() {
                continue;
            }
            self.mark_pending(kind, &batch).await?;
            let rows: Vec<_> = batch.iter().map(|parcel| parcel.fields.clone()).collect();
            match self.remote.create(schema::table(kind), &rows).await {
                Ok(ids) => {
                    for (parcel, id) in batch.iter_mut().zip(ids) {
                        parcel.remote_id = Some(id);
                    }
                    self.mark_arrived(kind, &batch).await?;
                    self.report.stats.created_there += count(&batch);
                }
                Err(Failure::Rejected(_, told)) => {
                    // One of them is at fault: the others are sent without it.
                    if let [parcel] = batch.as_slice() {
                        self.rejected(kind, parcel, &told).await?;
                    } else {
                        let rest = batch.split_off(batch.len() / 2);
                        waiting.extend([rest, batch]);
                    }
                }
                Err(failure) if failure.is_in_doubt() && doubts < MAX_DOUBTS => {
                    doubts += 1;
                    self.resolve_pending(kind).await?;
                    let (found, missing) = self.split_by_arrival(kind, batch).await?;
                    self.mark_arrived(kind, &found).await?;
                    self.report.stats.created_there += count(&found);
                    waiting.push(missing);
                }
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(())
    }

    /// Updates remote rows.
    pub(super) async fn update(
        &mut self,
        kind: Kind,
        batch: Vec<OutgoingRow>,
    ) -> Result<(), RunError> {
        let mut waiting = vec![batch];
        while let Some(mut batch) = waiting.pop() {
            if batch.is_empty() {
                continue;
            }
            let rows: Vec<_> = batch
                .iter()
                .map(|parcel| (parcel.remote_id.unwrap_or_default(), parcel.fields.clone()))
                .collect();
            match self.remote.update(schema::table(kind), &rows).await {
                Ok(()) => {
                    self.mark_arrived(kind, &batch).await?;
                    self.report.stats.changed_there += count(&batch);
                }
                Err(failure @ (Failure::Rejected(..) | Failure::NotFound(..))) => {
                    if let [parcel] = batch.as_slice() {
                        match failure {
                            Failure::Rejected(_, told) => {
                                self.rejected(kind, parcel, &told).await?;
                            }
                            _ => self.missing_remotely(kind, parcel).await?,
                        }
                    } else {
                        let rest = batch.split_off(batch.len() / 2);
                        waiting.extend([rest, batch]);
                    }
                }
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(())
    }

    /// Stores that these rows are being sent.
    async fn mark_pending(&self, kind: Kind, batch: &[OutgoingRow]) -> Result<(), RunError> {
        let mut transaction = self.parts.db.write().await?;
        for parcel in batch {
            let link = Link {
                local_id: parcel.local_id.clone(),
                ..Link::default()
            };
            nocodb::put_link(&mut transaction, kind, &link).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Stores that these rows have arrived.
    async fn mark_arrived(&mut self, kind: Kind, batch: &[OutgoingRow]) -> Result<(), RunError> {
        let mut transaction = self.parts.db.write().await?;
        for parcel in batch {
            let link = Link {
                local_id: parcel.local_id.clone(),
                remote_id: parcel.remote_id,
                agreed: parcel.agreed.clone(),
                carried: parcel.carried.clone(),
                mirrored: parcel.mirrored.clone(),
                // Unlike any remote time, so that every later change is examined.
                remote_updated_at: Some(0),
                is_gone: false,
            };
            nocodb::put_link(&mut transaction, kind, &link).await?;
        }
        transaction.commit().await?;
        self.report.stats.carried(kind, count(batch));
        Ok(())
    }

    /// Records a row that is rejected there. Every run retries it.
    async fn rejected(
        &mut self,
        kind: Kind,
        parcel: &OutgoingRow,
        message: &str,
    ) -> Result<(), RunError> {
        let rows = (Some(parcel.local_id.as_str()), parcel.remote_id);
        self.report.problem(kind, rows, "rejected", message);
        if parcel.remote_id.is_none() {
            let mut transaction = self.parts.db.write().await?;
            nocodb::remove_link(&mut transaction, kind, &parcel.local_id).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// A row that was to be updated no longer exists.
    async fn missing_remotely(&mut self, kind: Kind, parcel: &OutgoingRow) -> Result<(), RunError> {
        let now = self.parts.clock.now_ms();
        let rows = (Some(parcel.local_id.as_str()), parcel.remote_id);
        self.report.problem(kind, rows, "removed_there", "");
        let mut transaction = self.parts.db.write().await?;
        self.remotely_deleted(&mut transaction, kind, &parcel.local_id, now)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Looks up the rows that were being sent when the response was lost.
    async fn resolve_pending(&mut self, kind: Kind) -> Result<(), RunError> {
        let table = schema::table(kind);
        loop {
            let pending = {
                let mut connection = self.parts.db.read().await?;
                nocodb::pending(&mut connection, kind, 50).await?
            };
            if pending.is_empty() {
                return Ok(());
            }
            let ids: Vec<&str> = pending.iter().map(|link| link.local_id.as_str()).collect();
            let condition = format!("({},in,{})", table.key(), ids.join(","));
            let query = RowQuery {
                condition: &condition,
                fields: &[table.key()],
                limit: 100,
            };
            let found = self.remote.list(table, query).await?;
            let key = |record: &super::remote::Record| {
                Some(record.fields.get(table.key())?.as_str()?.to_owned())
            };
            let found: BTreeMap<String, i64> = found
                .iter()
                // Of two rows with the same id the first one counts.
                .rev()
                .filter_map(|record| Some((key(record)?, record.id)))
                .collect();
            let mut transaction = self.parts.db.write().await?;
            for mut link in pending {
                match found.get(&link.local_id) {
                    Some(id) => {
                        link.remote_id = Some(*id);
                        nocodb::put_link(&mut transaction, kind, &link).await?;
                    }
                    None => {
                        nocodb::remove_link(&mut transaction, kind, &link.local_id).await?;
                    }
                }
            }
            transaction.commit().await?;
        }
    }

    /// Splits a batch into rows that have arrived after all and rows that have not.
    async fn split_by_arrival(
        &self,
        kind: Kind,
        batch: Vec<OutgoingRow>,
    ) -> Result<(Vec<OutgoingRow>, Vec<OutgoingRow>), RunError> {
        let mut connection = self.parts.db.read().await?;
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for mut parcel in batch {
            let link = nocodb::of_local(&mut connection, kind, &parcel.local_id).await?;
            match link.and_then(|link| link.remote_id) {
                Some(id) => {
                    parcel.remote_id = Some(id);
                    found.push(parcel);
                }
                None => missing.push(parcel),
            }
        }
        Ok((found, missing))
    }

    /// Deletes remote rows whose local row was deleted.
    pub(super) async fn delete_remote_rows(&mut self, kind: Kind) -> Result<(), RunError> {
        let table = schema::table(kind);
        let mut after = String::new();
        loop {
            let limit = u32::try_from(self.remote.api().batch()).unwrap_or(10);
            let removed = {
                let mut connection = self.parts.db.read().await?;
                nocodb::removed(&mut connection, kind, &after, limit).await?
            };
            let Some(last) = removed.last() else {
                return Ok(());
            };
            after.clone_from(&last.local_id);
            let mut waiting = vec![removed.clone()];
            while let Some(mut batch) = waiting.pop() {
                let ids: Vec<i64> = batch.iter().filter_map(|link| link.remote_id).collect();
                if ids.is_empty() {
                    continue;
                }
                if kind == Kind::Outputs {
                    for link in &batch {
                        self.remove_parts(&link.local_id).await?;
                    }
                }
                match self.remote.delete(table, &ids).await {
                    Ok(()) => {
                        self.report.stats.removed_there += count(&ids);
                        self.report.stats.carried(kind, count(&ids));
                    }
                    // Already deleted, which is the desired result.
                    Err(Failure::NotFound(..)) if ids.len() == 1 => {}
                    Err(Failure::NotFound(..)) => {
                        let rest = batch.split_off(batch.len() / 2);
                        waiting.extend([rest, batch]);
                    }
                    Err(failure) => return Err(failure.into()),
                }
            }
            let mut transaction = self.parts.db.write().await?;
            for link in &removed {
                nocodb::remove_link(&mut transaction, kind, &link.local_id).await?;
            }
            transaction.commit().await?;
        }
    }
}

fn count<T>(rows: &[T]) -> u64 {
    u64::try_from(rows.len()).unwrap_or(u64::MAX)
}

fn chunks<T>(rows: Vec<T>, size: usize) -> Vec<Vec<T>> {
    let mut chunks = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        chunks.push(rows.by_ref().take(size).collect());
    }
    chunks
}
