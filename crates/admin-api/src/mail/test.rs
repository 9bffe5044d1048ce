//! `POST /api/v1/admin/mail/test`: sends a test mail to the calling administrator.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_mail::Mail;
use slovo_rules::locale::Locale;
use utoipa::ToSchema;

use super::View;

/// The language of the test mail.
#[derive(Deserialize, ToSchema)]
#[schema(as = MailTestForm)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// Language of the page, and of the mail.
    #[serde(default)]
    locale: Locale,
}

/// Why a mail was not sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MailFailure)]
pub(super) struct Failure {
    /// Stable name: `address`, `unwritable`, `unreachable`, `sign_in`, `refused`, `postponed`,
    /// `timed_out`, `outbox`.
    code: &'static str,
    /// The reason in English. It contains no code, link or password.
    reason: String,
}

/// The result of the test.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MailTest)]
pub(super) struct Body {
    /// The recipient.
    to: String,
    /// How it was sent.
    way: View,
    /// Why it was not sent; null if it was.
    #[schema(required)]
    failure: Option<Failure>,
}

/// Sends a test email to the caller's own address.
#[utoipa::path(post, path = "/admin/mail/test", tag = "admin", operation_id = "test_mail",
    request_body = Form,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<Form>,
) -> Result<Json<Body>, Problem> {
    state.limits.mail_test(&caller.user_id)?;
    let to = caller.account.email.clone();
    let result = state.mail.send(&to, form.locale, &Mail::Test).await;
    let failure = result.err().map(|error| Failure {
        code: error.code(),
        reason: error.to_string(),
    });
    let way = View::of(&state);
    let outcome = failure.as_ref().map_or("sent", |failure| failure.code);
    let change = Change {
        action: "mail.test",
        kind: "mail",
        id: &caller.user_id,
        name: &to,
        before: Value::Null,
        after: json!({"carrier": way.carrier, "place": way.place, "outcome": outcome}),
    };
    let mut transaction = state.db.write().await?;
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(Body { to, way, failure }))
}
