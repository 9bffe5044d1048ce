//! `DELETE /api/v1/admin/plans/{id}`: deletes a plan.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use slovo_db::plans;
use uuid::Uuid;

use super::Error;

/// Deletes a plan without users. A plan with users can be made inactive instead.
#[utoipa::path(delete, path = "/admin/plans/{id}", tag = "admin", operation_id = "delete_plan",
    params(("id" = Uuid, Path, description = "Plan id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "plan_in_use: somebody has it"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Error> {
    let mut transaction = state.db.write().await?;
    let plan = plans::get(&mut transaction, id).await?;
    let plan = plan.ok_or(Error::NotFound)?;
    if plan.users > 0 {
        return Err(Error::InUse);
    }
    match plans::delete(&mut transaction, id).await {
        // An account got the plan meanwhile.
        Err(error) if error.constraint().is_some() => return Err(Error::InUse),
        other => other?,
    };
    let change = Change {
        action: "plan.delete",
        kind: "plan",
        id: &id.to_string(),
        name: &plan.form.name,
        before: json!(plan.form),
        after: Value::Null,
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
