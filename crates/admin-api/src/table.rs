//! Lists as CSV, streamed while they are read.

use std::future::Future;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_export::csv::{BYTE_ORDER_MARK, cell};
use slovo_platform::clock::from_ms;
use uuid::Uuid;

/// Rows read at a time.
const AT_ONCE: u32 = 500;

/// The source of a table, the newest rows first.
pub(super) trait ExportTable: Send + Sync + 'static {
    /// A row.
    type Row: Send;

    /// Part of the file name.
    const NAME: &'static str;

    /// Column names.
    const COLUMNS: &'static [&'static str];

    /// At most `limit` rows after this one.
    fn read(
        &self,
        connection: &mut Connection,
        after: Option<(i64, Uuid)>,
        limit: u32,
    ) -> impl Future<Output = slovo_db::Result<Vec<Self::Row>>> + Send;

    /// A row's position in the order: time and id.
    fn place(row: &Self::Row) -> (i64, Uuid);

    /// A row's cells, one for each column.
    fn cells(row: Self::Row) -> Vec<String>;
}

/// The next part to send.
enum NextChunk {
    Columns,
    After(Option<(i64, Uuid)>),
    Nothing,
}

/// The response with the table.
///
/// # Errors
/// If the file name is not valid in a header.
pub(super) fn answer<R: ExportTable>(state: &AppState, rows: R) -> Result<Response, Problem> {
    let day = state.clock.now().strftime("%F");
    let disposition = format!("attachment; filename=\"slovo-{}-{day}.csv\"", R::NAME);
    let headers = HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/csv; charset=utf-8"),
        ),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::try_from(disposition).map_err(Problem::internal)?,
        ),
    ]);
    let pieces = try_unfold(
        (state.clone(), rows, NextChunk::Columns),
        async |(state, rows, next)| match next {
            NextChunk::Columns => {
                let columns = R::COLUMNS.iter().map(|name| (*name).to_owned());
                let first = BYTE_ORDER_MARK.to_owned() + &line(columns);
                Ok(Some((first, (state, rows, NextChunk::After(None)))))
            }
            NextChunk::After(after) => {
                let mut connection = state.db.read().await?;
                let found = rows.read(&mut connection, after, AT_ONCE).await?;
                drop(connection);
                let next = match found.last() {
                    Some(last) if found.len() == AT_ONCE as usize => {
                        NextChunk::After(Some(R::place(last)))
                    }
                    _ => NextChunk::Nothing,
                };
                let text: String = found.into_iter().map(|row| line(R::cells(row))).collect();
                Ok(Some((text, (state, rows, next))))
            }
            NextChunk::Nothing => Ok::<_, slovo_db::Error>(None),
        },
    );
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// A time in Unix milliseconds as a cell; empty if there is none.
pub(super) fn time_or_nothing(milliseconds: Option<i64>) -> String {
    milliseconds.map_or_else(String::new, |at| from_ms(at).to_string())
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<_> = cells.into_iter().map(|text| cell(&text)).collect();
    cells.join(",") + "\r\n"
}
