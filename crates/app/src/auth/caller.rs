//! Extractors: an action declares in its signature who may call it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use slovo_accounts::auth::session::Role;
use slovo_accounts::auth::{Caller, Origin};
use slovo_db::accounts::Status;
use slovo_db::accounts::sessions::Device;

use crate::connections::ConnectionPermit;
use crate::http::Problem;
use crate::state::AppState;

/// Longest user agent that is kept, in characters; real ones have fewer than 300.
const MAX_USER_AGENT: usize = 400;

/// An administrator; any other user is refused.
#[derive(Clone, Debug)]
pub struct Administrator(pub Caller);

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let token = bearer(&parts.headers).ok_or_else(Problem::unauthorized)?;
        let now = state.clock.now();
        let claims = state
            .tokens
            .read(token, now)
            .ok_or_else(Problem::unauthorized)?;
        let account = state
            .known_sessions
            .account(&state.db, &claims.sid, now.as_millisecond())
            .await?
            .filter(|account| account.id == claims.sub && account.status == Status::Active)
            .ok_or_else(Problem::unauthorized)?;
        if let Some(permit) = parts.extensions.get::<ConnectionPermit>() {
            permit.mark_authenticated();
        }
        Ok(Self {
            user_id: account.id.clone(),
            session_id: claims.sid,
            role: if account.is_admin {
                Role::Admin
            } else {
                Role::User
            },
            account,
        })
    }
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

/// The token of `Authorization: Bearer …`; the scheme's case does not matter (RFC 9110).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
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
        Ok(Self(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
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
