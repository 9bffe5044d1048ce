//! `POST /api/v1/admin/users/{id}/balance`: adds or subtracts minutes of an account for this month.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_api::me::minutes::Minutes;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_db::plans::ledger;
use slovo_rules::balance::{BalanceForm, validate};
use slovo_rules::minutes::to_hundredths;
use slovo_rules::violation::Violations;
use uuid::Uuid;

use super::Error as Unchanged;

/// Why no minutes were adjusted.
#[derive(Debug)]
pub(super) enum Error {
    /// The form is invalid.
    Invalid(Violations),
    /// An error common to all changes of accounts.
    Unchanged(Unchanged),
}

impl<E: Into<Unchanged>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Unchanged(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violations) => slovo_app::http::Problem::from(violations).into_response(),
            Self::Unchanged(error) => error.into_response(),
        }
    }
}

/// Adjusts this month's minutes of an account. The adjustment lapses at the end of the month. You
/// can't subtract more than is left.
#[utoipa::path(post, path = "/admin/users/{id}/balance", tag = "admin",
    operation_id = "adjust_user_balance",
    params(("id" = Uuid, Path, description = "Account id")), request_body = BalanceForm,
    responses(
        (status = OK, body = Minutes),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn adjust(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<BalanceForm>,
) -> Result<Json<Minutes>, Error> {
    let adjustment = validate(&form).map_err(Error::Invalid)?;
    let id = id.to_string();
    let now = state.clock.now_ms();
    let change = to_hundredths(adjustment.change_minutes);
    let mut transaction = state.db.write().await?;
    let account = accounts::get(&mut transaction, &id).await?;
    let account = account.ok_or(Unchanged::NotFound)?;
    // Locked, so that a concurrent adjustment sees the result of this one.
    let before = ledger::lock_balance(&mut transaction, &id, now).await?;
    let month = before.month().after(adjustment.change_minutes);
    month.map_err(|violation| Error::Invalid(violation.into()))?;
    ledger::adjust(&mut transaction, &id, change, &adjustment.reason, now).await?;
    let after = ledger::read_balance(&mut transaction, &id, now).await?;
    let change = Change {
        action: "user.adjust_balance",
        kind: "user",
        id: &id,
        name: &account.email,
        before: json!({ "bonus": before.bonus, "limit": before.limit() }),
        after: json!({
            "bonus": after.bonus, "limit": after.limit(), "reason": adjustment.reason,
        }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(Minutes::from(&after)))
}
