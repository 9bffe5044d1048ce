//! `POST /api/v1/admin/users`: creates an account and invites its owner.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::{Administrator, new_account};
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, preferences, profiles};
use slovo_rules::account;
use slovo_rules::locale::Locale;
use slovo_rules::preferences::Preferences;
use slovo_rules::profile;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::super::Error;
use super::super::list_users::ManagedUser;
use super::{mail_content, mailed};

/// The new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InviteForm)]
pub(super) struct Form {
    /// E-mail address.
    email: String,
    /// Full name; may be empty.
    #[serde(default)]
    fullname: String,
    /// Language of the invitation, and of the pages until the user chooses another one.
    #[serde(default)]
    locale: Locale,
}

/// The result.
#[derive(Serialize, ToSchema)]
#[schema(as = InvitedUser)]
pub(super) struct InvitedUser {
    /// The new account.
    user: ManagedUser,
    /// Whether the mail server accepted the invitation; if not, send it again.
    mailed: bool,
}

/// Creates an account without a password and emails its owner a link to set one.
#[utoipa::path(post, path = "/admin/users", tag = "admin", operation_id = "create_user",
    request_body = Form,
    responses(
        (status = CREATED, body = InvitedUser),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = CONFLICT, body = Document, description = "email_taken"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<InvitedUser>), Error> {
    let (email, fullname) = validate(&form).map_err(Error::Invalid)?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let opened = new_account::open(state.auth(), &mut transaction, &email, None).await;
    let account = opened.map_err(|error| match error.constraint() {
        Some("accounts_email_key") => Error::EmailTaken,
        _ => error.into(),
    })?;
    if !fullname.is_empty() {
        profiles::set_fullname(&mut transaction, &account.id, &fullname, now).await?;
    }
    let preferences_form = Preferences {
        locale: form.locale,
        ..Preferences::default()
    };
    let preferences_form =
        slovo_rules::preferences::validate(&preferences_form).map_err(Error::Invalid)?;
    preferences::set(&mut transaction, &account.id, &preferences_form, now).await?;
    let mail = mail_content(&state, &mut transaction, &caller, &account).await?;
    let change = Change {
        action: "user.create",
        kind: "user",
        id: &account.id,
        name: &email,
        before: Value::Null,
        after: json!({ "email": email, "fullname": fullname }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    let person = accounts::search::get(&mut transaction, &account.id).await?;
    let person = person.ok_or(Error::NotFound)?;
    transaction.commit().await?;
    let mailed = mailed(&state, &person.account, &mail).await;
    let user = person.into();
    Ok((StatusCode::CREATED, Json(InvitedUser { user, mailed })))
}

fn validate(form: &Form) -> Result<(String, String), Violations> {
    let mut broken = Vec::new();
    let email = account::validate_email("email", &form.email);
    let email = email.unwrap_or_else(|violation| {
        broken.push(violation);
        String::new()
    });
    // The name may be empty: its owner can set it.
    let fullname = match form.fullname.trim() {
        "" => String::new(),
        name => profile::validate_fullname(name).unwrap_or_else(|violations| {
            broken.extend(violations.0);
            String::new()
        }),
    };
    if broken.is_empty() {
        Ok((email, fullname))
    } else {
        Err(Violations(broken))
    }
}
