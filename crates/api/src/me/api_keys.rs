//! `/api/v1/me/api-keys`: the keys with which programs call the API on behalf of the caller. No key
//! can list, create or revoke keys.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use slovo_app::auth::api_keys::NewKey;
use slovo_app::auth::proof::{ProofError, confirm_password};
use slovo_app::auth::{Caller, ClientAddress};
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::api_keys::{self, ApiKey};
use slovo_db::plans::ledger;
use slovo_platform::clock::from_ms;
use slovo_rules::api_key::{self as rules, ApiKeyForm, ApiScope, MAX_KEYS};
use slovo_rules::codes::ProblemCode;
use slovo_rules::plan::PlanFeature;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use uuid::Uuid;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Why no key was created.
#[derive(Debug)]
pub(super) enum Error {
    Invalid(Violations),
    NotProven(ProofError),
    /// Only administrators can create a key for administration.
    NotAdministrator,
    /// The caller's plan does not include the API.
    NotInPlan,
    TooMany,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violations) => Problem::from(violations),
            Self::NotProven(reason) => Problem::from(reason),
            Self::NotAdministrator => Problem::forbidden(),
            Self::NotInPlan => Problem::new(StatusCode::FORBIDDEN, ProblemCode::ApiNotInPlan),
            Self::TooMany => {
                let params = [("max".to_owned(), Value::from(MAX_KEYS))];
                Problem::new(StatusCode::CONFLICT, ProblemCode::TooManyApiKeys)
                    .params(params.into())
            }
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl<E: Into<anyhow::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// A key without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub struct ApiKeyBody {
    /// Its id.
    id: Uuid,
    /// Its name.
    name: String,
    /// The last four characters of the key.
    hint: String,
    /// What it permits.
    scopes: Vec<ApiScope>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// From when on it does not work; null if it does not expire.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// When it was last used, to the minute; null if never.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
    /// Network address of the last use.
    #[schema(required)]
    last_address: Option<String>,
}

impl From<ApiKey> for ApiKeyBody {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            hint: key.hint,
            scopes: key.scopes,
            created_at: from_ms(key.created_at),
            expires_at: key.expires_at.map(from_ms),
            last_used_at: key.last_used_at.map(from_ms),
            last_address: key.last_address,
        }
    }
}

/// The keys of an account.
#[derive(Serialize, ToSchema)]
pub(super) struct ApiKeyList {
    /// At most 50, the newest first; expired ones stay for 30 days.
    keys: Vec<ApiKeyBody>,
    /// Whether the plan includes the API. Without it the keys do not work.
    in_plan: bool,
}

/// A request for a key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewApiKey {
    /// 1 to 80 characters.
    name: String,
    /// At least one.
    scopes: Vec<ApiScope>,
    /// Days until it expires, 1 to 3650; never if absent.
    expires_in_days: Option<i64>,
    /// The account's password; not required if it has none.
    #[serde(default)]
    password: String,
}

/// A key with its secret.
#[derive(Serialize, ToSchema)]
pub(super) struct CreatedApiKey {
    /// For the header `Authorization: Bearer …`. It is not stored, and cannot be shown again.
    secret: String,
    /// The key as it is listed.
    key: ApiKeyBody,
}

/// Lists the API keys of the account, the newest first.
#[utoipa::path(get, path = "/me/api-keys", tag = "me", operation_id = "list_api_keys",
    responses((status = OK, body = ApiKeyList)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<ApiKeyList>, Problem> {
    let (user_id, now) = (&caller.user_id, state.clock.now_ms());
    let mut connection = state.db.read().await?;
    let keys = api_keys::list(&mut connection, user_id).await?;
    let balance = ledger::read_balance(&mut connection, user_id, now).await?;
    Ok(Json(ApiKeyList {
        keys: keys.into_iter().map(ApiKeyBody::from).collect(),
        in_plan: balance.has(PlanFeature::Api),
    }))
}

/// Creates an API key. The answer contains the key itself, which is not shown again.
#[utoipa::path(post, path = "/me/api-keys", tag = "me", operation_id = "create_api_key",
    request_body = NewApiKey,
    responses(
        (status = CREATED, body = CreatedApiKey),
        (status = FORBIDDEN, body = Document, description = "wrong_password; forbidden: a key for \
            administration, by a user who is no administrator; api_not_in_plan"),
        (status = CONFLICT, body = Document, description = "too_many_api_keys (params: max)"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    caller: Caller,
    Json(body): Json<NewApiKey>,
) -> Result<(StatusCode, Json<CreatedApiKey>), Error> {
    let form = ApiKeyForm {
        name: body.name,
        scopes: body.scopes,
        expires_in_days: body.expires_in_days,
    };
    let plan = rules::validate(&form).map_err(Error::Invalid)?.into_inner();
    if plan.scopes.contains(&ApiScope::Admin) && !caller.is_admin() {
        return Err(Error::NotAdministrator);
    }
    let proof = confirm_password(state.auth(), &caller, address, &body.password).await;
    let proof = proof.map_err(Error::NotProven)?;
    let now = state.clock.now_ms();
    let secret = NewKey::new(&*state.random);
    let key = ApiKey {
        id: state.new_id().parse()?,
        name: plan.name,
        hint: secret.hint,
        scopes: plan.scopes,
        created_at: now,
        expires_at: plan.days.map(|days| now + i64::from(days) * DAY_MS),
        last_used_at: None,
        last_address: None,
    };
    let mut transaction = state.db.write().await?;
    // Locks the account, so that the numbers of keys is counted one request after the other.
    let proven = proof.hold(&mut transaction, now).await;
    proven.map_err(Error::NotProven)?;
    let balance = ledger::read_balance(&mut transaction, &caller.user_id, now).await?;
    if !balance.has(PlanFeature::Api) {
        return Err(Error::NotInPlan);
    }
    let existing = api_keys::count(&mut transaction, &caller.user_id).await?;
    if usize::try_from(existing)? >= MAX_KEYS {
        return Err(Error::TooMany);
    }
    api_keys::insert(&mut transaction, &caller.user_id, &key, &secret.hash).await?;
    transaction.commit().await?;
    tracing::info!(user = caller.user_id, key = %key.id, "an API key was created");
    let created = CreatedApiKey {
        secret: secret.secret,
        key: key.into(),
    };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Revokes an API key: it no longer works, and streams opened with it end.
#[utoipa::path(delete, path = "/me/api-keys/{id}", tag = "me", operation_id = "revoke_api_key",
    params(("id" = String, Path, description = "Key id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn revoke(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    if !api_keys::delete(&mut transaction, &caller.user_id, id).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
