//! `POST /api/v1/shared/{token}/unlock`: checks the password of a link.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::{ClientAddress, Verdict};
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::shares as rows;
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::share::validate_try;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

/// The password entered by a visitor.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SharePassword {
    /// At most 1,024 characters.
    password: String,
}

/// The grant to read the shared text.
#[derive(Serialize, ToSchema)]
#[schema(as = ShareGrant)]
pub(super) struct ShareGrantBody {
    /// For the header `Share-Grant`.
    grant: String,
    /// When it expires at the latest; earlier if the link is revoked or its password is changed.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Exchanges a share link's password for a grant, which is valid for six hours. A link without a
/// password accepts any password.
#[utoipa::path(post, path = "/shared/{token}/unlock", tag = "shares",
    operation_id = "unlock_shared",
    security(()), params(("token" = String, Path, description = "From the link")),
    request_body = SharePassword,
    responses(
        (status = OK, body = ShareGrantBody),
        (status = FORBIDDEN, body = Document, description = "share_password_wrong"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 60 tries in 15 \
            minutes from a network, 200 an hour for the link"),
    ))]
pub(super) async fn unlock(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    Json(form): Json<SharePassword>,
) -> Result<Json<ShareGrantBody>, Problem> {
    state.limits.share(address)?;
    validate_try(&form.password).map_err(Violations::from)?;
    // A missing link is answered at once, as by `GET`: there is nothing to hide by taking the time
    // of a hash.
    let found = state.sharing().opened(&token).await?;
    let (share, _) = found.ok_or_else(Problem::not_found)?;
    if let Some(hash) = &share.password_hash {
        state.limits.share_password(share.id, address)?;
        let verdict = state
            .passwords
            .verify(&form.password, Some(hash), &*state.random);
        match verdict.await? {
            Verdict::Wrong => {
                return Err(Problem::new(
                    StatusCode::FORBIDDEN,
                    ProblemCode::SharePasswordWrong,
                ));
            }
            Verdict::RightButRehash(stronger) => {
                let mut transaction = state.db.write().await?;
                rows::rehash(&mut transaction, share.id, hash, &stronger).await?;
                transaction.commit().await?;
            }
            Verdict::Right => {}
        }
    }
    // The grant has the number of the hash that was compared: if the password has changed
    // meanwhile, the grant is invalid.
    let (grant, token) = state.sharing().new_grant(&share)?;
    Ok(Json(ShareGrantBody {
        grant: token,
        expires_at: from_ms(grant.until * 1000),
    }))
}
