//! Pages of lists that are read with a cursor, the newest first.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use slovo_app::http::Problem;
use slovo_app::http::cursor;
use slovo_rules::codes::ProblemCode;
use slovo_rules::limits::ADMIN_PAGE;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Largest page size.
const MAX_PAGE_SIZE: u32 = 100;

/// A page of a list, with numbers of entries.
#[derive(Serialize, ToSchema)]
pub struct Page<T, C> {
    /// The newest first.
    items: Vec<T>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Numbers of entries.
    #[serde(flatten)]
    counts: C,
}

/// Which page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
    /// 1 to 100; 50 if absent.
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

impl PageParams {
    /// Page size.
    fn limit(&self) -> u32 {
        self.limit.unwrap_or(ADMIN_PAGE).clamp(1, MAX_PAGE_SIZE)
    }

    /// Number of rows to read: one more than the page size, to know whether there is another page.
    #[must_use]
    pub fn read(&self) -> u32 {
        self.limit() + 1
    }

    /// The row before the page.
    ///
    /// # Errors
    /// `malformed_query` if the cursor is not one of ours.
    pub fn after(&self) -> Result<Option<(i64, Uuid)>, Problem> {
        match self.cursor.as_deref() {
            None | Some("") => Ok(None),
            Some(cursor) => cursor::read(cursor).map(Some).ok_or_else(|| {
                Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                    .detail("cursor is not valid")
            }),
        }
    }

    /// The page of these rows.
    pub fn page<R, T: From<R>, C>(
        &self,
        mut rows: Vec<R>,
        place: impl Fn(&R) -> (i64, Uuid),
        counts: C,
    ) -> Page<T, C> {
        let next_cursor = self.cut(&mut rows, place);
        Page {
            items: rows.into_iter().map(T::from).collect(),
            next_cursor,
            counts,
        }
    }

    /// Truncates the rows to a page; returns the cursor of the next one, if any.
    pub fn cut<T>(&self, rows: &mut Vec<T>, place: impl Fn(&T) -> (i64, Uuid)) -> Option<String> {
        let limit = self.limit() as usize;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let (created_at, id) = place(rows.last().filter(|_| more)?);
        Some(cursor::write(created_at, id))
    }
}
