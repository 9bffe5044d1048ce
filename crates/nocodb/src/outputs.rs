//! Texts of jobs: they are only sent, as a whole. A cell holds 100,000 characters; longer texts
//! continue in rows of a separate table, under the digest of the whole text, so that a reader can
//! tell whether all pieces of that digest have arrived.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use slovo_db::jobs;
use slovo_db::nocodb::Kind;

use super::failure::Failure;
use super::push::OutgoingRow;
use super::remote::{Record, Remote, RowQuery};
use super::run::{RunError, Sync};
use super::schema::PARTS;
use super::texts::{TEXTS, texts};
use super::{digest, mirror, schema, text};
use slovo_platform::clock::from_ms;

/// Pieces per write: each may have some 300 kB, and a request should stay near one megabyte.
const PIECES: usize = 3;
/// Most bytes of texts in one write of rows.
const BATCH_BYTES: usize = 1024 * 1024;

/// Where a text that does not fit its cell continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Continuation {
    /// Number of pieces, including the one in the cell.
    pieces: usize,
    /// Digest of the whole text.
    digest: String,
}

/// A piece of a text in the separate table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TextPiece {
    field: String,
    digest: String,
    index: usize,
}

impl Sync<'_> {
    /// Sends the texts of these jobs: local row, remote row, and the digest under which it counts
    /// as sent.
    pub(super) async fn push_outputs(
        &mut self,
        changed: Vec<(String, Option<i64>, String)>,
    ) -> Result<(), RunError> {
        let (mut new, mut bytes) = (Vec::new(), 0);
        for (local_id, remote_id, carried) in changed {
            let Some(texts) = texts(self.parts, &local_id).await? else {
                continue;
            };
            let (mut fields, continued, pieces) = split_texts(&texts);
            bytes += fields
                .values()
                .map(|value| value.to_string().len())
                .sum::<usize>();
            fields.insert("my_job_id".to_owned(), Value::from(local_id.as_str()));
            if !pieces.is_empty() || remote_id.is_some() {
                self.put_pieces(&local_id, &pieces, &texts, remote_id.is_some())
                    .await?;
            }
            fields.extend(self.facts(&local_id, &continued).await?);
            let parcel = OutgoingRow {
                agreed: digest::of_fields(&texts),
                mirrored: mirror::of_row(
                    schema::table(Kind::Outputs),
                    &with_texts(&fields, &texts),
                ),
                local_id,
                remote_id,
                fields,
                carried,
            };
            if remote_id.is_some() {
                let local_id = parcel.local_id.clone();
                self.update(Kind::Outputs, vec![parcel]).await?;
                // Only after the row refers to the new ones.
                self.remove_others(&local_id, &pieces).await?;
                self.store_progress(Kind::Outputs).await?;
                continue;
            }
            new.push(parcel);
            if new.len() >= self.remote.api().batch() || bytes >= BATCH_BYTES {
                bytes = 0;
                self.create(Kind::Outputs, std::mem::take(&mut new)).await?;
                self.store_progress(Kind::Outputs).await?;
            }
        }
        self.create(Kind::Outputs, new).await
    }

    /// The fields of a job's row besides its texts.
    async fn facts(
        &self,
        local_id: &str,
        continued: &BTreeMap<String, Continuation>,
    ) -> Result<Map<String, Value>, RunError> {
        let mut connection = self.parts.db.read().await?;
        let job = match local_id.parse() {
            Ok(id) => jobs::find_any(&mut connection, id).await?,
            Err(_) => None,
        };
        let continued = if continued.is_empty() {
            Value::Null
        } else {
            Value::from(json!(continued).to_string())
        };
        let mut facts = Map::new();
        facts.insert("text_parts".to_owned(), continued);
        if let Some(job) = job {
            facts.insert("audio_duration".to_owned(), json!(job.duration));
            let created_at = job.finished_at.unwrap_or(job.created_at);
            facts.insert(
                "created_at".to_owned(),
                json!(from_ms(created_at).to_string()),
            );
        }
        Ok(facts)
    }

    /// Creates the missing pieces; for an existing row also replaces pieces that were changed
    /// remotely.
    async fn put_pieces(
        &self,
        local_id: &str,
        pieces: &[TextPiece],
        texts: &Map<String, Value>,
        was_there: bool,
    ) -> Result<(), RunError> {
        let existing = pieces_of(self.remote, local_id, was_there).await?;
        let is_changed = |piece: &TextPiece, text: &str| {
            was_there && pieces.contains(piece) && text != text_of(piece, texts)
        };
        let (changed, unchanged): (Vec<_>, Vec<_>) = existing
            .into_iter()
            .partition(|(_, piece, text)| is_changed(piece, text));
        let changed: Vec<i64> = changed.into_iter().map(|(id, _, _)| id).collect();
        self.remove_pieces(&changed).await?;
        let missing: Vec<_> = pieces
            .iter()
            .filter(|piece| !unchanged.iter().any(|(_, stored, _)| stored == *piece))
            .collect();
        for chunk in missing.chunks(PIECES) {
            let rows: Vec<_> = chunk
                .iter()
                .map(|piece| {
                    let row = json!({
                        "my_job_id": local_id,
                        "field": piece.field,
                        "digest": piece.digest,
                        "part_index": piece.index,
                        "text": text_of(piece, texts),
                    });
                    row.as_object().cloned().unwrap_or_default()
                })
                .collect();
            // A duplicate is read once, and deleted with the next change.
            self.remote.create(&PARTS, &rows).await?;
        }
        Ok(())
    }

    /// Deletes the pieces of earlier texts of a job.
    async fn remove_others(&self, local_id: &str, standing: &[TextPiece]) -> Result<(), RunError> {
        let mut found = Vec::new();
        let mut others = Vec::new();
        for (id, piece, _) in pieces_of(self.remote, local_id, false).await? {
            if standing.contains(&piece) && !found.contains(&piece) {
                found.push(piece);
            } else {
                others.push(id);
            }
        }
        self.remove_pieces(&others).await
    }

    async fn remove_pieces(&self, ids: &[i64]) -> Result<(), RunError> {
        for chunk in ids.chunks(self.remote.api().batch()) {
            match self.remote.delete(&PARTS, chunk).await {
                Ok(()) | Err(Failure::NotFound(..)) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(())
    }

    /// Deletes all pieces of a job's texts.
    pub(super) async fn remove_parts(&self, local_id: &str) -> Result<(), RunError> {
        self.remove_others(local_id, &[]).await
    }
}

/// The fields of a row with its complete texts.
fn with_texts(fields: &Map<String, Value>, texts: &Map<String, Value>) -> Map<String, Value> {
    let mut all = fields.clone();
    for (name, text) in texts {
        all.insert(name.clone(), text.clone());
    }
    all
}

/// The text of a piece.
fn text_of<'a>(piece: &TextPiece, texts: &'a Map<String, Value>) -> &'a str {
    let full_text = texts.get(&piece.field).and_then(Value::as_str);
    let pieces = text::split(full_text.unwrap_or_default());
    pieces.get(piece.index).copied().unwrap_or_default()
}

/// A row's cells, where its texts continue, and the remaining pieces.
fn split_texts(
    texts: &Map<String, Value>,
) -> (
    Map<String, Value>,
    BTreeMap<String, Continuation>,
    Vec<TextPiece>,
) {
    let (mut cells, mut continued, mut pieces) = (texts.clone(), BTreeMap::new(), Vec::new());
    for (field, full_text) in texts {
        let Some(full_text) = full_text.as_str() else {
            continue;
        };
        let parts = text::split(full_text);
        let digest = digest::of_text(full_text);
        if parts.len() == 1 {
            continue;
        }
        cells.insert(field.clone(), Value::from(parts[0]));
        pieces.extend((1..parts.len()).map(|index| TextPiece {
            field: field.clone(),
            digest: digest.clone(),
            index,
        }));
        let pieces = parts.len();
        continued.insert(field.clone(), Continuation { pieces, digest });
    }
    (cells, continued, pieces)
}

/// The existing pieces with their numbers, and with their text if requested.
async fn pieces_of(
    remote: &Remote,
    local_id: &str,
    with_text: bool,
) -> Result<Vec<(i64, TextPiece, String)>, Failure> {
    let (fields, limit): (&[&str], _) = if with_text {
        (&["field", "digest", "part_index", "text"], PIECES * 3)
    } else {
        (&["field", "digest", "part_index"], 100)
    };
    let (mut all, mut position) = (Vec::new(), 0);
    loop {
        let condition = format!("(my_job_id,eq,{local_id})~and(Id,gt,{position})");
        let query = RowQuery {
            condition: &condition,
            fields,
            limit,
        };
        let page = remote.list(&PARTS, query).await?;
        let text = |record: &Record, name: &str| {
            let value = record.fields.get(name).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        for record in &page {
            let index = record.fields.get("part_index").and_then(Value::as_u64);
            let piece = TextPiece {
                field: text(record, "field"),
                digest: text(record, "digest"),
                index: index
                    .and_then(|index| usize::try_from(index).ok())
                    .unwrap_or(0),
            };
            all.push((record.id, piece, text(record, "text")));
        }
        match page.last() {
            Some(last) if page.len() == limit && last.id > position => position = last.id,
            _ => return Ok(all),
        }
    }
}

/// The remote texts of a job; `None` if the row is gone, or pieces are missing.
///
/// # Errors
/// [`Failure`].
#[cfg(feature = "testing")]
pub async fn read_whole(
    remote: &Remote,
    remote_id: i64,
    local_id: &str,
) -> Result<Option<Map<String, Value>>, Failure> {
    let read = read_row(remote, remote_id, local_id).await?;
    Ok(read.and_then(|row| row.texts))
}

/// A remote row of texts.
pub(super) struct RemoteTexts {
    /// Its cells.
    pub fields: Map<String, Value>,
    /// Its complete texts; `None` if pieces are missing.
    pub texts: Option<Map<String, Value>>,
}

/// The remote row of a job's texts; `None` if it is gone.
///
/// # Errors
/// [`Failure`].
pub(super) async fn read_row(
    remote: &Remote,
    remote_id: i64,
    local_id: &str,
) -> Result<Option<RemoteTexts>, Failure> {
    let condition = format!("(Id,eq,{remote_id})");
    let query = RowQuery {
        condition: &condition,
        fields: &[],
        limit: 1,
    };
    let found = remote.list(schema::table(Kind::Outputs), query).await?;
    let Some(record) = found.into_iter().next() else {
        return Ok(None);
    };
    let texts = texts_of(remote, &record, local_id).await?;
    Ok(Some(RemoteTexts {
        fields: record.fields,
        texts,
    }))
}

/// The complete texts of a row; `None` if pieces are missing.
async fn texts_of(
    remote: &Remote,
    record: &Record,
    local_id: &str,
) -> Result<Option<Map<String, Value>>, Failure> {
    let continued = record.fields.get("text_parts").and_then(Value::as_str);
    let continued: BTreeMap<String, Continuation> = match continued {
        None | Some("") => BTreeMap::new(),
        Some(text) => match serde_json::from_str(text) {
            Ok(continued) => continued,
            Err(_) => return Ok(None),
        },
    };
    let pieces = if continued.is_empty() {
        Vec::new()
    } else {
        pieces_of(remote, local_id, true).await?
    };
    let mut texts = Map::new();
    for name in TEXTS {
        let cell = record
            .fields
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default();
        let mut full_text = cell.to_owned();
        if let Some(Continuation {
            pieces: count,
            digest,
        }) = continued.get(name)
        {
            for index in 1..*count {
                let piece = pieces.iter().find(|(_, piece, _)| {
                    piece.index == index && piece.field == name && piece.digest == *digest
                });
                match piece {
                    Some((_, _, text)) => full_text.push_str(text),
                    None => return Ok(None),
                }
            }
        }
        let value = if full_text.is_empty() {
            Value::Null
        } else {
            Value::from(full_text)
        };
        texts.insert(name.to_owned(), value);
    }
    Ok(Some(texts))
}
