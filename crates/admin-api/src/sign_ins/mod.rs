//! `GET /api/v1/admin/sign-ins`: successful and failed sign-ins.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Administrator;
use slovo_app::http::list_query::{moment, plain};
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::accounts::sign_ins::{self, Filter, SignIn};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::sign_in::{SignInMethod, SignInOutcome};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::page::PageParams;

/// Filters for the sign-ins.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SignInQuery {
    /// Part of the e-mail address (case is ignored) or of the network address.
    search: Option<String>,
    /// Only sign-ins with this outcome.
    outcome: Option<SignInOutcome>,
    /// Only sign-ins at or after this time (RFC 3339). A date means its beginning in UTC.
    from: Option<String>,
    /// Only sign-ins before this time (RFC 3339). A date means its end in UTC.
    to: Option<String>,
}

impl SignInQuery {
    fn filter(&self) -> Result<Filter, Problem> {
        let time = |input: &Option<String>, end_of_day| match input.as_deref() {
            None | Some("") => Ok(None),
            Some(text) => match moment(text, end_of_day) {
                Some(ms) => Ok(Some(ms)),
                None => Err(
                    Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                        .detail("from and to must be dates or times in RFC 3339 format"),
                ),
            },
        };
        Ok(Filter {
            search: plain(self.search.as_deref()).to_lowercase(),
            outcome: self.outcome,
            from: time(&self.from, false)?,
            until: time(&self.to, true)?,
        })
    }
}

/// A sign-in, or failed attempts from one network within a minute with the same cause.
#[derive(Serialize, ToSchema)]
#[schema(as = SignIn)]
pub(super) struct Body {
    id: Uuid,
    /// The account; null if it is unknown or there were several.
    #[schema(required)]
    account_id: Option<String>,
    /// The e-mail address; empty if it is unknown or there were several.
    email: String,
    /// The network address; empty if there were several.
    address: String,
    /// The browser's `User-Agent`; empty if it sent none or there were several.
    user_agent: String,
    method: SignInMethod,
    outcome: SignInOutcome,
    /// Number of attempts within the minute; 1 for a successful sign-in.
    times: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the last of them happened.
    #[schema(value_type = String, format = DateTime)]
    last_at: Timestamp,
}

impl From<SignIn> for Body {
    fn from(sign_in: SignIn) -> Self {
        Self {
            id: sign_in.id,
            account_id: sign_in.account_id,
            email: sign_in.email,
            address: sign_in.address,
            user_agent: sign_in.user_agent,
            method: sign_in.method,
            outcome: sign_in.outcome,
            times: sign_in.times,
            created_at: from_ms(sign_in.created_at),
            last_at: from_ms(sign_in.last_at),
        }
    }
}

/// Number of sign-ins with an outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = SignInCount)]
pub(super) struct Count {
    outcome: SignInOutcome,
    times: i64,
}

/// A page of sign-ins.
#[derive(Serialize, ToSchema)]
#[schema(as = SignInPage)]
pub(super) struct Page {
    /// The newest first.
    items: Vec<Body>,
    /// Cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Number of sign-ins for each outcome, for the same search and times; the most frequent first.
    counts: Vec<Count>,
}

/// Lists successful and failed sign-ins: when, from which address, with which browser, and the
/// outcome. Kept for 90 days.
#[utoipa::path(get, path = "/admin/sign-ins", tag = "admin", operation_id = "list_sign_ins",
    params(SignInQuery, PageParams),
    responses(
        (status = OK, body = Page),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(wanted): Query<SignInQuery>,
    Query(query): Query<PageParams>,
) -> Result<Json<Page>, Problem> {
    let (filter, after) = (wanted.filter()?, query.after()?);
    let mut connection = state.db.read().await?;
    let mut found = sign_ins::list(&mut connection, &filter, after, query.read()).await?;
    let counts = sign_ins::count(&mut connection, &filter).await?;
    let next_cursor = query.cut(&mut found, |sign_in| (sign_in.created_at, sign_in.id));
    let counts = counts.into_iter();
    Ok(Json(Page {
        items: found.into_iter().map(Body::from).collect(),
        next_cursor,
        counts: counts
            .map(|(outcome, times)| Count { outcome, times })
            .collect(),
    }))
}
