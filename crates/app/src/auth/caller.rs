//! Extractors: an action declares in its signature who may call it.
//!
//! A caller has the access token of a session, or an API key. What a key permits is decided for all
//! actions in [`super::scopes`].

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde_json::Value;
use slovo_accounts::auth::api_keys::hash_of_key;
use slovo_accounts::auth::session::Role;
use slovo_accounts::auth::{Caller, Credential, KnownKey, Origin};
use slovo_db::accounts::sessions::Device;
use slovo_db::accounts::{Account, Status, api_keys};
use slovo_rules::api_key::ApiScope;
use slovo_rules::codes::ProblemCode;

use super::scopes::{RequiredAccess, required_access};
use super::token::{Token, token};
use crate::connections::ConnectionPermit;
use crate::http::{Problem, ReportedAllowance};
use crate::state::AppState;

/// Longest user agent that is kept, in characters; real ones have fewer than 300.
const MAX_USER_AGENT: usize = 400;

/// An administrator; any other user is refused.
#[derive(Clone, Debug)]
pub struct Administrator(pub Caller);

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let token = token(parts).ok_or_else(Problem::unauthorized)?;
        let (credential, account) = match (hash_of_key(&token), token) {
            (Some(hash), _) => with_key(parts, state, &hash).await?,
            (None, Token::Any(token)) => with_session(state, &token).await?,
            (None, Token::Key(_)) => return Err(Problem::unauthorized()),
        };
        if let Some(permit) = parts.extensions.get::<ConnectionPermit>() {
            permit.mark_authenticated();
        }
        Ok(Self {
            user_id: account.id.clone(),
            credential,
            role: if account.is_admin {
                Role::Admin
            } else {
                Role::User
            },
            account,
        })
    }
}

async fn with_session(state: &AppState, token: &str) -> Result<(Credential, Account), Problem> {
    let now = state.clock.now();
    let claims = state
        .tokens
        .read(token, now)
        .ok_or_else(Problem::unauthorized)?;
    let account = state
        .known_credentials
        .account(&state.db, &claims.sid, now.as_millisecond())
        .await?
        .filter(|account| account.id == claims.sub && account.status == Status::Active)
        .ok_or_else(Problem::unauthorized)?;
    Ok((Credential::Session { id: claims.sid }, account))
}

/// Checks, in this order: the key, the rate limit of its account, the plan, and the key's scopes.
async fn with_key(
    parts: &mut Parts,
    state: &AppState,
    hash: &str,
) -> Result<(Credential, Account), Problem> {
    let now = state.clock.now_ms();
    let known = state.known_credentials.key(&state.db, hash, now).await?;
    let known = known.filter(|known| known.key.account.status == Status::Active);
    let Some(KnownKey { key, in_plan }) = known else {
        return Err(
            Problem::unauthorized().detail("The API key is unknown, was revoked, or has expired.")
        );
    };
    let allowance = parts
        .extensions
        .get_or_insert_default::<ReportedAllowance>();
    allowance.count(&state.limits, &key.account.id)?;
    if !in_plan {
        return Err(
            Problem::new(StatusCode::FORBIDDEN, ProblemCode::ApiNotInPlan)
                .detail("The plan of the key's account does not include the API."),
        );
    }
    let route = parts.extensions.get::<MatchedPath>();
    let route = route.map_or(parts.uri.path(), MatchedPath::as_str);
    check_scope(required_access(&parts.method, route), &key.scopes)?;
    if state.limits.note_key_use(&key.key_id).is_ok() {
        let ClientAddress(address) = address_of(parts, state);
        note_use(
            state,
            key.key_id.clone(),
            address.to_canonical().to_string(),
        );
    }
    let credential = Credential::Key {
        id: key.key_id,
        name: key.key_name,
        scopes: key.scopes,
    };
    Ok((credential, key.account))
}

fn check_scope(required: RequiredAccess, scopes: &[ApiScope]) -> Result<(), Problem> {
    let (scope, detail) = match required {
        RequiredAccess::Scope(scope) if scopes.contains(&scope) => return Ok(()),
        RequiredAccess::Scope(scope) => (scope.as_str(), format!("The key has no scope {scope}.")),
        RequiredAccess::Session => ("session", "No API key permits this: sign in.".to_owned()),
    };
    let params = [("scope".to_owned(), Value::from(scope))];
    Err(
        Problem::new(StatusCode::FORBIDDEN, ProblemCode::ScopeMissing)
            .detail(detail)
            .params(params.into()),
    )
}

/// Stores the time and the address of a key's use. In the background: a request does not wait for
/// the database's lock, nor fail because of it.
fn note_use(state: &AppState, key: String, address: String) {
    let (db, now) = (state.db.clone(), state.clock.now_ms());
    state.tasks.spawn(async move {
        let noted: slovo_db::Result<()> = async {
            let mut transaction = db.write().await?;
            api_keys::touch(&mut transaction, &key, now, Some(&address)).await?;
            transaction.commit().await
        }
        .await;
        if let Err(error) = noted {
            tracing::warn!(%error, "the use of an API key could not be noted");
        }
    });
}

impl FromRequestParts<AppState> for Administrator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        if caller.is_admin() {
            Ok(Self(caller))
        } else {
            Err(Problem::forbidden())
        }
    }
}

/// The client's address for rate limits: the peer, or the value from the reverse proxy if one is
/// configured.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        Ok(address_of(parts, state))
    }
}

fn address_of(parts: &Parts, state: &AppState) -> ClientAddress {
    let peer = parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map(|info| info.0.ip());
    let forwarded = || {
        // The last entry was added by our own proxy; earlier ones can be forged.
        let last = parts
            .headers
            .get_all("x-forwarded-for")
            .iter()
            .next_back()?;
        address(last.to_str().ok()?.rsplit(',').next()?)
    };
    let address = if state.config.http.behind_proxy {
        forwarded().or(peer)
    } else {
        peer
    };
    ClientAddress(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
}

/// The address in an entry of X-Forwarded-For. Some proxies add the port, and some put IPv6
/// addresses in brackets.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim().trim_matches('"');
    let with_port = || entry.parse().ok().map(|address: SocketAddr| address.ip());
    let bare = entry
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
        .unwrap_or(entry);
    bare.parse().ok().or_else(with_port)
}

impl FromRequestParts<AppState> for Origin {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, state).await?;
        let agent = parts.headers.get(header::USER_AGENT);
        // Shown to the account's owner only; control characters do not come from a browser.
        let user_agent = agent
            .and_then(|agent| agent.to_str().ok())
            .map(|agent| agent.chars().take(MAX_USER_AGENT).collect());
        let device = Device {
            user_agent,
            address: Some(address.to_canonical().to_string()),
        };
        Ok(Self { address, device })
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_forwarded_address_may_have_brackets_and_a_port() {
        for (entry, expected) in [
            (" 192.0.2.7 ", Some("192.0.2.7")),
            ("192.0.2.7:40000", Some("192.0.2.7")),
            ("2001:db8::7", Some("2001:db8::7")),
            ("[2001:db8::7]", Some("2001:db8::7")),
            ("[2001:db8::7]:40000", Some("2001:db8::7")),
            ("\"[2001:db8::7]:40000\"", Some("2001:db8::7")),
            ("unknown", None),
            ("", None),
        ] {
            let expected = expected.map(|text| text.parse().unwrap());
            assert_eq!(address(entry), expected, "{entry}");
        }
    }
}
